; RUN: %same %s
; Two loops that overlap: a-b-c and b-c-d share b and c, neither holds the other, and c is
; entered from outside. The retreating spans cross, so one has to move up.
;
;      entry -----------+
;        |              |
;        v              v
;   +--> a ----> b ---> c --> d --> done
;   |            ^      |     |
;   +------------|------+     |
;                +------------+

declare zeroext i1 @bit()
declare i32 @pick(i32)
declare void @effect(i32, i64)

define i64 @test(i64 %s) {
entry:
  %k = call zeroext i1 @bit()
  br i1 %k, label %a, label %c
a:
  %va = phi i64 [ %s, %entry ], [ %c2, %c ]
  %ia = phi i64 [ 0, %entry ], [ %i, %c ]
  %a2 = add i64 %va, 1
  call void @effect(i32 1, i64 %a2)
  br label %b
b:
  %vb = phi i64 [ %a2, %a ], [ %d2, %d ]
  %ib = phi i64 [ %ia, %a ], [ %i, %d ]
  %b2 = mul i64 %vb, 3
  call void @effect(i32 2, i64 %b2)
  br label %c
c:
  %vc = phi i64 [ %s, %entry ], [ %b2, %b ]
  %ic = phi i64 [ 0, %entry ], [ %ib, %b ]
  %i = add i64 %ic, 1
  %c2 = xor i64 %vc, %i
  call void @effect(i32 3, i64 %c2)
  %cc = call zeroext i1 @bit()
  br i1 %cc, label %a, label %d
d:
  %d2 = add i64 %c2, %s
  call void @effect(i32 4, i64 %d2)
  %cd = call zeroext i1 @bit()
  br i1 %cd, label %b, label %done
done:
  %r = add i64 %d2, %i
  ret i64 %r
}
