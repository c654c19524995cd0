; Nests that both store and load where other threads of a warp do are left, unless it is forced, and
; a remark says so. What stands for STORE and LOAD is in the outer loop, FIRST before both.
;
; DEFINE: %{first} =
; DEFINE: %{store} =
; DEFINE: %{load} =
; DEFINE: %{nest} = sed 's/^ *FIRST$/  %{first}/; s/^ *STORE$/  %{store}/; s/^ *LOAD$/  %{load}/' %s
; DEFINE: %{merge} = %opt %load -passes='linearize-merge-loops<regardless>,verify' %all-remarks -disable-output 2>&1
; DEFINE: %{left} = %{nest} | %{merge} | %FileCheck %s --check-prefix LEFT
; DEFINE: %{merged} = %{nest} | %{merge} | %FileCheck %s --check-prefix MERGED
; LEFT: remark: {{.*}}function 'nest', block '{{.*}}': not merged with the loop around it: it stores to memory of which other threads of the warp may load what they need
; MERGED: remark: {{.*}}function 'nest', block '{{.*}}': merged this loop with the one around it
;
; The column of another thread.
; REDEFINE: %{store} = store i32 %i, ptr addrspace(3) %mine
; REDEFINE: %{load} = %x = load i32, ptr addrspace(3) %other
; RUN: %{left}
; RUN: %{nest} | %opt %load -passes='linearize-merge-loops<regardless;force>' %all-remarks -disable-output 2>&1 | %FileCheck %s --check-prefix MERGED
; RUN: %{nest} | %opt %load -passes='linearize-merge-loops<regardless>' -pass-remarks-missed=linearize -disable-output 2>&1 | %FileCheck %s --check-prefix LEFT
;
; Only one of the two.
; REDEFINE: %{load} = %x = add i32 %i, 1
; RUN: %{merged}
; REDEFINE: %{store} = store i32 %i, ptr %out
; REDEFINE: %{load} = %x = load i32, ptr addrspace(3) %other
; RUN: %{merged}
;
; What a thread has for itself: by its number, in its warp too, and rows of as much for a warp or more.
; REDEFINE: %{store} = store i32 %i, ptr addrspace(3) %mine
; REDEFINE: %{load} = %x = load i32, ptr addrspace(3) %mine
; RUN: %{merged}
; REDEFINE: %{first} = %at = getelementptr i32, ptr addrspace(3) @s, i32 %lane
; REDEFINE: %{store} = store i32 %i, ptr addrspace(3) %at
; REDEFINE: %{load} = %x = load i32, ptr addrspace(3) %at
; RUN: %{merged}
; REDEFINE: %{first} = %at = getelementptr [32 x i32], ptr addrspace(3) @s, i32 %i, i32 %me
; RUN: %{merged}
; REDEFINE: %{load} = %x = load i32, ptr addrspace(3) %mine
; RUN: %{merged}
; REDEFINE: %{first} = %at = getelementptr [31 x i32], ptr addrspace(3) @s, i32 %i, i32 %me
; RUN: %{left}
; REDEFINE: %{first} = %at = getelementptr i32, ptr addrspace(3) @s, i32 %i
; RUN: %{left}
; Parts of an element, and more than one.
; REDEFINE: %{first} = %at = getelementptr i8, ptr addrspace(3) %mine, i32 2
; REDEFINE: %{store} = store i16 7, ptr addrspace(3) %at
; RUN: %{merged}
; REDEFINE: %{store} = store i32 7, ptr addrspace(3) %at
; RUN: %{left}
; REDEFINE: %{first} = %at = getelementptr i8, ptr addrspace(3) %mine, i32 4
; REDEFINE: %{store} = store i16 7, ptr addrspace(3) %at
; RUN: %{left}
; REDEFINE: %{first} = %at = getelementptr i8, ptr addrspace(3) @s, i32 %me
; REDEFINE: %{store} = store i8 7, ptr addrspace(3) %at
; RUN: %{left}
; Threads of a block of several rows have the same number.
; REDEFINE: %{first} = %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
; REDEFINE: %{store} = store i32 %y, ptr addrspace(3) %mine
; RUN: %{left}
;
; Different variables, and one of which only one is both stored and loaded.
; REDEFINE: %{first} =
; REDEFINE: %{store} = store i32 %i, ptr addrspace(3) @one
; REDEFINE: %{load} = %x = load i32, ptr addrspace(3) %other
; RUN: %{merged}
; REDEFINE: %{load} = %x = load i32, ptr addrspace(3) @one
; RUN: %{left}
;
; Generic pointers: followed through casts, phis and selects; or nobody knows, once an address of
; shared memory is somewhere in memory.
; REDEFINE: %{store} = store i32 %i, ptr %generic
; RUN: %{merged}
; REDEFINE: %{load} = %x = load i32, ptr addrspace(3) %other
; RUN: %{left}
; REDEFINE: %{store} = store i32 %i, ptr %either
; RUN: %{left}
; REDEFINE: %{store} = store i32 %i, ptr %unknown
; RUN: %{merged}
; REDEFINE: %{first} = store ptr %generic, ptr %out
; RUN: %{left}
; REDEFINE: %{store} = store i32 %i, ptr %out
; RUN: %{merged}
; REDEFINE: %{store} = store i32 %i, ptr %local
; RUN: %{merged}
; REDEFINE: %{store} = store i32 %i, ptr addrspace(1) %global
; RUN: %{merged}
;
; Calls, with what they are given, and what else they may know; copies; atomic operations, that are
; in order among each other.
; REDEFINE: %{first} =
; REDEFINE: %{store} = call void @writes(ptr %generic)
; RUN: %{left}
; REDEFINE: %{store} = call void @writes(ptr %out)
; RUN: %{merged}
; REDEFINE: %{store} = call void @knows()
; RUN: %{left}
; REDEFINE: %{store} = call void @reads(ptr %generic)
; RUN: %{merged}
; REDEFINE: %{store} = call void @llvm.memset.p3.i32(ptr addrspace(3) @s, i8 0, i32 4, i1 false)
; RUN: %{left}
; REDEFINE: %{store} = call void asm sideeffect "st.shared.u32 [$0], 1;", "r"(i32 %i)
; RUN: %{left}
; REDEFINE: %{store} = %a = atomicrmw add ptr addrspace(3) @s, i32 1 monotonic
; RUN: %{left}
; REDEFINE: %{load} = %x = add i32 %i, 1
; RUN: %{merged}
;
; Volatile memory elsewhere: programs that do the same there.
; REDEFINE: %{store} = store volatile i32 %i, ptr %out
; RUN: %{merged}
; REDEFINE: %{load} = %x = load volatile i32, ptr %out
; RUN: %{left}
; REDEFINE: %{store} = store volatile i32 %i, ptr %local
; REDEFINE: %{load} = %x = load volatile i32, ptr %local
; RUN: %{merged}

