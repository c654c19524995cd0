; Threads that do each other's work, by an order of all threads of the launch: in three dimensions, in one, and
; where the index is used in other forms. A thread writes what it is where it belongs, so that the results are
; the plain kernel's whatever the order is.
;
; RUN: %opt %load -passes='linearize-versions<redirected>,verify' -S %s -o %t.ll
; RUN: %FileCheck %s < %t.ll
; RUN: %python -c "import struct; open(r'%t.reversed', 'wb').write(struct.pack('<72I', *range(71, -1, -1)))"
; RUN: %python -c "import struct; open(r'%t.even', 'wb').write(struct.pack('<128I', *sorted(range(128), key=lambda i: i % 2)))"
; DEFINE: %{three} = --grid 2,3,1 --block 2,3,2 --arg buf:u32:72
; RUN: %simt %t.ll --kernel three %{three} --dump 0=%t.plain
; RUN: %simt %t.ll --kernel three__linearize_redirected %{three} --arg buf:u32:72:file=%t.reversed --dump 0=%t.redirected
; RUN: cmp %t.plain %t.redirected
; RUN: %simt %t.ll --kernel three %{three} --print 0 | %FileCheck %s --check-prefix=INDEX
; INDEX: 0 1 10 11 20 21 100
;
; Even threads first: warps are of one kind then.
; DEFINE: %{line} = --grid 2 --block 64 --arg buf:u32:128
; RUN: %simt %t.ll --kernel line %{line} --dump 0=%t.plain | %FileCheck %s --check-prefix=APART
; RUN: %simt %t.ll --kernel line__linearize_redirected %{line} --arg buf:u32:128:file=%t.even --dump 0=%t.redirected | %FileCheck %s --check-prefix=TOGETHER
; RUN: cmp %t.plain %t.redirected
; APART: threads active {{ *}}{{1[0-9]|2[0-9]}}.
; TOGETHER: threads active {{ *}}32.00
;
; RUN: %simt %t.ll --kernel parts %{line} --dump 0=%t.plain
; RUN: %simt %t.ll --kernel parts__linearize_redirected %{line} --arg buf:u32:128:file=%t.even --dump 0=%t.redirected
; RUN: cmp %t.plain %t.redirected
;
; What is a sum of the block's and the thread's part is the order's element; else it is taken apart.
; CHECK: c"linearize-versions 1 {{.*}}\0Aredirected\09three__linearize_redirected\09order\0A\00"
; CHECK: c"linearize-versions 1 {{.*}}\0Aredirected\09line__linearize_redirected\09order of a line\09line__linearize_inspect\0A\00"
; CHECK-LABEL: define ptx_kernel void @line__linearize_redirected(ptr %out, ptr addrspace(1) %order)
; CHECK: %thread = load i32, ptr addrspace(1) %{{.*}} !invariant.load
; CHECK-NOT: udiv
; CHECK-NOT: sreg
; CHECK: %odd = trunc i32 %thread to i1
; CHECK-LABEL: define ptx_kernel void @parts__linearize_redirected(
; CHECK: udiv i32 %thread,
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()

; Blocks of 2 x 3 x 2 threads; digits of x, y, z, and of the block's x and y.
define ptx_kernel void @three(ptr %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %zz = mul i32 %z, 3
  %zy = add i32 %zz, %y
  %zy2 = mul i32 %zy, 2
  %within = add i32 %zy2, %x
  %row = mul i32 %by, %nx
  %block = add i32 %row, %bx
  %before = mul i32 %block, 12
  %at = add i32 %before, %within
  %d1 = mul i32 %y, 10
  %d2 = mul i32 %z, 100
  %d3 = mul i32 %bx, 1000
  %d4 = mul i32 %by, 10000
  %s1 = add i32 %x, %d1
  %s2 = add i32 %s1, %d2
  %s3 = add i32 %s2, %d3
  %s4 = add i32 %s3, %d4
  %to = getelementptr i32, ptr %out, i32 %at
  store i32 %s4, ptr %to
  ret void
}

define ptx_kernel void @line(ptr %out) #0 {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %n, %b
  %i = add i32 %x, %first
  %odd = trunc i32 %i to i1
  %to = getelementptr i32, ptr %out, i32 %i
  br i1 %odd, label %one, label %other
one:
  %k = phi i32 [ 0, %entry ], [ %k1, %one ]
  %a = phi i32 [ %i, %entry ], [ %a2, %one ]
  %a1 = mul i32 %a, 3
  %a2 = xor i32 %a1, 77
  store i32 %a2, ptr %to
  %k1 = add i32 %k, 1
  %again = icmp ult i32 %k1, 9
  br i1 %again, label %one, label %end
other:
  %c = mul i32 %i, 5
  %c2 = xor i32 %c, 99
  store i32 %c2, ptr %to
  br label %end
end:
  ret void
}

; The sum, and its parts.
define ptx_kernel void @parts(ptr %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %b, %n
  %i = add i32 %first, %x
  %h = mul i32 %b, 1000
  %sum = add i32 %h, %x
  %to = getelementptr i32, ptr %out, i32 %i
  store i32 %sum, ptr %to
  ret void
}

attributes #0 = { "target-cpu"="sm_75" }
