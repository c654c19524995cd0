; What becomes of arms that do similar work: one form of what both have, an operand by the arm, what only one
; has behind a guard; the weaker of two instructions' flags and metadata.
;
; RUN: %opt %load -passes='linearize<none;meld>,verify' -S %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"

; The store is of one arm; alignment, flags and ranges of both hold for one at most.
; CHECK-LABEL: @stores(
; CHECK: %bit = trunc i32 %k to i1
; CHECK-NOT: br i1
; CHECK: load i32, ptr %{{.*}}, align 4, !range ![[RANGE:[0-9]+]]
; CHECK-NOT: !tbaa
; CHECK: udiv i32
; CHECK: add i32
; CHECK: udiv i32
; CHECK: br i1 %bit, label %linearize.one.arm, label %linearize.melded
; CHECK: fdiv nnan float
; CHECK-NOT: fdiv
; CHECK: linearize.one.arm:
; CHECK-NEXT: store i32 %{{.*}}, ptr %out, align 4
; CHECK-NEXT: br label
; CHECK-NEXT: }
define ptx_kernel void @stores(ptr %p, ptr %q, ptr %out, float %f) {
entry:
  %k = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bit = trunc i32 %k to i1
  br i1 %bit, label %a, label %b
a:
  %va = load i32, ptr %p, align 16, !range !0, !tbaa !2
  %da = udiv i32 %va, 7
  %ea = add nuw i32 %da, 3
  %ga = udiv i32 %ea, %k
  store i32 %ea, ptr %out, align 4
  %ra = fdiv nnan ninf float %f, 3.0
  br label %j
b:
  %vb = load i32, ptr %q, align 4, !range !1
  %db = udiv i32 %vb, 9
  %eb = add nsw i32 %db, 3
  %gb = udiv i32 %eb, %k
  %rb = fdiv nnan float %f, 5.0
  br label %j
j:
  %g = phi i32 [ %ga, %a ], [ %gb, %b ]
  %r = phi float [ %ra, %a ], [ %rb, %b ]
  %at = getelementptr i32, ptr %out, i32 %g
  store float %r, ptr %at
  ret void
}

; Threads that had any number have no poison, which %x may be. Threads that had poison may have anything.
; CHECK-LABEL: @undefined(
; CHECK: select i1 %bit, i32 %x, i32 undef
; CHECK-NOT: poison
; CHECK: }
define ptx_kernel void @undefined(ptr %p, ptr %q, ptr %out, i32 %x, i32 %y) {
entry:
  %k = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bit = trunc i32 %k to i1
  br i1 %bit, label %a, label %b
a:
  %va = load i32, ptr %p
  %da = udiv i32 %va, 7
  %ea = udiv i32 %da, %k
  %fa = xor i32 %ea, %x
  %ga = sub i32 %fa, %y
  br label %j
b:
  %vb = load i32, ptr %q
  %db = udiv i32 %vb, 9
  %eb = udiv i32 %db, %k
  %fb = xor i32 %eb, undef
  %gb = sub i32 %fb, poison
  br label %j
j:
  %g = phi i32 [ %ga, %a ], [ %gb, %b ]
  store i32 %g, ptr %out
  ret void
}

; An atomic operation, and a volatile access, is melded with its equal, with what its thread's arm has.
; CHECK-LABEL: @atomic(
; CHECK: udiv i32
; CHECK: %[[ADDED:.*]] = select i1 %bit, i32 1, i32 2
; CHECK-NEXT: atomicrmw add ptr %q, i32 %[[ADDED]] monotonic
; CHECK: store volatile i32
; CHECK-NOT: {{atomicrmw|volatile}}
; CHECK: }
define ptx_kernel void @atomic(ptr %p, ptr %q) {
entry:
  %k = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bit = trunc i32 %k to i1
  br i1 %bit, label %a, label %b
a:
  %da = udiv i32 7, %k
  %o = atomicrmw add ptr %q, i32 1 monotonic
  store volatile i32 %o, ptr %p
  %ea = udiv i32 %da, %k
  br label %j
b:
  %db = udiv i32 9, %k
  %o2 = atomicrmw add ptr %q, i32 2 monotonic
  store volatile i32 %o2, ptr %p
  %eb = udiv i32 %db, %k
  br label %j
j:
  %g = phi i32 [ %ea, %a ], [ %eb, %b ]
  store i32 %g, ptr %p
  ret void
}

