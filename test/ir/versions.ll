; Versions of kernels in a module: which there are, what they share, and what stays as it was.
;
; RUN: %opt %load -passes='linearize-versions<plain:needed:paper:all>,verify' %all-remarks -S %s -o %t.ll 2> %t.remarks
; RUN: %FileCheck %s < %t.ll
; RUN: %FileCheck %s --check-prefix=NEEDED < %t.ll
; RUN: %FileCheck %s --check-prefix=PAPER < %t.ll
; RUN: %FileCheck %s --check-prefix=SAID < %t.remarks
;
; A module that has versions gets no more, and they stay as they are.
; RUN: %opt %load -passes='linearize-versions<needed:paper:all>' -S %t.ll | sed '/ModuleID/d; s/ *; preds.*//' > %t.again.ll
; RUN: sed '/ModuleID/d; s/ *; preds.*//' %t.ll | diff - %t.again.ll
;
; All that was there is there, and is the same.
; RUN: %opt -passes=verify -S %s -o %t.before.ll
; RUN: %python %S/Inputs/same_functions.py %t.before.ll %t.ll walk structured calls recursive template left by_hand internal f g even odd
;
; At most one: the first of the list that is another.
; RUN: %opt %load -passes='linearize-versions<paper:all:needed;max-versions=1>' %all-remarks -S %s 2>&1 | %FileCheck %s --check-prefix=ONE
; ONE-DAG: function 'walk': 1 version beside the plain one: paper; paper is also all; left out, for max-versions: needed
; ONE-NOT: @walk__linearize_all(
; ONE: define ptx_kernel void @walk__linearize_paper(
; ONE-NOT: @walk__linearize_needed(
;
; Kernels that are too large have none.
; RUN: %opt %load -passes='linearize-versions<paper;max-kernel=5>' %all-remarks -S %s 2>&1 | %FileCheck %s --check-prefix=LARGE
; LARGE: function 'walk': no versions of it are made: with all that it calls it has {{[0-9]+}} instructions, over max-kernel, 5
; LARGE-NOT: @walk__linearize
; LARGE: define weak_odr ptx_kernel void @template__linearize_paper(
;
; Only of a GPU's module.
; RUN: sed 's/^target triple.*//' %s | %opt %load -passes='linearize-versions<paper>' -S | %FileCheck %s --check-prefix=OTHER
; OTHER-NOT: __linearize
;
; In a pipeline, by the option, with commas; there is no other way to say what the plain one is.
; RUN: %opt %load -O1 -linearize-versions=plain,needed,paper -S %s | %FileCheck %s --check-prefix=PIPELINE
; PIPELINE: @__linearize_versions_walk =
; RUN: env LINEARIZE_OPTIONS=versions=needed:paper %opt %load -O1 -S %s | %FileCheck %s --check-prefix=PIPELINE
; RUN: env LINEARIZE_OPTIONS=remarks=passed,versions=needed,paper,threshold=7 %opt %load -O1 -S %s | %FileCheck %s --check-prefix=PIPELINE
;
; Whoever points to a kernel points to the plain one. What tells the host: which versions there are, of a control flow that a hash stands for.
; CHECK: @table = addrspace(1) global ptr @walk
; CHECK-DAG: @__linearize_versions_walk = addrspace(1) constant [{{[0-9]+}} x i8] c"linearize-versions 1 {{[0-9a-f]+}} LLVM {{[0-9.]+}}\09ends\0Aneeded\09walk__linearize_needed\0Apaper\09walk__linearize_paper\0A\00"
; CHECK-DAG: @__linearize_versions_calls = addrspace(1) constant {{.*}}\0Apaper\09calls__linearize_paper\0A
; CHECK-DAG: @__linearize_versions_template = internal addrspace(1) constant
; CHECK-NOT: @__linearize_versions_structured
; CHECK-NOT: @__linearize_versions_left
; CHECK-NOT: @__linearize_versions_by_hand
; CHECK-NOT: @__linearize_versions_internal
;
; Attributes, linkage and comdat are the kernel's. What mode needed makes of `walk` calls the
; functions that were there, for it changes none of them; what mode paper makes calls another `f`.
; NEEDED-LABEL: define ptx_kernel void @walk__linearize_needed(ptr %p)
; NEEDED: call void @f(
; NEEDED: call void @g(
; NEEDED: store volatile ptr @f,
; PAPER-LABEL: define ptx_kernel void @walk__linearize_paper(ptr %p)
; PAPER: call void @f__linearize_paper(
; PAPER: call void @g(
; PAPER: store volatile ptr @f,
;
; A structured kernel that calls what mode paper changes has such a version, with the kernel's own code.
; PAPER-LABEL: define ptx_kernel void @calls__linearize_paper(
; PAPER-NEXT: call void @f__linearize_paper(
; PAPER-NEXT: ret void
;
; CHECK-DAG: define weak_odr ptx_kernel void @template__linearize_paper({{.*}} comdat($template) {
; CHECK-DAG: define internal void @f__linearize_paper(
; CHECK-DAG: attributes #{{[0-9]+}} = { noinline "nvvm.maxntid"="128" "target-cpu"="sm_75" }
; CHECK-DAG: attributes #{{[0-9]+}} = { noinline "linearize-version"="needed" "nvvm.maxntid"="128" "target-cpu"="sm_75" }
; CHECK-DAG: attributes #{{[0-9]+}} = { noinline "linearize-version"="paper" "nvvm.maxntid"="128" "target-cpu"="sm_75" }
;
; SAID-DAG: function 'walk': 2 versions beside the plain one: needed, paper; paper is also all
; SAID-DAG: function 'structured': no version differs from the plain one; plain is also needed, paper, all
; SAID-DAG: function 'calls': 1 version beside the plain one: paper; plain is also needed; paper is also all
; SAID-DAG: function 'left': no version differs from the plain one
; SAID-DAG: function 'f__linearize_paper', block 'a': linearized
target triple = "nvptx64-nvidia-cuda"

$template = comdat any

@table = addrspace(1) global ptr @walk
@shared = internal addrspace(3) global [32 x i32] undef

; A join that costs enough for mode needed; what it calls is changed by mode paper alone.
define ptx_kernel void @walk(ptr %p) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c1 = trunc i32 %t to i1
  %c2 = icmp ult i32 %t, 7
  br i1 %c1, label %third, label %second
second:
  store volatile i32 1, ptr %p
  br i1 %c2, label %third, label %else
third:
  %x = load i32, ptr %p
  %y = udiv i32 %x, 77
  %z = udiv i32 %t, %y
  %c3 = icmp ugt i32 %z, 9
  br i1 %c3, label %then, label %else
then:
  %u = udiv i32 %z, %x
  store i32 %u, ptr addrspace(3) @shared
  call void @f(ptr %p, i1 %c1, i1 %c2)
  call void @g(ptr %p, i1 %c1)
  store volatile ptr @f, ptr %p
  br label %out
else:
  %v = udiv i32 %t, 99
  store volatile i32 %v, ptr %p
  br label %out
out:
  ret void
}

define ptx_kernel void @structured(ptr %p, i1 %c) {
  call void @g(ptr %p, i1 %c)
  ret void
}

define ptx_kernel void @calls(ptr %p, i1 %c, i1 %d) {
  call void @f(ptr %p, i1 %c, i1 %d)
  ret void
}

define ptx_kernel void @recursive(ptr %p, i32 %n, i1 %c) {
  %x = call i32 @even(ptr %p, i32 %n, i1 %c)
  store i32 %x, ptr %p
  ret void
}

; A short join is worth it for mode paper alone.
define weak_odr ptx_kernel void @template(ptr %p, i1 %c, i1 %d) comdat {
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

; Nothing is done to it, and so it is what it is in each version.
define ptx_kernel void @left(ptr %p, i1 %c, i1 %d) "no-linearize" {
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

; What it says of itself wins: it is that in each version.
define ptx_kernel void @by_hand(ptr %p, i1 %c, i1 %d) "linearize-mode"="none" {
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

; Nobody can look it up.
define internal ptx_kernel void @internal(ptr %p, i1 %c, i1 %d) {
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

define void @f(ptr %p, i1 %c, i1 %d) {
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

define void @g(ptr %p, i1 %c) {
entry:
  br i1 %c, label %a, label %out
a:
  store volatile i32 1, ptr %p
  br label %out
out:
  ret void
}

; Only odd is changed; even calls it, and so there is one of each in the version.
define i32 @even(ptr %p, i32 %n, i1 %c) {
entry:
  %done = icmp eq i32 %n, 0
  br i1 %done, label %out, label %more
more:
  %m = sub i32 %n, 1
  %x = call i32 @odd(ptr %p, i32 %m, i1 %c)
  br label %out
out:
  %r = phi i32 [ 1, %entry ], [ %x, %more ]
  ret i32 %r
}

define i32 @odd(ptr %p, i32 %n, i1 %c) {
entry:
  %done = icmp eq i32 %n, 0
  br i1 %done, label %out, label %more
more:
  store volatile i32 1, ptr %p
  br i1 %c, label %out, label %join
out:
  store volatile i32 2, ptr %p
  br label %join
join:
  %m = sub i32 %n, 1
  %x = call i32 @even(ptr %p, i32 %m, i1 %c)
  ret i32 %x
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

attributes #0 = { noinline "nvvm.maxntid"="128" "target-cpu"="sm_75" }

