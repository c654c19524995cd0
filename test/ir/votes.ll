; Regions that keep their plain form for warps whose threads agree (vote).
;
; RUN: %opt %load -passes='linearize<needed;vote>,verify' -pass-remarks=linearize -pass-remarks-analysis=linearize -S %s -o %t.ll 2> %t.said
; RUN: %FileCheck %s < %t.ll
; RUN: %FileCheck %s --check-prefix=SAID < %t.said
;
; The pass has nothing to do where it has been.
; RUN: %opt %load -passes='linearize<needed;vote>,verify' -pass-remarks=linearize -S %t.ll -o %t.again.ll 2> %t.said.again
; RUN: sed 's/ *; .*//' %t.ll > %t.plain
; RUN: sed 's/ *; .*//' %t.again.ll | diff %t.plain -
; RUN: %FileCheck %s --check-prefix=AGAIN --allow-empty < %t.said.again
; AGAIN-NOT: {{linearized|kept}}
;
; Nor does a mode that asks for all regions linearize what was kept.
; RUN: %opt %load -passes='linearize<needed;vote>,linearize<needed>,verify' -S %s | sed 's/ *; .*//' | diff %t.plain -
;
; Of what it gains: whatever that is.
; RUN: %opt %load -passes='linearize<needed;vote;regardless>,verify' -S %s | %FileCheck %s --check-prefix=REGARDLESS
;
; Without the option nobody votes; nor in lock step, where warps know only joins of all their threads; nor before
; PTX 6.2 had votes of the threads that are there.
; RUN: %opt %load -passes='linearize<needed>,verify' -S %s | %FileCheck %s --check-prefix=NONE
; RUN: sed 's/sm_90/sm_60/g' %s | %opt %load -passes='linearize<needed;vote;regardless>,verify' -S | %FileCheck %s --check-prefix=NONE
; RUN: sed 's/"target-cpu"="sm_90"/"target-cpu"="sm_90" "target-features"="+ptx60"/' %s | %opt %load -passes='linearize<needed;vote;regardless>,verify' -S | %FileCheck %s --check-prefix=NONE
; NONE-NOT: vote.uni
; NONE-NOT: match.all
;
; Other targets have none.
; RUN: sed 's/nvptx64-nvidia-cuda/x86_64-unknown-linux-gnu/; s/ptx_kernel//; s/"target-cpu"="sm_90"//; s/call i32 @llvm.nvvm.read.ptx.sreg.tid.x()/freeze i32 0/; /^declare/d' %s | %opt %load -passes='linearize<needed;vote;regardless;any-target>,verify' -S | %FileCheck %s --check-prefix=NONE

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.trap()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; CHECK-LABEL: define ptx_kernel void @pays(
; CHECK: %[[MASK:.*]] = call i32 @llvm.nvvm.activemask()
; CHECK-NEXT: %[[AGREE:.*]] = call i1 @llvm.nvvm.vote.uni.sync(i32 %[[MASK]], i1 %c1)
; CHECK-NEXT: %[[PART:.*]] = xor i1 %[[AGREE]], true
; CHECK-NEXT: br i1 %[[PART]], label %linearize.apart, label %linearize.together, !linearize.agreed
; CHECK: linearize.together:
; CHECK-NEXT: br i1 %c1, label %{{.*}}, label %{{.*}}, !linearize.agreed
; SAID: function 'pays', block 'entry': kept the plain form of region 0, {{[0-9]+}} instructions, beside the linearized one: warps whose threads agree at this branch run it
; SAID: function 'pays', block 'or1': linearized a region of {{.*}}(region 0)
; REGARDLESS-LABEL: define ptx_kernel void @pays(
; REGARDLESS: vote.uni
define ptx_kernel void @pays(ptr %p, i64 %n) "target-cpu"="sm_90" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i64, ptr %p, i32 %tid
  %v = load i64, ptr %q
  %c1 = icmp ult i64 %v, 1000
  br i1 %c1, label %and1, label %or1

or1:
  %v1 = udiv i64 %v, %n
  %c2 = icmp ult i64 %v1, 1001
  br i1 %c2, label %and1, label %or2

and1:
  %v2 = urem i64 %n, %v
  %c3 = icmp ult i64 %v2, 1002
  br i1 %c3, label %and2, label %or2

or2:
  %v3 = udiv i64 %v, 7
  %c4 = icmp ult i64 %v3, %n
  br i1 %c4, label %and2, label %or3

and2:
  %v4 = urem i64 %v, %n
  %c5 = icmp ult i64 %v4, 1004
  br i1 %c5, label %first, label %or3

or3:
  %v5 = udiv i64 %n, %v
  %c6 = icmp ult i64 %v5, 1005
  br i1 %c6, label %first, label %second

first:
  %f0 = phi i64 [ %v4, %and2 ], [ %v5, %or3 ]
  %f1 = udiv i64 %f0, %n
  %f2 = urem i64 %n, %f1
  br label %done

second:
  %s1 = udiv i64 %v5, %n
  %s2 = urem i64 %n, %s1
  br label %done

done:
  %r = phi i64 [ %f2, %first ], [ %s2, %second ]
  store i64 %r, ptr %q
  ret void
}

; What a vote costs is too much of what is gained.
; CHECK-LABEL: define ptx_kernel void @small(
; CHECK-NOT: vote.uni
; REGARDLESS-LABEL: define ptx_kernel void @small(
; REGARDLESS: vote.uni
define ptx_kernel void @small(ptr %p, i64 %n) "target-cpu"="sm_90" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i64, ptr %p, i32 %tid
  %v = load i64, ptr %q
  %c1 = icmp ult i64 %v, 1000
  br i1 %c1, label %both, label %other

other:
  %o = mul i64 %v, 17
  %c2 = icmp ult i64 %o, %n
  br i1 %c2, label %both, label %done

both:
  %b1 = udiv i64 %v, %n
  br label %done

done:
  %r = phi i64 [ %o, %other ], [ %b1, %both ]
  store i64 %r, ptr %q
  ret void
}

; By these weights one warp in thirty agrees where each thread has data of its own, and its threads part later: it
; would run the plain form for nothing.
; CHECK-LABEL: define ptx_kernel void @agree_anyway(
; CHECK-NOT: vote.uni
define ptx_kernel void @agree_anyway(ptr %p, i64 %n) "target-cpu"="sm_90" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i64, ptr %p, i32 %tid
  %v = load i64, ptr %q
  %c1 = icmp ult i64 %v, 1000
  br i1 %c1, label %and1, label %or1, !prof !0

or1:
  %v1 = udiv i64 %v, %n
  %c2 = icmp ult i64 %v1, 1001
  br i1 %c2, label %and1, label %or2

and1:
  %v2 = urem i64 %n, %v
  %c3 = icmp ult i64 %v2, 1002
  br i1 %c3, label %and2, label %or2

or2:
  %v3 = udiv i64 %v, 7
  %c4 = icmp ult i64 %v3, %n
  br i1 %c4, label %and2, label %or3

and2:
  %v4 = urem i64 %v, %n
  %c5 = icmp ult i64 %v4, 1004
  br i1 %c5, label %first, label %or3

or3:
  %v5 = udiv i64 %n, %v
  %c6 = icmp ult i64 %v5, 1005
  br i1 %c6, label %first, label %second

first:
  %f0 = phi i64 [ %v4, %and2 ], [ %v5, %or3 ]
  %f1 = udiv i64 %f0, %n
  %f2 = urem i64 %n, %f1
  br label %done

second:
  %s1 = udiv i64 %v5, %n
  %s2 = urem i64 %n, %s1
  br label %done

done:
  %r = phi i64 [ %f2, %first ], [ %s2, %second ]
  store i64 %r, ptr %q
  ret void
}

; A switch votes on its number; what is computed in the region, and needed behind it, comes from either form.
; CHECK-LABEL: define ptx_kernel void @cases(
; REGARDLESS-LABEL: define ptx_kernel void @cases(
; REGARDLESS: call { i32, i1 } @llvm.nvvm.match.all.sync.i32p(i32 %{{.*}}, i32 %{{.*}})
; REGARDLESS: %{{.*}} = phi i64 [ %{{.*}}, %linearize.agreed{{.*}} ]
define ptx_kernel void @cases(ptr %p, i64 %n) "target-cpu"="sm_90" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i64, ptr %p, i32 %tid
  %v = load i64, ptr %q
  %k = trunc i64 %v to i16
  switch i16 %k, label %second [ i16 1, label %one
                                 i16 2, label %two ]

one:
  %c2 = icmp ult i64 %v, %n
  br i1 %c2, label %two, label %second

two:
  %b1 = udiv i64 %v, %n
  %b2 = urem i64 %b1, 12345
  %b3 = udiv i64 %n, %b2
  %c3 = icmp ugt i64 %b3, %v
  br i1 %c3, label %first, label %second

first:
  %f1 = udiv i64 %b3, %n
  br label %done

second:
  %s1 = udiv i64 %v, %n
  %s2 = urem i64 %s1, 78
  br label %done

done:
  %r = phi i64 [ %f1, %first ], [ %s2, %second ]
  store i64 %r, ptr %q
  ret void
}

; In a loop that all go around as often, who is there is asked in front of it; the region's other arms (`alone`) have
; a copy, too, and both forms lead to where threads don't come back from.
; REGARDLESS-LABEL: define ptx_kernel void @around(
; REGARDLESS: entry:
; REGARDLESS: %[[WHO:.*]] = call i32 @llvm.nvvm.activemask()
; REGARDLESS-NEXT: br i1 %none, label %end, label %head
; REGARDLESS: head:
; REGARDLESS: call { i32, i1 } @llvm.nvvm.match.all.sync.i32p(i32 %[[WHO]], i32 %k)
; REGARDLESS: linearize.together:
; REGARDLESS: switch i32 %k, label %trap [
; REGARDLESS-NEXT: i32 1, label %linearize.agreed
; REGARDLESS-NEXT: i32 2, label %linearize.agreed
; REGARDLESS-NEXT: i32 3, label %linearize.agreed
; REGARDLESS-NEXT: ], !linearize.agreed
; REGARDLESS: trap:
; REGARDLESS-NEXT: %{{.*}} = phi i64 [ 1, %{{.*}} ], [ 2, %two ], [ 1, %linearize.together ], [ 2, %linearize.agreed{{.*}} ]
define ptx_kernel void @around(ptr %p, i64 %n, i32 %rounds) "target-cpu"="sm_90" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %none = icmp eq i32 %rounds, 0
  br i1 %none, label %end, label %head

head:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %x = phi i32 [ %tid, %entry ], [ %r32, %latch ]
  %q = getelementptr i64, ptr %p, i32 %x
  %v = load i64, ptr %q
  %k = trunc i64 %v to i32
  switch i32 %k, label %trap [ i32 1, label %one
                               i32 2, label %two
                               i32 3, label %alone ]

one:
  %c2 = icmp ult i64 %v, %n
  br i1 %c2, label %two, label %second

two:
  %b1 = udiv i64 %v, %n
  %b2 = urem i64 %b1, 12345
  switch i64 %b2, label %trap [ i64 0, label %second
                                i64 7, label %latch ]

alone:
  %a1 = udiv i64 %n, %v
  br label %latch

second:
  %s1 = udiv i64 %v, %n
  br label %latch

latch:
  %r = phi i64 [ %b2, %two ], [ %s1, %second ], [ %a1, %alone ]
  store i64 %r, ptr %q
  %r32 = trunc i64 %r to i32
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %rounds
  br i1 %more, label %head, label %end

end:
  ret void

trap:
  %t = phi i64 [ 1, %head ], [ 2, %two ]
  store i64 %t, ptr %p
  call void @llvm.trap()
  unreachable
}

; Who traps needs a value of the region, which would be another one in the copy.
; REGARDLESS-LABEL: define ptx_kernel void @asserts(
; REGARDLESS-NOT: vote.uni
; REGARDLESS: linearize.guard
; REGARDLESS-NOT: vote.uni
; REGARDLESS: unreachable
define ptx_kernel void @asserts(ptr %p, i64 %n) "target-cpu"="sm_90" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i64, ptr %p, i32 %tid
  %v = load i64, ptr %q
  %c1 = icmp ult i64 %v, 1000
  br i1 %c1, label %and1, label %or1

or1:
  %v1 = udiv i64 %v, %n
  %c2 = icmp ult i64 %v1, 1001
  br i1 %c2, label %and1, label %or2

and1:
  %v2 = urem i64 %n, %v
  %c3 = icmp ult i64 %v2, 1002
  br i1 %c3, label %and2, label %or2

or2:
  %v3 = udiv i64 %v, 7
  %c4 = icmp ult i64 %v3, %n
  br i1 %c4, label %and2, label %or3

and2:
  %v4 = urem i64 %v, %n
  %c5 = icmp ult i64 %v4, 1004
  br i1 %c5, label %first, label %or3

or3:
  %v5 = udiv i64 %n, %v
  %c6 = icmp ult i64 %v5, 1005
  br i1 %c6, label %first, label %second

first:
  %f0 = phi i64 [ %v4, %and2 ], [ %v5, %or3 ]
  %f1 = udiv i64 %f0, %n
  %f2 = urem i64 %n, %f1
  %c7 = icmp ult i64 %f2, %v
  br i1 %c7, label %done, label %bad

second:
  %s1 = udiv i64 %v5, %n
  %s2 = urem i64 %n, %s1
  br label %done

done:
  %r = phi i64 [ %f2, %first ], [ %s2, %second ]
  store i64 %r, ptr %q
  ret void

bad:
  store i64 %f1, ptr %q
  call void @llvm.trap()
  unreachable
}

; One region stands in an arm of the branch at which the other begins: one of them alone votes.
; REGARDLESS-LABEL: define ptx_kernel void @nested(
; REGARDLESS-NOT: match.all
; REGARDLESS: vote.uni
; REGARDLESS-NOT: match.all
; REGARDLESS: ret void
define ptx_kernel void @nested(ptr %p, i64 %n) "target-cpu"="sm_90" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i64, ptr %p, i32 %tid
  %v = load i64, ptr %q
  %k = trunc i64 %v to i32
  switch i32 %k, label %two [ i32 1, label %one
                              i32 3, label %arm ]

arm:
  %a0 = icmp ult i64 %v, 1000
  br i1 %a0, label %and1, label %or1

or1:
  %v1 = udiv i64 %v, %n
  %a2 = icmp ult i64 %v1, 1001
  br i1 %a2, label %and1, label %or2

and1:
  %v2 = urem i64 %n, %v
  %a3 = icmp ult i64 %v2, 1002
  br i1 %a3, label %and2, label %or2

or2:
  %v3 = udiv i64 %v, 7
  %a4 = icmp ult i64 %v3, %n
  br i1 %a4, label %and2, label %other

and2:
  %v4 = urem i64 %v, %n
  %v5 = urem i64 %n, %v4
  br label %armed

other:
  %v6 = udiv i64 %n, %v3
  %v7 = udiv i64 %v6, %n
  br label %armed

armed:
  %y = phi i64 [ %v5, %and2 ], [ %v7, %other ]
  br label %done

one:
  %c2 = icmp ult i64 %v, %n
  br i1 %c2, label %two, label %second

two:
  %b1 = udiv i64 %v, %n
  %b2 = urem i64 %b1, 12345
  %b3 = udiv i64 %n, %b2
  %c3 = icmp ugt i64 %b3, %v
  br i1 %c3, label %three, label %second

three:
  %f1 = udiv i64 %b3, %n
  br label %done

second:
  %s1 = udiv i64 %v, %n
  %s2 = urem i64 %s1, 78
  br label %done

done:
  %r = phi i64 [ %f1, %three ], [ %s2, %second ], [ %y, %armed ]
  store i64 %r, ptr %q
  ret void
}

!0 = !{!"branch_weights", i32 9, i32 1}
