; Votes, shuffles, matches, reductions, activemask and the special registers.
; RUN: %simt %s --kernel votes --arg buf:u32:9:none --print 0 | %FileCheck %s --check-prefix VOTES
; RUN: %simt %s --kernel shuffles --arg buf:u32:128:none --print 0 | %FileCheck %s --check-prefix SHUFFLES
; RUN: %simt %s --kernel matches --arg buf:u32:64:none --print 0 | %FileCheck %s --check-prefix MATCHES
; RUN: %simt %s --kernel registers --grid 2,3 --block 40,2 --arg buf:u32:10:none --print 0 | %FileCheck %s --check-prefix REGISTERS
; RUN: %simt %s --kernel arms --arg buf:u32:32:none --print 0 --model volta | %FileCheck %s --check-prefix ARMS
; RUN: %not %simt %s --kernel arms --arg buf:u32:32:none 2>&1 | %FileCheck %s --check-prefix HANG
; RUN: %not %simt %s --kernel disagree --model volta 2>&1 | %FileCheck %s --check-prefix DISAGREE

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
declare i1 @llvm.nvvm.vote.uni.sync(i32, i1)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i32 @llvm.nvvm.redux.sync.add(i32, i32)
declare i32 @llvm.nvvm.redux.sync.min(i32, i32)
declare i32 @llvm.nvvm.redux.sync.umax(i32, i32)
declare i32 @llvm.nvvm.redux.sync.xor(i32, i32)
declare i32 @llvm.nvvm.activemask()
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32)
declare float @llvm.nvvm.shfl.sync.down.f32(i32, float, i32, i32)
declare { i32, i1 } @llvm.nvvm.shfl.sync.bfly.i32p(i32, i32, i32, i32)
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
declare { i32, i1 } @llvm.nvvm.match.all.sync.i32p(i32, i32)

; The first ten lanes: ballot of the even ones, any, all, uni; activemask; sum, signed minimum of
; -tid, unsigned maximum of -tid, xor.
; VOTES: argument 0:
; VOTES-NEXT: 341 1 0 0 1023 45 4294967287 4294967295
; VOTES-NEXT: 1
define void @votes(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %few = icmp ult i32 %tid, 10
  br i1 %few, label %yes, label %end
yes:
  %low = and i32 %tid, 1
  %even = icmp eq i32 %low, 0
  %ballot = call i32 @llvm.nvvm.vote.ballot.sync(i32 1023, i1 %even)
  %any = call i1 @llvm.nvvm.vote.any.sync(i32 1023, i1 %even)
  %all = call i1 @llvm.nvvm.vote.all.sync(i32 1023, i1 %even)
  %uni = call i1 @llvm.nvvm.vote.uni.sync(i32 1023, i1 %even)
  %active = call i32 @llvm.nvvm.activemask()
  %negative = sub i32 0, %tid
  %sum = call i32 @llvm.nvvm.redux.sync.add(i32 %tid, i32 1023)
  %min = call i32 @llvm.nvvm.redux.sync.min(i32 %negative, i32 1023)
  %max = call i32 @llvm.nvvm.redux.sync.umax(i32 %negative, i32 1023)
  %xor = call i32 @llvm.nvvm.redux.sync.xor(i32 %tid, i32 1023)
  %any32 = zext i1 %any to i32
  %all32 = zext i1 %all to i32
  %uni32 = zext i1 %uni to i32
  %v0 = insertelement <8 x i32> poison, i32 %ballot, i32 0
  %v1 = insertelement <8 x i32> %v0, i32 %any32, i32 1
  %v2 = insertelement <8 x i32> %v1, i32 %all32, i32 2
  %v3 = insertelement <8 x i32> %v2, i32 %uni32, i32 3
  %v4 = insertelement <8 x i32> %v3, i32 %active, i32 4
  %v5 = insertelement <8 x i32> %v4, i32 %sum, i32 5
  %v6 = insertelement <8 x i32> %v5, i32 %min, i32 6
  %v7 = insertelement <8 x i32> %v6, i32 %max, i32 7
  store <8 x i32> %v7, ptr %out, align 4
  %at = getelementptr i32, ptr %out, i64 8
  store i32 %xor, ptr %at
  br label %end
end:
  ret void
}

