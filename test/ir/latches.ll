; The counters of loops that threads leave early: their steps are taken above the guard.
;
; RUN: %opt %load -passes='linearize<paper>' -S %s | %FileCheck %s

target triple = "nvptx64-nvidia-cuda"

declare i32 @f(i32) nosync nounwind willreturn memory(none)

; CHECK-LABEL: define i32 @counter(
; CHECK:       header:
; CHECK-NEXT:    %i = phi i32 [ 0, %entry ], [ %next, %[[LATCH:.*]] ]
; CHECK:         %next = add i32 %i, 1
; CHECK:       [[LATCH]]:
; CHECK-NOT:     phi i32 [ %i,
; CHECK:         br i1 {{.*}}, label %header
define i32 @counter(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %next, %step ]
  %x = call i32 @f(i32 %i)
  switch i32 %x, label %step [
    i32 7, label %found
    i32 9, label %lost
  ]

step:
  %y = call i32 @f(i32 %x)
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %lost, label %header

found:
  %z = call i32 @f(i32 3)
  br label %lost

lost:
  %result = phi i32 [ %z, %found ], [ 0, %header ], [ 1, %step ]
  ret i32 %result
}

; A step by what only those who stay have computed stays where it is.
; CHECK-LABEL: define i32 @late(
; CHECK:       step:
; CHECK:         %next = add i32 %i, %y
; CHECK:         phi i32 [ %i, %header ], [ %i, %header ], [ %next, %step ]
define i32 @late(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %next, %step ]
  %x = call i32 @f(i32 %i)
  switch i32 %x, label %step [
    i32 7, label %found
    i32 9, label %lost
  ]

step:
  %y = call i32 @f(i32 %x)
  %next = add i32 %i, %y
  %done = icmp eq i32 %next, %n
  br i1 %done, label %lost, label %header

found:
  %z = call i32 @f(i32 3)
  br label %lost

lost:
  %result = phi i32 [ %z, %found ], [ 0, %header ], [ 1, %step ]
  ret i32 %result
}

; What is read after the loop, too, is a step further only for some.
; CHECK-LABEL: define i32 @after(
; CHECK:       step:
; CHECK:         %next = add i32 %i, 1
; CHECK:         phi i32 [ %i, %header ], [ %i, %header ], [ %next, %step ]
define i32 @after(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %next, %step ]
  %x = call i32 @f(i32 %i)
  switch i32 %x, label %step [
    i32 7, label %found
    i32 9, label %lost
  ]

step:
  %y = call i32 @f(i32 %x)
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %lost, label %header

found:
  %z = call i32 @f(i32 3)
  br label %lost

lost:
  %result = phi i32 [ %z, %found ], [ %i, %header ], [ %next, %step ]
  ret i32 %result
}

; So is a counter that some go around with as it was.
; CHECK-LABEL: define i32 @again(
; CHECK:       step:
; CHECK:         %next = add i32 %i, 1
; CHECK:         phi i32 [ %i, %header ], [ %i, %header ], [ %i, %header ], [ %next, %step ]
define i32 @again(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %next, %step ], [ %i, %header ]
  %x = call i32 @f(i32 %i)
  switch i32 %x, label %step [
    i32 5, label %header
    i32 7, label %found
    i32 9, label %lost
  ]

step:
  %y = call i32 @f(i32 %x)
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %lost, label %header

found:
  %z = call i32 @f(i32 3)
  br label %lost

lost:
  %result = phi i32 [ %z, %found ], [ 0, %header ], [ 1, %step ]
  ret i32 %result
}
