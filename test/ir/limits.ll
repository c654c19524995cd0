; Limits: what a join has to cost, how large a region may be, how much work it may take; as
; parameters, options, environment and attributes, of which the later ones win. What the function
; says of itself wins over all.
;
; RUN: %opt %load -passes='linearize' %all-remarks -disable-output %s 2>&1 | %FileCheck %s --check-prefix=DEFAULT
; RUN: %opt %load -passes='linearize<threshold=25>' %all-remarks -disable-output %s 2>&1 | %FileCheck %s --check-prefix=DEFAULT
; RUN: %opt %load -passes='linearize<threshold=26>' %all-remarks -disable-output %s 2>&1 | %FileCheck %s --check-prefix=SMALL
; RUN: %opt %load -linearize-threshold=26 -passes='linearize' %all-remarks -disable-output %s 2>&1 | %FileCheck %s --check-prefix=SMALL
; RUN: env LINEARIZE_OPTIONS=threshold=26 %opt %load -passes='linearize' %all-remarks -disable-output %s 2>&1 | %FileCheck %s --check-prefix=SMALL
; RUN: sed 's/#0 {/"linearize-threshold"="26" {/' %s | %opt %load -passes='linearize<threshold=1>' %all-remarks -disable-output 2>&1 | %FileCheck %s --check-prefix=SMALL
; RUN: env LINEARIZE_OPTIONS=threshold=1 %opt %load -linearize-threshold=26 -passes='linearize' %all-remarks -disable-output %s 2>&1 | %FileCheck %s --check-prefix=SMALL
; RUN: %opt %load -linearize-threshold=1 -passes='linearize<threshold=26>' %all-remarks -disable-output %s 2>&1 | %FileCheck %s --check-prefix=SMALL
; RUN: %opt %load -passes='linearize<max-blocks=4>' %all-remarks -disable-output %s 2>&1 | %FileCheck %s --check-prefix=DEFAULT
; RUN: %opt %load -passes='linearize<max-blocks=3>' %all-remarks -S %s -o %t.large 2>&1 | %FileCheck %s --check-prefix=LARGE
; RUN: %opt -S %s -o %t.before
; RUN: diff %t.before %t.large
; RUN: %opt %load -linearize-max-blocks=3 -passes='linearize<paper>' %all-remarks -disable-output %s 2>&1 | %FileCheck %s --check-prefix=LARGE
; RUN: env LINEARIZE_OPTIONS='mode=all,max-blocks=3' %opt %load -linearize-mode=paper -passes='linearize' %all-remarks -disable-output %s 2>&1 | %FileCheck %s --check-prefix=LARGE
; RUN: sed 's/#0 {/"linearize-max-blocks"="3" {/' %s | %opt %load -passes='linearize<paper>' %all-remarks -disable-output 2>&1 | %FileCheck %s --check-prefix=LARGE
; RUN: %opt %load -passes='linearize<max-work=4>' %all-remarks -disable-output %s 2>&1 | %FileCheck %s --check-prefix=DEFAULT
; RUN: %opt %load -passes='linearize<max-work=3>' %all-remarks -disable-output %s 2>&1 | %FileCheck %s --check-prefix=WORK
; RUN: %opt %load -linearize-max-work=3 -passes='linearize' %all-remarks -disable-output %s 2>&1 | %FileCheck %s --check-prefix=WORK
; RUN: sed 's/#0 {/"linearize-max-work"="3" {/' %s | %opt %load -passes='linearize' %all-remarks -disable-output 2>&1 | %FileCheck %s --check-prefix=WORK
; RUN: sed 's/#0 {/"linearize-mode"="irreducible" {/' %s | %opt %load -passes='linearize<paper>' %all-remarks -disable-output 2>&1 | %FileCheck %s --check-prefix=IRREDUCIBLE
; RUN: env LINEARIZE_MODE=paper LINEARIZE_OPTIONS=mode=irreducible %opt %load -passes='linearize' %all-remarks -disable-output %s 2>&1 | %FileCheck %s --check-prefix=IRREDUCIBLE
; RUN: env LINEARIZE_OPTIONS=mode=irreducible %opt %load -passes='default<O0>' %all-remarks -disable-output %s 2>&1 | %FileCheck %s --check-prefix=IRREDUCIBLE
; RUN: env LINEARIZE_OPTIONS=threshold=26,O2 %opt %load -passes='default<O0>' %all-remarks -disable-output %s 2>&1 | %FileCheck %s --check-prefix=NOTHING
; RUN: env LINEARIZE_OPTIONS='level=O0,paper' %opt %load -passes='linearize' -S %s -o %t.level0
; RUN: %opt %load -passes='linearize<paper;O0>' -S %s -o %t.expected
; RUN: diff %t.expected %t.level0
; RUN: %opt %load -linearize-level=O0 -passes='linearize<mode=paper>' -S %s -o %t.level0
; RUN: diff %t.expected %t.level0
;
; DEFAULT: 'f', block 'or': linearized a region of 4 blocks
; DEFAULT: warning: {{.*}}'ring', {{.*}} over budget: its number of blocks is 3, max-blocks is 2 (region 0 of 3 blocks)
; SMALL: 'f', block 'or': left alone {{.*}} too small, 25 instructions; the threshold is 26
; LARGE: 'f', block 'or': over budget: its number of blocks is 4, max-blocks is 3 (region 0 of 4 blocks)
; WORK: 'f', block 'or': over budget: its work is 4, max-work is 3 (region 0 of 4 blocks)
; IRREDUCIBLE: 'f', block 'or': left alone {{.*}}: mode irreducible is after irreducible loops
; NOTHING-NOT: {{.}}
; NOTHING: remark: {{.*}}nothing is linearized at -O0: build with -O1 or more
; NOTHING-NOT: {{.}}
target triple = "nvptx64-nvidia-cuda"

define void @f(i32 %a, i32 %b, ptr %out) #0 {
entry:
  %c1 = icmp eq i32 %a, 0
  br i1 %c1, label %then, label %or
or:
  %c2 = icmp eq i32 %b, 1
  br i1 %c2, label %then, label %else
then:
  %c3 = icmp ugt i32 %b, %a
  br i1 %c3, label %work, label %else
work:
  %old1 = load i32, ptr %out
  %sum1 = udiv i32 %old1, 3
  store i32 %sum1, ptr %out
  br label %end
else:
  %old2 = load i32, ptr %out
  %sum2 = udiv i32 %old2, 3
  store i32 %sum2, ptr %out
  br label %end
end:
  ret void
}

define void @ring(i32 %a, ptr %out) "linearize-max-blocks"="2" {
entry:
  %c1 = icmp eq i32 %a, 0
  br i1 %c1, label %x, label %y
x:
  store i32 1, ptr %out
  br label %y
y:
  %old = load i32, ptr %out
  %c2 = icmp eq i32 %old, 9
  br i1 %c2, label %x, label %end
end:
  ret void
}
attributes #0 = { nounwind }
