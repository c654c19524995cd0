; Inline assembly: names of its own, carries, moves that take words apart, special registers, memory,
; operations on bytes, predicates; and what isn't known is an error.
; RUN: %simt %s --kernel arithmetic --block 4 --arg buf:u32:4:values=7,4294967295,2147483648,12345 \
; RUN:   --arg buf:u32:44:none --print 1 | %FileCheck %s
; RUN: %simt %s --kernel memory --block 2 --arg buf:u32:8:values=1,2,3,4,5,6,7,200 --arg buf:u32:12:none \
; RUN:   --print 1 | %FileCheck %s --check-prefix MEMORY
; RUN: %simt %s --kernel halves --block 1 --arg buf:u32:8:none --print 0 | %FileCheck %s --check-prefix HALVES
; RUN: %simt %s --kernel sums --arg buf:u32:64:none --print 0 | %FileCheck %s --check-prefix SUMS
; RUN: %not %simt %s --kernel branches 2>&1 | %FileCheck %s --check-prefix BRANCHES
; RUN: %not %simt %s --kernel unknown 2>&1 | %FileCheck %s --check-prefix UNKNOWN
; RUN: %not %simt %s --kernel unset 2>&1 | %FileCheck %s --check-prefix UNSET
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; Of x and y = x * 3 + 1: the high word of x * x + 2^32 - 1, by a carry; the sum of both as 64 bits, each half; the
; lane; bytes in another order; x & ~y | 5; x + y, tied to its result; saturated sums of bytes;
; distances of halves, summed; a field; the larger one, by a predicate.
; CHECK: argument 1:
; CHECK-NEXT: 1 4294967295 1073741824 1 29 4294967293 1 49381
; CHECK-NEXT: 0 1 1 0 0 1 2 3
; CHECK-NEXT: 117440512 4294967295 128 959447040 5 5 5 8213
; CHECK-NEXT: 29 4294967293 1 49381 29 4294967295 4278190081 49381
; CHECK-NEXT: 16 2 2 24692 0 4294967295 0 3
; CHECK-NEXT: 22 4294967295 2147483649 37036
define void @arithmetic(ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %in, i32 %t
  %x = load i32, ptr %at
  %y3 = mul i32 %x, 3
  %y = add i32 %y3, 1
  %high = call { i32, i32 } asm "{\0A\09mad.lo.cc.u32 $0, $2, $3, $4;\0A\09madc.hi.u32 $1, $2, $3, 0;\0A\09}", "=r,=r,r,r,r"(i32 %x, i32 %x, i32 -1)
  %h = extractvalue { i32, i32 } %high, 1
  %sum = call { i32, i32 } asm "{ .reg .u64 a, b; // words\0A mov.b64 a, {$2, 0}; mov.b64 b, {$3, 0};\0A add.u64 a, a, b; mov.b64 {$0, $1}, a; }", "=r,=r,r,r"(i32 %x, i32 %y)
  %s0 = extractvalue { i32, i32 } %sum, 0
  %s1 = extractvalue { i32, i32 } %sum, 1
  %lane = call i32 asm sideeffect "mov.u32 $0, %laneid;", "=r"()
  %bytes = call i32 asm "prmt.b32 $0, $1, $1, 0x0123;", "=r,r"(i32 %x)
  %logic = call i32 asm "lop3.b32 $0, $1, $2, 5, 0xba; /* (a & ~b) | c */", "=r,r,r"(i32 %x, i32 %y)
  %tied = call i32 asm "add.s32 $0, $0, $1;", "=r,r,0"(i32 %y, i32 %x)
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %h, ptr %o
  %o1 = getelementptr i32, ptr %o, i32 4
  store i32 %s0, ptr %o1
  %o2 = getelementptr i32, ptr %o, i32 8
  store i32 %s1, ptr %o2
  %o3 = getelementptr i32, ptr %o, i32 12
  store i32 %lane, ptr %o3
  %o4 = getelementptr i32, ptr %o, i32 16
  store i32 %bytes, ptr %o4
  %o5 = getelementptr i32, ptr %o, i32 20
  store i32 %logic, ptr %o5
  %o6 = getelementptr i32, ptr %o, i32 24
  store i32 %tied, ptr %o6
  %video = call i32 asm "vadd4.u32.u32.u32.sat $0, $1, $2, $3;", "=r,r,r,r"(i32 %x, i32 %y, i32 0)
  %o7 = getelementptr i32, ptr %o, i32 28
  store i32 %video, ptr %o7
  %far = call i32 asm "vabsdiff2.u32.u32.u32.add $0, $1, $2, $3;", "=r,r,r,r"(i32 %x, i32 %y, i32 1)
  %o8 = getelementptr i32, ptr %o, i32 32
  store i32 %far, ptr %o8
  %field = call i32 asm "bfe.s32 $0, $1, 4, 8;", "=r,r"(i32 %x)
  %o9 = getelementptr i32, ptr %o, i32 36
  store i32 %field, ptr %o9
  %larger = call i32 asm "{ .reg .pred p; setp.gt.s32 p, $1, $2; selp.b32 $0, $1, $2, p; }", "=r,r,r"(i32 %x, i32 %y)
  %o10 = getelementptr i32, ptr %o, i32 40
  store i32 %larger, ptr %o10
  ret void
}

