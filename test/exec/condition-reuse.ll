; RUN: %same %s
; One condition decides several branches, some in a loop where it is redefined between them,
; and its complement stands in a phi: a guard that keeps "the condition" and not the edge that
; was taken goes wrong here.
;
;   entry -> h -> a -> b -> c -> h, done     all of h, a, b, c test %x or a phi of it
;            |    |    ^    ^
;            +----|----+    |
;                 +---------+

declare zeroext i1 @bit()
declare void @effect(i32, i64)

define i64 @test(i64 %s) {
entry:
  %x0 = call zeroext i1 @bit()
  br label %h
h:
  %x = phi i1 [ %x0, %entry ], [ %y, %c ]
  %n = phi i64 [ %s, %entry ], [ %n2, %c ]
  %y = call zeroext i1 @bit()
  call void @effect(i32 1, i64 %n)
  br i1 %x, label %a, label %b
a:
  call void @effect(i32 2, i64 %n)
  br i1 %y, label %b, label %c
b:
  %w = phi i1 [ %y, %h ], [ %x, %a ]
  %nw = xor i1 %w, true
  call void @effect(i32 3, i64 %n)
  br i1 %nw, label %c, label %d
d:
  call void @effect(i32 4, i64 %n)
  br i1 %x, label %c, label %done
c:
  %t = phi i1 [ %y, %a ], [ %nw, %b ], [ %w, %d ]
  %n2 = add i64 %n, 1
  call void @effect(i32 5, i64 %n2)
  br i1 %t, label %h, label %e
e:
  br i1 %x, label %h2, label %done
h2:
  call void @effect(i32 6, i64 %n2)
  br label %done
done:
  %r = phi i64 [ %n, %d ], [ 5, %e ], [ %n2, %h2 ]
  ret i64 %r
}
