; A kernel that another kernel launches (dynamic parallelism) is the plain one: who takes its address has that.
;
; RUN: %opt %load -passes='linearize-versions<paper>,verify' -S %s | %FileCheck %s
; CHECK: define ptx_kernel void @walk(
; CHECK: define ptx_kernel void @parent(
; CHECK: call i32 @cudaLaunchDeviceV2(ptr @walk)
; CHECK: define ptx_kernel void @walk__linearize_paper(
; CHECK-NOT: @walk__linearize_paper
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @walk(ptr %p, i1 %c, i1 %d) {
entry:
  br i1 %c, label %a, label %b
a:
  store volatile i32 1, ptr %p
  br i1 %d, label %b, label %out
b:
  store volatile i32 2, ptr %p
  br label %out
out:
  store volatile i32 3, ptr %p
  ret void
}

define ptx_kernel void @parent(ptr %p) {
  %status = call i32 @cudaLaunchDeviceV2(ptr @walk)
  ret void
}

declare i32 @cudaLaunchDeviceV2(ptr)
