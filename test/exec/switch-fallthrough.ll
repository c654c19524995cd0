; RUN: %same %s
; A switch whose cases fall through, its default in the middle of them, some leaving early.
;
;   entry --0--> c0 -> c1 -> def -> c2 -> c3 -> done
;         --1--------> |      ^      ^     ^      ^
;         --else-------|------+      |     |      |
;         --2----------|-------------+     |      |     c1 and c2 may break to done
;         --3----------|-------------|-----+      |
;                      +-------------+------------+

declare zeroext i1 @bit()
declare i32 @pick(i32)
declare void @effect(i32, i64)

define i64 @test(i64 %s) {
entry:
  %k = call i32 @pick(i32 7)
  switch i32 %k, label %def [ i32 0, label %c0
                              i32 1, label %c1
                              i32 2, label %c2
                              i32 3, label %c3 ]
c0:
  %v0 = add i64 %s, 1
  call void @effect(i32 1, i64 %v0)
  br label %c1
c1:
  %p1 = phi i64 [ %s, %entry ], [ %v0, %c0 ]
  %v1 = mul i64 %p1, 3
  call void @effect(i32 2, i64 %v1)
  %b1 = call zeroext i1 @bit()
  br i1 %b1, label %def, label %done
def:
  %pd = phi i64 [ 99, %entry ], [ %v1, %c1 ]
  %vd = xor i64 %pd, 77
  call void @effect(i32 3, i64 %vd)
  br label %c2
c2:
  %p2 = phi i64 [ %s, %entry ], [ %vd, %def ]
  %v2 = sub i64 %p2, 8
  call void @effect(i32 4, i64 %v2)
  %b2 = call zeroext i1 @bit()
  br i1 %b2, label %c3, label %done
c3:
  %p3 = phi i64 [ 5, %entry ], [ %v2, %c2 ]
  %v3 = mul i64 %p3, %s
  call void @effect(i32 5, i64 %v3)
  br label %done
done:
  %r = phi i64 [ %v1, %c1 ], [ %v2, %c2 ], [ %v3, %c3 ]
  %kz = zext i32 %k to i64
  %t = add i64 %r, %kz
  ret i64 %t
}
