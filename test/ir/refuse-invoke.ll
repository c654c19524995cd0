; RUN: %opt -S %s -o %t.before
; RUN: %opt %load -passes='linearize<paper>' -pass-remarks-missed=linearize -S %s -o %t.paper 2>&1 | %FileCheck %s
; RUN: diff %t.before %t.paper
; RUN: %opt %load -passes='linearize<all>' -S %s -o %t.all
; RUN: diff %t.before %t.all
; RUN: %opt %load -passes='linearize<needed>' -S %s -o %t.needed
; RUN: diff %t.before %t.needed
;
; invoke and a landing pad in the region.
;
; CHECK: remark:
; CHECK-SAME: thrower
; CHECK-SAME: {{risky|pad}}
; CHECK-SAME: {{invoke|landingpad|landing pad|EH pad|exception}}

target triple = "nvptx64-nvidia-cuda"

declare void @may_throw()
declare i32 @personality(...)

define void @thrower(ptr %p, i1 %c) personality ptr @personality {
entry:
  br i1 %c, label %risky, label %a
risky:
  store i32 1, ptr %p
  invoke void @may_throw() to label %a unwind label %pad
pad:
  %l = landingpad { ptr, i32 } cleanup
  store i32 4, ptr %p
  br label %b
a:
  store i32 2, ptr %p
  br label %b
b:
  store i32 3, ptr %p
  ret void
}
