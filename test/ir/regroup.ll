; Where it is found that regrouping threads pays, by guesses; what the key is; and who could notice. What
; stands in front of a point, and behind it, is put in by sed.
;
; DEFINE: %{regroup} = %opt %load -passes='linearize-regroup,verify' -pass-remarks=linearize -pass-remarks-analysis=linearize -pass-remarks-missed=linearize -S
;
; RUN: %{regroup} %s -o %t.ll 2> %t.remarks
; RUN: %FileCheck %s < %t.remarks
; RUN: %FileCheck %s --check-prefix KEY < %t.ll
;
; Two arms: in front of their branch. The bound is on the index alone, and no key.
; CHECK-DAG: function 'arms', block 'work': threads are to be regrouped here, by what they will do at block 'work': warps execute about {{[345].}}% less, if guesses are right, and {{.}}% more to regroup (for sm_90)
; CHECK-DAG: function 'arms', block 'work': threads are regrouped here by 1 bit, with votes: 2 words move
; KEY-LABEL: define ptx_kernel void @arms(
; KEY:       work:
; KEY:       %c = icmp slt i32 %v, 0
; KEY:       [[ASKED:%.*]] = freeze i1 %c
; KEY-NEXT:  zext i1 [[ASKED]] to i32
; KEY:       br label %linearize.pack
;
; Two branches, one behind the other: a fragment, by two bits, and what the second one asks is computed in front
; of the first. In a loop, which doesn't change what they ask: in front of it.
; CHECK-DAG: function 'branches', block 'before': threads are to be regrouped here, by what they will do at block 'one', block 'two': warps execute about
; CHECK-DAG: function 'branches', block 'before': threads are regrouped here by 2 bits
; KEY-LABEL: define ptx_kernel void @branches(
; KEY:       before:
; KEY:       [[FIRST:%.*]] = icmp slt i32 %v, 0
; KEY:       [[FREEZE:%.*]] = freeze i1 [[FIRST]]
; KEY:       [[HIGH:%.*]] = zext i1 [[FREEZE]] to i32
; KEY:       [[PART:%.*]] = and i32 %v, 64
; KEY:       [[SECOND:%.*]] = icmp eq i32 [[PART]], 0
; KEY:       [[FREEZE:%.*]] = freeze i1 [[SECOND]]
; KEY:       [[LOW:%.*]] = zext i1 [[FREEZE]] to i32
; KEY-NEXT:  [[ODD:%.*]] = trunc i32 [[HIGH]] to i1
; KEY-NEXT:  [[DOWN:%.*]] = select i1 [[ODD]], i32 1, i32 0
; KEY-NEXT:  [[SHIFTED:%.*]] = shl i32 [[HIGH]], 1
; KEY-NEXT:  [[SECOND:%.*]] = xor i32 [[LOW]], [[DOWN]]
; KEY-NEXT:  or i32 [[SHIFTED]], [[SECOND]]
;
; The cases of a switch. Small ones are the key; else it is compared.
; CHECK-DAG: function 'cases', block 'entry': threads are to be regrouped here, by what they will do at block 'entry':
; CHECK-DAG: function 'cases', {{.*}} are regrouped here by 2 bits
; KEY-LABEL: define ptx_kernel void @cases(
; KEY:       [[KIND:%.*]] = freeze i32 %kind
; KEY:       [[SMALL:%.*]] = icmp ult i32 [[KIND]], 3
; KEY-NEXT:  select i1 [[SMALL]], i32 [[KIND]], i32 3
; CHECK-DAG: function 'far_cases', block 'entry': threads are to be regrouped here
; KEY-LABEL: define ptx_kernel void @far_cases(
; KEY:       [[KIND:%.*]] = freeze i32 %kind
; KEY:       [[ONE:%.*]] = icmp eq i32 [[KIND]], 7
; KEY-NEXT:  [[WAY:%.*]] = select i1 [[ONE]], i32 1, i32 0
; KEY-NEXT:  [[TWO:%.*]] = icmp eq i32 [[KIND]], 7000
; KEY-NEXT:  select i1 [[TWO]], i32 2, i32 [[WAY]]
;
; Short arms, a branch that is the same for all, one on the index alone, an old target, a function that is no
; kernel: nothing.
; RUN: grep -c 'to be regrouped' %t.remarks | grep -x 5
; RUN: not grep "'\(short\|alike\|old\|asks\)'" %t.remarks
;
; Who could notice, wherever that stands:
; RUN: sed 's/; FRONT/%x.lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()/' %s | %{regroup} -o /dev/null 2>&1 | %FileCheck %s --check-prefix LANE
; LANE: function 'arms', block 'work': threads aren't regrouped here, which would pay, by what they will do at block 'work': warps execute about {{[345].}}% less, if guesses are right, and {{.}}% more to regroup; the kernel asks for its lane or its warp's number: use threadIdx
; RUN: sed 's/; FRONT/%x.time = call i32 @llvm.nvvm.read.ptx.sreg.clock()/' %s | %{regroup} -o /dev/null 2>&1 | %FileCheck %s --check-prefix CLOCK
; CLOCK: 'arms', {{.*}}; the kernel reads a clock
; RUN: sed 's/; FRONT/store volatile i32 0, ptr addrspace(1) %data/' %s | %{regroup} -o /dev/null 2>&1 | %FileCheck %s --check-prefix VOLATILE
; VOLATILE: 'arms', {{.*}}; the kernel has volatile accesses
; RUN: sed 's/; FRONT/call void asm sideeffect "\/\/ linearize_reorder $0 $1 $2 $3", "r,r,r,r"(i32 %n, i32 2, i32 0, i32 0)/' %s | %{regroup} -o /dev/null 2>&1 | %FileCheck %s --check-prefix POINT
; POINT: 'arms', {{.*}}; the kernel has points of its own, linearize_reorder(): add one here, too
; RUN: sed 's/^ *;SPIN//; /; ELSE/d' %s | %{regroup} -o /dev/null 2>&1 | %FileCheck %s --check-prefix SPIN
; SPIN: 'locks', {{.*}}; threads may wait for what others write, as for a lock
;
; Barriers, where not all threads come to them; where all do, they are no obstacle:
; RUN: sed 's/; BEHIND/call void @llvm.nvvm.barrier0()/' %s | %{regroup} -o /dev/null 2>&1 | %FileCheck %s --check-prefix BARRIER
; BARRIER: 'arms', {{.*}}; a barrier stands where not all threads of the block may come at the same time: take __syncthreads() out of the loop or the branch, and let no thread return before
; RUN: sed 's/; LAST/call void @llvm.nvvm.barrier0()/' %s | %{regroup} -o /dev/null 2>&1 | %FileCheck %s --check-prefix FOUND
; FOUND: 'arms', block 'work': threads are to be regrouped here
;
; Behind the point only:
; RUN: sed 's/; BEHIND/%x.other = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %v, i32 0, i32 31)/' %s | %{regroup} -o /dev/null 2>&1 | %FileCheck %s --check-prefix WARP
; RUN: sed 's/; BEHIND/call void @llvm.nvvm.bar.warp.sync(i32 -1)/' %s | %{regroup} -o /dev/null 2>&1 | %FileCheck %s --check-prefix WARP
; RUN: sed 's/; BEHIND/%x.mask = call i32 @llvm.nvvm.activemask()/' %s | %{regroup} -o /dev/null 2>&1 | %FileCheck %s --check-prefix WARP
; WARP: 'arms', {{.*}}; a warp operation stands behind, and would be with other threads: take it out of there
; RUN: sed 's/; FRONT/%x.other = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %v, i32 0, i32 31)/' %s | %{regroup} -o /dev/null 2>&1 | %FileCheck %s --check-prefix FOUND
; RUN: sed 's/; BEHIND/call void @asks()/' %s | %{regroup} -o /dev/null 2>&1 | %FileCheck %s --check-prefix CALL
; RUN: sed 's/; BEHIND/call void @unknown()/' %s | %{regroup} -o /dev/null 2>&1 | %FileCheck %s --check-prefix CALL
; CALL: 'arms', {{.*}}; a function is called behind, which may ask which thread runs it: declare it __forceinline__
; RUN: sed 's/; BEHIND/%x.printed = call i32 @vprintf(ptr null, ptr null)/' %s | %{regroup} -o /dev/null 2>&1 | %FileCheck %s --check-prefix FOUND
; RUN: sed 's/; BEHIND/%x.asm = call i32 asm "mov.u32 $0, %laneid;", "=r"()/' %s | %{regroup} -o /dev/null 2>&1 | %FileCheck %s --check-prefix ASM
; ASM: 'arms', {{.*}}; assembly stands behind, which may ask which thread runs it
; RUN: sed 's/; BEHIND/%x.asm = call i32 asm "mul.hi.u32 $0, $1, $1;", "=r,r"(i32 %v)/' %s | %{regroup} -o /dev/null 2>&1 | %FileCheck %s --check-prefix FOUND
;
; What a point of linearize/reorder.h would be refused for is said of a place that was found, too:
; RUN: sed 's/; FRONT/call void @llvm.nvvm.exit()/' %s | %{regroup} -o /dev/null 2>&1 | %FileCheck %s --check-prefix EXIT
; EXIT: 'arms', {{.*}}; threads end in assembly (exit), and others would wait for them: let them return
;
; In clang's pipeline, by an option; without it, nothing.
; RUN: %opt %load -linearize-regroup -passes='default<O1>' -pass-remarks=linearize -S %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix OPTION
; OPTION: function 'arms', {{.*}}threads are to be regrouped here
; RUN: %opt %load -passes='default<O1>' -pass-remarks=linearize -S %s 2>&1 | %FileCheck %s --check-prefix NONE --implicit-check-not='regrouped here'
; NONE: define ptx_kernel void @arms

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i32 @llvm.nvvm.read.ptx.sreg.clock()
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.activemask()
declare void @llvm.nvvm.bar.warp.sync(i32)
declare void @llvm.nvvm.barrier0()
declare void @llvm.nvvm.exit()
declare i32 @vprintf(ptr, ptr)
declare void @unknown()

define internal void @asks() noinline "target-cpu"="sm_90" {
  ret void
}

define ptx_kernel void @arms(ptr addrspace(1) %data, i32 %n) "target-cpu"="sm_90" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr addrspace(1) %data, i32 %tid
  %v = load i32, ptr addrspace(1) %a
  ; FRONT
  %inside = icmp ult i32 %tid, %n
  br i1 %inside, label %work, label %end

work:
  %c = icmp slt i32 %v, 0
  br i1 %c, label %left, label %right

left:
  %i = phi i32 [ 1, %work ], [ %i.next, %left ]
  %x = phi i32 [ %v, %work ], [ %x.4, %left ]
  %x.1 = udiv i32 %x, %i
  %x.2 = xor i32 %x.1, %v
  %x.3 = udiv i32 %x.2, %i
  %x.4 = add i32 %x.3, %i
  ; BEHIND
  %i.next = add nuw i32 %i, 1
  %i.more = icmp ult i32 %i, %n
  br i1 %i.more, label %left, label %join, !prof !0

right:
  %j = phi i32 [ 1, %work ], [ %j.next, %right ]
  %y = phi i32 [ %v, %work ], [ %y.4, %right ]
  %y.1 = urem i32 %y, %j
  %y.2 = mul i32 %y.1, %v
  %y.3 = udiv i32 %y.2, %j
  %y.4 = sub i32 %y.3, %j
  %j.next = add nuw i32 %j, 1
  %j.more = icmp ult i32 %j, %n
  br i1 %j.more, label %right, label %join, !prof !0

join:
  %z = phi i32 [ %x.4, %left ], [ %y.4, %right ]
  store i32 %z, ptr addrspace(1) %a
  br label %end

end:
  ; LAST
  ret void
}

define ptx_kernel void @branches(ptr addrspace(1) %data, i32 %n) "target-cpu"="sm_90" "nvvm.maxntid"="1024" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr addrspace(1) %data, i32 %tid
  %v = load i32, ptr addrspace(1) %a
  br label %before

before:
  br label %one

one:
  %i = phi i32 [ 1, %before ], [ %i.next, %latch ]
  %x = phi i32 [ %v, %before ], [ %x.8, %latch ]
  %c = icmp slt i32 %v, 0
  br i1 %c, label %first, label %two

first:
  %x.1 = udiv i32 %x, %i
  %x.2 = xor i32 %x.1, %v
  %f.1 = udiv i32 %x.2, %i
  %f.2 = xor i32 %f.1, %v
  %f.3 = udiv i32 %f.2, %i
  %f.4 = xor i32 %f.3, %v
  %f.5 = udiv i32 %f.4, %i
  %x.3 = xor i32 %f.5, %v
  br label %two

two:
  %x.4 = phi i32 [ %x, %one ], [ %x.3, %first ]
  %bit = and i32 %v, 64
  %d = icmp eq i32 %bit, 0
  br i1 %d, label %second, label %latch

second:
  %x.5 = urem i32 %x.4, %i
  %x.6 = add i32 %x.5, %v
  %s.1 = udiv i32 %x.6, %i
  %s.2 = xor i32 %s.1, %v
  %s.3 = udiv i32 %s.2, %i
  %s.4 = xor i32 %s.3, %v
  %s.5 = udiv i32 %s.4, %i
  %x.7 = xor i32 %s.5, %v
  br label %latch

latch:
  %x.8 = phi i32 [ %x.4, %two ], [ %x.7, %second ]
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i, 100
  br i1 %more, label %one, label %end, !prof !0

end:
  store i32 %x.8, ptr addrspace(1) %a
  ret void
}

define ptx_kernel void @cases(ptr addrspace(1) %data, i32 %n) "target-cpu"="sm_90" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr addrspace(1) %data, i32 %tid
  %kind = load i32, ptr addrspace(1) %a
  switch i32 %kind, label %end [ i32 0, label %one
                                 i32 2, label %two ]

one:
  %i = phi i32 [ 1, %entry ], [ %i.next, %one ]
  %x = phi i32 [ %tid, %entry ], [ %x.3, %one ]
  %x.1 = udiv i32 %x, %i
  %x.2 = xor i32 %x.1, %tid
  %x.3 = udiv i32 %x.2, %i
  %i.next = add nuw i32 %i, 1
  %i.more = icmp ult i32 %i, %n
  br i1 %i.more, label %one, label %end, !prof !0

two:
  %j = phi i32 [ 1, %entry ], [ %j.next, %two ]
  %y = phi i32 [ %tid, %entry ], [ %y.3, %two ]
  %y.1 = urem i32 %y, %j
  %y.2 = mul i32 %y.1, %tid
  %y.3 = udiv i32 %y.2, %j
  %j.next = add nuw i32 %j, 1
  %j.more = icmp ult i32 %j, %n
  br i1 %j.more, label %two, label %end, !prof !0

end:
  %z = phi i32 [ 0, %entry ], [ %x.3, %one ], [ %y.3, %two ]
  store i32 %z, ptr addrspace(1) %a
  ret void
}

define ptx_kernel void @far_cases(ptr addrspace(1) %data, i32 %n) "target-cpu"="sm_90" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr addrspace(1) %data, i32 %tid
  %kind = load i32, ptr addrspace(1) %a
  switch i32 %kind, label %end [ i32 7, label %one
                                 i32 7000, label %two ]

one:
  %i = phi i32 [ 1, %entry ], [ %i.next, %one ]
  %x = phi i32 [ %tid, %entry ], [ %x.3, %one ]
  %x.1 = udiv i32 %x, %i
  %x.2 = xor i32 %x.1, %tid
  %x.3 = udiv i32 %x.2, %i
  %i.next = add nuw i32 %i, 1
  %i.more = icmp ult i32 %i, %n
  br i1 %i.more, label %one, label %end, !prof !0

two:
  %j = phi i32 [ 1, %entry ], [ %j.next, %two ]
  %y = phi i32 [ %tid, %entry ], [ %y.3, %two ]
  %y.1 = urem i32 %y, %j
  %y.2 = mul i32 %y.1, %tid
  %y.3 = udiv i32 %y.2, %j
  %j.next = add nuw i32 %j, 1
  %j.more = icmp ult i32 %j, %n
  br i1 %j.more, label %two, label %end, !prof !0

end:
  %z = phi i32 [ 0, %entry ], [ %x.3, %one ], [ %y.3, %two ]
  store i32 %z, ptr addrspace(1) %a
  ret void
}

