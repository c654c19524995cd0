; The variable x of
;
;     if (a || b) x = f(x); if (x > 7) ...
;
; passes the guard as one value: no phi beside the one that was there.
; RUN: %opt -load-pass-plugin=%plugin -passes='linearize<paper;O4>,verify,verify<linearized>' -S %s \
; RUN:   | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @variable(
; CHECK-COUNT-1: phi i32
; CHECK-NOT: phi i32
; CHECK: ret
define i32 @variable(i1 %a, ptr %p, i32 %n) {
entry:
  %x0 = load i32, ptr %p
  br i1 %a, label %shared, label %other
other:
  %v = load volatile i32, ptr %p
  %b = icmp eq i32 %v, 0
  br i1 %b, label %shared, label %end
shared:
  %x1 = udiv i32 %x0, %n
  br label %end
end:
  %x2 = phi i32 [ %x0, %other ], [ %x1, %shared ]
  ret i32 %x2
}

; Two that are needed at once, the old and the new value, can't be one.
; CHECK-LABEL: @lost_copy(
; CHECK: loop:
; CHECK: phi i32
; CHECK: ret i32
define i32 @lost_copy(i32 %n, ptr %p) {
entry:
  br label %loop
loop:
  %x = phi i32 [ 0, %entry ], [ %next, %again ], [ %next, %loop ]
  %next = add i32 %x, 3
  %v = load volatile i32, ptr %p
  switch i32 %v, label %again [
    i32 0, label %loop
    i32 1, label %out
  ]
again:
  %w = load volatile i32, ptr %p
  %c = icmp eq i32 %w, 0
  br i1 %c, label %loop, label %out
out:
  %old = phi i32 [ %x, %loop ], [ %x, %again ]
  %sum = add i32 %old, %next
  ret i32 %sum
}
