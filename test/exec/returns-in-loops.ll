; RUN: %same %s
; Five returns, three of them from inside loops, each with a value of its own.
;
;   entry -> h1 -> a -> h2 -> b -> l2 -> (h2)
;            |     |    |     |     |
;            |     |    |     |     +--> ret4
;            |     |    |     +--> ret3
;            |     |    +--> l1 -> (h1)
;            |     +--> ret2         l1 -> ret5
;            +--> ret1

declare zeroext i1 @bit()
declare void @effect(i32, i64)

define internal i32 @inner(i64 %s, ptr %slot) {
entry:
  br label %h1
h1:
  %v = phi i64 [ %s, %entry ], [ %v2, %l1 ]
  call void @effect(i32 1, i64 %v)
  %c1 = call zeroext i1 @bit()
  br i1 %c1, label %a, label %ret1
a:
  %w = mul i64 %v, 3
  call void @effect(i32 2, i64 %w)
  %c2 = call zeroext i1 @bit()
  br i1 %c2, label %h2, label %ret2
h2:
  %x = phi i64 [ %w, %a ], [ %x2, %l2 ]
  call void @effect(i32 3, i64 %x)
  %c3 = call zeroext i1 @bit()
  br i1 %c3, label %b, label %l1
b:
  %x2 = add i64 %x, %v
  call void @effect(i32 4, i64 %x2)
  %c4 = call zeroext i1 @bit()
  br i1 %c4, label %l2, label %ret3
l2:
  %c5 = call zeroext i1 @bit()
  br i1 %c5, label %h2, label %ret4
l1:
  %v2 = xor i64 %x, %w
  %c6 = call zeroext i1 @bit()
  br i1 %c6, label %h1, label %ret5
ret1:
  store i64 %v, ptr %slot
  ret i32 1
ret2:
  store i64 %w, ptr %slot
  ret i32 2
ret3:
  store i64 %x2, ptr %slot
  %t = trunc i64 %x to i32
  ret i32 %t
ret4:
  ret i32 4
ret5:
  call void @effect(i32 5, i64 %v2)
  ret i32 5
}

define internal void @nothing(i64 %s) {
entry:
  %c1 = call zeroext i1 @bit()
  br i1 %c1, label %a, label %b
a:
  call void @effect(i32 6, i64 %s)
  %c2 = call zeroext i1 @bit()
  br i1 %c2, label %b, label %r1
b:
  call void @effect(i32 7, i64 %s)
  %c3 = call zeroext i1 @bit()
  br i1 %c3, label %r2, label %c
c:
  call void @effect(i32 8, i64 %s)
  br label %r1
r1:
  ret void
r2:
  ret void
}

define i64 @test(i64 %s) {
  %slot = alloca i64
  store i64 77, ptr %slot
  %r = call i32 @inner(i64 %s, ptr %slot)
  %v = load i64, ptr %slot
  call void @nothing(i64 %v)
  %z = zext i32 %r to i64
  %sum = add i64 %z, %v
  ret i64 %sum
}
