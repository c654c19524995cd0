; RUN: %same %s
; Code that runs once after a loop must not be run by its back edge: two loops one after the
; other, nested ones, each with exit blocks that a depth-first order would place between the
; blocks of the loop.
;
;   entry -> h -> x1 -> t        h -> a -> b -> h; a -> x2 -> t; b -> x3 -> h2
;   h2 -> c -> h2 (self); c -> h (outer: both loops in one), c -> t

declare zeroext i1 @bit()
declare i32 @pick(i32)
declare void @effect(i32, i64)

define i64 @test(i64 %s) {
entry:
  br label %h
h:
  %v = phi i64 [ %s, %entry ], [ %vb, %b ], [ %vc, %c ]
  %n = phi i64 [ 0, %entry ], [ %n1, %b ], [ %nc, %c ]
  %n1 = add i64 %n, 1
  call void @effect(i32 1, i64 %v)
  %ch = call zeroext i1 @bit()
  br i1 %ch, label %a, label %x1
x1:
  %v1 = mul i64 %v, 3
  call void @effect(i32 2, i64 %v1)
  br label %t
a:
  %va = add i64 %v, 5
  call void @effect(i32 3, i64 %va)
  %ca = call zeroext i1 @bit()
  br i1 %ca, label %b, label %x2
x2:
  call void @effect(i32 4, i64 %n1)
  br label %t
b:
  %vb = xor i64 %va, %n
  call void @effect(i32 5, i64 %vb)
  %cb = call zeroext i1 @bit()
  br i1 %cb, label %h, label %x3
x3:
  call void @effect(i32 6, i64 %vb)
  br label %h2
h2:
  %w = phi i64 [ %vb, %x3 ], [ %vc, %c ]
  %k = phi i64 [ %n1, %x3 ], [ %nc, %c ]
  call void @effect(i32 7, i64 %w)
  br label %c
c:
  %vc = mul i64 %w, 7
  %nc = add i64 %k, 1
  call void @effect(i32 8, i64 %vc)
  %kc = call i32 @pick(i32 3)
  switch i32 %kc, label %t [ i32 0, label %h
                             i32 1, label %h2 ]
t:
  %r = phi i64 [ %v1, %x1 ], [ %va, %x2 ], [ %vc, %c ]
  %q = phi i64 [ %n, %x1 ], [ %n1, %x2 ], [ %nc, %c ]
  %z = add i64 %r, %q
  ret i64 %z
}
