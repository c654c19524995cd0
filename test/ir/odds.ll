; Weights after the pass are the function's own or derived from them (lib/llvm/write/writer.h): a branch keeps
; them; a guard right behind the branch that sets it has that branch's; other guards have none, but
; those of loops, which are even.
;
; RUN: %opt %load -passes='linearize<paper;O2>,verify' -S %s | %FileCheck %s
; RUN: %opt %load -passes='linearize<paper;O4>,verify' -S %s | %FileCheck %s --check-prefix=BEST
; RUN: sed 's/"branch_weights", i32/"branch_weights", !"expected", i32/' %s | %opt %load -passes='linearize<paper;O2>,verify' -S | %FileCheck %s
;
; CHECK-LABEL: define void @join
; CHECK: br label %linearize.guard{{$}}
; CHECK: br i1 {{.*}}, label %a, label %linearize.guard{{[0-9]*}}, !prof ![[A:[0-9]+]]
; CHECK: br i1 {{.*}}, label %b, label %linearize.guard{{[0-9]*}}, !linearize.guard
; CHECK: br i1 {{.*}}, label %y, label %linearize.guard{{[0-9]*}}, !prof ![[Y:[0-9]+]]
; CHECK: br i1 {{.*}}, label %x, label %out, !linearize.guard
; CHECK-LABEL: define void @loop
; CHECK: br i1 {{.*}}, label %body, label %linearize.guard{{[0-9]*}}, !prof ![[BODY:[0-9]+]]
; CHECK: br i1 {{.*}}, label %latch, label %linearize.guard{{[0-9]*}}, !prof ![[LATCH:[0-9]+]]
; CHECK: br i1 {{.*}}, label %head, label %linearize.guard{{[0-9]*}}, !prof ![[EVEN:[0-9]+]]
; CHECK: br i1 {{.*}}, label %x, label %linearize.guard{{[0-9]*}}, !linearize.guard
; CHECK-LABEL: define void @cases
; CHECK: br i1 {{.*}}, label %s1, label %linearize.guard{{[0-9]*}}, !prof ![[S1:[0-9]+]]
; CHECK: ![[A]] = !{!"branch_weights", i32 10, i32 1}
; CHECK: ![[Y]] = !{!"branch_weights", i32 5, i32 30}
; CHECK: ![[BODY]] = !{!"branch_weights", i32 100, i32 1}
; CHECK: ![[LATCH]] = !{!"branch_weights", i32 200, i32 3}
; CHECK: ![[EVEN]] = !{!"branch_weights", i32 1, i32 1}
; CHECK: ![[S1]] = !{!"branch_weights", i32 4, i32 11}
;
; BEST-LABEL: define void @join
; BEST: br i1 %c, label %a, label %linearize.guard{{[0-9]*}}, !prof ![[A:[0-9]+]]
; BEST: br i1 {{.*}}, label %b, !linearize.guard
; BEST: br i1 %e, label %linearize.guard{{[0-9]*}}, label %y, !prof ![[Y:[0-9]+]]
; BEST-LABEL: define void @loop
; BEST: br i1 %c, label %body, label %linearize.guard{{[0-9]*}}, !prof
; BEST: br i1 {{.*}}, label %head, label %linearize.guard{{[0-9]*}}, !prof
; BEST: br i1 {{.*}}, label %x, !linearize.guard
; BEST: br i1 {{.*}}, label %y, !linearize.guard
; BEST-DAG: ![[A]] = !{!"branch_weights", i32 10, i32 1}
; BEST-DAG: ![[Y]] = !{!"branch_weights", i32 30, i32 5}
target triple = "nvptx64-nvidia-cuda"

define void @join(ptr %p, i1 %c, i1 %d, i1 %e) "target-cpu"="sm_75" {
entry:
  br i1 %c, label %a, label %b, !prof !0
a:
  store volatile i32 1, ptr %p
  br i1 %d, label %b, label %x, !prof !1
b:
  store volatile i32 2, ptr %p
  br i1 %e, label %x, label %y, !prof !2
x:
  store volatile i32 3, ptr %p
  br label %out
y:
  store volatile i32 4, ptr %p
  br label %out
out:
  ret void
}

define void @loop(ptr %p, i32 %n) "target-cpu"="sm_75" {
entry:
  br label %head
head:
  %v = load volatile i32, ptr %p
  %c = icmp slt i32 %v, %n
  br i1 %c, label %body, label %x, !prof !3
body:
  %w = load volatile i32, ptr %p
  %d = icmp slt i32 %w, %n
  br i1 %d, label %latch, label %y, !prof !4
latch:
  store volatile i32 %w, ptr %p
  br label %head
x:
  store volatile i32 3, ptr %p
  br label %out
y:
  store volatile i32 4, ptr %p
  br label %out
out:
  ret void
}

define void @cases(ptr %p, i32 %n, i1 %c) "target-cpu"="sm_75" {
entry:
  switch i32 %n, label %s2 [ i32 0, label %s1
                             i32 1, label %s3
                             i32 2, label %s1 ], !prof !5
s1:
  store volatile i32 3, ptr %p
  br i1 %c, label %s2, label %s3
s2:
  store volatile i32 4, ptr %p
  br i1 %c, label %s3, label %out
s3:
  store volatile i32 5, ptr %p
  br label %out
out:
  ret void
}
!0 = !{!"branch_weights", i32 10, i32 1}
!1 = !{!"branch_weights", i32 20, i32 3}
!2 = !{!"branch_weights", i32 30, i32 5}
!3 = !{!"branch_weights", i32 100, i32 1}
!4 = !{!"branch_weights", i32 200, i32 3}
!5 = !{!"branch_weights", i32 8, i32 1, i32 3, i32 3}
