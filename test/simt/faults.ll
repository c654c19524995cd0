; What a kernel does wrong is one line with kernel, block, thread, function and block, and status 1.
; RUN: %not %simt %s --kernel bounds --grid 2 --block 40 --arg buf:u32:70:zero 2>&1 | %FileCheck %s --check-prefix BOUNDS
; RUN: %not %simt %s --kernel null --arg u64:4 2>&1 | %FileCheck %s --check-prefix NULL
; RUN: %not %simt %s --kernel aligned --arg buf:u8:200:zero 2>&1 | %FileCheck %s --check-prefix ALIGNED
; RUN: %not %simt %s --kernel unwritten 2>&1 | %FileCheck %s --check-prefix UNWRITTEN
; RUN: %simt %s --kernel unwritten --allow-unwritten
; RUN: %not %simt %s --kernel buffer --arg buf:u32:4:none 2>&1 | %FileCheck %s --check-prefix BUFFER
; RUN: %not %simt %s --kernel shared 2>&1 | %FileCheck %s --check-prefix SHARED
; RUN: %not %simt %s --kernel local --arg u32:4 2>&1 | %FileCheck %s --check-prefix LOCAL
; RUN: %not %simt %s --kernel stale 2>&1 | %FileCheck %s --check-prefix STALE
; RUN: %simt %s --kernel leftover --grid 3 --arg buf:u32:9:none --allow-unwritten --print 0 | %FileCheck %s --check-prefix LEFTOVER
; RUN: %not %simt %s --kernel constant 2>&1 | %FileCheck %s --check-prefix CONSTANT
; RUN: %not %simt %s --kernel divide --arg u32:0 2>&1 | %FileCheck %s --check-prefix DIVIDE
; RUN: %not %simt %s --kernel trap 2>&1 | %FileCheck %s --check-prefix TRAP
; RUN: %not %simt %s --kernel endless --limit 10000 2>&1 | %FileCheck %s --check-prefix ENDLESS
; RUN: %not %simt %s --kernel stranger 2>&1 | %FileCheck %s --check-prefix STRANGER
; RUN: %not %simt %s --kernel deep 2>&1 | %FileCheck %s --check-prefix DEEP
; RUN: %not %simt %s --kernel asserts --arg u32:3 2>&1 | %FileCheck %s --check-prefix ASSERT
; RUN: %simt %s --kernel asserts --arg u32:4
; RUN: %simt %s --kernel prints --block 2 | %FileCheck %s --check-prefix PRINTS
; RUN: %not %simt %s --kernel unknown 2>&1 | %FileCheck %s --check-prefix UNKNOWN
; RUN: %not %simt %s --kernel calls_unknown 2>&1 | %FileCheck %s --check-prefix CALLS
; RUN: %not %simt %s --kernel assembly 2>&1 | %FileCheck %s --check-prefix ASSEMBLY
; RUN: %not %simt %s --kernel some_unknown --arg u32:30 --arg u64:0 2>&1 | %FileCheck %s --check-prefix SOME
; RUN: %simt %s --kernel some_unknown --arg u32:32 --arg u64:0
; RUN: %simt %s --kernel some_unknown --arg u32:32 --arg u64:0 --model ipdom

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

; BOUNDS: linearize-simt: {{.*}}faults.ll: kernel bounds, block (1,0,0), thread (30,0,0): function bounds, block %0: out of bounds: store of 4 bytes at offset 280 of 'argument 0', which has 280 bytes
define void @bounds(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %block, 40
  %n = add i32 %base, %tid
  %at = getelementptr i32, ptr %out, i32 %n
  store i32 1, ptr %at
  ret void
}

; NULL: thread (0,0,0): function null, block %0: out of bounds: load of 4 bytes at 0x4 in global memory
define void @null(ptr %p) {
  %v = load i32, ptr %p
  ret void
}

; ALIGNED: thread (1,0,0): function aligned, block %0: misaligned: load of 4 bytes at 0x{{[0-9a-f]+}}, which 4 doesn't divide
define void @aligned(ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i8, ptr %p, i32 %tid
  %v = load i32, ptr %at, align 4
  ret void
}

