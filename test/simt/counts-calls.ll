; Functions that kernels call are counted with them, by the simulator and by the kernels themselves: the
; same bytes. One calls itself, one ends its thread, one is called by several others. Who doesn't count
; calls them as they are, and so do calls by pointer, which are left out.
;
; RUN: %opt %load -passes=linearize-count,verify -S %s -o %t.ll
; RUN: %simt %s --kernel calls --grid 2 --block 32 --arg buf:u32:32:random --counts %t.1 > %t.out
; RUN: %simt %t.ll --kernel calls --grid 2 --block 32 --arg buf:u32:32:random --counters %t.2 > %t.out
; RUN: sed '/^# passes/,+2d' %t.1 | diff - %t.2
; RUN: %FileCheck %s < %t.1
; RUN: %simt %s --kernel ends --grid 2 --block 32 --arg buf:u32:32:random --counts %t.1 > %t.out
; RUN: %simt %t.ll --kernel ends --grid 2 --block 32 --arg buf:u32:32:random --counters %t.2 > %t.out
; RUN: sed '/^# passes/,+2d' %t.1 | diff - %t.2
; RUN: %FileCheck %s --check-prefix ENDS < %t.1
; RUN: %simt %s --kernel calls --block 32 --arg buf:u32:32:random --compare %t.ll > %t.out
; RUN: %FileCheck %s --check-prefix CODE --implicit-check-not=maxnreg < %t.ll
;
; CHECK: calls,deep,40
; CHECK: sum,entry,163
; CHECK: twice,entry,227
; CHECK: # blocks 9
;
; ENDS: ends,after,48
; ENDS-NEXT: leave,entry,64
; ENDS-NEXT: leave,exits,16
;
; What is read on no stack may be written on one: nothing is a tail call, and nothing only computes.
; CODE-LABEL: define ptx_kernel void @calls(
; CODE: %sum = call i32 @sum.counted(i32 %low, ptr addrspace(5) %{{.*}}){{$}}
; CODE-LABEL: define i32 @twice(
; CODE-NOT: volatile
; CODE-LABEL: define i32 @from_outside(
; CODE: call i32 @sum(i32 %n)
; CODE-LABEL: define ptx_kernel void @by_pointer(
; CODE: %pointer = select i1 %some, ptr @twice, ptr @sum
; CODE: call i32 %pointer(i32 1)
; CODE-LABEL: define internal i32 @sum.counted(i32 %n, ptr addrspace(5) %0) #[[#MADE:]]
; CODE: call i32 @sum.counted(i32 %less, ptr addrspace(5) %0)
; CODE: call i32 @twice.counted(i32 %rest, ptr addrspace(5) %0)
; CODE: attributes #[[#MADE]] = { noinline "target-cpu"="sm_90" }

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @calls(ptr %data) #0 {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %data, i32 %x
  %seed = load i32, ptr %at
  %bit = and i32 %seed, 3
  %some = icmp eq i32 %bit, 0
  br i1 %some, label %out, label %deep
deep:
  %low = and i32 %seed, 15
  %sum = tail call i32 @sum(i32 %low) #1
  %twice = call i32 @twice(i32 %sum)
  store i32 %twice, ptr %at
  br label %out
out:
  %other = call i32 @twice(i32 %seed)
  ret void
}

define i32 @twice(i32 %n) #2 {
entry:
  %odd = trunc i32 %n to i1
  br i1 %odd, label %a, label %b
a:
  %r = shl i32 %n, 1
  ret i32 %r
b:
  ret i32 %n
}

define linkonce_odr hidden i32 @sum(i32 %n) #2 {
entry:
  %done = icmp eq i32 %n, 0
  br i1 %done, label %end, label %more
more:
  %less = lshr i32 %n, 1
  %rest = tail call i32 @sum(i32 %less)
  %two = call i32 @twice(i32 %rest)
  %all = add i32 %two, %n
  ret i32 %all
end:
  ret i32 0
}

define i32 @from_outside(i32 %n) {
  %sum = call i32 @sum(i32 %n)
  ret i32 %sum
}

define ptx_kernel void @by_pointer(ptr %data) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %some = icmp eq i32 %x, 0
  %pointer = select i1 %some, ptr @twice, ptr @sum
  %result = call i32 %pointer(i32 1)
  store i32 %result, ptr %data
  ret void
}

define ptx_kernel void @ends(ptr %data) #0 {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  call void @leave(i32 %x)
  br label %after
after:
  %five = call i32 @twice(i32 5)
  ret void
}

define internal void @leave(i32 %x) #0 {
entry:
  %early = icmp ult i32 %x, 8
  br i1 %early, label %exits, label %goes
exits:
  call void asm sideeffect "exit;", ""()
  unreachable
goes:
  ret void
}

attributes #0 = { "target-cpu"="sm_90" }
attributes #1 = { memory(none) }
attributes #2 = { noinline memory(none) "target-cpu"="sm_90" }