; Lane 5 to all; up by 1; down by 2 in segments of 8 (as a float); butterfly of 3 with its predicate.
; SHUFFLES: argument 0:
; SHUFFLES-NEXT: 105 105 105 105 105 105 105 105
; SHUFFLES: 100 100 101 102 103 104 105 106
; SHUFFLES-NEXT: 107 108 109 110 111 112 113 114
; SHUFFLES: 102 103 104 105 106 107 106 107
; SHUFFLES-NEXT: 110 111 112 113 114 115 114 115
; SHUFFLES: 1103 1102 1101 1100 1107 1106 1105 1104
define void @shuffles(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = add i32 %tid, 100
  %idx = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %v, i32 5, i32 31)
  %up = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %v, i32 1, i32 0)
  %f = uitofp i32 %v to float
  %down = call float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %f, i32 2, i32 6175)
  %down32 = fptoui float %down to i32
  %b = call { i32, i1 } @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v, i32 3, i32 31)
  %bfly = extractvalue { i32, i1 } %b, 0
  %p = extractvalue { i32, i1 } %b, 1
  %p32 = zext i1 %p to i32
  %thousand = mul i32 %p32, 1000
  %both = add i32 %bfly, %thousand
  %wide = zext i32 %tid to i64
  %a0 = getelementptr i32, ptr %out, i64 %wide
  %a1 = getelementptr i32, ptr %a0, i64 32
  %a2 = getelementptr i32, ptr %a0, i64 64
  %a3 = getelementptr i32, ptr %a0, i64 96
  store i32 %idx, ptr %a0
  store i32 %up, ptr %a1
  store i32 %down32, ptr %a2
  store i32 %both, ptr %a3
  ret void
}

; Lanes with the same tid & 3; and in each half by itself whether tid >> 4 is the same in it: the two
; halves name different masks in one instruction.
; MATCHES: argument 0:
; MATCHES-NEXT: 286331153 572662306 1145324612 2290649224
; MATCHES: 65535 65535
; MATCHES: 4294901760 4294901760
define void @matches(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = and i32 %tid, 3
  %any = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %low)
  %half = lshr i32 %tid, 4
  %upper = icmp eq i32 %half, 1
  %mask = select i1 %upper, i32 -65536, i32 65535
  %m = call { i32, i1 } @llvm.nvvm.match.all.sync.i32p(i32 %mask, i32 %half)
  %all = extractvalue { i32, i1 } %m, 0
  %wide = zext i32 %tid to i64
  %a0 = getelementptr i32, ptr %out, i64 %wide
  %a1 = getelementptr i32, ptr %a0, i64 32
  store i32 %any, ptr %a0
  store i32 %all, ptr %a1
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i32 @llvm.nvvm.read.ptx.sreg.warpid()
declare i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()
; The last thread, (39,1) of block (1,2): number 79, lane 15 of warp 2.
; REGISTERS: argument 0:
; REGISTERS-NEXT: 39 1 1 2 40 3 15 2
; REGISTERS-NEXT: 32767 -
define void @registers(ptr %out) {
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %cx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %cy = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %warp = call i32 @llvm.nvvm.read.ptx.sreg.warpid()
  %below = call i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()
  %p1 = getelementptr i32, ptr %out, i64 1
  %p2 = getelementptr i32, ptr %out, i64 2
  %p3 = getelementptr i32, ptr %out, i64 3
  %p4 = getelementptr i32, ptr %out, i64 4
  %p5 = getelementptr i32, ptr %out, i64 5
  %p6 = getelementptr i32, ptr %out, i64 6
  %p7 = getelementptr i32, ptr %out, i64 7
  %p8 = getelementptr i32, ptr %out, i64 8
  store i32 %tx, ptr %out
  store i32 %ty, ptr %p1
  store i32 %cx, ptr %p2
  store i32 %cy, ptr %p3
  store i32 %nx, ptr %p4
  store i32 %ny, ptr %p5
  store i32 %lane, ptr %p6
  store i32 %warp, ptr %p7
  store i32 %below, ptr %p8
  ret void
}

; A shuffle in each arm: from sm_70 on they are one. In lock step the first arm waits for ever.
; ARMS: argument 0:
; ARMS-NEXT: 1 100 3 102 5 104 7 106
; HANG: kernel arms, block (0,0,0), no progress: thread (1,0,0) and 15 more of warp 0 at a sync that names lanes 0xffffffff (0x55555555 are not with it) (function arms, block odd), while thread (0,0,0) and 15 more of warp 0 cannot come
define void @arms(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %other = xor i32 %tid, 1
  %low = and i32 %tid, 1
  %isodd = icmp eq i32 %low, 1
  br i1 %isodd, label %odd, label %even
odd:
  %more = add i32 %tid, 0
  %a = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %more, i32 %other, i32 31)
  %a100 = add i32 %a, 100
  br label %join
even:
  %b = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %tid, i32 %other, i32 31)
  br label %join
join:
  %r = phi i32 [ %a100, %odd ], [ %b, %even ]
  %wide = zext i32 %tid to i64
  %at = getelementptr i32, ptr %out, i64 %wide
  store i32 %r, ptr %at
  ret void
}

; All have come, but the arms name different lanes.
; DISAGREE: no progress: thread ({{[01]}},0,0) and 15 more of warp 0 at a sync that names lanes
declare void @llvm.nvvm.bar.warp.sync(i32)
define void @disagree() {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = and i32 %tid, 1
  %isodd = icmp eq i32 %low, 1
  br i1 %isodd, label %odd, label %even
odd:
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  br label %join
even:
  call void @llvm.nvvm.bar.warp.sync(i32 -3)
  br label %join
join:
  ret void
}
