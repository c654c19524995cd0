; What is chosen in front of a loop is kept in registers. Where these are as many as there may be, fewer warps
; would take longer than melding saves.
;
; RUN: %opt %load -passes='linearize<none;meld>,verify' -S %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"

; CHECK-LABEL: @few(
; CHECK-NOT: linearize
; CHECK: ret i32
define i32 @few(i32 %n, i32 %m) #0 {
entry:
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bit = trunc i32 %i to i1
  br i1 %bit, label %a, label %b
a:
  %ka = phi i32 [ 0, %entry ], [ %ka1, %a ]
  %xa = phi i32 [ %i, %entry ], [ %xa1, %a ]
  %da = udiv i32 %n, %xa
  %xa1 = add i32 %da, 5
  %ka1 = add i32 %ka, 1
  %ca = icmp ult i32 %ka1, %n
  br i1 %ca, label %a, label %j
b:
  %kb = phi i32 [ 0, %entry ], [ %kb1, %b ]
  %xb = phi i32 [ %i, %entry ], [ %xb1, %b ]
  %db = udiv i32 %n, %xb
  %xb1 = add i32 %db, 9
  %kb1 = add i32 %kb, 1
  %cb = icmp ult i32 %kb1, %m
  br i1 %cb, label %b, label %j
j:
  %x = phi i32 [ %xa1, %a ], [ %xb1, %b ]
  ret i32 %x
}

; CHECK-LABEL: @more(
; CHECK: udiv
; CHECK-NOT: udiv
; CHECK: }
define i32 @more(i32 %n, i32 %m) #1 {
entry:
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bit = trunc i32 %i to i1
  br i1 %bit, label %a, label %b
a:
  %ka = phi i32 [ 0, %entry ], [ %ka1, %a ]
  %xa = phi i32 [ %i, %entry ], [ %xa1, %a ]
  %da = udiv i32 %n, %xa
  %xa1 = add i32 %da, 5
  %ka1 = add i32 %ka, 1
  %ca = icmp ult i32 %ka1, %n
  br i1 %ca, label %a, label %j
b:
  %kb = phi i32 [ 0, %entry ], [ %kb1, %b ]
  %xb = phi i32 [ %i, %entry ], [ %xb1, %b ]
  %db = udiv i32 %n, %xb
  %xb1 = add i32 %db, 9
  %kb1 = add i32 %kb, 1
  %cb = icmp ult i32 %kb1, %m
  br i1 %cb, label %b, label %j
j:
  %x = phi i32 [ %xa1, %a ], [ %xb1, %b ]
  ret i32 %x
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

attributes #0 = { "nvvm.maxnreg"="3" }
attributes #1 = { "nvvm.maxnreg"="32" }
