; Four functions, of which the last is unstructured.
target triple = "nvptx64-nvidia-cuda"

define i32 @first(i32 %n) {
entry:
  %m = call i32 @second(i32 %n)
  ret i32 %m
}

define i32 @second(i32 %n) {
entry:
  ret i32 %n
}

define i32 @third(i32 %n) {
entry:
  %m = call i32 @first(i32 %n)
  ret i32 %m
}

define void @fourth(i1 %a, i1 %b, ptr %p) {
entry:
  br i1 %a, label %x, label %y
x:
  br i1 %b, label %y, label %z
y:
  store i32 1, ptr %p
  br label %z
z:
  ret void
}