; A loop of each arm becomes one, whose test asks for the end of the thread's own, whichever way it is written.
; CHECK-LABEL: @loops(
; CHECK: linearize.melded:
; CHECK: udiv i32 %{{.*}}, %
; CHECK-NOT: udiv
; CHECK: %ca = icmp ult i32 %{{.*}}, %[[TRIPS:[0-9]+]]
; CHECK: br i1 %ca, label %linearize.melded, label %j
; CHECK-NEXT: }
define i32 @loops(i32 %n, i32 %m) {
entry:
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bit = trunc i32 %i to i1
  br i1 %bit, label %a, label %b
a:
  %ka = phi i32 [ 0, %entry ], [ %ka1, %a ]
  %xa = phi i32 [ %i, %entry ], [ %xa1, %a ]
  %da = udiv i32 %n, %xa
  %xa1 = add i32 %da, 5
  %ka1 = add i32 %ka, 1
  %ca = icmp ult i32 %ka1, %n
  br i1 %ca, label %a, label %j
b:
  %kb = phi i32 [ 0, %entry ], [ %kb1, %b ]
  %xb = phi i32 [ %i, %entry ], [ %xb1, %b ]
  %db = udiv i32 %n, %xb
  %xb1 = add i32 %db, 9
  %kb1 = add i32 %kb, 1
  %cb = icmp ult i32 %kb1, %m
  %nb = xor i1 %cb, true
  br i1 %nb, label %j, label %b
j:
  %x = phi i32 [ %xa1, %a ], [ %xb1, %b ]
  ret i32 %x
}

; Who goes around the loop would keep its threads from meeting in front of it: all come by one place there.
; CHECK-LABEL: @around(
; CHECK: br i1 %some, label %[[WAY:.*]], label %linearize.gate
; CHECK: linearize.gate:
; CHECK: %[[TRIPS:.*]] = phi i32 [ %m, %{{.*}} ], [ %n, %[[WAY]] ], [ 0, %a0 ]
; CHECK: %[[LOOPS:.*]] = phi i1 [ true, %[[WAY]] ], [ true, %{{.*}} ], [ false, %a0 ]
; CHECK: br i1 %[[LOOPS]]
; CHECK: udiv i32 %n, %
; CHECK-NOT: udiv
; CHECK: }
define i32 @around(i32 %n, i32 %m) {
entry:
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bit = trunc i32 %i to i1
  br i1 %bit, label %a0, label %b
a0:
  %some = icmp ugt i32 %i, %n
  br i1 %some, label %a, label %j
a:
  %ka = phi i32 [ 0, %a0 ], [ %ka1, %a ]
  %xa = phi i32 [ %i, %a0 ], [ %xa1, %a ]
  %da = udiv i32 %n, %xa
  %xa1 = add i32 %da, 5
  %ka1 = add i32 %ka, 1
  %ca = icmp ult i32 %ka1, %n
  br i1 %ca, label %a, label %j
b:
  %kb = phi i32 [ 0, %entry ], [ %kb1, %b ]
  %xb = phi i32 [ %i, %entry ], [ %xb1, %b ]
  %db = udiv i32 %n, %xb
  %xb1 = add i32 %db, 9
  %kb1 = add i32 %kb, 1
  %cb = icmp ult i32 %kb1, %m
  br i1 %cb, label %b, label %j
j:
  %x = phi i32 [ 0, %a0 ], [ %xa1, %a ], [ %xb1, %b ]
  ret i32 %x
}

