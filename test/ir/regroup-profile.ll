; With a profile that says how often warps enter blocks, it decides where threads are regrouped; with another
; one, nothing is.
;
; RUN: %split-file %s %t
; DEFINE: %{profile} =
; DEFINE: %{regroup} = %opt %load -passes='linearize-regroup<profile=%{profile}>,verify' -pass-remarks=linearize -pass-remarks-missed=linearize -S %t/main.ll -o %t/after.ll
;
; RUN: %opt %load -passes=linearize-count-passes -S %t/main.ll -o %t/counting.ll
; RUN: %simt --launch %t/launch --arg buf:i32:1024:random %t/counting.ll --counters %t/differ > %t/ignored
; REDEFINE: %{profile} = %t/differ
; RUN: %{regroup} 2>&1 | %FileCheck %s --check-prefix DIFFER --implicit-check-not=guesses
; DIFFER: function 'arms', block 'entry': threads are to be regrouped here, by what they will do at block 'entry': warps execute about {{3.}}% less, and {{.}}% more to regroup (for sm_90)
; DIFFER: function 'arms', block 'entry': threads are regrouped here by 1 bit
;
; The result is the same, and what was promised is kept: 64 to 75% is left.
; RUN: %python %source/test/simt/Inputs/saved.py %simt %t/launch-random %t/main.ll %t/after.ll 0.64 0.75
;
; Where all threads do the same, nothing; guesses would.
; RUN: %simt --launch %t/launch --arg buf:i32:1024 --allow-unwritten %t/counting.ll --counters %t/same > %t/ignored
; REDEFINE: %{profile} = %t/same
; RUN: %{regroup} 2>&1 | %count 0
; RUN: %opt %load -passes=linearize-regroup -pass-remarks=linearize -disable-output %t/main.ll 2>&1 | %FileCheck %s --check-prefix GUESS
; GUESS: function 'arms', block 'entry': threads are to be regrouped here, {{.*}}, if guesses are right
;
; Of the index alone: that costs no round (lib/permute), or is a bound.
; RUN: sed 's/%c = icmp slt i32 %v, 0/%odd = and i32 %index, 1\n%c = icmp eq i32 %odd, 0/' %t/main.ll > %t/odd.ll
; RUN: %opt %load -passes=linearize-count-passes -S %t/odd.ll -o %t/odd-counting.ll
; RUN: %simt --launch %t/launch-random %t/odd-counting.ll --counters %t/odd > %t/ignored
; RUN: %opt %load -passes='linearize-regroup<profile=%t/odd>' -pass-remarks=linearize -disable-output %t/odd.ll 2>&1 | %count 0
;
; Profiles that don't say it:
; RUN: %opt %load -passes=linearize-count -S %t/main.ll -o %t/threads.ll
; RUN: %simt --launch %t/launch --arg buf:i32:1024:random %t/threads.ll --counters %t/no-passes > %t/ignored
; REDEFINE: %{profile} = %t/no-passes
; RUN: %{regroup} 2>&1 | %FileCheck %s --check-prefix PASSES
; PASSES: function 'arms': the profile doesn't say whether to regroup threads: it doesn't say how often warps enter blocks: count with -linearize-count-passes
; RUN: %simt --launch %t/launch --arg buf:i32:1024:random %t/main.ll --csv --blocks > %t/blocks
; REDEFINE: %{profile} = %t/blocks
; RUN: %{regroup} 2>&1 | %FileCheck %s --check-prefix BLOCKS
; BLOCKS: function 'arms': the profile doesn't say whether to regroup threads: it is no file of counts: count with -linearize-count-passes
; RUN: sed 's/arms/legs/g' %t/differ > %t/unknown
; REDEFINE: %{profile} = %t/unknown
; RUN: %{regroup} 2>&1 | %FileCheck %s --check-prefix UNKNOWN
; UNKNOWN: function 'arms': the profile doesn't say whether to regroup threads: it doesn't know the kernel
; RUN: sed 's/,left,/,luft,/; s/,"left",/,"luft",/; s/ left/ luft/g' %t/differ > %t/other
; REDEFINE: %{profile} = %t/other
; RUN: %{regroup} 2>&1 | %FileCheck %s --check-prefix OTHER
; OTHER: function 'arms': the profile doesn't say whether to regroup threads: it is of other code

;--- launch
--kernel arms --grid 8 --block 128 --arg u32:100

;--- launch-random
--kernel arms --grid 8 --block 128 --arg u32:100 --arg buf:i32:1024:random

;--- main.ll
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

define ptx_kernel void @arms(i32 %n, ptr addrspace(1) %data) "target-cpu"="sm_90" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = shl i32 %block, 7
  %index = add i32 %first, %tid
  %a = getelementptr i32, ptr addrspace(1) %data, i32 %index
  %v = load i32, ptr addrspace(1) %a
  %c = icmp slt i32 %v, 0
  br i1 %c, label %left, label %right

left:
  %i = phi i32 [ 1, %entry ], [ %i.next, %left ]
  %x = phi i32 [ %v, %entry ], [ %x.4, %left ]
  %x.1 = udiv i32 %x, %i
  %x.2 = xor i32 %x.1, %v
  %x.3 = udiv i32 %x.2, %i
  %x.4 = add i32 %x.3, %i
  %i.next = add nuw i32 %i, 1
  %i.more = icmp ult i32 %i, %n
  br i1 %i.more, label %left, label %join, !prof !0

right:
  %j = phi i32 [ 1, %entry ], [ %j.next, %right ]
  %y = phi i32 [ %v, %entry ], [ %y.4, %right ]
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
  ret void
}

!0 = !{!"branch_weights", i32 99, i32 1}
