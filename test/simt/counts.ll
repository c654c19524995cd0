; The file of counts, by what the simulator counts and by what kernels count themselves: the same
; bytes, but for passes of warps, which these kernels don't count.
; Early returns, switches whose cases share blocks, a loop with two entries, a thread that ends by
; `exit`, more counters than registers are given, 128 threads in a thread block of two dimensions.
;
; RUN: %opt %load -passes=linearize-count,verify -S %s -o %t.ll
; RUN: %simt %s --kernel ways --grid 2 --block 16,8 --arg buf:u32:256:random --counts %t.1 > %t.out
; RUN: %simt %t.ll --kernel ways --grid 2 --block 16,8 --arg buf:u32:256:random --counters %t.2 > %t.out
; RUN: sed '/^# passes/,+2d' %t.1 | diff - %t.2
; RUN: %FileCheck %s < %t.1
; RUN: %simt %s --kernel ends --grid 2 --block 32 --counts %t.1 > %t.out
; RUN: %simt %t.ll --kernel ends --grid 2 --block 32 --counters %t.2 > %t.out
; RUN: sed '/^# passes/,+2d' %t.1 | diff - %t.2
; RUN: %FileCheck %s --check-prefix ENDS < %t.1
; RUN: %simt %s --kernel many --block 64 --arg buf:u32:64:random --counts %t.1 > %t.out
; RUN: %simt %t.ll --kernel many --block 64 --arg buf:u32:64:random --counters %t.2 > %t.out
; RUN: sed '/^# passes/,+2d' %t.1 | diff - %t.2
; RUN: %FileCheck %s --check-prefix LOCAL < %t.ll
; RUN: %simt %s --kernel defaults --block 64 --arg buf:u32:64:random --counts %t.1 > %t.out
; RUN: %simt %t.ll --kernel defaults --block 64 --arg buf:u32:64:random --counters %t.2 > %t.out
; RUN: sed '/^# passes/,+2d' %t.1 | diff - %t.2
;
; RUN: %simt %t.ll --kernel ends --grid 2 --block 32 --counters %t.2 --print counters > %t.out
; RUN: %FileCheck %s --check-prefix BUFFER < %t.out
; BUFFER: counters:
; BUFFER-NEXT: {{^ 1 1 1 1 1 1 1 1$}}
;
; Without a buffer nothing is written, and results are those of the program.
; RUN: %simt %s --kernel ways --grid 2 --block 16,8 --arg buf:u32:256:random --compare %t.ll > %t.out
;
; What has no counters says so.
; RUN: %not %simt %s --kernel ends --counters %t.1 2>&1 | %FileCheck %s --check-prefix NONE
; NONE: kernel ends has no counters: compile it with -mllvm -linearize-count
;
; It is a profile.
; RUN: %opt %load -passes='linearize<profile=%t.2>' -disable-output %s
;
; CHECK: # linearize counts 2
; CHECK-NEXT: function,block,thread_entries
; CHECK-NEXT: ways,entry,256
; CHECK: # launch ways
; CHECK: # grid 2 1 1
; CHECK-NEXT: # block 16 8 1
; CHECK: # blocks 9
; CHECK-NEXT: # ways,entry,{{[0-9]+}},,{{$}}
; CHECK-NEXT: # ways,leave,{{[0-9]+}},,0
; CHECK-NEXT: # ways,loop,{{[0-9]+}},,0
; CHECK-NEXT: # ways,shared,{{[0-9]+}},,2
; CHECK-NEXT: # ways,first,{{[0-9]+}},,2
; CHECK-NEXT: # ways,second,{{[0-9]+}},,4
; CHECK: # end
;
; ENDS: ends,entry,64
; ENDS-NEXT: ends,exits,16
; ENDS-NEXT: ends,goes,48
; ENDS: # 0:1 1:1
; ENDS-NEXT: # 0:1 2:1
; ENDS-NEXT: # threads 4
; ENDS-NEXT: # 8*0 24*1 8*0 24*1
;
; Counters that are increased less are in local memory, where there are more than 24.
; LOCAL: define ptx_kernel void @ways
; LOCAL-NOT: addrspace(5)
; LOCAL: define ptx_kernel void @many
; LOCAL: store volatile i32 0, ptr addrspace(5)
;
; A kernel that can be launched in thread blocks of 1024 still can; the source's own bounds stay.
; LOCAL: {{"nvvm.maxnreg"="64"|"maxnreg", i32 64}}
; RUN: sed 's/"target-cpu"="sm_90"/& "nvvm.minctasm"="2"/' %s | %opt %load -passes=linearize-count -S | %FileCheck %s --check-prefix BOUNDS
; RUN: sed 's/"target-cpu"="sm_90"/& "nvvm.maxntid"="256"/' %s | %opt %load -passes=linearize-count -S | %FileCheck %s --check-prefix BOUNDS
; RUN: sed 's/"target-cpu"="sm_90"/& "nvvm.maxnreg"="16"/' %s | %opt %load -passes=linearize-count -S | %FileCheck %s --check-prefix NARROW
; BOUNDS: attributes #{{.*}} = { "nvvm.{{minctasm|maxntid}}"="{{2|256}}" "target-cpu"="sm_90" }
; NARROW: attributes #{{.*}} = { "nvvm.maxnreg"="16" "target-cpu"="sm_90" }

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