; A value from in front of the place where all gather is needed behind it.
; CHECK-LABEL: @before(
; CHECK: linearize.gate:
; CHECK-NEXT: phi i32 [ 0, %{{.*}} ], [ %square, %{{.*}} ], [ 0, %a0 ]
; CHECK: udiv i32 %n, %
; CHECK-NOT: udiv
; CHECK: }
define i32 @before(i32 %n, i32 %m, ptr %p) {
entry:
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bit = trunc i32 %i to i1
  br i1 %bit, label %a0, label %b
a0:
  %square = mul i32 %i, %i
  %some = icmp ugt i32 %square, %n
  br i1 %some, label %a, label %j
a:
  %ka = phi i32 [ 0, %a0 ], [ %ka1, %a ]
  %xa = phi i32 [ %i, %a0 ], [ %xa1, %a ]
  %da = udiv i32 %n, %xa
  store volatile i32 %square, ptr %p
  %xa1 = add i32 %da, 5
  %ka1 = add i32 %ka, 1
  %ca = icmp ult i32 %ka1, %n
  br i1 %ca, label %a, label %j
b:
  %kb = phi i32 [ 0, %entry ], [ %kb1, %b ]
  %xb = phi i32 [ %i, %entry ], [ %xb1, %b ]
  %db = udiv i32 %n, %xb
  %xb1 = add i32 %db, 9
  %kb1 = add i32 %kb, 1
  %cb = icmp ult i32 %kb1, %m
  br i1 %cb, label %b, label %j
j:
  %x = phi i32 [ 0, %a0 ], [ %xa1, %a ], [ %xb1, %b ]
  ret i32 %x
}

; Of two comparisons one is the inverse of the other; in assembly a number stands where the other arm has an
; operand, and operands change places.
; CHECK-LABEL: @alike(
; CHECK: %[[LESS:.*]] = icmp ult i32 %{{.*}}, %n
; CHECK: %[[NOT:.*]] = xor i1 %[[LESS]], true
; CHECK: select i1 %bit, i1 %[[LESS]], i1 %[[NOT]]
; CHECK: %[[NUMBER:.*]] = select i1 %bit, float 5.000000e-01, float %g
; CHECK: asm "mul.f32 $0, $1, $2;", "=f,f,f"(float %f, float %[[NUMBER]])
; CHECK-NOT: asm "mul
; CHECK: ret
define float @alike(i32 %n, i32 %m, float %f, float %g) {
entry:
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bit = trunc i32 %i to i1
  br i1 %bit, label %a, label %b
a:
  %da = udiv i32 %m, %i
  %ca = icmp ult i32 %da, %n
  %sa = select i1 %ca, float 3.0, float 4.0
  %ma = call float asm "mul.f32 $0, $1, 0f3F000000;", "=f,f"(float %f)
  %xa = fadd float %ma, %sa
  br label %j
b:
  %db = udiv i32 %n, %i
  %cb = icmp uge i32 %db, %n
  %sb = select i1 %cb, float 3.0, float 4.0
  %mb = call float asm "mul.f32 $0, $1, $2;", "=f,f,f"(float %g, float %f)
  %xb = fadd float %mb, %sb
  br label %j
j:
  %x = phi float [ %xa, %a ], [ %xb, %b ]
  ret float %x
}

; Too little to gain: it is predicated anyway.
; CHECK-LABEL: @short(
; CHECK-NOT: linearize
; CHECK: ret i32
define i32 @short(i32 %n, i32 %m) {
entry:
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bit = trunc i32 %i to i1
  br i1 %bit, label %a, label %b
a:
  %xa = mul i32 %n, 5
  %ya = xor i32 %xa, %m
  br label %j
b:
  %xb = mul i32 %n, 9
  %yb = xor i32 %xb, %m
  br label %j
j:
  %x = phi i32 [ %ya, %a ], [ %yb, %b ]
  ret i32 %x
}

; Warps take it together.
; CHECK-LABEL: @together(
; CHECK-NOT: linearize
; CHECK: ret void
define ptx_kernel void @together(ptr %out, i32 %n) {
entry:
  %bit = trunc i32 %n to i1
  br i1 %bit, label %a, label %b
a:
  %da = udiv i32 7, %n
  %ea = udiv i32 %da, %n
  %ga = udiv i32 %ea, %n
  br label %j
b:
  %db = udiv i32 9, %n
  %eb = udiv i32 %db, %n
  %gb = udiv i32 %eb, %n
  br label %j
j:
  %g = phi i32 [ %ga, %a ], [ %gb, %b ]
  store i32 %g, ptr %out
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK: ![[RANGE]] = !{i32 0, i32 100}
!0 = !{i32 0, i32 10}
!1 = !{i32 5, i32 100}
!2 = !{!3, !3, i64 0}
!3 = !{!"int", !4}
!4 = !{!"char"}
