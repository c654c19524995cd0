; RUN: %same %s
; One header, four back edges from blocks that are not nested in each other (continue in the
; middle of a body), and a loop inside whose back edge goes around one of them.
;
;   entry -> h -> a -> b -> c -> d -> done
;            ^    |    |    |    |
;            +----+----+    |    |        a, b, d go back to h, and so does c
;            ^         ^----+    |        c also goes back to b
;            +---------+---------+

declare zeroext i1 @bit()
declare i32 @pick(i32)
declare void @effect(i32, i64)

define i64 @test(i64 %s) {
entry:
  br label %h
h:
  %v = phi i64 [ %s, %entry ], [ %a2, %a ], [ %b2, %b ], [ %c2, %c ], [ %d2, %d ]
  %n = phi i64 [ 0, %entry ], [ %n2, %a ], [ %n2, %b ], [ %n2, %c ], [ %n3, %d ]
  %n2 = add i64 %n, 1
  %n3 = add i64 %n, 2
  call void @effect(i32 1, i64 %v)
  br label %a
a:
  %a2 = add i64 %v, 3
  call void @effect(i32 2, i64 %a2)
  %ca = call zeroext i1 @bit()
  br i1 %ca, label %b, label %h
b:
  %vb = phi i64 [ %a2, %a ], [ %c2, %c ]
  %b2 = mul i64 %vb, 3
  call void @effect(i32 3, i64 %b2)
  %cb = call zeroext i1 @bit()
  br i1 %cb, label %h, label %c
c:
  %c2 = xor i64 %b2, %n
  call void @effect(i32 4, i64 %c2)
  %kc = call i32 @pick(i32 3)
  switch i32 %kc, label %d [ i32 0, label %h
                             i32 1, label %b ]
d:
  %d2 = sub i64 %c2, %a2
  call void @effect(i32 5, i64 %d2)
  %cd = call zeroext i1 @bit()
  br i1 %cd, label %h, label %done
done:
  %r = add i64 %d2, %n3
  ret i64 %r
}
