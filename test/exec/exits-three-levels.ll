; RUN: %same %s
; Three loops in each other; the innermost body leaves to each level, and out of all of them,
; with values of every level in use outside.
;
;   entry -> h1 -> h2 -> h3 -> x -----> leave1: continue the middle loop (l2)
;            ^     ^     ^     | \----> leave2: continue the outer loop (l1)
;            |     |     |     v  \---> done  : out of all three
;            |     |     +--- l3
;            |     +--------- l2 <----- h3
;            +--------------- l1 <----- h2

declare zeroext i1 @bit()
declare i32 @pick(i32)
declare void @effect(i32, i64)

define i64 @test(i64 %s) {
entry:
  br label %h1
h1:
  %i = phi i64 [ 0, %entry ], [ %i2, %l1 ]
  %v1 = phi i64 [ %s, %entry ], [ %w1, %l1 ]
  call void @effect(i32 1, i64 %v1)
  %c1 = call zeroext i1 @bit()
  br i1 %c1, label %h2, label %end
h2:
  %j = phi i64 [ 0, %h1 ], [ %j2, %l2 ]
  %v2 = phi i64 [ %v1, %h1 ], [ %w2, %l2 ]
  call void @effect(i32 2, i64 %v2)
  %c2 = call zeroext i1 @bit()
  br i1 %c2, label %h3, label %l1
h3:
  %k = phi i64 [ 0, %h2 ], [ %k2, %l3 ]
  %v3 = phi i64 [ %v2, %h2 ], [ %x, %l3 ]
  call void @effect(i32 3, i64 %v3)
  %c3 = call zeroext i1 @bit()
  br i1 %c3, label %body, label %l2
body:
  %t = mul i64 %v3, 5
  %x = add i64 %t, %k
  call void @effect(i32 4, i64 %x)
  %p = call i32 @pick(i32 4)
  switch i32 %p, label %l3 [ i32 1, label %leave1
                             i32 2, label %leave2
                             i32 3, label %out ]
leave1:
  call void @effect(i32 5, i64 %k)
  br label %l2
leave2:
  call void @effect(i32 6, i64 %j)
  br label %l1
l3:
  %k2 = add i64 %k, 1
  br label %h3
l2:
  %w2 = phi i64 [ %v3, %h3 ], [ %x, %leave1 ]
  %j2 = add i64 %j, 1
  call void @effect(i32 7, i64 %w2)
  br label %h2
l1:
  %w1 = phi i64 [ %v2, %h2 ], [ %x, %leave2 ]
  %i2 = add i64 %i, 1
  call void @effect(i32 8, i64 %w1)
  br label %h1
out:
  %o1 = mul i64 %i, 100
  %o2 = mul i64 %j, 10
  %o3 = add i64 %o1, %o2
  %o4 = add i64 %o3, %k
  %o5 = add i64 %o4, %x
  call void @effect(i32 9, i64 %o5)
  br label %end
end:
  %r = phi i64 [ %v1, %h1 ], [ %o5, %out ]
  ret i64 %r
}
