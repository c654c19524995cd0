; RUN: %same %s
; The swap and the lost-copy problem: phis of one block that read each other, also across an
; edge that does not come from the block itself, rotated by three, and one whose old value is
; still needed after the loop moved on.
;
;   entry -> h -> a -> h        (x, y, z) turn by one through a, swap through b
;            ^ \-> b -> h
;            |     |
;            |     v
;            +---- c -> done    irreducible: entry -> c too
;   entry -----------> c

declare zeroext i1 @bit()
declare i32 @pick(i32)
declare void @effect(i32, i64)

define i64 @test(i64 %s) {
entry:
  %e = call zeroext i1 @bit()
  br i1 %e, label %h, label %c
h:
  %x = phi i64 [ 1, %entry ], [ %y, %a ], [ %y, %b ], [ %lost, %c ]
  %y = phi i64 [ 2, %entry ], [ %z, %a ], [ %x, %b ], [ %y.c, %c ]
  %z = phi i64 [ %s, %entry ], [ %x, %a ], [ %z, %b ], [ %x.c, %c ]
  %old = phi i64 [ 4, %entry ], [ %x, %a ], [ %old, %b ], [ %y.c, %c ]
  call void @effect(i32 1, i64 %x)
  %ch = call zeroext i1 @bit()
  br i1 %ch, label %a, label %b
a:
  call void @effect(i32 2, i64 %y)
  br label %h
b:
  call void @effect(i32 3, i64 %old)
  %cb = call zeroext i1 @bit()
  br i1 %cb, label %h, label %c
c:
  %x.c = phi i64 [ 5, %entry ], [ %y, %b ]
  %y.c = phi i64 [ 6, %entry ], [ %x, %b ]
  %lost = phi i64 [ 7, %entry ], [ %old, %b ]
  call void @effect(i32 4, i64 %lost)
  %cc = call zeroext i1 @bit()
  br i1 %cc, label %h, label %done
done:
  %t = mul i64 %x.c, 3
  %r = add i64 %t, %lost
  ret i64 %r
}
