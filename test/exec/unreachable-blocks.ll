; RUN: %same %s
; Blocks nobody reaches: alone, in a cycle, with edges into live blocks (whose phis have
; entries for them), with values from live ones and values used by nobody else.
;
;   entry -> a -> b -> done          dead1 <-> dead2 -> a, b
;            |         ^             dead3 -> done, dead3
;            +---------+

declare zeroext i1 @bit()
declare void @effect(i32, i64)

define i64 @test(i64 %s) {
entry:
  %c = call zeroext i1 @bit()
  br i1 %c, label %a, label %b
a:
  %pa = phi i64 [ %s, %entry ], [ %x1, %dead1 ]
  %va = add i64 %pa, 1
  call void @effect(i32 1, i64 %va)
  %ca = call zeroext i1 @bit()
  br i1 %ca, label %b, label %done
dead1:
  %x1 = phi i64 [ 5, %dead2 ]
  %y1 = add i64 %x1, %s
  call void @effect(i32 900, i64 %y1)
  %cd = call zeroext i1 @bit()
  br i1 %cd, label %a, label %dead2
dead2:
  call void @effect(i32 901, i64 %y1)
  %ce = call zeroext i1 @bit()
  br i1 %ce, label %b, label %dead1
b:
  %pb = phi i64 [ %s, %entry ], [ %va, %a ], [ 9, %dead2 ]
  %vb = mul i64 %pb, 5
  call void @effect(i32 2, i64 %vb)
  br label %done
dead3:
  %p3 = phi i64 [ %q3, %dead3 ]
  %q3 = add i64 %p3, %va
  call void @effect(i32 902, i64 %q3)
  %cf = call zeroext i1 @bit()
  br i1 %cf, label %done, label %dead3
done:
  %r = phi i64 [ %va, %a ], [ %vb, %b ], [ %q3, %dead3 ]
  ret i64 %r
}
