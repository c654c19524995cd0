target triple = "x86_64-pc-linux-gnu"

declare void @external()

define void @first(i1 %c, i1 %d) {
entry:
  br i1 %c, label %a, label %b
a:
  call void @external()
  br i1 %d, label %b, label %out
b:
  call void @external()
  br label %out
out:
  ret void
}

define void @second() {
  ret void
}

define void @third() {
  ret void
}
