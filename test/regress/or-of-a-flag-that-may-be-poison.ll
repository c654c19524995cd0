; RUN: %same %s
; RUN: %opt %load -passes='linearize<all;O4;any-target>' -S %s | %FileCheck %s
; The default brings a flag that is poison in case 1, which brings true: or-ing the two is poison.
; CHECK-LABEL: @test
; CHECK: select i1 {{%[0-9]+}}, i1 true, i1 %flag
; CHECK-NOT: or i1 {{.*}}%flag

declare zeroext i1 @bit()
declare i32 @pick(i32)
declare void @effect(i32, i64)

define i64 @test(i64 %s) {
entry:
  %n = call i32 @pick(i32 4)
  %one = icmp eq i32 %n, 1
  %far = select i1 %one, i32 40, i32 %n
  %over = shl i32 1, %far
  %flag = icmp ugt i32 %over, 4
  switch i32 %n, label %join [
    i32 0, label %side
    i32 1, label %shared
    i32 2, label %side
  ]
side:
  %w = call zeroext i1 @bit()
  br i1 %w, label %shared, label %join
shared:
  %k = phi i1 [ true, %entry ], [ false, %side ]
  %z = zext i1 %k to i64
  call void @effect(i32 1, i64 %z)
  br label %join
join:
  %f = phi i1 [ %flag, %entry ], [ true, %side ], [ %k, %shared ]
  %v = zext i1 %f to i64
  call void @effect(i32 2, i64 %v)
  ret i64 %v
}
