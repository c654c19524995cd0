; Two arms that use the same shared memory one after the other don't take turns, unless that is
; forced: what threads of one arm exchange there would be overwritten by the other's.
;
; DEFINE: %{a} =
; DEFINE: %{b} =
; DEFINE: %{arms} = sed 's/^ *A$/  %{a}/; s/^ *B$/  %{b}/' %s | %opt %load -pass-remarks=linearize -disable-output 2>&1
; DEFINE: %{check} = %FileCheck %s --allow-empty --check-prefix
; LEFT-NOT: interleaved
; TURNS: function 'arms', block 'entry': interleaved the two arms of this branch
;
; REDEFINE: %{a} = store i32 1, ptr addrspace(3) %one
; REDEFINE: %{b} = store i32 2, ptr addrspace(3) %one
; RUN: %{arms} -passes='linearize-interleave<warps=2>' | %{check} LEFT
; RUN: %{arms} -passes='linearize-interleave<warps=2;force>' | %{check} TURNS
; REDEFINE: %{b} =
; RUN: %{arms} -passes='linearize-interleave<warps=2>' | %{check} LEFT
; REDEFINE: %{a} =
; RUN: %{arms} -passes='linearize-interleave<warps=2>' | %{check} TURNS
; REDEFINE: %{b} = store i32 2, ptr addrspace(3) %one
; RUN: %{arms} -passes='linearize-interleave<warps=2>' | %{check} LEFT
; REDEFINE: %{b} = store i32 2, ptr addrspace(3) %apart
; RUN: %{arms} -passes='linearize-interleave<warps=2>' | %{check} TURNS
target triple = "nvptx64-nvidia-cuda"

@s = internal addrspace(3) global [64 x i32] poison
@r = internal addrspace(3) global [64 x i32] poison

define ptx_kernel void @arms(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %out, i1 %c, i32 %i) {
entry:
  %one = getelementptr i32, ptr addrspace(3) @s, i32 %i
  %apart = getelementptr i32, ptr addrspace(3) @r, i32 %i
  %me = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = icmp ult i32 %me, 5
  br i1 %d, label %a, label %b
a:
  %pa = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %first = load i32, ptr addrspace(1) %pa
  %other = load i32, ptr addrspace(3) @s
  %sum = add i32 %first, %other
  A
  br label %end
b:
  %qa = getelementptr i32, ptr addrspace(1) %q, i32 %i
  %second = load i32, ptr addrspace(1) %qa
  %same = load i32, ptr addrspace(3) @s
  %more = add i32 %second, %same
  B
  br label %end
end:
  %v = phi i32 [ %sum, %a ], [ %more, %b ]
  store i32 %v, ptr addrspace(1) %out
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
