; RUN: %same %s
; A ring of three blocks entered at each of them by a switch, left only at c.
;
;         entry (switch)
;        /   |   \
;       v    v    v
;       a -> b -> c -> done
;       ^         |
;       +---------+

declare zeroext i1 @bit()
declare i32 @pick(i32)
declare void @effect(i32, i64)

define i64 @test(i64 %s) {
entry:
  %k = call i32 @pick(i32 3)
  switch i32 %k, label %c [ i32 0, label %a
                            i32 1, label %b ]
a:
  %pa = phi i64 [ %s, %entry ], [ %c2, %c ]
  %na = phi i32 [ 0, %entry ], [ %nc, %c ]
  %a2 = add i64 %pa, 7
  call void @effect(i32 1, i64 %a2)
  br label %b
b:
  %pb = phi i64 [ 11, %entry ], [ %a2, %a ]
  %nb = phi i32 [ 10, %entry ], [ %na, %a ]
  %b2 = mul i64 %pb, 5
  call void @effect(i32 2, i64 %b2)
  br label %c
c:
  %pc = phi i64 [ %s, %entry ], [ %b2, %b ]
  %n = phi i32 [ 20, %entry ], [ %nb, %b ]
  %c2 = xor i64 %pc, %s
  %nc = add i32 %n, 1
  call void @effect(i32 3, i64 %c2)
  %go = call zeroext i1 @bit()
  br i1 %go, label %a, label %done
done:
  %w = zext i32 %nc to i64
  %r = add i64 %w, %c2
  ret i64 %r
}