; UNWRITTEN: thread (0,0,0): function unwritten, block %0: read of 4 bytes that nobody wrote, at 0x4 in local memory
define void @unwritten() {
  %a = alloca [2 x i32]
  store i32 1, ptr %a
  %b = load i32, ptr %a
  %at = getelementptr i32, ptr %a, i64 1
  %c = load i32, ptr %at
  ret void
}

; BUFFER: read of 4 bytes that nobody wrote, at offset 12 of 'argument 0'
define void @buffer(ptr %p) {
  %at = getelementptr i32, ptr %p, i64 3
  %c = load i32, ptr %at
  ret void
}

@small = internal addrspace(3) global [3 x i32] poison
@other = internal addrspace(3) global [64 x i32] poison
; SHARED: thread (3,0,0): function shared, block %0: out of bounds: store of 4 bytes at offset 12 of 'small', which has 12 bytes
define void @shared() {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr [3 x i32], ptr addrspace(3) @small, i32 0, i32 %tid
  store i32 1, ptr addrspace(3) %at
  store i32 1, ptr addrspace(3) @other
  ret void
}

; LOCAL: out of bounds: store of 4 bytes at 0x10 in local memory
define void @local(i32 %n) {
  %a = alloca [4 x i32]
  %at = getelementptr i32, ptr %a, i32 %n
  store i32 1, ptr %at
  ret void
}

; The second call finds nothing of what the first one wrote.
; STALE: thread (0,0,0): function again, block read: read of 4 bytes that nobody wrote, at 0x0 in local memory
define internal i32 @again(i1 %writes) noinline {
  %a = alloca i32
  br i1 %writes, label %write, label %read
write:
  store i32 1, ptr %a
  br label %read
read:
  %v = load i32, ptr %a
  ret i32 %v
}
define void @stale() {
  %one = call i32 @again(i1 true)
  %two = call i32 @again(i1 false)
  ret void
}

; Nor is anything left of what another block wrote: if unwritten memory may be read, it is 0.
; LEFTOVER: argument 0:
; LEFTOVER-NEXT: 1 0 0 1 0 0 1 0
; LEFTOVER-NEXT: 0
define void @leftover(ptr %out) {
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %tid, 0
  br i1 %first, label %one, label %end
one:
  %a = call i32 @again(i1 true)
  %b = call i32 @again(i1 false)
  %c = load i32, ptr addrspace(3) @small
  store i32 7, ptr addrspace(3) @small
  %at = getelementptr [3 x i32], ptr %out, i32 %block
  %at1 = getelementptr [3 x i32], ptr %out, i32 %block, i32 1
  %at2 = getelementptr [3 x i32], ptr %out, i32 %block, i32 2
  store i32 %a, ptr %at
  store i32 %b, ptr %at1
  store i32 %c, ptr %at2
  br label %end
end:
  ret void
}

@fixed = addrspace(4) constant i32 5
; CONSTANT: store to constant memory: 'fixed'
define void @constant() {
  store i32 1, ptr addrspacecast (ptr addrspace(4) @fixed to ptr)
  ret void
}

; DIVIDE: division by zero
define void @divide(i32 %n) {
  %v = udiv i32 7, %n
  ret void
}

; TRAP: thread (7,0,0): function trap, block bad: a trap, or code that is said to be unreachable
declare void @llvm.trap() noreturn
define void @trap() {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %is = icmp eq i32 %tid, 7
  br i1 %is, label %bad, label %good
bad:
  call void @llvm.trap()
  unreachable
good:
  ret void
}

; ENDLESS: thread (0,0,0): function endless, block again: no progress: the warp has run 10001 instructions
define void @endless() {
  br label %again
again:
  br label %again
}

; STRANGER: thread (4,0,0): {{.*}}: its mask 0x0000000f doesn't name the thread itself
declare void @llvm.nvvm.bar.warp.sync(i32)
define void @stranger() {
  call void @llvm.nvvm.bar.warp.sync(i32 15)
  ret void
}

