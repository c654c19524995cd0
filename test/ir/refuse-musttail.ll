; RUN: %opt -S %s -o %t.before
; RUN: %opt %load -passes='linearize<paper>' -pass-remarks-missed=linearize -S %s -o %t.paper 2>&1 | %FileCheck %s
; RUN: diff %t.before %t.paper
; RUN: %opt %load -passes='linearize<all>' -S %s -o %t.all
; RUN: diff %t.before %t.all
; RUN: %opt %load -passes='linearize<needed>' -S %s -o %t.needed
; RUN: diff %t.before %t.needed
;
; A musttail call inside the region: nothing may stand between it and its ret.
;
; CHECK: remark:
; CHECK-SAME: chaser
; CHECK-SAME: leap
; CHECK-SAME: musttail

target triple = "nvptx64-nvidia-cuda"

define i32 @chaser(ptr %p, i1 %c, i1 %d) {
entry:
  br i1 %c, label %a, label %b
a:
  store i32 1, ptr %p
  br i1 %d, label %b, label %leap
b:
  store i32 2, ptr %p
  br i1 %d, label %leap, label %e
leap:
  %r = musttail call i32 @chaser(ptr %p, i1 %d, i1 %c)
  ret i32 %r
e:
  ret i32 0
}