define ptx_kernel void @short(ptr addrspace(1) %data) "target-cpu"="sm_90" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr addrspace(1) %data, i32 %tid
  %v = load i32, ptr addrspace(1) %a
  %c = icmp slt i32 %v, 0
  br i1 %c, label %left, label %right

left:
  %x = udiv i32 1000, %v
  br label %end

right:
  %y = urem i32 1000, %v
  br label %end

end:
  %z = phi i32 [ %x, %left ], [ %y, %right ]
  store i32 %z, ptr addrspace(1) %a
  ret void
}

; As arms, but what is asked is the same for all, or of the index alone.
define ptx_kernel void @alike(ptr addrspace(1) %data, i32 %n) "target-cpu"="sm_90" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr addrspace(1) %data, i32 %tid
  %v = load i32, ptr addrspace(1) %a
  %c = icmp slt i32 %n, 7
  br i1 %c, label %left, label %right

left:
  %i = phi i32 [ 1, %entry ], [ %i.next, %left ]
  %x = phi i32 [ %v, %entry ], [ %x.1, %left ]
  %x.1 = udiv i32 %x, %i
  %i.next = add nuw i32 %i, 1
  %i.more = icmp ult i32 %i, %n
  br i1 %i.more, label %left, label %next, !prof !0

next:
  %odd = and i32 %tid, 1
  %d = icmp eq i32 %odd, 0
  br i1 %d, label %right, label %end

