; Races: two threads access one byte, one of them to write it, and nothing orders the two.
; RUN: %python %S/Inputs/races.py %simt %s | %FileCheck %s --check-prefix TABLE
; RUN: %not %simt %s --races --kernel lanes --arg buf:u32:40 --arg u32:2 2>&1 | %FileCheck %s --check-prefix LANES
; RUN: %simt %s --kernel lanes --arg buf:u32:40 --arg u32:2
; RUN: %simt %s --races --kernel lanes --arg buf:u32:40 --arg u32:1
; RUN: %simt %s --races --kernel same --arg buf:u8:8
; RUN: %not %simt %s --races --kernel same --block 64 --arg buf:u8:8 2>&1 | %FileCheck %s --check-prefix SAME
; RUN: %not %simt %s --races --kernel again --arg buf:u8:8 --arg u32:0 2>&1 | %FileCheck %s --check-prefix AGAIN
; RUN: %not %simt %s --races --kernel again --arg buf:u8:8 --arg u32:31 2>&1 | %FileCheck %s --check-prefix AGAIN31
; RUN: %not %simt %s --races --kernel copies --arg buf:u8:64:index --arg u64:1 2>&1 | %FileCheck %s --check-prefix COPIES
; RUN: %simt %s --races --kernel copies --arg buf:u8:64:index --arg u64:0
; RUN: %not %simt %s --races --kernel sets --arg buf:u8:64 --arg u32:1 2>&1 | %FileCheck %s --check-prefix SETS
; RUN: %simt %s --races --kernel sets --arg buf:u8:64 --arg u32:0
; RUN: %not %simt %s --races --kernel bytes --arg buf:u8:8 2>&1 | %FileCheck %s --check-prefix BYTES
; RUN: %not %simt %s --races --kernel blocks --grid 2,3 --block 8,4 --arg buf:u32:1 --arg u32:0 2>&1 | %FileCheck %s --check-prefix BLOCKS
; RUN: %not %simt %s --races --kernel slow --grid 2 --arg buf:u32:1 --arg u32:20000 --jobs 2 2>&1 | %FileCheck %s --check-prefix SLOW
; RUN: %simt %s --races --kernel blocks --grid 2,3 --block 8,4 --arg buf:u32:1 --arg u32:2
; RUN: %simt %s --races --kernel shared --grid 3 --block 64 --arg u32:0
; RUN: %not %simt %s --races --kernel shared --grid 3 --block 64 --arg u32:1 2>&1 | %FileCheck %s --check-prefix SHARED
; RUN: %simt %s --races --kernel ended --block 64 --arg buf:u32:1 --model volta
; RUN: %simt %s --races --kernel own --grid 2 --block 64
; RUN: %simt %s --races --kernel prints --block 1 --arg buf:u8:2:zero
; RUN: %not %simt %s --races --kernel prints --arg buf:u8:2:zero 2>&1 | %FileCheck %s --check-prefix PRINTS

; TABLE: 444 right, 0 wrong

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.bar.warp.sync(i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i32 @llvm.nvvm.vote.ballot(i1)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
declare void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32, i32)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; An access in one of the ways that races.py knows.
define internal void @act(ptr %p, i32 %kind) noinline {
  %local = alloca i32
  store i32 5, ptr %local
  switch i32 %kind, label %write [ i32 1, label %read
                                   i32 2, label %atomic
                                   i32 3, label %atomic_load
                                   i32 4, label %atomic_store
                                   i32 5, label %volatile_load
                                   i32 6, label %volatile_store
                                   i32 7, label %set
                                   i32 8, label %copy_from
                                   i32 9, label %copy_to
                                   i32 10, label %exchange ]
write:
  store i32 5, ptr %p
  ret void
read:
  %r = load i32, ptr %p
  ret void
atomic:
  %a = atomicrmw add ptr %p, i32 1 seq_cst
  ret void
atomic_load:
  %al = load atomic i32, ptr %p monotonic, align 4
  ret void
atomic_store:
  store atomic i32 1, ptr %p monotonic, align 4
  ret void
volatile_load:
  %vl = load volatile i32, ptr %p
  ret void
volatile_store:
  store volatile i32 5, ptr %p
  ret void
set:
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 4, i1 false)
  ret void
