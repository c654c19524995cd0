; RUN: %opt %load -passes='print<unstructured>' -disable-output %s 2>&1 | %FileCheck %s
; RUN: %not %opt %load -passes='verify<linearized>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=ERR
; RUN: %opt %load -passes='linearize<paper>,verify<linearized>' -disable-output %s
; RUN: %opt %load -passes='linearize<irreducible>' -S %s -o - | %FileCheck %s --check-prefix=IRR
; RUN: sed 's/label %%b, label %%out ; cut/label %%out, label %%out/' %s > %t.ll
; RUN: %not %opt %load -passes='verify<linearized>' -disable-output %t.ll 2>&1 | %FileCheck %s --check-prefix=LOOP
;
; print<unstructured> names the edges, verify<linearized> fails on them, on an acyclic join
; (@join) as on an irreducible loop alone (@ring).
;
; CHECK: join
; CHECK: a{{.*}}->{{.*}}b
; CHECK: ring
; CHECK: x{{.*}}->{{.*}}y
;
; ERR: {{error|ERROR}}
; ERR-SAME: join
;
; LOOP: {{error|ERROR}}
; LOOP-SAME: ring
;
; Mode irreducible leaves the join.
; IRR-LABEL: define void @join
; IRR: br i1 %c, label %a, label %b
; IRR: br i1 %d, label %b, label %out

target triple = "nvptx64-nvidia-cuda"

define void @join(ptr %p, i1 %c, i1 %d) "target-cpu"="sm_75" {
entry:
  br i1 %c, label %a, label %b
a:
  store i32 1, ptr %p
  br i1 %d, label %b, label %out ; cut
b:
  store i32 2, ptr %p
  br label %out
out:
  ret void
}

define void @ring(ptr %p, i1 %c) "target-cpu"="sm_75" {
entry:
  br i1 %c, label %x, label %y
x:
  %v = load volatile i32, ptr %p
  %d = icmp eq i32 %v, 0
  br i1 %d, label %y, label %out
y:
  %w = load volatile i32, ptr %p
  %e = icmp eq i32 %w, 1
  br i1 %e, label %x, label %out
out:
  ret void
}
