; RUN: %same --tests 1 %s "all;O2"
; What is said of a guard on the way into a loop is read behind it.

@tests = constant [1 x ptr] [ptr @f75463036]

define i64 @f75463036() {
b0:
  br label %b1

b1:
  br i1 false, label %b5, label %b3

b3:
  switch i32 0, label %b7 [
    i32 2, label %b8
    i32 7, label %b9
    i32 4, label %b1
    i32 5, label %b8
  ]

b5:
  br i1 false, label %b7, label %b9

b7:
  br i1 false, label %b8, label %b5

b8:
  call void null(i32 0, i64 0)
  br label %b9

b9:
  ret i64 0
}