copy_from:
  call void @llvm.memcpy.p0.p0.i64(ptr %local, ptr %p, i64 4, i1 false)
  ret void
copy_to:
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %local, i64 4, i1 false)
  ret void
exchange:
  %x = cmpxchg ptr %p, i32 0, i32 1 seq_cst seq_cst
  ret void
}

; The ways to meet that races.py knows.
define internal void @meet(i32 %how, i32 %tid) noinline {
  %warp = lshr i32 %tid, 5
  %in0 = icmp eq i32 %warp, 0
  %in1 = icmp eq i32 %warp, 1
  %in2 = icmp eq i32 %warp, 2
  %in01 = or i1 %in0, %in1
  %in12 = or i1 %in1, %in2
  %low = icmp ult i32 %tid, 2
  %from1 = icmp uge i32 %tid, 1
  %upto2 = icmp ule i32 %tid, 2
  %middle = and i1 %from1, %upto2
  switch i32 %how, label %not_at_all [ i32 1, label %sync
                                       i32 2, label %ballot
                                       i32 3, label %barrier
                                       i32 4, label %two
                                       i32 5, label %here
                                       i32 6, label %chain
                                       i32 7, label %reverse
                                       i32 8, label %warp0
                                       i32 9, label %warps01
                                       i32 10, label %warps
                                       i32 11, label %back
                                       i32 12, label %arrive0
                                       i32 13, label %arrive1 ]
not_at_all:
  ret void
sync:
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  ret void
ballot:
  %b = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 true)
  ret void
barrier:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
two:
  br i1 %low, label %two1, label %not_at_all
two1:
  call void @llvm.nvvm.bar.warp.sync(i32 3)
  ret void
here:
  %h = call i32 @llvm.nvvm.vote.ballot(i1 true)
  ret void
chain:
  br i1 %low, label %chain1, label %chain2
chain1:
  call void @llvm.nvvm.bar.warp.sync(i32 3)
  br label %chain2
chain2:
  br i1 %middle, label %chain3, label %not_at_all
chain3:
  call void @llvm.nvvm.bar.warp.sync(i32 6)
  ret void
reverse:
  br i1 %middle, label %reverse1, label %reverse2
reverse1:
  call void @llvm.nvvm.bar.warp.sync(i32 6)
  br label %reverse2
reverse2:
  br i1 %low, label %two1, label %not_at_all
warp0:
  br i1 %in0, label %warp0a, label %not_at_all
warp0a:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 32)
  ret void
warps01:
  br i1 %in01, label %warps01a, label %not_at_all
warps01a:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)
  ret void
warps:
  br i1 %in01, label %warps1, label %warps2
warps1:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)
  br label %warps2
warps2:
  br i1 %in12, label %warps3, label %not_at_all
warps3:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 2, i32 64)
  ret void
back:
  br i1 %in12, label %back1, label %back2
back1:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 2, i32 64)
  br label %back2
back2:
  br i1 %in01, label %warps01a, label %not_at_all
arrive0:
  br i1 %in0, label %arrive, label %arrive0a
arrive0a:
  br i1 %in1, label %warps01a, label %not_at_all
arrive1:
  br i1 %in1, label %arrive, label %arrive1a
arrive1a:
  br i1 %in0, label %warps01a, label %not_at_all
arrive:
  call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 1, i32 64)
  ret void
}

; These kernels races.py runs.
define void @pair(ptr %p, i32 %first, i32 %second, i32 %how, i32 %other) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %is0 = icmp eq i32 %tid, 0
  br i1 %is0, label %one, label %between
one:
  call void @act(ptr %p, i32 %first)
  br label %between
between:
  call void @meet(i32 %how, i32 %tid)
  %is = icmp eq i32 %tid, %other
  br i1 %is, label %two, label %end
two:
  call void @act(ptr %p, i32 %second)
  br label %end
end:
  ret void
}

define void @crowd(ptr %p, i32 %first, i32 %second, i32 %barrier, i32 %who) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  call void @act(ptr %p, i32 %first)
  %how = mul i32 %barrier, 3
  call void @meet(i32 %how, i32 %tid)
  %is = icmp eq i32 %tid, %who
  br i1 %is, label %two, label %end
