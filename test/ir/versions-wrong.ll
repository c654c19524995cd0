; Wrong lists of versions: one line that says what is wrong and what could be; nothing is written.
;
; RUN: %not %opt %load -passes='linearize-versions<needed:papr>' -S %s -o %t.out 2>&1 | %FileCheck %s --check-prefix=UNKNOWN
; RUN: %not test -e %t.out
; RUN: %not %opt %load -passes='linearize-versions<none>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=NONE
; RUN: %not %opt %load -passes='linearize-versions<needed:limit-depth>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=NUMBER
; RUN: %not %opt %load -passes='linearize-versions<needed.max-blocks.3>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=OTHER
; RUN: %not %opt %load -passes='linearize-versions<needed:paper:needed>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=TWICE
; RUN: %not %opt %load -linearize-versions=plain,needed,plain -O1 -disable-output %s 2>&1 | %FileCheck %s --check-prefix=PLAIN
; RUN: %not %opt %load -linearize-versions=plain -O1 -disable-output %s 2>&1 | %FileCheck %s --check-prefix=NOTHING
; RUN: %not %opt %load -linearize-versions= -O1 -disable-output %s 2>&1 | %FileCheck %s --check-prefix=EMPTY
; RUN: %not env LINEARIZE_OPTIONS='versions=needed,paper;papr' %opt %load -O1 -disable-output %s 2>&1 | %FileCheck %s --check-prefix=WORD
; RUN: %not env LINEARIZE_OPTIONS=versions=needed,paper,papr %opt %load -O1 -disable-output %s 2>&1 | %FileCheck %s --check-prefix=NAMED
; RUN: %not %opt %load -passes='linearize-versions<needed;max-versions=0>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=MOST
; RUN: %not %opt %load -passes='linearize-versions' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=BARE
; RUN: %not %opt %load -passes='linearize<versions=needed>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=MODULE
;
; The plain one stays plain: what is done belongs into the names.
; RUN: %not %opt %load -linearize-versions=needed -linearize-mode=paper -O1 -disable-output %s 2>&1 | %FileCheck %s --check-prefix=PLAINLY
; RUN: %not %opt %load -linearize-versions=needed -linearize-merge-loops -O1 -disable-output %s 2>&1 | %FileCheck %s --check-prefix=PLAINLY
;
; They are made of all kernels.
; RUN: cp %s %t.annotated.ll
; RUN: echo '@text = constant [26 x i8] c"linearize:versions=needed\00", section "llvm.metadata"' >> %t.annotated.ll
; RUN: echo '@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @walk, ptr @text, ptr null, i32 0, ptr null }]' >> %t.annotated.ll
; RUN: %not %opt %load -passes=linearize -disable-output %t.annotated.ll 2>&1 | %FileCheck %s --check-prefix=ANNOTATED
;
; Names that are taken.
; RUN: sed 's/@other/@walk__linearize_paper/' %s > %t.taken.ll
; RUN: %not %opt %load -passes='linearize-versions<needed:paper>' -disable-output %t.taken.ll 2>&1 | %FileCheck %s --check-prefix=TAKEN
; RUN: sed 's/@variable/@walk__linearize_paper/' %s > %t.variable.ll
; RUN: %not %opt %load -passes='linearize-versions<needed:paper>' -disable-output %t.variable.ll 2>&1 | %FileCheck %s --check-prefix=TAKEN
;
; UNKNOWN: linearize: versions: there is no version 'papr'; there are needed, irreducible, paper, all, meld, merge-loops, interleave, limit-depth.N, redirected, refilled, and what is made of them with '.', like needed.merge-loops; also with O0 to O4, threshold.N, warps.N or regardless; refilled also with refill-at.N and refill-every.N{{$}}
; NONE: there is no version 'none'; there are
; NUMBER: there is no version 'limit-depth'; there are
; OTHER: there is no version 'needed.max-blocks.3'; there are
; TWICE: version 'needed' stands there twice{{$}}
; PLAINLY: error: linearize: versions: kernels stay plain beside their versions; mode, meld, merge-loops, interleave and limit-depth are words of versions' names, like needed.merge-loops
; PLAIN: error: linearize: versions: version 'plain' stands there twice{{$}}
; NOTHING: error: linearize: versions: no version is named beside the plain one{{$}}
; EMPTY: error: linearize: -linearize-versions: versions is '', not names of versions like plain:needed:merge-loops{{$}}
; NAMED: error: linearize: {{.*}}there is no version 'papr'; there are
; WORD: error: linearize: LINEARIZE_OPTIONS: unknown parameter 'papr'; there are
; MOST: max-versions is '0', not a number from 1 to 4294967295
; BARE: 'linearize-versions' names no versions, as 'linearize-versions<needed:paper>' does
; MODULE: versions are made of a whole module: 'linearize-versions<...>' makes some
; ANNOTATED: error: linearize: function 'walk': annotation "linearize:": versions are for all kernels, give them as an option
; TAKEN: error: linearize: function 'walk': its version 'paper' would be called 'walk__linearize_paper', as something else in the module is: rename that, or leave the version out

target triple = "nvptx64-nvidia-cuda"

@variable = addrspace(1) global i32 0

define ptx_kernel void @walk(ptr %p, i1 %c, i1 %d) {
entry:
  br i1 %c, label %a, label %join
a:
  store volatile i32 1, ptr %p
  br i1 %d, label %join, label %out
join:
  store volatile i32 2, ptr %p
  br label %out
out:
  ret void
}

define void @other() {
  ret void
}
