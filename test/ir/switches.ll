; What is left of a switch whose cases came together at one guard: comparisons, the test that leads
; to where other targets go on last.
; RUN: %opt -load-pass-plugin=%plugin -passes='linearize<paper;O4>,verify,verify<linearized>' -S %s \
; RUN:   | %FileCheck %s
; RUN: %opt -load-pass-plugin=%plugin -passes='linearize<paper;O3>' -S %s \
; RUN:   | %FileCheck %s --check-prefix=LESS
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @falls_through(
; CHECK-NOT: switch
; CHECK: [[TOO:%.*]] = icmp ugt i32 %s, 2
; CHECK-NEXT: br i1 [[TOO]], label %other, label %linearize.guard{{[0-9]*}}, !prof [[ODDS:![0-9]+]]
; LESS-LABEL: @falls_through(
; LESS: switch
define i32 @falls_through(i32 %s, ptr %p) {
entry:
  switch i32 %s, label %other [
    i32 0, label %zero
    i32 1, label %one
    i32 2, label %two
  ]
zero:
  %v = load volatile i32, ptr %p
  %a = icmp eq i32 %v, 0
  br i1 %a, label %one, label %end
one:
  %w = load volatile i32, ptr %p
  %b = icmp eq i32 %w, 0
  br i1 %b, label %two, label %end
two:
  store volatile i32 2, ptr %p
  br label %end
other:
  store volatile i32 3, ptr %p
  br label %end
end:
  ret i32 0
}

; The default can't be reached: all that is left is one branch.
; CHECK-LABEL: @all_cases(
; CHECK-NOT: switch
; CHECK: }
define i32 @all_cases(i32 %s, ptr %p) {
entry:
  switch i32 %s, label %never [
    i32 0, label %zero
    i32 1, label %one
    i32 2, label %two
  ]
never:
  unreachable
zero:
  %v = load volatile i32, ptr %p
  %a = icmp eq i32 %v, 0
  br i1 %a, label %one, label %end
one:
  %w = load volatile i32, ptr %p
  %b = icmp eq i32 %w, 0
  br i1 %b, label %two, label %end
two:
  store volatile i32 2, ptr %p
  br label %end
end:
  ret i32 0
}

; CHECK: [[ODDS]] = !{!"branch_weights", i32 1, i32 3}
