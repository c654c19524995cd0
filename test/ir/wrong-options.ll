; A wrong option is one line that says where it stands, what it is, and what it could be; nothing is
; changed, and the exit status says so.
;
; RUN: %not %opt %load -passes='linearize<threshold=few>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=PARAMETER
; RUN: %not %opt %load -passes='linearize<threshold=0>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=ZERO
; RUN: %not %opt %load -passes='linearize<max-blocks=4294967296>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=TOO-MUCH
; RUN: %not %opt %load -passes='linearize<max-work=>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=EMPTY
; RUN: %not %opt %load -passes='linearize<only=0++2>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=ONLY
; RUN: %not %opt %load -passes='linearize<size=3>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=UNKNOWN
; RUN: %not %opt %load -linearize-max-blocks=-1 -passes='linearize' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=OPTION
; RUN: %not env LINEARIZE_OPTIONS=mode=papre %opt %load -passes='linearize' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=LIST
; RUN: %not env LINEARIZE_MODE=papre %opt %load -passes='linearize' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=MODE
; RUN: %not env LINEARIZE_OPTIONS=level=O5 %opt %load -O2 -disable-output %s 2>&1 | %FileCheck %s --check-prefix=LEVEL
; RUN: sed 's/#0 {/"linearize-mode"="papre" {/' %s > %t.mode.ll
; RUN: %not %opt %load -passes='linearize<paper>' -S %t.mode.ll -o %t.out 2>&1 | %FileCheck %s --check-prefix=ATTRIBUTE
; RUN: sed 's/#0 {/"linearize-only"="all" {/' %s > %t.only.ll
; RUN: %not %opt %load -passes='linearize<paper>' -disable-output %t.only.ll 2>&1 | %FileCheck %s --check-prefix=ATTRIBUTE-ONLY
;
; PARAMETER-NOT: Stack dump
; PARAMETER: linearize: linearize<threshold=few>: threshold is 'few', not a number from 1 to 4294967295
; PARAMETER-NOT: Stack dump
; ZERO: threshold is '0', not a number from 1
; TOO-MUCH: max-blocks is '4294967296', not a number from 1 to 4294967295
; EMPTY: max-work is '', not a number from 1
; ONLY: only is '0++2', not numbers of regions like 0+2+5
; UNKNOWN: unknown parameter 'size=3'; there are needed, {{.*}} and only=
; OPTION: linearize: -linearize-max-blocks: max-blocks is '-1', not a number
; LIST: linearize: LINEARIZE_OPTIONS: mode is 'papre', not needed, irreducible, paper or all
; MODE: linearize: LINEARIZE_MODE is 'papre', not needed, irreducible, paper or all
; LEVEL: error: linearize: LINEARIZE_OPTIONS: level is 'O5', not O0, O1, O2, O3 or O4
; ATTRIBUTE: error: linearize: function 'f': attribute "linearize-mode": mode is 'papre', not needed, irreducible, paper or all
; ATTRIBUTE-ONLY: error: linearize: function 'f': attribute "linearize-only": only is 'all', not numbers of regions like 0+2+5
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
