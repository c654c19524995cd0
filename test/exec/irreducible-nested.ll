; RUN: %same %s
; An irreducible loop {c,d} inside another {a,b,c,d}, entered from outside the outer one too.
;
;        entry
;       /  |  \
;      v   |   v
;      a   |   b <----+
;      |\  |  /|      |
;      | \ | / |      |
;      v  v|v  v      |
;      c <-+-> d      |      entry -> a, b, c; c <-> d
;      |       |      |
;      +-> e <-+      |
;          |\--> a    |
;          | \--------+
;          v
;        done

declare i32 @pick(i32)
declare zeroext i1 @bit()
declare void @effect(i32, i64)

define i64 @test(i64 %s) {
entry:
  %k = call i32 @pick(i32 3)
  switch i32 %k, label %a [ i32 1, label %b
                            i32 2, label %c ]
a:
  %va = phi i64 [ %s, %entry ], [ %e2, %e ]
  %a2 = add i64 %va, 3
  call void @effect(i32 1, i64 %a2)
  %ca = call zeroext i1 @bit()
  br i1 %ca, label %c, label %d
b:
  %vb = phi i64 [ 5, %entry ], [ %e3, %e ]
  %b2 = mul i64 %vb, 3
  call void @effect(i32 2, i64 %b2)
  %cb = call zeroext i1 @bit()
  br i1 %cb, label %c, label %d
c:
  %vc = phi i64 [ 7, %entry ], [ %a2, %a ], [ %b2, %b ], [ %d2, %d ]
  %c2 = xor i64 %vc, 21
  call void @effect(i32 3, i64 %c2)
  %cc = call zeroext i1 @bit()
  br i1 %cc, label %d, label %e
d:
  %vd = phi i64 [ %a2, %a ], [ %b2, %b ], [ %c2, %c ]
  %d2 = add i64 %vd, %s
  call void @effect(i32 4, i64 %d2)
  %cd = call zeroext i1 @bit()
  br i1 %cd, label %c, label %e
e:
  %ve = phi i64 [ %c2, %c ], [ %d2, %d ]
  %e2 = add i64 %ve, 1
  %e3 = sub i64 %ve, 1
  call void @effect(i32 5, i64 %e2)
  %ke = call i32 @pick(i32 3)
  switch i32 %ke, label %done [ i32 0, label %a
                                i32 1, label %b ]
done:
  ret i64 %e3
}
