; RUN: %opt -S %s -o %t.before
; RUN: %opt %load -passes='linearize<paper>' -pass-remarks-missed=linearize -S %s -o %t.paper 2>&1 | %FileCheck %s
; RUN: diff %t.before %t.paper
; RUN: %opt %load -passes='linearize<all>' -S %s -o %t.all
; RUN: diff %t.before %t.all
; RUN: %opt %load -passes='linearize<needed>' -S %s -o %t.needed
; RUN: diff %t.before %t.needed
;
; An indirectbr in the region: its edges can't be redirected, so @wanderer stays as it is and
; the remark names function, block and reason.
;
; CHECK: remark:
; CHECK-SAME: wanderer
; CHECK-SAME: crossroads
; CHECK-SAME: indirectbr

target triple = "nvptx64-nvidia-cuda"

define void @wanderer(ptr %p, i1 %c, i1 %d) {
entry:
  %t = select i1 %d, ptr blockaddress(@wanderer, %a), ptr blockaddress(@wanderer, %b)
  br i1 %c, label %crossroads, label %a
crossroads:
  store i32 1, ptr %p
  indirectbr ptr %t, [label %a, label %b]
a:
  store i32 2, ptr %p
  br label %b
b:
  store i32 3, ptr %p
  ret void
}
