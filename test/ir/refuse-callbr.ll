; RUN: %opt -S %s -o %t.before
; RUN: %opt %load -passes='linearize<paper>' -pass-remarks-missed=linearize -S %s -o %t.paper 2>&1 | %FileCheck %s
; RUN: diff %t.before %t.paper
; RUN: %opt %load -passes='linearize<all>' -S %s -o %t.all
; RUN: diff %t.before %t.all
; RUN: %opt %load -passes='linearize<needed>' -S %s -o %t.needed
; RUN: diff %t.before %t.needed
;
; callbr: asm that may jump.
;
; CHECK: remark:
; CHECK-SAME: asmjump
; CHECK-SAME: leaper
; CHECK-SAME: callbr

target triple = "nvptx64-nvidia-cuda"

define void @asmjump(ptr %p, i1 %c) {
entry:
  br i1 %c, label %leaper, label %a
leaper:
  store i32 1, ptr %p
  callbr void asm sideeffect "", "!i"() to label %a [label %b]
a:
  store i32 2, ptr %p
  br label %b
b:
  store i32 3, ptr %p
  ret void
}
