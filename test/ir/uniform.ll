; Mode needed leaves regions alone in which all threads of a warp take every branch together, as LLVM's
; uniformity analysis says. A kernel's pointer parameters are pointers to global memory, although
; their type is generic: what is loaded from one address is the same for all threads.
;
; RUN: %opt -S %load -passes='linearize' -pass-remarks=linearize %s -o %t.needed 2>%t.remarks
; RUN: %FileCheck %s --check-prefix REMARKS < %t.remarks
; RUN: %python -c "import sys; sys.exit(len(open(sys.argv[1]).readlines()) != 7)" %t.remarks
; RUN: %opt -S %s -o %t.before
; RUN: %python -c "import sys; cut = lambda f, k: [x for x in open(f).read().split('define ') if ' @' + k + '(' in x]; \
; RUN:   sys.exit(any(cut('%t.before', k) != cut('%t.needed', k) for k in ('parameters', 'by_value_read', 'loaded', 'old_style', 'by_warp')))"
; RUN: %opt -S %load -passes='linearize<paper>' -pass-remarks=linearize %s -o /dev/null 2>&1 \
; RUN:   | %FileCheck %s --check-prefix PAPER
; RUN: sed 's/^target.*//' %s | %opt -S %load -passes='linearize<any-target>' -pass-remarks=linearize \
; RUN:   -o /dev/null 2>&1 | %FileCheck %s --check-prefix UNKNOWN
;
; REMARKS-DAG: function 'by_thread', {{.*}} linearized a region
; REMARKS-DAG: function 'device', {{.*}} linearized a region
; REMARKS-DAG: function 'atomic', {{.*}} linearized a region
; REMARKS-DAG: function 'by_value', {{.*}} linearized a region
; REMARKS-DAG: function 'by_value_written', {{.*}} linearized a region
; REMARKS-DAG: function 'by_half_warp', {{.*}} linearized a region
; REMARKS-DAG: function 'irreducible_by_warp', {{.*}} copied this entry
; PAPER-DAG: function 'by_warp', {{.*}} linearized a region
; PAPER-DAG: function 'seldom', {{.*}} linearized a region
; PAPER-DAG: function 'parameters', {{.*}} linearized a region
; PAPER-DAG: function 'by_value_read', {{.*}} linearized a region
; PAPER-DAG: function 'loaded', {{.*}} linearized a region
; PAPER-DAG: function 'by_thread', {{.*}} linearized a region
; UNKNOWN-DAG: function 'loaded', {{.*}} linearized a region
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @parameters(i32 %a, i32 %b, ptr %out) {
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

; A loop with two exits to different places, and a bound from memory.
define ptx_kernel void @loaded(ptr %in, ptr %out) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %bound = load i32, ptr %in
  %over = icmp uge i32 %i, %bound
  br i1 %over, label %a, label %body
body:
  %at = getelementptr i32, ptr %in, i32 %i
  %v = load i32, ptr %at
  %found = icmp eq i32 %v, 7
  br i1 %found, label %b, label %latch
latch:
  %next = add i32 %i, 1
  br label %loop
a:
  %old3 = load i32, ptr %out
  %sum3 = udiv i32 %old3, 3
  store i32 %sum3, ptr %out
  br label %end
b:
  %old4 = load i32, ptr %out
  %sum4 = udiv i32 %old4, 3
  store i32 %sum4, ptr %out
  br label %end
end:
  ret void
}

; A kernel of LLVM 19: a line of metadata says so.
define void @old_style(ptr %in, ptr %out) {
entry:
  %a = load i32, ptr %in
  %c1 = icmp eq i32 %a, 0
  br i1 %c1, label %then, label %or
or:
  %c2 = icmp eq i32 %a, 1
  br i1 %c2, label %then, label %else
then:
  %c3 = icmp ugt i32 %a, 5
  br i1 %c3, label %work, label %else
work:
  %old5 = load i32, ptr %out
  %sum5 = udiv i32 %old5, 3
  store i32 %sum5, ptr %out
  br label %end
else:
  %old6 = load i32, ptr %out
  %sum6 = udiv i32 %old6, 3
  store i32 %sum6, ptr %out
  br label %end
end:
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @old_style, !"kernel", i32 1}

