; What becomes of kernels with points. Each has the calls of linearize/reorder.h; what the header's function
; would be is of no matter.
;
; RUN: %opt %load -passes=linearize-reorder,verify %all-remarks -S %s -o %t.ll 2> %t.remarks
; RUN: %FileCheck %s < %t.ll
; RUN: %FileCheck %s --check-prefix REMARKS < %t.remarks
;
; RUN: %not grep "call.*linearize_reorder" %t.ll
;
; Nothing is left to do, and marks become the same.
; RUN: %opt %load -passes=linearize-reorder -S %t.ll | sed '/ModuleID/d; s/ *; preds.*//' > %t.again.ll
; RUN: sed '/ModuleID/d; s/ *; preds.*//' %t.ll > %t.once.ll
; RUN: diff %t.once.ll %t.again.ll
; RUN: %opt %load -passes='linearize-reorder-mark,linearize-reorder' -S %s | sed '/ModuleID/d; s/ *; preds.*//' | diff %t.once.ll -
; RUN: %opt %load -passes=linearize-reorder-mark -S %s | %FileCheck %s --check-prefix MARK
;
; Without the plugin nothing is left of it, nor of its key; with it, at -O0, it is a call.
; RUN: %opt -passes='default<O1>' -S %s | %FileCheck %s --check-prefix NOTHING
; RUN: %opt %load -passes='default<O0>' -S %s | %FileCheck %s --check-prefix CALL
; In a pipeline, by itself.
; RUN: %opt %load -passes='default<O2>' -S %s | %FileCheck %s --check-prefix PIPELINE
;
; NOTHING-NOT: linearize_reorder
; NOTHING-NOT: 305419896
; CALL: call i32 @linearize_reorder_here
; MARK: call void asm sideeffect "// linearize_reorder $0 $1 $2 $3", "r,r,r,r"(i32 %key, i32 2, i32 0, i32 0) [[CONVERGENT:#[0-9]+]]
; MARK: attributes [[CONVERGENT]] = { convergent nounwind memory(inaccessiblemem: readwrite) }
; PIPELINE: define ptx_kernel void @straight
; PIPELINE: llvm.nvvm.vote.ballot.sync
; PIPELINE: define ptx_kernel void @loop
; PIPELINE: llvm.nvvm.vote.ballot.sync
;
; CHECK-DAG: @linearize.reorder.straight = internal addrspace(3) global [{{[0-9]+}} x i32] undef, align 16
; CHECK-DAG: @linearize.reorder.loop = internal addrspace(3) global

target triple = "nvptx64-nvidia-cuda"

declare i32 @linearize_reorder_here(i32, i32, i32, i32) nounwind willreturn memory(none)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()

; All come to the point at once. tid.x moves, and %v, which was loaded; the addresses are computed again. No
; label is told, and nobody waits.
;
; REMARKS: function 'straight', block 'entry': threads are regrouped here by 2 bits, with votes: 2 words move, 1 value is computed again; {{[0-9]+}} bytes of shared memory (for sm_90)
; CHECK-LABEL: define ptx_kernel void @straight(
; CHECK:       %v = load i32
; CHECK-NOT:   switch
; CHECK:       call void @llvm.nvvm.bar.warp.sync(i32 -1)
; CHECK-COUNT-2: call i32 @llvm.nvvm.vote.ballot.sync(i32 -1,
; CHECK:       store <2 x i32> {{.*}}, ptr addrspace(3)
; CHECK:       load <2 x i32>, ptr addrspace(3)
; CHECK-NOT:   switch
define ptx_kernel void @straight(ptr addrspace(1) %p) "target-cpu"="sm_90" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %tid
  %v = load i32, ptr addrspace(1) %a
  %key = xor i32 %v, 305419896
  %point = call i32 @linearize_reorder_here(i32 %key, i32 2, i32 0, i32 0)
  %w = add i32 %v, 1
  store i32 %w, ptr addrspace(1) %a
  ret void
}

; Threads leave the loop at different times: who has left waits at the station. One point and one exit need no
; label that moves. Threads come into the loop by the dispatch, which is its head.
;
; REMARKS: function 'loop', block 'head': threads are regrouped here by 3 bits, with votes: 3 words move
; CHECK-LABEL: define ptx_kernel void @loop(
; CHECK: %[[START:[0-9]+]] = call i32 asm "mov.u32 $0, 2;", "=r"()
; CHECK-NEXT: br label %linearize.dispatch
; CHECK: %i = phi i32
; CHECK: linearize.dispatch:
; CHECK: %[[TURN:linearize.turn.0]] = phi i32 [ %[[START]], %entry ]
; CHECK: switch i32 %[[TURN]], label %linearize.station [
; CHECK-NEXT: i32 0, label
; CHECK-NEXT: i32 2, label %linearize.start
; CHECK-NEXT: ]
define ptx_kernel void @loop(ptr addrspace(1) %p) "target-cpu"="sm_90" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %tid
  %v = load i32, ptr addrspace(1) %a
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %x = phi i32 [ %v, %entry ], [ %y, %head ]
  %point = call i32 @linearize_reorder_here(i32 %x, i32 3, i32 0, i32 0)
  %y = mul i32 %x, 77
  %next = add i32 %i, 1
  %big = lshr i32 %y, 28
  %again = icmp ult i32 %next, %big
  br i1 %again, label %head, label %end
end:
  store i32 %x, ptr addrspace(1) %a
  ret void
}

; The last block that all come by is in a loop, of which some go on to the point and some never come to it:
; they come to the dispatch before that loop, once. %u is the same for all, but is only there behind that.
;
; CHECK-LABEL: define ptx_kernel void @behind_loop(
; CHECK: entry:
; CHECK: call i32 asm "mov.u32 $0, 3;", "=r"()
; CHECK-NEXT: br label %linearize.dispatch
; CHECK: seek:
; CHECK: %u = mul i32 %n, 12345
; CHECK: %[[U:[0-9]+]] = mul i32 %n, 12345
; CHECK-NEXT: %y = mul i32 %{{.*}}, %[[U]]
; What threads begin with isn't there while they go around.
; CHECK: linearize.dispatch:
; CHECK-NEXT: phi i32 [ %{{[0-9]+}}, %entry ], [ 0, %linearize.moved ]
define ptx_kernel void @behind_loop(ptr addrspace(1) %p, i32 %n) "target-cpu"="sm_90" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %tid
  %v = load i32, ptr addrspace(1) %a
  br label %seek
seek:
  %j = phi i32 [ %v, %entry ], [ %lower, %low ]
  %u = mul i32 %n, 12345
  %lower = sub i32 %j, %u
  %found = icmp ult i32 %lower, %n
  br i1 %found, label %head, label %low
low:
  %none = icmp eq i32 %lower, 7
  br i1 %none, label %lost, label %seek
lost:
  store volatile i32 %j, ptr addrspace(1) %a
  call void @llvm.nvvm.bar.warp.sync(i32 1)
  ret void
head:
  %x = phi i32 [ %lower, %seek ], [ %y, %head ]
  %point = call i32 @linearize_reorder_here(i32 %x, i32 3, i32 0, i32 0)
  %y = mul i32 %x, %u
  %big = lshr i32 %y, 28
  %again = icmp ult i32 %big, 9
  br i1 %again, label %head, label %end
end:
  store i32 %x, ptr addrspace(1) %a
  ret void
}
declare void @llvm.nvvm.bar.warp.sync(i32)

; The lane's number is the lane's, whoever's work it does: it is asked for again.
;
; CHECK-LABEL: define ptx_kernel void @lane(
; CHECK: %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
; CHECK: store i32 %lane, ptr addrspace(1)
; CHECK: %[[AGAIN:[0-9]+]] = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
; CHECK: store i32 %[[AGAIN]], ptr addrspace(1)
define ptx_kernel void @lane(ptr addrspace(1) %p) "target-cpu"="sm_90" {
entry:
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %tid
  store i32 %lane, ptr addrspace(1) %a
  %point = call i32 @linearize_reorder_here(i32 %tid, i32 1, i32 0, i32 0)
  store i32 %lane, ptr addrspace(1) %a
  ret void
}

; All threads of the block go around as often: the counter is the same for all, and doesn't move, and nobody
; waits at an exit.
;
; REMARKS: function 'counted', block 'head': threads are regrouped here by 3 bits, with votes: 2 words move
; CHECK-LABEL: define ptx_kernel void @counted(
; CHECK-NOT: switch
define ptx_kernel void @counted(ptr addrspace(1) %p, i32 %n) "target-cpu"="sm_90" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %tid
  %v = load i32, ptr addrspace(1) %a
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %x = phi i32 [ %v, %entry ], [ %y, %head ]
  %point = call i32 @linearize_reorder_here(i32 %x, i32 3, i32 0, i32 0)
  %y = mul i32 %x, 77
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %head, label %end
end:
  store i32 %y, ptr addrspace(1) %a
  ret void
}

; Algorithms that are asked for; HoT with two keys and threads that wait would be three sorts.
;
; REMARKS: function 'asked', block 'entry': threads are regrouped here by 1 bit, with HoT: 2 words move, 1 at a time in blocks of more than 256 threads, {{.*}} bytes of shared memory (
; REMARKS: function 'asked', block '%{{[0-9]}}': threads are regrouped here by 2 bits, with DGI: {{.*}} bytes of shared memory (
; REMARKS: function 'asked', block '%{{[0-9]}}': threads are regrouped here by 8 bits, with votes: {{.*}} bytes of shared memory; the algorithm asked for can't be used here (
; All lanes of a warp leave a loop together: DGI's two when no lane goes on, that over the rows of votes by the
; first lane's.
;
; CHECK-LABEL: define ptx_kernel void @asked(
; CHECK:      atomicrmw add ptr addrspace(3)
; CHECK:      atomicrmw add ptr addrspace(3)
; CHECK:      %[[WHO:[0-9]+]] = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %{{[0-9]+}})
; CHECK-NEXT: icmp eq i32 %[[WHO]], 0
; CHECK:      %[[WHO2:[0-9]+]] = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %{{[0-9]+}})
; CHECK-NEXT: icmp eq i32 %[[WHO2]], 0
; CHECK:      linearize.counted:
; CHECK-NEXT: call i32 @llvm.ctpop.i32
; CHECK-NEXT: %[[NEXT:[0-9]+]] = add i32
; CHECK-NEXT: %[[FIRST:[0-9]+]] = sub i32 %[[NEXT]], %{{[0-9]+}}
; CHECK-NEXT: icmp ult i32 %[[FIRST]], 32
; CHECK: define
define ptx_kernel void @asked(ptr addrspace(1) %p) "target-cpu"="sm_90" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %tid
  %v = load i32, ptr addrspace(1) %a
  %p1 = call i32 @linearize_reorder_here(i32 %v, i32 1, i32 2, i32 0)
  %v2 = mul i32 %v, 3
  %p2 = call i32 @linearize_reorder_here(i32 %v2, i32 2, i32 3, i32 8)
  %v3 = mul i32 %v, 5
  %p3 = call i32 @linearize_reorder_here(i32 %v3, i32 8, i32 3, i32 16)
  store i32 %v3, ptr addrspace(1) %a
  ret void
}

; Launch bounds leave more room.
;
; REMARKS: function 'bounded', block 'entry': threads are regrouped here by 5 bits
define ptx_kernel void @bounded(ptr addrspace(1) %p) "target-cpu"="sm_90" "nvvm.reqntid"="256" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %point = call i32 @linearize_reorder_here(i32 %tid, i32 5, i32 0, i32 0)
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %tid
  store i32 %tid, ptr addrspace(1) %a
  ret void
}

; Warps with several keys come first where there are many more warps than keys; a warp that is told by the first
; one is told which those are. From sm_80 on there is an instruction that adds up bits; lanes without a row of
; counters have none to say.
;
; CHECK-LABEL: define ptx_kernel void @mixed(
; CHECK: %[[FULL:[0-9]+]] = and i32 %{{[0-9]+}}, -32
; CHECK-NEXT: %[[REST:[0-9]+]] = and i32 %{{[0-9]+}}, 31
; CHECK-NEXT: %[[SPLITS:[0-9]+]] = icmp ne i32 %[[REST]], 0
; CHECK-NEXT: %{{[0-9]+}} = and i1 %{{[0-9]+}}, %[[SPLITS]]
; CHECK: call i32 @llvm.nvvm.redux.sync.or(i32 %{{[0-9]+}}, i32 -1)
; CHECK: define
define ptx_kernel void @mixed(ptr addrspace(1) %p) "target-cpu"="sm_90" "nvvm.maxntid"="256" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %point = call i32 @linearize_reorder_here(i32 %tid, i32 2, i32 0, i32 0)
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %tid
  store i32 %tid, ptr addrspace(1) %a
  ret void
}
; CHECK-LABEL: ptx_kernel void @mixed_75(
; CHECK-COUNT-2: call i32 @llvm.nvvm.shfl.sync.bfly.i32(
; CHECK: define
define ptx_kernel void @mixed_75(ptr addrspace(1) %p) "target-cpu"="sm_75" "nvvm.maxntid"="256" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %point = call i32 @linearize_reorder_here(i32 %tid, i32 2, i32 0, i32 0)
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %tid
  store i32 %tid, ptr addrspace(1) %a
  ret void
}
; With two keys, or as many keys as warps, there is nothing to gain.
; CHECK-LABEL: ptx_kernel void @not_mixed(
; CHECK-NOT: call i32 @llvm.nvvm.redux.sync.or(
; CHECK: define
define ptx_kernel void @not_mixed(ptr addrspace(1) %p) "target-cpu"="sm_90" "nvvm.maxntid"="256" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %point = call i32 @linearize_reorder_here(i32 %tid, i32 1, i32 0, i32 0)
  %point2 = call i32 @linearize_reorder_here(i32 %tid, i32 3, i32 0, i32 0)
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %tid
  store i32 %tid, ptr addrspace(1) %a
  ret void
}

; There is room for arrays by the registers that a kernel takes with a station: of 16 values that live across it
; and the station's, a multiprocessor has 12 blocks of 128 threads, not 16.
;
; REMARKS: function 'roomy', block 'entry': threads are regrouped here by 2 bits, {{.*}} and for 2 variables of each thread {{[0-9]+}} bytes more
define ptx_kernel void @roomy(ptr addrspace(1) %p) "target-cpu"="sm_90" "nvvm.maxntid"="128" {
entry:
  %r = alloca [26 x i32], align 4
  %s = alloca [3 x i32], align 4
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr <16 x i32>, ptr addrspace(1) %p, i32 %tid
  %v = load <16 x i32>, ptr addrspace(1) %a
  %which = urem i32 %tid, 3
  %at = getelementptr i32, ptr %r, i32 %which
  %at2 = getelementptr i32, ptr %s, i32 %which
  store i32 %tid, ptr %at
  store i32 %tid, ptr %at2
  %point = call i32 @linearize_reorder_here(i32 %tid, i32 2, i32 0, i32 0)
  br label %behind
behind:
  %x = load i32, ptr %at
  %y = load i32, ptr %at2
  %z = add i32 %x, %y
  %w = insertelement <16 x i32> %v, i32 %z, i32 0
  store <16 x i32> %w, ptr addrspace(1) %a
  ret void
}

; Arrays stay where the thread began, in shared memory, if there is room: this one of 20 bytes does, and 4 more
; with them; one that assembly or ld.local asks for moves.
;
; REMARKS: function 'homes', block 'loop': threads are regrouped here by 2 bits, with votes: {{[0-9]+}} words move, {{.*}} bytes of shared memory, and for 2 variables of each thread 28 bytes more, where they stay (for sm_90)
; CHECK-LABEL: define ptx_kernel void @homes(
; CHECK-NOT:   lifetime
; CHECK:       [[ROW:%.*]] = mul i32 {{.*}}, 28
; CHECK-NEXT:  [[OWN:%.*]] = getelementptr i8, ptr addrspace(3) @linearize.homes.homes, i32 [[ROW]]
; CHECK-NEXT:  [[R:%.*]] = getelementptr i8, ptr addrspace(3) [[OWN]], i32 0
; CHECK-NEXT:  addrspacecast ptr addrspace(3) [[R]] to ptr
; CHECK-NEXT:  [[S:%.*]] = getelementptr i8, ptr addrspace(3) [[OWN]], i32 20
; CHECK-NEXT:  addrspacecast ptr addrspace(3) [[S]] to ptr
; CHECK:       store i32 {{.*}}, ptr %local
define ptx_kernel void @homes(ptr addrspace(1) %p) "target-cpu"="sm_90" "nvvm.maxntid"="256" {
entry:
  %r = alloca [5 x i32], align 4
  %s = alloca i32, align 4
  %local = alloca i32, align 4
  %own = addrspacecast ptr %local to ptr addrspace(5)
  call void @llvm.lifetime.start.p0(i64 20, ptr %r)
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %tid
  %n = load i32, ptr addrspace(1) %a
  store i32 %n, ptr %local
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %point = call i32 @linearize_reorder_here(i32 %i, i32 2, i32 0, i32 0)
  %which = urem i32 %i, 5
  %at = getelementptr i32, ptr %r, i32 %which
  store i32 %i, ptr %at
  call void @takes(ptr %s)
  %old = load i32, ptr addrspace(5) %own
  %new = add i32 %old, 1
  store i32 %new, ptr addrspace(5) %own
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %last = getelementptr i32, ptr %r, i32 2
  %v = load i32, ptr %last
  store i32 %v, ptr addrspace(1) %a
  call void @llvm.lifetime.end.p0(i64 20, ptr %r)
  ret void
}

define internal void @takes(ptr %s) noinline {
  store volatile i32 1, ptr %s
  ret void
}
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