target triple = "nvptx64-nvidia-cuda"

@s = internal addrspace(3) global [1024 x i32] poison
@one = internal addrspace(3) global i32 poison

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare void @llvm.memset.p3.i32(ptr addrspace(3), i8, i32, i1)
declare void @writes(ptr) nosync
declare void @reads(ptr) nosync memory(read)

define internal void @knows() noinline {
  store i32 1, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @s, i32 8)
  ret void
}

define ptx_kernel void @nest(ptr %out, ptr %in, i1 %which, i32 %n) #0 {
  %me = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %wide = zext i32 %me to i64
  %mine = getelementptr [1024 x i32], ptr addrspace(3) @s, i64 0, i64 %wide
  %next = xor i32 %me, 1
  %other = getelementptr i32, ptr addrspace(3) @s, i32 %next
  %generic = addrspacecast ptr addrspace(3) %other to ptr
  %either = select i1 %which, ptr %generic, ptr %out
  %unknown = load ptr, ptr %in
  %local = alloca i32
  %global = addrspacecast ptr %unknown to ptr addrspace(1)
  br label %outer
outer:
  %i = phi i32 [ 0, %0 ], [ %i1, %latch ]
  FIRST
  STORE
  LOAD
  br label %inner
inner:
  %z = phi i32 [ %x, %outer ], [ %z1, %inner ]
  %z0 = mul i32 %z, 1664525
  %z1 = xor i32 %z0, %me
  %c = icmp ugt i32 %z1, %n
  br i1 %c, label %inner, label %latch
latch:
  %to = getelementptr i32, ptr %out, i32 %i
  store i32 %z1, ptr %to
  %i1 = add i32 %i, 1
  %d = icmp ult i32 %i1, 32
  br i1 %d, label %outer, label %end
end:
  ret void
}

attributes #0 = { "target-cpu"="sm_75" }
