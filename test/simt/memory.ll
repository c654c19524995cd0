; Memory: vectors, structures, negative steps, local arrays, shared and constant variables, blocks of
; memory, atomic operations.
; RUN: %simt %s --kernel memory --arg buf:i32:32:index --arg buf:i32:64:none --print 1 | %FileCheck %s
; RUN: %simt %s --kernel spaces --arg buf:i32:96:none --print 0 | %FileCheck %s --check-prefix SPACES
; RUN: %simt %s --kernel atomics --arg buf:i32:16:zero --print 0 | %FileCheck %s --check-prefix ATOMICS
; RUN: %simt %s --kernel blocks --arg buf:u8:64:index --print 0 | %FileCheck %s --check-prefix BLOCKS
; RUN: %simt %s --kernel by_value --block 2 --arg value:0500000007000000fffffffffeffffff \
; RUN:   --arg buf:i32:2 --print 1 | %FileCheck %s --check-prefix VALUE

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; Lane i of the first 8: a vector at 4 * i, turned around, one element replaced, and its sum of bytes.
; CHECK: argument 1:
; CHECK-NEXT: 3 2 1 100 7 6 5 101
; CHECK-NEXT: 11 10 9 102 15 14 13 103
; CHECK-NEXT: 19 18 17 104 23 22 21 105
; CHECK-NEXT: 27 26 25 106 31 30 29 107
; CHECK-NEXT: 31 30 29 28 27 26 25 24
define void @memory(ptr %in, ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext i32 %tid to i64
  %from = getelementptr [32 x i32], ptr %in, i64 0, i64 31
  %back = sub i64 0, %wide
  %last = getelementptr i32, ptr %from, i64 %back
  %v = load i32, ptr %last
  %second = getelementptr [32 x i32], ptr %out, i64 1, i64 %wide
  store i32 %v, ptr %second
  %few = icmp ult i32 %tid, 8
  br i1 %few, label %vector, label %end
vector:
  %at = getelementptr <4 x i32>, ptr %in, i64 %wide
  %four = load <4 x i32>, ptr %at, align 16
  %turned = shufflevector <4 x i32> %four, <4 x i32> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %number = add i32 %tid, 100
  %changed = insertelement <4 x i32> %turned, i32 %number, i32 3
  %to = getelementptr <4 x i32>, ptr %out, i64 %wide
  store <4 x i32> %changed, ptr %to, align 16
  br label %end
end:
  ret void
}

%pair = type { i8, i32, [2 x i16] }
@table = addrspace(4) constant [4 x i32] [i32 10, i32 20, i32 30, i32 40]
@tables = addrspace(1) constant [2 x ptr] [ptr addrspacecast (ptr addrspace(4) @table to ptr), ptr addrspacecast (ptr addrspace(4) getelementptr (i8, ptr addrspace(4) @table, i64 8) to ptr)]
@counter = addrspace(1) global i32 5
@tile = internal addrspace(3) global [32 x i32] poison, align 4

; SPACES: argument 0:
; SPACES-NEXT: 1 2 3 4 5 6 7 8
; SPACES: 25 26 27 28 29 30 31 32
; SPACES-NEXT: 43 64 65 86 47 68 69 90
; SPACES: 40 40 40 40 40 40 40 40
define void @spaces(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext i32 %tid to i64
  ; to shared memory and back, by its own and by a generic address
  %mine = getelementptr [32 x i32], ptr addrspace(3) @tile, i64 0, i64 %wide
  %next = add i32 %tid, 1
  store i32 %next, ptr addrspace(3) %mine
  %generic = addrspacecast ptr addrspace(3) %mine to ptr
  %shared = load i32, ptr %generic
  %again = addrspacecast ptr %generic to ptr addrspace(3)
  %same = load i32, ptr addrspace(3) %again
  %agree = icmp eq i32 %shared, %same
  %first = getelementptr i32, ptr %out, i64 %wide
  %ok = select i1 %agree, i32 %shared, i32 -1
  store i32 %ok, ptr %first
  ; a structure of its own: members at 0, 4, 8
  %local = alloca %pair
  %low = trunc i32 %tid to i8
  %s0 = insertvalue %pair poison, i8 %low, 0
  %s1 = insertvalue %pair %s0, i32 33, 1
  %s2 = insertvalue %pair %s1, i16 1, 2, 0
  %odd = and i32 %tid, 1
  %ten = mul i32 %odd, 20
  %narrow = trunc i32 %ten to i16
  %s3 = insertvalue %pair %s2, i16 %narrow, 2, 1
  store %pair %s3, ptr %local
  %p0 = load i8, ptr %local
  %p1at = getelementptr %pair, ptr %local, i64 0, i32 1
  %p1 = load i32, ptr %p1at
  %loaded = load %pair, ptr %local
  %p2 = extractvalue %pair %loaded, 2, 1
  %wide0 = zext i8 %p0 to i32
  %wide2 = zext i16 %p2 to i32
  ; and of the constants, through a table of pointers
  %four = and i64 %wide, 3
  %which = lshr i64 %four, 1
  %tableat = getelementptr [2 x ptr], ptr addrspace(1) @tables, i64 0, i64 %which
  %chosen = load ptr, ptr addrspace(1) %tableat
  %ten1 = load i32, ptr %chosen
  %sum1 = add i32 %wide0, %p1
  %sum2 = add i32 %sum1, %wide2
  %sum3 = add i32 %sum2, %ten1
  %second = getelementptr i32, ptr %first, i64 32
  store i32 %sum3, ptr %second
  ; every thread adds one to a variable of the module that begins with 5; then 40 is three more
  %old = atomicrmw add ptr addrspace(1) @counter, i32 1 seq_cst
  %now = load i32, ptr addrspace(1) @counter
  %more = add i32 %now, 3
  %third = getelementptr i32, ptr %first, i64 64
  store i32 %more, ptr %third
  ret void
}

