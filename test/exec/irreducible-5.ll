; RUN: %same %s
; Five blocks, five entries, edges forwards and backwards between them, two ways out.
;
;             entry (switch)
;      /     /    |     \     \
;     v     v     v      v     v
;     a --> b --> c <--> d --> e --> out2
;     ^     |     ^            |
;     |     |     +------------+
;     +-----|------------------+     e is a switch: a, c, out2
;           +--> out1

declare zeroext i1 @bit()
declare i32 @pick(i32)
declare void @effect(i32, i64)

define i64 @test(i64 %s) {
entry:
  %k = call i32 @pick(i32 5)
  switch i32 %k, label %e [ i32 0, label %a
                            i32 1, label %b
                            i32 2, label %c
                            i32 3, label %d ]
a:
  %va = phi i64 [ %s, %entry ], [ %e2, %e ]
  %a2 = add i64 %va, 1
  call void @effect(i32 1, i64 %a2)
  br label %b
b:
  %vb = phi i64 [ 2, %entry ], [ %a2, %a ]
  %b2 = shl i64 %vb, 1
  call void @effect(i32 2, i64 %b2)
  %cb = call zeroext i1 @bit()
  br i1 %cb, label %c, label %out1
c:
  %vc = phi i64 [ 3, %entry ], [ %b2, %b ], [ %d2, %d ], [ %e2, %e ]
  %c2 = xor i64 %vc, 85
  call void @effect(i32 3, i64 %c2)
  br label %d
d:
  %vd = phi i64 [ 4, %entry ], [ %c2, %c ]
  %d2 = sub i64 %vd, %s
  call void @effect(i32 4, i64 %d2)
  %cd = call zeroext i1 @bit()
  br i1 %cd, label %c, label %e
e:
  %ve = phi i64 [ %s, %entry ], [ %d2, %d ]
  %e2 = mul i64 %ve, 9
  call void @effect(i32 5, i64 %e2)
  %ke = call i32 @pick(i32 3)
  switch i32 %ke, label %out2 [ i32 0, label %a
                                i32 1, label %c ]
out1:
  call void @effect(i32 6, i64 %b2)
  ret i64 %b2
out2:
  call void @effect(i32 7, i64 %e2)
  ret i64 %e2
}
