; Barriers of a block: a sum over its warps through shared memory, of a size chosen at launch; named
; barriers for a part of it; reductions.
; RUN: %simt %s --kernel sums --grid 3 --block 100 --shared 400 --arg buf:u32:3:none --print 0 | %FileCheck %s --check-prefix SUMS
; RUN: %simt %s --kernel sums --grid 3 --block 100 --shared 400 --arg buf:u32:3:none --print 0 --model volta | %FileCheck %s --check-prefix SUMS
; RUN: %simt %s --kernel counts --block 70 --arg buf:u32:4:none --print 0 | %FileCheck %s --check-prefix COUNTS
; RUN: %simt %s --kernel pipeline --block 64 --arg buf:u32:32:none --print 0 | %FileCheck %s --check-prefix PIPELINE
; RUN: %not %simt %s --kernel part --block 64 --arg buf:u32:1:none 2>&1 | %FileCheck %s --check-prefix PART
; RUN: %simt %s --kernel part --block 64 --arg buf:u32:1:none --model volta --print 0 | %FileCheck %s --check-prefix VOLTA
; RUN: %not %simt %s --kernel arm --block 64 --arg buf:u32:1:none 2>&1 | %FileCheck %s --check-prefix ARM
; RUN: %not %simt %s --kernel missing --block 64 --model volta 2>&1 | %FileCheck %s --check-prefix MISSING

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
declare void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32, i32)
declare i32 @llvm.nvvm.barrier0.popc(i32)
declare i32 @llvm.nvvm.barrier0.and(i32)
declare i32 @llvm.nvvm.barrier0.or(i32)

@tile = external addrspace(3) global [0 x i32], align 4

; Block b adds up 100 numbers, b * 100 + tid.
; SUMS: argument 0:
; SUMS-NEXT: 4950 14950 24950
define void @sums(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %base = mul i32 %block, 100
  %number = add i32 %base, %tid
  %mine = getelementptr [0 x i32], ptr addrspace(3) @tile, i32 0, i32 %tid
  store i32 %number, ptr addrspace(3) %mine
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %turn
turn:
  %left = phi i32 [ %size, %0 ], [ %half, %joined ]
  %up = add i32 %left, 1
  %half = lshr i32 %up, 1
  %partner = add i32 %tid, %half
  %has = icmp ult i32 %partner, %left
  br i1 %has, label %add, label %joined
add:
  %its = getelementptr [0 x i32], ptr addrspace(3) @tile, i32 0, i32 %partner
  %a = load i32, ptr addrspace(3) %mine
  %b = load i32, ptr addrspace(3) %its
  %ab = add i32 %a, %b
  store i32 %ab, ptr addrspace(3) %mine
  br label %joined
joined:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %more = icmp ugt i32 %half, 1
  br i1 %more, label %turn, label %end
end:
  %first = icmp eq i32 %tid, 0
  br i1 %first, label %write, label %done
write:
  %sum = load i32, ptr addrspace(3) @tile
  %at = getelementptr i32, ptr %out, i32 %block
  store i32 %sum, ptr %at
  br label %done
done:
  ret void
}

; COUNTS: argument 0:
; COUNTS-NEXT: 24 0 1 1
define void @counts(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %third = urem i32 %tid, 3
  %is = icmp eq i32 %third, 0
  %p = zext i1 %is to i32
  %count = call i32 @llvm.nvvm.barrier0.popc(i32 %p)
  %all = call i32 @llvm.nvvm.barrier0.and(i32 %p)
  %any = call i32 @llvm.nvvm.barrier0.or(i32 %p)
  %always = call i32 @llvm.nvvm.barrier0.and(i32 1)
  %p1 = getelementptr i32, ptr %out, i64 1
  %p2 = getelementptr i32, ptr %out, i64 2
  %p3 = getelementptr i32, ptr %out, i64 3
  store i32 %count, ptr %out
  store i32 %all, ptr %p1
  store i32 %any, ptr %p2
  store i32 %always, ptr %p3
  ret void
}

@box = internal addrspace(3) global [32 x i32] poison

; The second warp makes what the first one takes, and only tells it.
; PIPELINE: argument 0:
; PIPELINE-NEXT: 1000 1001 1002
define void @pipeline(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %lane = and i32 %tid, 31
  %slot = getelementptr [32 x i32], ptr addrspace(3) @box, i32 0, i32 %lane
  %first = icmp ult i32 %tid, 32
  br i1 %first, label %take, label %make
make:
  %number = add i32 %lane, 1000
  store i32 %number, ptr addrspace(3) %slot
  call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 3, i32 64)
  ret void
take:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 3, i32 64)
  %v = load i32, ptr addrspace(3) %slot
  %at = getelementptr i32, ptr %out, i32 %tid
  store i32 %v, ptr %at
  ret void
}

; The second warp ends without coming. From sm_70 on that is the same as having come.
; PART: kernel part, block (0,0,0), no progress: thread (0,0,0) and 31 more of warp 0 at barrier 0 (function part, block sync); 32 threads have ended
; VOLTA: argument 0:
; VOLTA-NEXT: 7
define void @part(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp ult i32 %tid, 32
  br i1 %first, label %sync, label %end
sync:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 7, ptr %out
  br label %end
end:
  ret void
}

; Half of a warp comes, and the other half waits for it where the arms meet.
; ARM: no progress: thread (1,0,0) and 15 more of warp 0 at barrier 0 (function arm, block odd), while thread (0,0,0) and 15 more of warp 0 cannot come
define void @arm(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = and i32 %tid, 1
  %is = icmp eq i32 %low, 1
  br i1 %is, label %odd, label %end
odd:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %end
end:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

; Two barriers, and nobody comes to the other half's.
; MISSING: no progress: thread (0,0,0) and 31 more of warp 0 at barrier 1 (function missing, block {{.*}}); thread (32,0,0) and 31 more of warp 1 at barrier 2
define void @missing() {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %high = lshr i32 %tid, 5
  %number = add i32 %high, 1
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 %number)
  ret void
}
