; RUN: sed 's/TRIPLE/x86_64-pc-linux-gnu/' %s > %t.ll
; RUN: %opt -S %t.ll -o %t.before
; RUN: %opt %load -passes='linearize<all>' -S %t.ll -o %t.after
; RUN: diff %t.before %t.after
; RUN: %opt %load -passes='linearize<all;any-target>,verify<linearized>' -S %t.ll -o %t.after
; RUN: %not diff %t.before %t.after
; RUN: %opt %load -linearize-any-target -passes='linearize<all>,verify<linearized>' -S %t.ll -o %t.after
; RUN: %not diff %t.before %t.after
; RUN: sed 's/TRIPLE/amdgcn-amd-amdhsa/' %s > %t.ll
; RUN: %opt -S %t.ll -o %t.before
; RUN: %opt %load -passes='linearize<all>' -S %t.ll -o %t.after
; RUN: diff %t.before %t.after
;
; For another GPU mode needed has no numbers, and says so once; a mode that needs none doesn't.
; RUN: %opt %load -passes='linearize<any-target>' -disable-output %t.ll 2>&1 | %FileCheck %s --check-prefix=OTHER
; OTHER: no numbers for amdgcn
; OTHER-NOT: no numbers
; RUN: %opt %load -passes='linearize<paper;any-target>' -disable-output %t.ll 2>&1 | %count 0
; RUN: sed 's/TRIPLE/nvptx64-nvidia-cuda/' %s > %t.ll
; RUN: %opt %load -passes='linearize<any-target>' -disable-output %t.ll 2>&1 | %count 0
; RUN: %opt %load -passes='linearize<all>,verify<linearized>' -disable-output %t.ll
; RUN: sed 's/TRIPLE/nvptx-nvidia-cuda/' %s > %t.ll
; RUN: %opt %load -passes='linearize<all>,verify<linearized>' -disable-output %t.ll
; RUN: sed 's/TRIPLE/nvptx64--nvidiacl/' %s > %t.ll
; RUN: %opt %load -passes='linearize<all>,verify<linearized>' -disable-output %t.ll
;
; Modes and levels also come by option; a parameter wins.
; RUN: %opt %load -linearize-mode=paper -linearize-level=O2 -passes='linearize,verify<linearized>' -disable-output %t.ll
;
; The plugin is loaded into host compilations too: it must leave them alone unless asked.

target triple = "TRIPLE"

define void @join(ptr %p, i1 %c, i1 %d) {
entry:
  br i1 %c, label %a, label %b
a:
  store i32 1, ptr %p
  br i1 %d, label %b, label %out
b:
  store i32 2, ptr %p
  br label %out
out:
  ret void
}