two:
  call void @act(ptr %p, i32 %second)
  br label %end
end:
  ret void
}

define void @twice(ptr %p, i32 %before, i32 %how, i32 %who, i32 %first, i32 %second) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %behind = add i32 %who, 10
  %is_first = icmp eq i32 %tid, %who
  %is_second = icmp eq i32 %tid, %behind
  %many = icmp ne i32 %before, 0
  %is = or i1 %many, %is_first
  br i1 %is, label %one, label %between
one:
  call void @act(ptr %p, i32 %before)
  br label %between
between:
  call void @meet(i32 %how, i32 %tid)
  br i1 %is_first, label %once_more, label %other
once_more:
  call void @act(ptr %p, i32 %first)
  br label %other
other:
  br i1 %is_second, label %two, label %end
two:
  call void @act(ptr %p, i32 %second)
  br label %end
end:
  ret void
}

; Lanes of one store, with different values: %n of them to a word.
; LANES: linearize-simt: {{.*}}races.ll: kernel lanes, block (0,0,0), thread (1,0,0): function lanes, block %0, line 7: race: store of 4 bytes at offset 0 of 'argument 0': block (0,0,0), thread (0,0,0) has written byte 0, and nothing orders the two
define void @lanes(ptr %out, i32 %n) !dbg !4 {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %word = udiv i32 %tid, %n
  %at = getelementptr i32, ptr %out, i32 %word
  store i32 %tid, ptr %at, !dbg !6
  ret void
}

; Lanes of one store that write the same are no race; two warps are.
; SAME: thread (32,0,0): {{.*}}: race: store of 4 bytes at offset 4 of 'argument 0': block (0,0,0), thread ({{[0-9]+}},0,0) has written byte 4, and
define void @same(ptr %out) {
  %at = getelementptr i32, ptr %out, i32 1
  store <2 x i16> <i16 7, i16 8>, ptr %at, align 4
  ret void
}

; Whoever of them writes once more races with another one.
; AGAIN: thread (0,0,0): {{.*}}: race: store of 1 bytes at offset 0 of 'argument 0': block (0,0,0), thread ({{[1-9][0-9]*}},0,0) has written byte 0, and
; AGAIN31: thread (31,0,0): {{.*}}: race: store of 1 bytes at offset 0 of 'argument 0': block (0,0,0), thread ({{[0-9]|[12][0-9]|30}},0,0) has written byte 0, and
define void @again(ptr %out, i32 %who) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i8 7, ptr %out
  %first = icmp eq i32 %tid, %who
  br i1 %first, label %once_more, label %end
once_more:
  store i8 7, ptr %out
  br label %end
end:
  ret void
}

; All copy to one place, from places with the same content or not.
; COPIES: thread (1,0,0): {{.*}}: race: copy to memory of 4 bytes at offset 32 of 'argument 0': block (0,0,0), thread (0,0,0) has written byte 32, and
define void @copies(ptr %out, i64 %step) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %few = and i32 %tid, 3
  %wide = zext i32 %few to i64
  %from = mul i64 %wide, %step
  %source = getelementptr i8, ptr %out, i64 %from
  %to = getelementptr i8, ptr %out, i64 32
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %source, i64 4, i1 false)
  ret void
}

; SETS: thread (1,0,0): {{.*}}: race: memset of 16 bytes at offset 1 of 'argument 0': block (0,0,0), thread (0,0,0) has written byte 1, and
define void @sets(ptr %out, i32 %step) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %value = mul i32 %tid, %step
  %byte = trunc i32 %value to i8
  %at = getelementptr i8, ptr %out, i32 %tid
  call void @llvm.memset.p0.i64(ptr %at, i8 %byte, i64 16, i1 false)
  ret void
}

