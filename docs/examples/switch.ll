define i32 @f(i32 %x) {
entry:
  switch i32 %x, label %c [ i32 1, label %a
                            i32 2, label %b ]
a:
  br label %d
b:
  br label %d
c:
  br label %d
d:
  %r = phi i32 [ 1, %a ], [ 2, %b ], [ 3, %c ]
  ret i32 %r
}
