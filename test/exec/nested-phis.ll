; RUN: %same %s
; A value defined in one arm only, used after the join through a chain of phis, some of which
; only pass it on, with constants and undef on the other ways.
;
;   entry -> a -> b -> j1 -> k -> j2 -> done
;      |     |         ^     |     ^
;      |     +---------|-----|-----+      (a -> j2)
;      +--> x ---------+     +--> done    (k -> done), x -> j2

declare zeroext i1 @bit()
declare void @effect(i32, i64)

define i64 @test(i64 %s) {
entry:
  %c = call zeroext i1 @bit()
  br i1 %c, label %a, label %x
a:
  %va = mul i64 %s, 3
  call void @effect(i32 1, i64 %va)
  %ca = call zeroext i1 @bit()
  br i1 %ca, label %b, label %j2
b:
  %vb = add i64 %va, 1
  call void @effect(i32 2, i64 %vb)
  br label %j1
x:
  %vx = xor i64 %s, 8
  call void @effect(i32 3, i64 %vx)
  %cx = call zeroext i1 @bit()
  br i1 %cx, label %j1, label %j2
j1:
  %p1 = phi i64 [ %vb, %b ], [ %vx, %x ]
  %flag1 = phi i1 [ true, %b ], [ false, %x ]
  %only.a = phi i64 [ %va, %b ], [ undef, %x ]
  call void @effect(i32 4, i64 %p1)
  %ck = call zeroext i1 @bit()
  br i1 %ck, label %k, label %j2
k:
  %p2 = phi i64 [ %p1, %j1 ]
  call void @effect(i32 5, i64 %p2)
  %cd = call zeroext i1 @bit()
  br i1 %cd, label %done, label %j2
j2:
  %p3 = phi i64 [ %va, %a ], [ %vx, %x ], [ %p1, %j1 ], [ %p2, %k ]
  %flag2 = phi i1 [ true, %a ], [ false, %x ], [ %flag1, %j1 ], [ %flag1, %k ]
  %only.a2 = phi i64 [ %va, %a ], [ undef, %x ], [ %only.a, %j1 ], [ %only.a, %k ]
  br i1 %flag2, label %usea, label %done
usea:
  %u = add i64 %only.a2, %p3
  call void @effect(i32 6, i64 %u)
  br label %done
done:
  %r = phi i64 [ %p2, %k ], [ %p3, %j2 ], [ %u, %usea ]
  ret i64 %r
}