define ptx_kernel void @ways(ptr %data) #0 {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %row = shl i32 %y, 4
  %in = or i32 %row, %x
  %block = shl i32 %b, 7
  %number = or i32 %block, %in
  %at = getelementptr i32, ptr %data, i32 %number
  %seed = load i32, ptr %at
  %early = icmp eq i32 %x, 3
  br i1 %early, label %leave, label %loop
leave:
  ret void
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %v = phi i32 [ %seed, %entry ], [ %mixed, %latch ]
  %way = and i32 %v, 7
  switch i32 %way, label %other [
    i32 0, label %shared
    i32 1, label %shared
    i32 2, label %latch
    i32 3, label %first
    i32 4, label %second
  ]
shared:
  %w = xor i32 %v, 13
  br label %latch
first:
  %n1 = phi i32 [ 0, %loop ], [ %m, %second ]
  %odd = icmp ugt i32 %n1, 2
  br i1 %odd, label %latch, label %second
second:
  %n2 = phi i32 [ 0, %loop ], [ %n1, %first ]
  %m = add i32 %n2, 1
  br label %first
other:
  %stop = icmp eq i32 %way, 7
  br i1 %stop, label %out, label %latch
latch:
  %back = phi i32 [ %v, %loop ], [ %w, %shared ], [ %v, %first ], [ %v, %other ]
  %product = mul i32 %back, 747796405
  %sum = add i32 %product, 1013904223
  %mixed = lshr i32 %sum, 3
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, 12
  br i1 %again, label %loop, label %out
out:
  %result = phi i32 [ %v, %other ], [ %mixed, %latch ]
  store i32 %result, ptr %at
  ret void
}

define ptx_kernel void @ends() #0 {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %early = icmp ult i32 %x, 8
  br i1 %early, label %exits, label %goes
exits:
  call void asm sideeffect "exit;", ""()
  unreachable
goes:
  ret void
}

; Two switches whose ways to their defaults go around: one of these has to be counted.
define ptx_kernel void @defaults(ptr %data) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %data, i32 %x
  %seed = load i32, ptr %at
  %side = and i32 %x, 1
  %is = icmp eq i32 %side, 0
  br i1 %is, label %first, label %second
first:
  %v1 = phi i32 [ %seed, %entry ], [ %s2, %second ]
  %w1 = and i32 %v1, 15
  %s1 = lshr i32 %v1, 2
  switch i32 %w1, label %second [
    i32 0, label %out
    i32 3, label %out
    i32 7, label %other
  ]
second:
  %v2 = phi i32 [ %seed, %entry ], [ %s1, %first ]
  %w2 = and i32 %v2, 15
  %s2 = lshr i32 %v2, 2
  switch i32 %w2, label %first [
    i32 0, label %out
    i32 5, label %out
    i32 9, label %other
  ]
other:
  store i32 1, ptr %at
  br label %out
out:
  ret void
}

; A chain of 16 hammocks with two counters each.
define ptx_kernel void @many(ptr %data) #0 {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %data, i32 %x
  %v = load i32, ptr %at
  br label %a0
a0:
  %s0 = lshr i32 %v, 0
  %w0 = and i32 %s0, 3
  switch i32 %w0, label %a1 [
    i32 0, label %b0
    i32 1, label %c0
  ]
b0:
  store volatile i32 0, ptr %at
  br label %a1
c0:
  store volatile i32 50, ptr %at
  br label %a1
a1:
  %s1 = lshr i32 %v, 1
  %w1 = and i32 %s1, 3
  switch i32 %w1, label %a2 [
    i32 0, label %b1
    i32 1, label %c1
  ]
b1:
  store volatile i32 1, ptr %at
  br label %a2
c1:
  store volatile i32 51, ptr %at
  br label %a2
a2:
  %s2 = lshr i32 %v, 2
  %w2 = and i32 %s2, 3
  switch i32 %w2, label %a3 [
    i32 0, label %b2
    i32 1, label %c2
  ]