; Threads 0 and 1: a vector of two words, a byte with its sign, and a word behind an address.
; MEMORY: argument 1:
; MEMORY-NEXT: 1 2 3 4 4294967240 4294967240 2 4
define void @memory(ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr <2 x i32>, ptr %in, i32 %t
  %two = call { i32, i32 } asm sideeffect "ld.global.cg.v2.u32 {$0, $1}, [$2];", "=r,=r,l,~{memory}"(ptr %at)
  %a = extractvalue { i32, i32 } %two, 0
  %b = extractvalue { i32, i32 } %two, 1
  %to = getelementptr <2 x i32>, ptr %out, i32 %t
  call void asm sideeffect "st.global.v2.u32 [$0], {$1, $2};", "l,r,r,~{memory}"(ptr %to, i32 %a, i32 %b)
  %byte = call i32 asm "ld.global.nc.s8 $0, [$1+28];", "=r,l"(ptr %in)
  %o = getelementptr i32, ptr %out, i32 %t
  call void asm sideeffect "st.volatile.global.u32 [$0+16], $1;", "l,r,~{memory}"(ptr %o, i32 %byte)
  call void asm sideeffect "st.u32 [$0+24], $1; membar.gl;", "l,r,~{memory}"(ptr %o, i32 %b)
  ret void
}

; (1, 2) and (0.5, -3): product, fused with the first, the lesser; 2 > -3; of floats 1.5 and 7 a pair; as
; bfloats, 1 + 2; 3 as a float; the square root of 2, rounded up, less the one rounded down.
; HALVES: argument 0:
; HALVES-NEXT: 3321903104 3288350208 3254794240 1 1191198208 16448 1077936128 1
define void @halves(ptr %out) {
  %m = call i32 asm "{mul.f16x2 $0,$1,$2;\0A}", "=r,r,r"(i32 1073757184, i32 3254794240)
  store i32 %m, ptr %out
  %f = call i32 asm "{fma.rn.f16x2 $0,$1,$2,$1;\0A}", "=r,r,r"(i32 1073757184, i32 3254794240)
  %o1 = getelementptr i32, ptr %out, i32 1
  store i32 %f, ptr %o1
  %l = call i32 asm "min.f16x2 $0, $1, $2;", "=r,r,r"(i32 1073757184, i32 3254794240)
  %o2 = getelementptr i32, ptr %out, i32 2
  store i32 %l, ptr %o2
  %g = call i16 asm "{ .reg .pred p; setp.gt.f16 p, $1, $2; selp.u16 $0, 1, 0, p; }", "=h,h,h"(i16 16384, i16 49664)
  %g32 = zext i16 %g to i32
  %o3 = getelementptr i32, ptr %out, i32 3
  store i32 %g32, ptr %o3
  %p = call i32 asm "{ cvt.rn.f16x2.f32 $0, $2, $1; }", "=r,f,f"(float 1.500000e+00, float 7.000000e+00)
  %o4 = getelementptr i32, ptr %out, i32 4
  store i32 %p, ptr %o4
  %b = call i16 asm "add.bf16 $0, $1, $2;", "=h,h,h"(i16 16256, i16 16384)
  %b32 = zext i16 %b to i32
  %o5 = getelementptr i32, ptr %out, i32 5
  store i32 %b32, ptr %o5
  %w = call float asm "{ cvt.f32.f16 $0, $1;}\0A", "=f,h"(i16 16896)
  %o6 = getelementptr i32, ptr %out, i32 6
  store float %w, ptr %o6
  %up = call i32 asm "{ .reg .f32 r; sqrt.rp.f32 r, 0f40000000; mov.b32 $0, r; }", "=r"()
  %down = call i32 asm "{ .reg .f32 r; sqrt.rm.f32 r, 0f40000000; mov.b32 $0, r; }", "=r"()
  %gap = sub i32 %up, %down
  %o7 = getelementptr i32, ptr %out, i32 7
  store i32 %gap, ptr %o7
  ret void
}

; As in CUB: each lane's sum with all before it, by shuffles that say whether there was one; and who has
; an odd one.
; SUMS: argument 0:
; SUMS-NEXT: 0 1 3 6 10 15 21 28
; SUMS-NEXT: 36 45 55 66 78 91 105 120
; SUMS-NEXT: 136 153 171 190 210 231 253 276
; SUMS-NEXT: 300 325 351 378 406 435 465 496
; SUMS-NEXT: 1717986918 1717986918
define void @sums(ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %by = phi i32 [ 1, %entry ], [ %more, %loop ]
  %sum = phi i32 [ %t, %entry ], [ %next, %loop ]
  %next = call i32 asm sideeffect "{  .reg .u32 r0;  .reg .pred p;  shfl.sync.up.b32 r0|p, $1, $2, $3, $5;  @p add.u32 r0, r0, $4;  mov.u32 $0, r0;}", "=r,r,r,r,r,r"(i32 %sum, i32 %by, i32 0, i32 %sum, i32 -1)
  %more = shl i32 %by, 1
  %again = icmp ult i32 %more, 32
  br i1 %again, label %loop, label %end
end:
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %next, ptr %o
  %odd = call i32 asm sideeffect "{ .reg .pred p; .reg .u32 b; and.b32 b, $1, 1; setp.ne.u32 p, b, 0; vote.sync.ballot.b32 $0, p, 0xffffffff; @!p mov.u32 b, 7; }", "=r,r"(i32 %next)
  %o1 = getelementptr i32, ptr %o, i32 32
  store i32 %odd, ptr %o1
  ret void
}

; BRANCHES: kernel branches, block (0,0,0), thread (0,0,0): function branches, block %0: inline assembly that the simulator doesn't know: call void asm sideeffect "{ loop: bra loop; }"
define void @branches() {
  call void asm sideeffect "{ loop: bra loop; }", ""()
  ret void
}

; UNKNOWN: inline assembly that the simulator doesn't know: %v = call i32 asm "add.what.u32
define void @unknown() {
  %v = call i32 asm "add.what.u32 $0, 1, 2;", "=r"()
  ret void
}

; UNSET: inline assembly that the simulator doesn't know
define void @unset() {
  %v = call i32 asm "add.u32 $0, missing, 2;", "=r"()
  ret void
}
