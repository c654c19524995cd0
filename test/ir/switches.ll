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

; The default can't be reached: all that is left is one branch, and it goes.
; CHECK-LABEL: @all_cases(
; CHECK-NOT: switch
; CHECK-NOT: never
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

; In a loop: a default that nobody takes doesn't leave it. Guards stand between the first target and
; the second.
; CHECK-LABEL: @in_a_loop(
; CHECK-NOT: switch
; CHECK: [[CASES:%.*]] = icmp ule i32 %s, 2
; CHECK-NEXT: br i1 [[CASES]], label %linearize.guard{{[0-9]*}}, label %latch
; CHECK-NOT: switch
define i32 @in_a_loop(i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %s = call i32 @f(i32 %i)
  switch i32 %s, label %never [
    i32 0, label %zero
    i32 1, label %one
    i32 2, label %two
    i32 3, label %latch
  ]
never:
  unreachable
zero:
  %v = call i32 @f(i32 %s)
  %a = icmp eq i32 %v, 0
  br i1 %a, label %one, label %latch
one:
  %w = call i32 @f(i32 %n)
  %b = icmp eq i32 %w, 0
  br i1 %b, label %two, label %latch
two:
  %x = call i32 @f(i32 7)
  br label %latch
latch:
  %step = phi i32 [ 1, %head ], [ 1, %zero ], [ 1, %one ], [ %x, %two ]
  %next = add i32 %i, %step
  %more = icmp ult i32 %next, %n
  br i1 %more, label %head, label %end
end:
  ret i32 0
}

; Two targets whose cases take turns: one of them has a comparison for each case.
; CHECK-LABEL: @in_turns(
; CHECK-NOT: switch
; CHECK: [[ZERO:%.*]] = icmp eq i32 %s, 0
; CHECK-NEXT: [[THREE:%.*]] = icmp eq i32 %s, 3
; CHECK-NEXT: [[EITHER:%.*]] = or i1 [[ZERO]], [[THREE]]
; CHECK-NEXT: br i1 [[EITHER]], label %arm, label %linearize.guard{{[0-9]*}}
define i32 @in_turns(i32 %s, ptr %p) {
entry:
  switch i32 %s, label %never [
    i32 0, label %arm
    i32 1, label %one
    i32 3, label %arm
    i32 4, label %four
  ]
never:
  unreachable
arm:
  %v = load volatile i32, ptr %p
  %a = icmp eq i32 %v, 0
  br i1 %a, label %one, label %four
one:
  %w = load volatile i32, ptr %p
  %b = icmp eq i32 %w, 0
  br i1 %b, label %four, label %end
four:
  store volatile i32 2, ptr %p
  br label %end
end:
  ret i32 0
}

declare i32 @f(i32) nosync nounwind willreturn memory(none)

; CHECK: [[ODDS]] = !{!"branch_weights", i32 1, i32 3}
