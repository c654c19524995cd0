; RUN: %same %s
; Loops that never end (until the budget does): one in an arm, one irreducible with two
; blocks, one whose body holds an unstructured region; and a function that has no return.
;
;   entry -> a -> b -> done      a -> spin (itself), b -> p <-> q (entered at both),
;            |    | \            entry -> @forever: h -> x -> y -> z -> h with short cuts
;            v    v  v
;          spin   p <-> q

declare zeroext i1 @bit()
declare i32 @pick(i32)
declare void @effect(i32, i64)

define internal i64 @forever(i64 %s) {
entry:
  br label %h
h:
  %v = phi i64 [ %s, %entry ], [ %w, %z ]
  call void @effect(i32 1, i64 %v)
  %c = call zeroext i1 @bit()
  br i1 %c, label %x, label %y
x:
  %vx = add i64 %v, 1
  call void @effect(i32 2, i64 %vx)
  %cx = call zeroext i1 @bit()
  br i1 %cx, label %y, label %z
y:
  %py = phi i64 [ %v, %h ], [ %vx, %x ]
  %vy = mul i64 %py, 3
  call void @effect(i32 3, i64 %vy)
  br label %z
z:
  %w = phi i64 [ %vx, %x ], [ %vy, %y ]
  br label %h
}

define i64 @test(i64 %s) {
entry:
  %k = call i32 @pick(i32 8)
  switch i32 %k, label %a [ i32 0, label %never ]
never:
  %f = call i64 @forever(i64 %s)
  ret i64 %f
a:
  call void @effect(i32 4, i64 %s)
  %ka = call i32 @pick(i32 4)
  switch i32 %ka, label %b [ i32 0, label %spin ]
spin:
  %i = phi i64 [ 0, %a ], [ %i2, %spin ]
  %i2 = add i64 %i, 1
  call void @effect(i32 5, i64 %i)
  br label %spin
b:
  call void @effect(i32 6, i64 %s)
  %kb = call i32 @pick(i32 4)
  switch i32 %kb, label %done [ i32 0, label %p
                                i32 1, label %q ]
p:
  %vp = phi i64 [ 1, %b ], [ %vq2, %q ]
  %vp2 = add i64 %vp, %s
  call void @effect(i32 7, i64 %vp2)
  br label %q
q:
  %vq = phi i64 [ 2, %b ], [ %vp2, %p ]
  %vq2 = mul i64 %vq, 3
  call void @effect(i32 8, i64 %vq2)
  br label %p
done:
  ret i64 %s
}
