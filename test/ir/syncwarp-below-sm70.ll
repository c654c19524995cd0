; RUN: %opt -S %s -o %t.before
; RUN: %opt %load -passes='linearize<needed>' -pass-remarks-missed=linearize -S %s -o %t.after 2>&1 | %FileCheck %s --check-prefix=REMARK
; RUN: diff %t.before %t.after
; RUN: %opt %load -passes='linearize<paper>' -S %s -o %t.after
; RUN: diff %t.before %t.after
; RUN: %opt %load -passes='linearize<all>' -S %s -o %t.after
; RUN: diff %t.before %t.after
; RUN: %opt %load -linearize-force -passes='linearize<paper>,verify<linearized>' -S %s | %FileCheck %s --check-prefix=FORCED
;
; The same kernel for sm_75: linearized, and both barriers are still there, once each.
; RUN: sed 's/sm_60/sm_75/' %s > %t.ll
; RUN: %opt -S %t.ll -o %t.before
; RUN: %opt %load -passes='linearize<paper>,verify,verify<linearized>' -S %t.ll -o %t.after
; RUN: %not diff %t.before %t.after
; RUN: %FileCheck %s --check-prefix=FORCED < %t.after
;
; Two arms that wait for each other (__syncwarp in both) in an unstructured region. Below sm_70
; a warp runs in lock step: reconverging earlier could make it wait for ever.
;
; REMARK: {{warning|remark}}:
; REMARK-SAME: waits
; REMARK-SAME: {{left|right}}
;
; FORCED-LABEL: define {{.*}}@waits
; FORCED-COUNT-2: call void @llvm.nvvm.bar.warp.sync(
; FORCED-NOT: call void @llvm.nvvm.bar.warp.sync(

target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.bar.warp.sync(i32) convergent nounwind
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @waits(ptr addrspace(1) %p) "target-cpu"="sm_60" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %tid
  %v = load i32, ptr addrspace(1) %a
  %c = icmp sgt i32 %v, 0
  br i1 %c, label %left, label %right
left:
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  store i32 1, ptr addrspace(1) %a
  %d = icmp sgt i32 %v, 10
  br i1 %d, label %shared, label %out
right:
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  store i32 2, ptr addrspace(1) %a
  %e = icmp slt i32 %v, -10
  br i1 %e, label %shared, label %out
shared:
  %s = phi i32 [ 3, %left ], [ 4, %right ]
  %w = mul i32 %s, %v
  store volatile i32 %w, ptr addrspace(1) %a
  store volatile i32 %tid, ptr addrspace(1) %a
  store volatile i32 %v, ptr addrspace(1) %a
  store volatile i32 10, ptr addrspace(1) %a
  store volatile i32 11, ptr addrspace(1) %a
  store volatile i32 12, ptr addrspace(1) %a
  store volatile i32 13, ptr addrspace(1) %a
  store volatile i32 14, ptr addrspace(1) %a
  store volatile i32 15, ptr addrspace(1) %a
  store volatile i32 16, ptr addrspace(1) %a
  store volatile i32 17, ptr addrspace(1) %a
  br label %out
out:
  ret void
}

