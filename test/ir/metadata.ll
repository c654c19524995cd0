; RUN: %opt %load -passes='linearize<paper;O0>,verify' -S %s | %FileCheck %s
; RUN: %opt %load -passes='linearize<paper;O4>,verify' -S %s | %FileCheck %s
;
; !prof and !llvm.loop outside of a region stay where they are; a switch inside with more
; weights than its guards have edges must not leave them on a two-way branch (LLVM's verifier
; counts). Metadata on instructions (range, tbaa, alias scopes) stays with them. A loop that is two
; of the function's, here c->a and d->b, has none of theirs, though it be the same.
;
; CHECK-LABEL: define void @keep
; CHECK: br i1 %more, label %loop, label %r, !prof ![[W:[0-9]+]], !llvm.loop ![[L:[0-9]+]]
; CHECK: load i32, ptr %p, align 4, !range ![[R:[0-9]+]]
; CHECK: store i32 7, {{.*}}!nontemporal
; CHECK-LABEL: define void @merged
; CHECK-NOT: !llvm.loop
; CHECK: ![[W]] = !{!"branch_weights", i32 99, i32 1}
; CHECK: ![[L]] = distinct !{![[L]], ![[U:[0-9]+]]}
; CHECK: ![[U]] = !{!"llvm.loop.unroll.disable"}
; CHECK: ![[R]] = !{i32 0, i32 10}

target triple = "nvptx64-nvidia-cuda"

define void @keep(ptr %p, i32 %n, i1 %c) "target-cpu"="sm_75" {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i2, %loop ]
  store volatile i32 %i, ptr %p
  %i2 = add i32 %i, 1
  %more = icmp slt i32 %i2, %n
  br i1 %more, label %loop, label %r, !prof !0, !llvm.loop !1
r:
  %v = load i32, ptr %p, align 4, !range !3
  switch i32 %v, label %join [ i32 0, label %a
                               i32 1, label %b
                               i32 2, label %b ], !prof !4
a:
  store i32 7, ptr %p, align 4, !nontemporal !5
  br i1 %c, label %join, label %h, !prof !0
b:
  store i32 8, ptr %p, align 4
  br label %join
join:
  store i32 9, ptr %p, align 4
  br label %h
h:
  %k = phi i32 [ 0, %a ], [ 1, %join ], [ %k2, %l ], [ %k2, %x ]
  %k2 = add i32 %k, 1
  store volatile i32 %k, ptr %p
  %ch = icmp slt i32 %k2, %n
  br i1 %ch, label %x, label %l, !prof !0
x:
  store volatile i32 %k2, ptr %p
  %cx = icmp slt i32 %v, %k
  br i1 %cx, label %h, label %l, !prof !0, !llvm.loop !1
l:
  %cl = icmp slt i32 %v, %k2
  br i1 %cl, label %h, label %out, !prof !0, !llvm.loop !1
out:
  ret void
}

define void @merged(ptr %p) "target-cpu"="sm_75" {
entry:
  br label %a
a:
  store volatile i32 1, ptr %p
  br label %b
b:
  %vb = load volatile i32, ptr %p
  br label %c
c:
  %cc = icmp slt i32 %vb, 10
  br i1 %cc, label %a, label %d, !llvm.loop !1
d:
  %vd = load volatile i32, ptr %p
  %cd = icmp slt i32 %vd, 20
  br i1 %cd, label %b, label %out, !llvm.loop !1
out:
  ret void
}

!0 = !{!"branch_weights", i32 99, i32 1}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.unroll.disable"}
!3 = !{i32 0, i32 10}
!4 = !{!"branch_weights", i32 1, i32 2, i32 3, i32 4}
!5 = !{i32 1}
