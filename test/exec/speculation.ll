; RUN: %same %s
; What must not run when its block does not: a division by zero, a load through null, a store,
; a call. And a value that is poison on the ways where it is not used (nsw that overflows, a
; shift too far, an inbounds gep past the end) must not decide a branch there.
;
;   entry -> div -> ld -> use -> done
;      |      |     |      ^      ^
;      |      +-----|------+      |     div -> use, ld -> done
;      +----> ld ---+-------------+

declare zeroext i1 @bit()
declare i32 @pick(i32)
declare ptr @memory()
declare void @effect(i32, i64)

define i64 @test(i64 %s) {
entry:
  %m = call ptr @memory()
  %k = call i32 @pick(i32 3)
  %z = zext i32 %k to i64
  %nz = icmp ne i32 %k, 0
  %c1 = icmp eq i32 %k, 1
  %where = select i1 %c1, ptr null, ptr %m
  %over = add nsw i64 %z, 9223372036854775807
  %shift = mul i64 %z, 40
  %sh = shl i64 1, %shift
  br i1 %nz, label %div, label %ld
div:
  %q = sdiv i64 %s, %z
  %rem = urem i64 1000, %z
  call void @effect(i32 1, i64 %q)
  ; %sh is poison for 2
  %odd = icmp eq i64 %sh, 1099511627776
  br i1 %c1, label %isone, label %use
isone:
  call void @effect(i32 2, i64 %rem)
  br i1 %odd, label %use, label %done
ld:
  ; 0 here: where = m, over is 2^63 - 1
  %v = load i64, ptr %where
  %neg = icmp slt i64 %over, 0
  store i64 3, ptr %where
  call void @effect(i32 3, i64 %v)
  %cl = call zeroext i1 @bit()
  br i1 %cl, label %ld2, label %done
ld2:
  br i1 %neg, label %wrong, label %use
wrong:
  call void @effect(i32 950, i64 0)
  br label %done
use:
  %p = phi i64 [ %q, %div ], [ 77, %isone ], [ %v, %ld2 ]
  %d = phi i64 [ %z, %div ], [ 3, %isone ], [ 5, %ld2 ]
  %r = srem i64 %p, %d
  call void @effect(i32 4, i64 %r)
  br label %done
done:
  %o = phi i64 [ 1, %isone ], [ 2, %ld ], [ %r, %use ], [ 0, %wrong ]
  ret i64 %o
}