right:
  %j = phi i32 [ 1, %entry ], [ 1, %next ], [ %j.next, %right ]
  %y = phi i32 [ %v, %entry ], [ %v, %next ], [ %y.1, %right ]
  %y.1 = urem i32 %y, %j
  %j.next = add nuw i32 %j, 1
  %j.more = icmp ult i32 %j, %n
  br i1 %j.more, label %right, label %end, !prof !0

end:
  %z = phi i32 [ %x.1, %next ], [ %y.1, %right ]
  store i32 %z, ptr addrspace(1) %a
  ret void
}

define ptx_kernel void @old(ptr addrspace(1) %data, i32 %n) "target-cpu"="sm_60" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr addrspace(1) %data, i32 %tid
  %v = load i32, ptr addrspace(1) %a
  %c = icmp slt i32 %v, 0
  br i1 %c, label %left, label %end

left:
  %i = phi i32 [ 1, %entry ], [ %i.next, %left ]
  %x = phi i32 [ %v, %entry ], [ %x.1, %left ]
  %x.1 = udiv i32 %x, %i
  %i.next = add nuw i32 %i, 1
  %i.more = icmp ult i32 %i, %n
  br i1 %i.more, label %left, label %end, !prof !0

end:
  %z = phi i32 [ 0, %entry ], [ %x.1, %left ]
  store i32 %z, ptr addrspace(1) %a
  ret void
}

