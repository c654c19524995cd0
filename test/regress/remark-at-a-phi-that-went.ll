; RUN: %opt %load -passes='linearize<needed>' -pass-remarks=linearize -pass-remarks-missed=linearize -disable-output %s 2>&1 | %FileCheck %s
;
; opt crashed: the remark for the refused region pointed to a phi that cleaning had removed while
; the other region was written.
;
; CHECK-DAG: function 'two', block 'counts'
; CHECK-DAG: function 'two', block 'a': linearized

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.activemask() convergent
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @two(ptr addrspace(1) %p) "target-cpu"="sm_60" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %tid
  %v = load i32, ptr addrspace(1) %at
  %c = icmp sgt i32 %v, 0
  br i1 %c, label %left, label %right
left:
  %d = icmp sgt i32 %v, 10
  br i1 %d, label %counts, label %next
right:
  %e = icmp slt i32 %v, -10
  br i1 %e, label %counts, label %next
counts:
  %same = phi i32 [ %v, %left ], [ %v, %right ]
  %m = call i32 @llvm.nvvm.activemask()
  %sum = add i32 %same, %m
  store i32 %sum, ptr addrspace(1) %at
  store volatile i32 10, ptr addrspace(1) %at
  store volatile i32 11, ptr addrspace(1) %at
  store volatile i32 12, ptr addrspace(1) %at
  store volatile i32 13, ptr addrspace(1) %at
  store volatile i32 14, ptr addrspace(1) %at
  store volatile i32 15, ptr addrspace(1) %at
  store volatile i32 16, ptr addrspace(1) %at
  store volatile i32 17, ptr addrspace(1) %at
  br label %next
next:
  %w = load volatile i32, ptr addrspace(1) %at
  %f = icmp sgt i32 %w, 0
  br i1 %f, label %a, label %b
a:
  store volatile i32 1, ptr addrspace(1) %at
  %g = icmp sgt i32 %w, 10
  br i1 %g, label %shared, label %out
b:
  store volatile i32 2, ptr addrspace(1) %at
  %h = icmp slt i32 %w, -10
  br i1 %h, label %shared, label %out
shared:
  store volatile i32 %tid, ptr addrspace(1) %at
  store volatile i32 %w, ptr addrspace(1) %at
  store volatile i32 %v, ptr addrspace(1) %at
  store volatile i32 10, ptr addrspace(1) %at
  store volatile i32 11, ptr addrspace(1) %at
  store volatile i32 12, ptr addrspace(1) %at
  store volatile i32 13, ptr addrspace(1) %at
  store volatile i32 14, ptr addrspace(1) %at
  store volatile i32 15, ptr addrspace(1) %at
  store volatile i32 16, ptr addrspace(1) %at
  store volatile i32 17, ptr addrspace(1) %at
  br label %out
out:
  ret void
}