; DEEP: function around, block %0: calls nest deeper than 4096
define internal void @around() {
  call void @around()
  ret void
}
define void @deep() {
  call void @around()
  ret void
}

@text = private constant [6 x i8] c"n > 3\00"
@file = private constant [4 x i8] c"a.c\00"
declare void @__assertfail(ptr, ptr, i32, ptr, i64) noreturn
; ASSERT: assertion failed: n > 3 (a.c:17)
define void @asserts(i32 %n) {
  %is = icmp ugt i32 %n, 3
  br i1 %is, label %good, label %bad
bad:
  call void @__assertfail(ptr @text, ptr @file, i32 17, ptr @file, i64 1)
  unreachable
good:
  ret void
}

@format = private constant [27 x i8] c"%d of %s: %5.2f %llx%% %c\0A\00"
@name = private constant [5 x i8] c"some\00"
declare i32 @vprintf(ptr, ptr)
; PRINTS: 0 of some:  0.50 123456789abc% A
; PRINTS-NEXT: 1 of some:  1.50 123456789abc% A
define void @prints() {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %args = alloca { i32, ptr, double, i64, i32 }
  %f = uitofp i32 %tid to double
  %half = fadd double %f, 0.5
  store i32 %tid, ptr %args
  %p1 = getelementptr { i32, ptr, double, i64, i32 }, ptr %args, i32 0, i32 1
  %p2 = getelementptr { i32, ptr, double, i64, i32 }, ptr %args, i32 0, i32 2
  %p3 = getelementptr { i32, ptr, double, i64, i32 }, ptr %args, i32 0, i32 3
  %p4 = getelementptr { i32, ptr, double, i64, i32 }, ptr %args, i32 0, i32 4
  store ptr @name, ptr %p1
  store double %half, ptr %p2
  store i64 20015998343868, ptr %p3
  store i32 65, ptr %p4
  %n = call i32 @vprintf(ptr @format, ptr %args)
  ret void
}

; UNKNOWN: kernel unknown, block (0,0,0), thread (0,0,0): function unknown, block %0: an unknown intrinsic: %v = call i32 @llvm.nvvm.read.ptx.sreg.envreg0()
declare i32 @llvm.nvvm.read.ptx.sreg.envreg0()
define void @unknown() {
  %v = call i32 @llvm.nvvm.read.ptx.sreg.envreg0()
  ret void
}

; What a kernel reaches by a call is looked at, too.
; CALLS: kernel calls_unknown, block (0,0,0), thread (0,0,0): function helper, block %0: a function that this module doesn't define (modules aren't linked): call void @elsewhere()
declare void @elsewhere()
define internal void @helper() {
  call void @elsewhere()
  ret void
}
define void @calls_unknown() {
  call void @helper()
  ret void
}

; ASSEMBLY: kernel assembly, block (0,0,0), thread (0,0,0): function assembly, block %0: inline assembly that the simulator doesn't know: %v = call i32 asm
define void @assembly() {
  %v = call i32 asm "vote.what.b32 $0;", "=r"()
  ret void
}

; It matters only where threads come to it, and its result is used as any other.
; SOME: kernel some_unknown, block (0,0,0), thread (30,0,0): function some_unknown, block bad, line 7: a function that this module doesn't define (modules aren't linked): %v = call { i32, i32 } @pair(
declare { i32, i32 } @pair(i32)
define void @some_unknown(i32 %n, ptr %called) !dbg !3 {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %is_bad = icmp uge i32 %tid, %n
  br i1 %is_bad, label %bad, label %end
bad:
  %v = call { i32, i32 } @pair(i32 %tid), !dbg !4
  %first = extractvalue { i32, i32 } %v, 0
  call void %called(i32 %first)
  %w = call i32 asm "vote.what.b32 $0;", "=r"()
  %x = call i32 @llvm.nvvm.read.ptx.sreg.envreg0()
  br label %end
end:
  %phi = phi i32 [ 0, %0 ], [ %w, %bad ]
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "faults.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "some_unknown", scope: !1, file: !1, line: 5, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DILocation(line: 7, scope: !3)
