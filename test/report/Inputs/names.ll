; Names that mean something to HTML, JSON, Graphviz, YAML and shells, on blocks and functions.
target triple = "nvptx64-nvidia-cuda"

define void @"a <b>&amp; \22c\22 'd' </script><img src=x onerror=alert(1)> \5C"(i1 %x, i1 %y, ptr %p) {
entry:
  br i1 %x, label %"</svg><b>", label %"two words &lt;"
"</svg><b>":
  store volatile i32 1, ptr %p
  br i1 %y, label %"\22;}]\5C", label %"$(id) `id`"
"two words &lt;":
  store volatile i32 2, ptr %p
  br i1 %y, label %"\22;}]\5C", label %"$(id) `id`"
"\22;}]\5C":
  store volatile i32 3, ptr %p
  br label %"$(id) `id`"
"$(id) `id`":
  store volatile i32 4, ptr %p
  ret void
}

; Not UTF-8; a label longer than a picture has room for.
define void @"caf\E9"(i1 %x, ptr %p) {
  br i1 %x, label %"\C3\A4rger\FF", label %a_name_that_is_longer_than_any_box_of_a_picture_could_ever_be
"\C3\A4rger\FF":
  store volatile i32 1, ptr %p
  br label %a_name_that_is_longer_than_any_box_of_a_picture_could_ever_be
a_name_that_is_longer_than_any_box_of_a_picture_could_ever_be:
  ret void
}

define void @_Z4foldIiEvPT_b(ptr %p, i1 %x) {
  ret void
}
