; RUN: %opt -S %s -o %t.before
; RUN: %opt %load -passes='linearize<needed>' -S %s -o %t.needed
; RUN: diff %t.before %t.needed
; RUN: %opt %load -passes='linearize<paper>,verify,verify<linearized>' -pass-remarks=linearize -pass-remarks-analysis=linearize -pass-remarks-missed=linearize -S %s -o %t.paper 2>&1 | %FileCheck %s
; RUN: %not diff %t.before %t.paper
; RUN: %opt %load -passes='linearize<all>,verify,verify<linearized>' -pass-remarks=linearize -pass-remarks-analysis=linearize -pass-remarks-missed=linearize -S %s -o %t.all 2>&1 | %FileCheck %s
;
; activemask answers which threads happen to run together: a region with it is linearized only
; when asked to do everything, and that is said.
;
; CHECK: remark:
; CHECK-SAME: counts
; CHECK-SAME: {{activemask|active mask|vote}}

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.activemask() convergent
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @counts(ptr addrspace(1) %p) "target-cpu"="sm_75" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %tid
  %v = load i32, ptr addrspace(1) %a
  %c = icmp sgt i32 %v, 0
  br i1 %c, label %left, label %right
left:
  store volatile i32 1, ptr addrspace(1) %a
  %d = icmp sgt i32 %v, 10
  br i1 %d, label %shared, label %out
right:
  store volatile i32 2, ptr addrspace(1) %a
  %e = icmp slt i32 %v, -10
  br i1 %e, label %shared, label %out
shared:
  %m = call i32 @llvm.nvvm.activemask()
  store volatile i32 %m, ptr addrspace(1) %a
  store volatile i32 %tid, ptr addrspace(1) %a
  store volatile i32 %v, ptr addrspace(1) %a
  br label %out
out:
  ret void
}