; Neighbouring bytes are no race, only the one in both.
; BYTES: thread (6,0,0): {{.*}}: race: load of 2 bytes at offset 4 of 'argument 0': block (0,0,0), thread (5,0,0) has written byte 5, and
define void @bytes(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %few = icmp ult i32 %tid, 4
  %five = icmp eq i32 %tid, 5
  %writes = or i1 %few, %five
  %at = getelementptr i8, ptr %out, i32 %tid
  br i1 %writes, label %write, label %other
write:
  store i8 1, ptr %at
  br label %end
other:
  %is = icmp eq i32 %tid, 6
  br i1 %is, label %read, label %end
read:
  %from = getelementptr i8, ptr %out, i32 4
  %v = load i16, ptr %from
  br label %end
end:
  ret void
}

; Nothing orders blocks, and each has the thread (3,2).
; BLOCKS: kernel blocks, block (1,0,0), thread (3,2,0): {{.*}}: race: store of 4 bytes at offset 0 of 'argument 0': block (0,0,0), thread (3,2,0) has written byte 0, and
define void @blocks(ptr %out, i32 %kind) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %is_x = icmp eq i32 %x, 3
  %is_y = icmp eq i32 %y, 2
  %is = and i1 %is_x, %is_y
  br i1 %is, label %one, label %end
one:
  call void @act(ptr %out, i32 %kind)
  br label %end
end:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

; With --jobs, too.
; SLOW: kernel slow, block (1,0,0), thread (0,0,0): {{.*}}: race: store of 4 bytes at offset 0 of 'argument 0': block (0,0,0), thread (0,0,0) has written byte 0, and
define void @slow(ptr %out, i32 %turns) {
  br label %head
head:
  %i = phi i32 [ 0, %0 ], [ %next, %head ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %i, %turns
  br i1 %more, label %head, label %end
end:
  store i32 1, ptr %out
  ret void
}

@pad = internal addrspace(3) global [3 x i32] poison
@tile = internal addrspace(3) global [66 x i32] poison
; Each block has shared memory of its own. Thread i writes at i, and reads at i + %far, by a generic
; address.
; SHARED: block (0,0,0), thread (32,0,0): {{.*}}: race: store of 4 bytes at offset 132 of 'tile': block (0,0,0), thread (31,0,0) has read byte 132, and
define void @shared(i32 %far) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %next = add i32 %tid, 1
  %over = getelementptr [66 x i32], ptr addrspace(3) @tile, i32 0, i32 %next
  store i32 %tid, ptr addrspace(3) %over
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %at = add i32 %next, %far
  %from = getelementptr [66 x i32], ptr addrspacecast (ptr addrspace(3) @tile to ptr), i32 0, i32 %at
  %last = icmp eq i32 %tid, 63
  br i1 %last, label %write, label %read
read:
  %v = load i32, ptr %from
  br label %write
write:
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %self = getelementptr [66 x i32], ptr addrspace(3) @tile, i32 0, i32 %next
  store i32 %tid, ptr addrspace(3) %self
  ret void
}

; A thread that has ended counts as come, in model volta.
define void @ended(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %is = icmp eq i32 %tid, 40
  br i1 %is, label %write, label %other
write:
  store i32 1, ptr %out
  ret void
other:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v = load i32, ptr %out
  ret void
}

; Local memory is a thread's own, and constants are only read.
@fixed = addrspace(4) constant i32 5
define void @own() {
  %local = alloca i32
  %v = load i32, ptr addrspacecast (ptr addrspace(4) @fixed to ptr)
  store i32 %v, ptr %local
  %w = load i32, ptr %local
  ret void
}

; What printf prints, it reads.
; PRINTS: thread (1,0,0): {{.*}}: race: store of 1 bytes at offset 0 of 'argument 0': block (0,0,0), thread (0,0,0) has read byte 0, and
@text = private constant [4 x i8] c"%s\0A\00"
declare i32 @vprintf(ptr, ptr)
define void @prints(ptr %words) {
  %args = alloca ptr
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %tid, 0
  br i1 %first, label %print, label %other
print:
  store ptr %words, ptr %args
  %n = call i32 @vprintf(ptr @text, ptr %args)
  ret void
other:
  store i8 65, ptr %words
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "races.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 2}
!4 = distinct !DISubprogram(name: "lanes", file: !1, line: 3, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !{null})
!6 = !DILocation(line: 7, scope: !4)