define ptx_kernel void @by_thread(ptr %in, ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %in, i32 %tid
  %a = load i32, ptr %at
  %c1 = icmp eq i32 %a, 0
  br i1 %c1, label %then, label %or
or:
  %c2 = icmp eq i32 %a, 1
  br i1 %c2, label %then, label %else
then:
  %c3 = icmp ugt i32 %a, 5
  br i1 %c3, label %work, label %else
work:
  %old7 = load i32, ptr %out
  %sum7 = udiv i32 %old7, 3
  store i32 %sum7, ptr %out
  br label %end
else:
  %old8 = load i32, ptr %out
  %sum8 = udiv i32 %old8, 3
  store i32 %sum8, ptr %out
  br label %end
end:
  ret void
}

; Whoever calls a function may give each thread another argument.
define void @device(i32 %a, ptr %out) {
entry:
  %c1 = icmp eq i32 %a, 0
  br i1 %c1, label %then, label %or
or:
  %c2 = icmp eq i32 %a, 1
  br i1 %c2, label %then, label %else
then:
  %c3 = icmp ugt i32 %a, 5
  br i1 %c3, label %work, label %else
work:
  %old9 = load i32, ptr %out
  %sum9 = udiv i32 %old9, 3
  store i32 %sum9, ptr %out
  br label %end
else:
  %old10 = load i32, ptr %out
  %sum10 = udiv i32 %old10, 3
  store i32 %sum10, ptr %out
  br label %end
end:
  ret void
}

; Each thread gets another old value.
define ptx_kernel void @atomic(ptr %in, ptr %out) {
entry:
  %a = atomicrmw add ptr %in, i32 1 seq_cst
  %c1 = icmp eq i32 %a, 0
  br i1 %c1, label %then, label %or
or:
  %c2 = icmp eq i32 %a, 1
  br i1 %c2, label %then, label %else
then:
  %c3 = icmp ugt i32 %a, 5
  br i1 %c3, label %work, label %else
work:
  %old11 = load i32, ptr %out
  %sum11 = udiv i32 %old11, 3
  store i32 %sum11, ptr %out
  br label %end
else:
  %old12 = load i32, ptr %out
  %sum12 = udiv i32 %old12, 3
  store i32 %sum12, ptr %out
  br label %end
end:
  ret void
}

; Memory of the thread's own: what is loaded from it may be any thread's.
define ptx_kernel void @by_value(ptr byval(i32) %in, ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = alloca i32
  store i32 %tid, ptr %own
  %a = load i32, ptr %own
  %c1 = icmp eq i32 %a, 0
  br i1 %c1, label %then, label %or
or:
  %c2 = icmp eq i32 %a, 1
  br i1 %c2, label %then, label %else
then:
  %c3 = icmp ugt i32 %a, 5
  br i1 %c3, label %work, label %else
work:
  %old13 = load i32, ptr %out
  %sum13 = udiv i32 %old13, 3
  store i32 %sum13, ptr %out
  br label %end
else:
  %old14 = load i32, ptr %out
  %sum14 = udiv i32 %old14, 3
  store i32 %sum14, ptr %out
  br label %end
end:
  ret void
}

; A parameter that is passed by value lies in constant memory, as long as no thread writes to its copy.
define ptx_kernel void @by_value_read(ptr byval([2 x i32]) %in, ptr %out) {
entry:
  %at = getelementptr i32, ptr %in, i32 1
  %a = load i32, ptr %at
  %c1 = icmp eq i32 %a, 0
  br i1 %c1, label %then, label %or
or:
  %c2 = icmp eq i32 %a, 1
  br i1 %c2, label %then, label %else
then:
  %c3 = icmp ugt i32 %a, 5
  br i1 %c3, label %work, label %else
work:
  %old13 = load i32, ptr %out
  %sum13 = udiv i32 %old13, 3
  store i32 %sum13, ptr %out
  br label %end
else:
  %old14 = load i32, ptr %out
  %sum14 = udiv i32 %old14, 3
  store i32 %sum14, ptr %out
  br label %end
end:
  ret void
}

