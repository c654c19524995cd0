; A wrong option is one line that says where it stands, what it is, and what it could be; nothing is
; changed, and the exit status says so.
;
; RUN: %not %opt %load -passes='linearize<threshold=few>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=PARAMETER
; RUN: %not %opt %load -passes='linearize<threshold=0>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=ZERO
; RUN: %not %opt %load -passes='linearize<max-blocks=4294967296>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=TOO-MUCH
; RUN: %not %opt %load -passes='linearize<max-work=>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=EMPTY
; RUN: %not %opt %load -passes='linearize<only=0++2>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=ONLY
; RUN: %not %opt %load -passes='linearize<size=3>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=UNKNOWN
; RUN: %not %opt %load -passes='linearize<redirected>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=REDIRECTED
; RUN: %not %opt %load -passes='linearize<papr>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=WORD
; RUN: %not %opt %load -passes='linearize<paper,O3>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=COMMA
; RUN: %not %opt %load -passes='linearize-merge-loop' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=PASS
; RUN: %not %opt %load -passes='linearize-limit-depth' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=DEPTH
; RUN: %not %opt %load -linearize-mode=papre -passes='linearize' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=OPTION-MODE
; RUN: %not %opt %load -linearize-level=O5 -O2 -disable-output %s 2>&1 | %FileCheck %s --check-prefix=OPTION-LEVEL
; RUN: %not %opt %load -linearize-max-blocks=-1 -passes='linearize' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=OPTION
; RUN: %not env LINEARIZE_OPTIONS=mode=papre %opt %load -passes='linearize' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=LIST
; RUN: %not env LINEARIZE_MODE=papre %opt %load -passes='linearize' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=MODE
; RUN: %not env LINEARIZE_OPTIONS=level=O5 %opt %load -O2 -disable-output %s 2>&1 | %FileCheck %s --check-prefix=LEVEL
; RUN: sed 's/#0 {/"linearize-mode"="papre" {/' %s > %t.mode.ll
; RUN: %not %opt %load -passes='linearize<paper>' -S %t.mode.ll -o %t.out 2>&1 | %FileCheck %s --check-prefix=ATTRIBUTE
; RUN: sed 's/#0 {/"linearize-only"="all" {/' %s > %t.only.ll
; RUN: %not %opt %load -passes='linearize<paper>' -disable-output %t.only.ll 2>&1 | %FileCheck %s --check-prefix=ATTRIBUTE-ONLY
; RUN: sed 's/@f(i1 %c, i1 %d) #0/@f(i1 %c, i1 %d) "linearize-profile"="x.csv"/' %s > %t.no-attribute.ll
; RUN: %opt %load -passes='linearize<paper>' -disable-output %t.no-attribute.ll
;
; Profiles: a file that isn't there or is none, and where that shows.
; RUN: %not %opt %load -passes='linearize<profile=%t.none>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=NO-FILE --implicit-check-not='Stack dump'
; RUN: %not %opt %load -passes='linearize<profile=>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=NO-NAME
; RUN: %not %opt %load -linearize-profile= -passes='linearize' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=NO-NAME
; RUN: %not %opt %load -linearize-profile=%S -O2 -disable-output %s 2>&1 | %FileCheck %s --check-prefix=FOLDER
; RUN: printf 'function,block,thread_entries\nf,a,1\nf,b,some\n' > %t.csv
; RUN: %not %opt %load -linearize-profile=%t.csv -passes='linearize' -S %s -o %t.out 2>&1 | %FileCheck %s --check-prefix=NO-NUMBER
; RUN: %not env LINEARIZE_OPTIONS=profile=%t.csv %opt %load -O2 -disable-output %s 2>&1 | %FileCheck %s --check-prefixes=ERROR,NO-NUMBER
; RUN: %not %opt %load -linearize-profile=%s -passes='linearize' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=NO-COLUMNS
; RUN: %not %graph-tool --profile %t.csv %s 2>&1 | %FileCheck %s --check-prefixes=TOOL,NO-NUMBER
; RUN: %not %graph-tool --profile %t.none %s 2>&1 | %FileCheck %s --check-prefixes=TOOL,NO-FILE
; RUN: cp %s %t.annotated.ll
; RUN: echo '@text = constant [24 x i8] c"linearize:profile=x.csv\00", section "llvm.metadata"' >> %t.annotated.ll
; RUN: echo '@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @f, ptr @text, ptr null, i32 0, ptr null }]' >> %t.annotated.ll
; RUN: %not %opt %load -passes='linearize<paper>' -disable-output %t.annotated.ll 2>&1 | %FileCheck %s --check-prefix=ATTRIBUTE-PROFILE
;
; PARAMETER-NOT: Stack dump
; PARAMETER: linearize: linearize<threshold=few>: threshold is 'few', not a number from 1 to 4294967295
; PARAMETER-NOT: Stack dump
; ZERO: threshold is '0', not a number from 1
; TOO-MUCH: max-blocks is '4294967296', not a number from 1 to 4294967295
; EMPTY: max-work is '', not a number from 1
; ONLY: only is '0++2', not numbers of regions like 0+2+5
; REDIRECTED: redirected: only a version is: -linearize-versions=plain,redirected
; UNKNOWN: unknown parameter 'size=3'; there are needed, irreducible, paper, all, none, O0 to O4, vote, meld, no-meld, merge-loops, interleave, warps=, limit-depth=, regardless, redirected, refilled, refill-at=, refill-every=, regroup, {{.*}} only=, except= and profile=
; WORD: {{^LLVM E}}RROR: linearize: linearize<papr>: unknown parameter 'papr'; there are needed, irreducible, paper, all, none, O0 to O4, {{.*}}
; WORD-NOT: {{.}}
; COMMA: {{^LLVM E}}RROR: linearize: 'linearize<paper' has no '>'; parameters are separated by ';', as in 'linearize<paper;O3>'
; COMMA-NOT: {{.}}
; PASS: {{^LLVM E}}RROR: linearize: there is no pass 'linearize-merge-loop'; there are linearize, linearize-merge-loops, linearize-interleave and linearize-limit-depth
; PASS-NOT: {{.}}
; DEPTH: {{^LLVM E}}RROR: linearize: linearize-limit-depth needs a number, as in 'linearize-limit-depth<2>'
; DEPTH-NOT: {{.}}
; OPTION-MODE: {{^LLVM E}}RROR: linearize: -linearize-mode: mode is 'papre', not needed, irreducible, paper, all or none
; OPTION-MODE-NOT: {{.}}
; OPTION-LEVEL: {{^}}error: linearize: -linearize-level: level is 'O5', not O0, O1, O2, O3 or O4
; OPTION-LEVEL-NOT: {{.}}
; OPTION: linearize: -linearize-max-blocks: max-blocks is '-1', not a number
; LIST: linearize: LINEARIZE_OPTIONS: mode is 'papre', not needed, irreducible, paper, all or none
; MODE: linearize: LINEARIZE_MODE is 'papre', not needed, irreducible, paper, all or none
; LEVEL: error: linearize: LINEARIZE_OPTIONS: level is 'O5', not O0, O1, O2, O3 or O4
; ATTRIBUTE: error: linearize: function 'f': attribute "linearize-mode": mode is 'papre', not needed, irreducible, paper, all or none
; ATTRIBUTE-ONLY: error: linearize: function 'f': attribute "linearize-only": only is 'all', not numbers of regions like 0+2+5
; ERROR: error: linearize:
; TOOL: linearize-graph:
; NO-FILE: {{.*}}.none: No such file or directory; a profile is what linearize-simt --csv --blocks prints{{$}}
; ATTRIBUTE-PROFILE: error: linearize: function 'f': annotation "linearize:": a profile is for all functions, give it as an option
; NO-NAME: profile is '', not a file with counts of blocks
; FOLDER: error: linearize: {{.*}}: Is a directory; a profile is
; NO-NUMBER: {{.*}}.csv:3: thread_entries is not a number; a profile is what linearize-simt --csv --blocks prints{{$}}
; NO-COLUMNS: wrong-options.ll:1: no columns function, block and thread_entries; a profile is what
target triple = "nvptx64-nvidia-cuda"

define void @f(i1 %c, i1 %d) #0 {
entry:
  br i1 %c, label %a, label %b
a:
  br i1 %d, label %b, label %out
b:
  br label %out
out:
  ret void
}
attributes #0 = { nounwind }
