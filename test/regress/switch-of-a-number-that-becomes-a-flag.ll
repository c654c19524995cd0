; RUN: env MALLOC_PERTURB_=165 %opt %load -passes='linearize<none;limit-depth=1>,verify' -S %s | %FileCheck %s
;
; The tests of a switch that choose a guard are tests of a number that becomes a flag, and go with
; it, once.
;
; CHECK-LABEL: define i64 @f
; CHECK: b11:
; CHECK-NOT: icmp
target triple = "nvptx64-nvidia-cuda"

define i64 @f(i1 %v13) {
b0:
  switch i32 0, label %b2 [ i32 0, label %b12
                            i32 1, label %b12 ]
b2:
  br i1 %v13, label %b5, label %b12
b5:
  br i1 %v13, label %b7, label %b11
b7:
  br label %b11
b11:
  %v4 = phi i32 [ 0, %b5 ], [ 1, %b7 ]
  switch i32 %v4, label %b12 [ i32 2, label %b5 ]
b12:
  br label %b12
}