b2:
  store volatile i32 2, ptr %at
  br label %a3
c2:
  store volatile i32 52, ptr %at
  br label %a3
a3:
  %s3 = lshr i32 %v, 3
  %w3 = and i32 %s3, 3
  switch i32 %w3, label %a4 [
    i32 0, label %b3
    i32 1, label %c3
  ]
b3:
  store volatile i32 3, ptr %at
  br label %a4
c3:
  store volatile i32 53, ptr %at
  br label %a4
a4:
  %s4 = lshr i32 %v, 4
  %w4 = and i32 %s4, 3
  switch i32 %w4, label %a5 [
    i32 0, label %b4
    i32 1, label %c4
  ]
b4:
  store volatile i32 4, ptr %at
  br label %a5
c4:
  store volatile i32 54, ptr %at
  br label %a5
a5:
  %s5 = lshr i32 %v, 5
  %w5 = and i32 %s5, 3
  switch i32 %w5, label %a6 [
    i32 0, label %b5
    i32 1, label %c5
  ]
b5:
  store volatile i32 5, ptr %at
  br label %a6
c5:
  store volatile i32 55, ptr %at
  br label %a6
a6:
  %s6 = lshr i32 %v, 6
  %w6 = and i32 %s6, 3
  switch i32 %w6, label %a7 [
    i32 0, label %b6
    i32 1, label %c6
  ]
b6:
  store volatile i32 6, ptr %at
  br label %a7
c6:
  store volatile i32 56, ptr %at
  br label %a7
a7:
  %s7 = lshr i32 %v, 7
  %w7 = and i32 %s7, 3
  switch i32 %w7, label %a8 [
    i32 0, label %b7
    i32 1, label %c7
  ]
b7:
  store volatile i32 7, ptr %at
  br label %a8
c7:
  store volatile i32 57, ptr %at
  br label %a8
a8:
  %s8 = lshr i32 %v, 8
  %w8 = and i32 %s8, 3
  switch i32 %w8, label %a9 [
    i32 0, label %b8
    i32 1, label %c8
  ]
b8:
  store volatile i32 8, ptr %at
  br label %a9
c8:
  store volatile i32 58, ptr %at
  br label %a9
a9:
  %s9 = lshr i32 %v, 9
  %w9 = and i32 %s9, 3
  switch i32 %w9, label %a10 [
    i32 0, label %b9
    i32 1, label %c9
  ]
b9:
  store volatile i32 9, ptr %at
  br label %a10
c9:
  store volatile i32 59, ptr %at
  br label %a10
a10:
  %s10 = lshr i32 %v, 10
  %w10 = and i32 %s10, 3
  switch i32 %w10, label %a11 [
    i32 0, label %b10
    i32 1, label %c10
  ]
b10:
  store volatile i32 10, ptr %at
  br label %a11
c10:
  store volatile i32 60, ptr %at
  br label %a11
a11:
  %s11 = lshr i32 %v, 11
  %w11 = and i32 %s11, 3
  switch i32 %w11, label %a12 [
    i32 0, label %b11
    i32 1, label %c11
  ]
b11:
  store volatile i32 11, ptr %at
  br label %a12
c11:
  store volatile i32 61, ptr %at
  br label %a12
a12:
  %s12 = lshr i32 %v, 12
  %w12 = and i32 %s12, 3
  switch i32 %w12, label %a13 [
    i32 0, label %b12
    i32 1, label %c12
  ]
b12:
  store volatile i32 12, ptr %at
  br label %a13
c12:
  store volatile i32 62, ptr %at
  br label %a13
a13:
  %s13 = lshr i32 %v, 13
  %w13 = and i32 %s13, 3
  switch i32 %w13, label %a14 [
    i32 0, label %b13
    i32 1, label %c13
  ]
b13:
  store volatile i32 13, ptr %at
  br label %a14
c13:
  store volatile i32 63, ptr %at
  br label %a14
a14:
  %s14 = lshr i32 %v, 14
  %w14 = and i32 %s14, 3
  switch i32 %w14, label %a15 [
    i32 0, label %b14
    i32 1, label %c14
  ]
b14:
  store volatile i32 14, ptr %at
  br label %a15
c14:
  store volatile i32 64, ptr %at
  br label %a15
a15:
  %s15 = lshr i32 %v, 15
  %w15 = and i32 %s15, 3
  switch i32 %w15, label %a16 [
    i32 0, label %b15
    i32 1, label %c15
  ]
b15:
  store volatile i32 15, ptr %at
  br label %a16
c15:
  store volatile i32 65, ptr %at
  br label %a16
a16:
  ret void
}

attributes #0 = { "target-cpu"="sm_90" }
