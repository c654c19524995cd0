; Arms between which a bound decides that all threads load from one place stay apart: one warp of all parts at
; most. It isn't so where each thread has a bound of its own.
;
; RUN: %opt %load -passes='linearize<none;meld>,verify' -S %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"

@bounds = external addrspace(3) global [4 x i32]

; CHECK-LABEL: @shared(
; CHECK: br i1 %c, label %a, label %b
define ptx_kernel void @shared(ptr %out) {
entry:
  %k = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bound = load i32, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @bounds, i64 8)
  %c = icmp ult i32 %k, %bound
  br i1 %c, label %a, label %b
a:
  %va = udiv i32 %k, 7
  %wa = udiv i32 %va, %bound
  br label %j
b:
  %vb = udiv i32 %k, 9
  %wb = udiv i32 %vb, %bound
  br label %j
j:
  %r = phi i32 [ %wa, %a ], [ %wb, %b ]
  store i32 %r, ptr %out
  ret void
}

; CHECK-LABEL: @parameter(
; CHECK: br i1 %c, label %a, label %b
define ptx_kernel void @parameter(ptr %bounds, ptr %out) {
entry:
  %k = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %number = ptrtoint ptr %bounds to i64
  %address = inttoptr i64 %number to ptr addrspace(1)
  %generic = addrspacecast ptr addrspace(1) %address to ptr
  %place = getelementptr i8, ptr %generic, i64 8
  %bound = load i32, ptr %place
  %c = icmp ult i32 %k, %bound
  br i1 %c, label %a, label %b
a:
  %va = udiv i32 %k, 7
  %wa = udiv i32 %va, %bound
  br label %j
b:
  %vb = udiv i32 %k, 9
  %wb = udiv i32 %vb, %bound
  br label %j
j:
  %r = phi i32 [ %wa, %a ], [ %wb, %b ]
  store i32 %r, ptr %out
  ret void
}

; CHECK-LABEL: @own(
; CHECK-COUNT-2: udiv
; CHECK-NOT: udiv
define ptx_kernel void @own(ptr %bounds, ptr %out) {
entry:
  %k = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %place = getelementptr i32, ptr %bounds, i32 %k
  %bound = load i32, ptr %place
  %c = icmp ult i32 %k, %bound
  br i1 %c, label %a, label %b
a:
  %va = udiv i32 %k, 7
  %wa = udiv i32 %va, %bound
  br label %j
b:
  %vb = udiv i32 %k, 9
  %wb = udiv i32 %vb, %bound
  br label %j
j:
  %r = phi i32 [ %wa, %a ], [ %wb, %b ]
  store i32 %r, ptr %out
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