define ptx_kernel void @by_value_written(ptr byval([2 x i32]) %in, ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %in, i32 1
  store i32 %tid, ptr %at
  %a = load i32, ptr %at
  %c1 = icmp eq i32 %a, 0
  br i1 %c1, label %then, label %or
or:
  %c2 = icmp eq i32 %a, 1
  br i1 %c2, label %then, label %else
then:
  %c3 = icmp ugt i32 %a, 5
  br i1 %c3, label %work, label %else
work:
  %old13 = load i32, ptr %out
  %sum13 = udiv i32 %old13, 3
  store i32 %sum13, ptr %out
  br label %end
else:
  %old14 = load i32, ptr %out
  %sum14 = udiv i32 %old14, 3
  store i32 %sum14, ptr %out
  br label %end
end:
  ret void
}

; Blocks of threads are taken to be a multiple of 32 wide: these conditions are the same for all of a
; warp.
define ptx_kernel void @by_warp(ptr %in, ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %ctaid, %ntid
  %thread = add i32 %first, %tid
  %warp = lshr i32 %thread, 6
  %c1 = icmp eq i32 %warp, 3
  %wide = zext i32 %tid to i64
  %c2 = icmp ult i64 %wide, 96
  %aligned = and i32 %tid, -32
  %third = udiv i32 %thread, 96
  %both = add i32 %aligned, %third
  %more = icmp sgt i32 %tid, 127
  %c3 = icmp ugt i32 %both, 5
  br i1 %c1, label %then, label %or
or:
  br i1 %c2, label %then, label %else
then:
  br i1 %c3, label %work, label %else
work:
  %old101 = load i32, ptr %out
  %sum101 = udiv i32 %old101, 3
  store i32 %sum101, ptr %out
  br label %end
else:
  %old102 = load i32, ptr %out
  %sum102 = udiv i32 %old102, 3
  store i32 %sum102, ptr %out
  br label %end
end:
  ret void
}

; These are not.
define ptx_kernel void @by_half_warp(ptr %in, ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %ctaid, %ntid
  %thread = add i32 %first, %tid
  %half = lshr i32 %thread, 4
  %c1 = icmp eq i32 %half, 3
  %c2 = icmp ult i32 %tid, 48
  %c3 = icmp ugt i32 %tid, 64
  br i1 %c1, label %then, label %or
or:
  br i1 %c2, label %then, label %else
then:
  br i1 %c3, label %work, label %else
work:
  %old103 = load i32, ptr %out
  %sum103 = udiv i32 %old103, 3
  store i32 %sum103, ptr %out
  br label %end
else:
  %old104 = load i32, ptr %out
  %sum104 = udiv i32 %old104, 3
  store i32 %sum104, ptr %out
  br label %end
end:
  ret void
}

; By the profile hardly any thread takes the first way into what is shared.
define ptx_kernel void @seldom(ptr %in, ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %ctaid, %ntid
  %thread = add i32 %first, %tid
  %at = getelementptr i32, ptr %in, i32 %tid
  %a = load i32, ptr %at
  %c1 = icmp eq i32 %a, 0
  %c2 = icmp eq i32 %a, 1
  %c3 = icmp ugt i32 %a, 5
  br i1 %c1, label %then, label %or, !prof !1
or:
  br i1 %c2, label %then, label %else
then:
  br i1 %c3, label %work, label %else, !prof !2
work:
  %old105 = load i32, ptr %out
  %sum105 = udiv i32 %old105, 3
  store i32 %sum105, ptr %out
  br label %end
else:
  %old106 = load i32, ptr %out
  %sum106 = udiv i32 %old106, 3
  store i32 %sum106, ptr %out
  br label %end
end:
  ret void
}

; A loop that must not stay irreducible if it diverges: nothing is taken for granted.
define ptx_kernel void @irreducible_by_warp(ptr %in, ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %warp = lshr i32 %tid, 5
  %c = icmp eq i32 %warp, 1
  br i1 %c, label %a, label %b
a:
  %i = phi i32 [ 0, %entry ], [ %next, %b ]
  br label %b
b:
  %j = phi i32 [ 1, %entry ], [ %i, %a ]
  %next = add i32 %j, 1
  store i32 %next, ptr %out
  %again = icmp ult i32 %next, %warp
  br i1 %again, label %a, label %end
end:
  ret void
}
!1 = !{!"branch_weights", i32 1, i32 1000000}
!2 = !{!"branch_weights", !"expected", i32 1000000, i32 1}
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