define ptx_kernel void @locks(ptr addrspace(1) %data, i32 %n) "target-cpu"="sm_90" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr addrspace(1) %data, i32 %tid
  %v = load i32, ptr addrspace(1) %a
  br label %again

again:
  ;SPIN %old = cmpxchg ptr addrspace(1) %data, i32 0, i32 1 monotonic monotonic
  ;SPIN %got = extractvalue { i32, i1 } %old, 1
  ;SPIN br i1 %got, label %first, label %again
  br label %first ; ELSE

first:
  br label %left

left:
  %v.c = icmp slt i32 %v, 0
  br i1 %v.c, label %more, label %other

more:
  %i = phi i32 [ 1, %left ], [ %i.next, %more ]
  %x = phi i32 [ %v, %left ], [ %x.1, %more ]
  %x.1 = udiv i32 %x, %i
  %i.next = add nuw i32 %i, 1
  %i.more = icmp ult i32 %i, %n
  br i1 %i.more, label %more, label %end, !prof !0

other:
  %j = phi i32 [ 1, %left ], [ %j.next, %other ]
  %y = phi i32 [ %v, %left ], [ %y.1, %other ]
  %y.1 = urem i32 %y, %j
  %j.next = add nuw i32 %j, 1
  %j.more = icmp ult i32 %j, %n
  br i1 %j.more, label %other, label %end, !prof !0

end:
  %z = phi i32 [ %x.1, %more ], [ %y.1, %other ]
  store i32 %z, ptr addrspace(1) %a
  ret void
}

!0 = !{!"branch_weights", i32 99, i32 1}
