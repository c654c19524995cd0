; What is asked of the budget before it is begun: where threads part, and joins behind switches.
;
; RUN: python3 %source/bench/scaling --write %t.bc --shapes forward --sizes 4000 --values 1
; RUN: %opt %load -passes='linearize<needed>' -pass-remarks-missed=linearize -S %t.bc -o %t 2>&1 \
; RUN:   | %FileCheck %s
; CHECK: function 'f': over budget: to find out at which of its branches threads of a warp part takes work of {{[0-9]+}}, max-work is 50000000; of all else only irreducible loops are linearized
; RUN: %FileCheck %s --check-prefix LEFT --input-file %t
; LEFT-NOT: linearize.guard
;
; RUN: %opt %load -passes='linearize-interleave' -pass-remarks-missed=linearize \
; RUN:   -disable-output %t.bc 2>&1 | %FileCheck %s --check-prefix BESIDE
; BESIDE: function 'f': over budget: to find out {{.*}}; left alone
;
; RUN: %opt %load -passes='linearize<needed;max-work=100000000>' -pass-remarks-missed=linearize \
; RUN:   -disable-output %t.bc 2>&1 | %FileCheck --allow-empty %s --check-prefix ENOUGH
; ENOUGH-NOT: to find out
;
; Two blocks, and 2 for each of the switch's six edges, at the one join that threads come to late.
; RUN: %opt %load -passes='linearize<paper;max-work=1>' -pass-remarks-missed=linearize -disable-output \
; RUN:   %s 2>&1 | %FileCheck %s --check-prefix CASES
; CASES: function 'cases', {{.*}}: over budget: its work is 14, max-work is 1

target triple = "nvptx64-nvidia-cuda"

define void @cases(i32 %s, i1 %f, ptr %p) "target-cpu"="sm_90" {
entry:
  switch i32 %s, label %e [
    i32 0, label %a
    i32 1, label %b
    i32 2, label %c
    i32 3, label %d
    i32 4, label %d
  ]
a:
  store volatile i32 1, ptr %p
  br i1 %f, label %b, label %e
b:
  store volatile i32 2, ptr %p
  br label %e
c:
  store volatile i32 3, ptr %p
  br label %e
d:
  store volatile i32 4, ptr %p
  br label %e
e:
  ret void
}
