; RUN: %opt -S %s -o %t.before
; RUN: %opt %load -passes='linearize<paper>' -pass-remarks-missed=linearize -S %s -o %t.paper 2>&1 | %FileCheck %s
; RUN: diff %t.before %t.paper
; RUN: %opt %load -linearize-force -passes='linearize<paper>,verify<linearized>' -S %s -o %t.forced
; RUN: %not diff %t.before %t.forced
;
; optnone: left alone, unless forced.
;
; CHECK: remark: {{.*}}function 'lazy': the function is marked optnone, as clang does at -O0: build with -O1 or more

target triple = "nvptx64-nvidia-cuda"

define void @lazy(ptr %p, i1 %c, i1 %d) noinline optnone {
entry:
  br i1 %c, label %a, label %join
a:
  store i32 1, ptr %p
  br i1 %d, label %join, label %out
join:
  store i32 2, ptr %p
  br label %out
out:
  ret void
}
