; Regions have numbers: in the order of their first blocks, the same in every mode
; and at every level. `only` linearizes those with the numbers given, whatever they are worth.
;
; RUN: %opt %load -passes='linearize<paper>' %all-remarks -disable-output %s 2>&1 | %FileCheck %s --check-prefix=PAPER
; RUN: %opt %load -passes='linearize<irreducible>' %all-remarks -disable-output %s 2>&1 | %FileCheck %s --check-prefix=NONE
; RUN: %opt %load -passes='linearize<only=9>' %all-remarks -S %s -o %t.none 2>&1 | %FileCheck %s --check-prefix=NOBODY
; RUN: %opt -S %s -o %t.before
; RUN: diff %t.before %t.none
; RUN: %opt %load -passes='linearize<only=1>,verify' %all-remarks -S %s -o %t.0 2>&1 | %FileCheck %s --check-prefix=INNER
; RUN: %opt %load -passes='linearize<only=0>,verify' %all-remarks -S %s -o %t.1 2>&1 | %FileCheck %s --check-prefix=OUTER
; RUN: %opt %load -passes='linearize<only=0+2>,verify' %all-remarks -S %s -o %t.02 2>&1 | %FileCheck %s --check-prefix=TWO
; RUN: %opt %load -passes='linearize<irreducible;O0;only=0+1+2>,verify,verify<linearized>' %all-remarks -S %s -o %t.012 2>&1 | %FileCheck %s --check-prefix=EACH
; RUN: %opt %load -linearize-only=0+2 -passes='linearize,verify' -S %s -o %t.option
; RUN: diff %t.02 %t.option
; RUN: env LINEARIZE_OPTIONS=only=0+2,force %opt %load -passes='linearize,verify' -S %s -o %t.environment
; RUN: diff %t.02 %t.environment
; RUN: sed 's/"target-cpu"="sm_75"/"target-cpu"="sm_75" "linearize-only"="0+2"/' %s \
; RUN:   | %opt %load -passes='linearize,verify' %all-remarks -disable-output 2>&1 | %FileCheck %s --check-prefix=TWO
;
; PAPER: 'f', block 'i1': linearized a region {{.*}}(region 1)
; PAPER: 'f', block 't1': linearized a region {{.*}}(region 2)
; PAPER: 'f', block 'o1': linearized a region {{.*}}(region 0)
; NONE: 'f', block 'o1': left alone region 0 of
; NONE: 'f', block 'i1': left alone region 1 of
; NONE: 'f', block 't1': left alone region 2 of
; NOBODY: left alone region 0 of {{.*}}: not among those that were chosen
; NOBODY: left alone region 1 of
; NOBODY: left alone region 2 of
; INNER: 'f', block 'i1': linearized a region of 2 blocks {{.*}}(region 1)
; INNER: 'f', block 'o1': left alone region 0
; INNER: 'f', block 't1': left alone region 2
; OUTER: 'f', block 'o1': linearized a region of 6 blocks {{.*}}(region 0)
; OUTER: 'f', block 'i1': left alone region 1
; OUTER: 'f', block 't1': left alone region 2
; TWO: 'f', block 't1': linearized a region {{.*}}(region 2)
; TWO: 'f', block 'o1': linearized a region {{.*}}(region 0)
; TWO: 'f', block 'i1': left alone region 1
; EACH: 'f', block 'i1': linearized a region {{.*}}(region 1)
; EACH: 'f', block 't1': linearized a region {{.*}}(region 2)
; EACH: 'f', block 'o1': linearized a region of 4 blocks {{.*}}(region 0)
target triple = "nvptx64-nvidia-cuda"

; A short circuit (i) in an arm of another one (o), and a third (t) behind both.
define void @f(i32 %a, i32 %b, ptr %p) "target-cpu"="sm_75" {
entry:
  %ca = icmp eq i32 %a, 0
  br i1 %ca, label %o1, label %o2
o1:
  store volatile i32 1, ptr %p
  %co1 = icmp eq i32 %b, 1
  br i1 %co1, label %o2, label %i0
i0:
  store volatile i32 2, ptr %p
  %ci0 = icmp eq i32 %b, 2
  br i1 %ci0, label %i1, label %i2
i1:
  store volatile i32 3, ptr %p
  %ci1 = icmp eq i32 %b, 3
  br i1 %ci1, label %i2, label %i3
i2:
  store volatile i32 4, ptr %p
  br label %i3
i3:
  store volatile i32 5, ptr %p
  br label %mid
o2:
  store volatile i32 6, ptr %p
  br label %mid
mid:
  store volatile i32 7, ptr %p
  %cm = icmp eq i32 %b, 4
  br i1 %cm, label %t1, label %t2
t1:
  store volatile i32 8, ptr %p
  %ct = icmp eq i32 %b, 5
  br i1 %ct, label %t2, label %end
t2:
  store volatile i32 9, ptr %p
  br label %end
end:
  ret void
}
