; A shared block of a few instructions without effects becomes a select; one that loads, divides, or
; changes more than two values stays behind its guard.
; RUN: %opt -load-pass-plugin=%plugin -passes='linearize<paper;O4>,verify,verify<linearized>' -S %s \
; RUN:   | %FileCheck %s
; RUN: %opt -load-pass-plugin=%plugin -passes='linearize<paper;O3>' -S %s \
; RUN:   | %FileCheck %s --check-prefix=LESS
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @cheap(
; CHECK: [[SKIP:%next[0-9]*]] = phi i1
; CHECK-NEXT: [[SUM:%.*]] = add i32 %x, 1
; CHECK-NEXT: [[Y:%.*]] = select i1 [[SKIP]], i32 %x, i32 [[SUM]]
; CHECK-NEXT: br label %end
; CHECK: ret i32 [[Y]]
; LESS-LABEL: @cheap(
; LESS: shared:
define i32 @cheap(i1 %a, ptr %p, i32 %x) {
entry:
  br i1 %a, label %shared, label %other
other:
  %v = load volatile i32, ptr %p
  %b = icmp eq i32 %v, 0
  br i1 %b, label %shared, label %end
shared:
  %sum = add i32 %x, 1
  br label %end
end:
  %y = phi i32 [ %x, %other ], [ %sum, %shared ]
  ret i32 %y
}

; CHECK-LABEL: @loads(
; CHECK: br i1 %next{{[0-9]*}}, label %end, label %shared
; CHECK: shared:
; CHECK-NEXT: load i32
define i32 @loads(i1 %a, ptr %p, i32 %x) {
entry:
  br i1 %a, label %shared, label %other
other:
  %v = load volatile i32, ptr %p
  %b = icmp eq i32 %v, 0
  br i1 %b, label %shared, label %end
shared:
  %sum = load i32, ptr %p
  br label %end
end:
  %y = phi i32 [ %x, %other ], [ %sum, %shared ]
  ret i32 %y
}

; CHECK-LABEL: @divides(
; CHECK: shared:
; CHECK-NEXT: udiv
define i32 @divides(i1 %a, ptr %p, i32 %x) {
entry:
  br i1 %a, label %shared, label %other
other:
  %v = load volatile i32, ptr %p
  %b = icmp eq i32 %v, 0
  br i1 %b, label %shared, label %end
shared:
  %quotient = udiv i32 7, %x
  br label %end
end:
  %y = phi i32 [ %x, %other ], [ %quotient, %shared ]
  ret i32 %y
}
