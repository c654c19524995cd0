; RUN: %same %s
;
; The loop of h stays, but its only way around leads through guards now: the region of a, b and c
; ends where it began. The variable of x had no phi in h, and was what it had been at first for ever.

declare zeroext i1 @bit()
declare void @effect(i32, i64)

define i64 @test(i64 %s) {
entry:
  %k = add i64 %s, 5
  br label %h
h:
  %x = phi i64 [ %s, %entry ], [ %k, %a ]
  %p = call zeroext i1 @bit()
  br i1 %p, label %a, label %out
a:
  %q = call zeroext i1 @bit()
  br i1 %q, label %h, label %m
m:
  %r = call zeroext i1 @bit()
  br i1 %r, label %b, label %c
b:
  call void @effect(i32 1, i64 %x)
  %t = call zeroext i1 @bit()
  br i1 %t, label %c, label %a
c:
  call void @effect(i32 2, i64 %x)
  %u = call zeroext i1 @bit()
  br i1 %u, label %b, label %a
out:
  call void @effect(i32 3, i64 %x)
  ret i64 %x
}