; ATOMICS: argument 0:
; ATOMICS-NEXT: 496 -496 31 -31 -1 31 1 0
; ATOMICS-NEXT: 2 1 31 5 0 0 0 0
define void @atomics(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %negative = sub i32 0, %tid
  %p1 = getelementptr i32, ptr %out, i64 1
  %p2 = getelementptr i32, ptr %out, i64 2
  %p3 = getelementptr i32, ptr %out, i64 3
  %p4 = getelementptr i32, ptr %out, i64 4
  %p5 = getelementptr i32, ptr %out, i64 5
  %p6 = getelementptr i32, ptr %out, i64 6
  %p7 = getelementptr i32, ptr %out, i64 7
  %p8 = getelementptr i32, ptr %out, i64 8
  %p9 = getelementptr i32, ptr %out, i64 9
  %p10 = getelementptr i32, ptr %out, i64 10
  %p11 = getelementptr i32, ptr %out, i64 11
  %a0 = atomicrmw add ptr %out, i32 %tid seq_cst
  %a1 = atomicrmw sub ptr %p1, i32 %tid seq_cst
  %a2 = atomicrmw max ptr %p2, i32 %tid seq_cst
  %a3 = atomicrmw min ptr %p3, i32 %negative seq_cst
  %a4 = atomicrmw umax ptr %p4, i32 %negative seq_cst
  %a5 = atomicrmw or ptr %p5, i32 %tid seq_cst
  ; the lowest lane comes first: it alone finds 0
  %c = cmpxchg ptr %p6, i32 0, i32 1 seq_cst seq_cst
  %won = extractvalue { i32, i1 } %c, 1
  %winner = select i1 %won, i32 %tid, i32 0
  %a7 = atomicrmw add ptr %p7, i32 %winner seq_cst
  ; 32 turns of a counter from 0 to 9 end at 2
  %a8 = atomicrmw uinc_wrap ptr %p8, i32 9 seq_cst
  %a9 = atomicrmw xor ptr %p9, i32 1 seq_cst
  %a9b = atomicrmw xor ptr %p9, i32 3 seq_cst
  %a9c = atomicrmw nand ptr %p9, i32 -2 seq_cst
  %a9d = atomicrmw and ptr %p9, i32 1 seq_cst
  %a10 = atomicrmw xchg ptr %p10, i32 %tid seq_cst
  %a11 = atomicrmw udec_wrap ptr %p11, i32 36 seq_cst
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; BLOCKS: argument 0:
; BLOCKS-NEXT: 0 1 2 3 4 5 6 7
; BLOCKS-NEXT: 8 9 10 11 12 13 14 15
; BLOCKS-NEXT: 0 1 2 3 4 5 6 7
; BLOCKS-NEXT: 24 25 26 27 28 29 30 31
; BLOCKS-NEXT: 33 34 35 36 37 38 39 39
; BLOCKS-NEXT: 40 41 42 43 44 45 46 47
; BLOCKS-NEXT: 9 9 9 9 9 9 9 9
; BLOCKS-NEXT: 9 57 58 59 60 61 62 63
define void @blocks(ptr %out) {
  %local = alloca [16 x i8]
  call void @llvm.memcpy.p0.p0.i64(ptr %local, ptr %out, i64 16, i1 false)
  %p16 = getelementptr i8, ptr %out, i64 16
  call void @llvm.memcpy.p0.p0.i64(ptr %p16, ptr %local, i64 8, i1 false)
  %p32 = getelementptr i8, ptr %out, i64 32
  %p33 = getelementptr i8, ptr %out, i64 33
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %tid, 0
  br i1 %first, label %one, label %all
one:
  call void @llvm.memmove.p0.p0.i64(ptr %p32, ptr %p33, i64 7, i1 false)
  br label %all
all:
  %p48 = getelementptr i8, ptr %out, i64 48
  call void @llvm.memset.p0.i64(ptr %p48, i8 9, i64 9, i1 false)
  ret void
}

%quad = type { i32, i32, i32, i32 }
; Each thread has a copy of its own, and may write to it.
; VALUE: argument 1:
; VALUE-NEXT: 9 10
define void @by_value(ptr byval(%quad) %value, ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %second = getelementptr %quad, ptr %value, i64 0, i32 1
  %third = getelementptr %quad, ptr %value, i64 0, i32 2
  %old = load i32, ptr %value
  %new = add i32 %old, %tid
  store i32 %new, ptr %value
  %a = load i32, ptr %value
  %b = load i32, ptr %second
  %c = load i32, ptr %third
  %ab = add i32 %a, %b
  %abc = add i32 %ab, %c
  %less = sub i32 %abc, 2
  %wide = zext i32 %tid to i64
  %at = getelementptr i32, ptr %out, i64 %wide
  store i32 %less, ptr %at
  ret void
}
