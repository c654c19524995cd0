; With a profile that says how often warps enter blocks, it decides which loops are merged. Each thread goes around
; the outer loop 16 times, and each time around the inner one
;   lucky     as often as a number by chance says: another thread is the slowest each time, which a quarter of
;             the instructions would be gained by
;   apart     the same, 32 times, but 2 to the power of that number: more than half is gained
;   equal     as often as the outer loop has gone around: all threads the same; without a profile it is merged
;
; RUN: %split-file %s %t
; DEFINE: %{kernel} =
; DEFINE: %{merge} = %simt --launch %t/%{kernel} %t/counting.ll --counters %t/counts > %t/ignored && %opt %load \
; DEFINE:   -passes='linearize-merge-loops<profile=%t/counts>,verify' -pass-remarks=linearize \
; DEFINE:   -pass-remarks-analysis=linearize -S %t/main.ll -o %t/after.ll
;
; RUN: %opt %load -passes=linearize-count-passes -S %t/main.ll -o %t/counting.ll
; REDEFINE: %{kernel} = lucky
; RUN: %{merge} 2>&1 | %FileCheck %s --check-prefix LUCKY
; LUCKY: function 'lucky', block 'inner': not merged with the loop around it: it gains too little; about 25% fewer instructions
; RUN: sed 's/\(.\)trips = lshr i32 .s.5, 26/\1power = lshr i32 \1s.5, 29\n\1trips = shl i32 1, \1power/' %t/main.ll > %t/apart.ll
; RUN: %opt %load -passes=linearize-count-passes -S %t/apart.ll -o %t/apart-counting.ll
; RUN: %simt --launch %t/apart %t/apart-counting.ll --counters %t/apart-counts > %t/ignored
; RUN: %opt %load -passes='linearize-merge-loops<profile=%t/apart-counts>,verify' -pass-remarks=linearize -S %t/apart.ll -o %t/after.ll 2>&1 | %FileCheck %s --check-prefix APART
; APART: function 'lucky', block '{{.*}}': merged this loop with the one around it
; RUN: %python %source/test/simt/Inputs/saved.py %simt %t/apart %t/apart.ll %t/after.ll 0.2 0.6
; Threads that have as many iterations as each other could stand side by side as well; but that takes rounds.
; RUN: %opt %load -passes='linearize-regroup<profile=%t/counts>' -pass-remarks=linearize -disable-output %t/main.ll 2>&1 | %FileCheck %s --check-prefix PLACE
; PLACE: function 'lucky', block 'outer': threads are to be regrouped here, by how often they will go around the loop at block 'inner'
; PLACE: function 'lucky', block 'outer': threads are regrouped here by 5 bits
; RUN: %opt %load -passes='linearize-regroup<profile=%t/apart-counts;merge-loops>' -pass-remarks=linearize -pass-remarks-missed=linearize -disable-output %t/apart.ll 2>&1 | %FileCheck %s --check-prefix BOTH --implicit-check-not 'are regrouped'
; BOTH: function 'lucky', block 'outer': threads aren't regrouped here, which would pay, {{.*}}; loops that are merged save as much, and cost no rounds
; REDEFINE: %{kernel} = equal
; RUN: %{merge} 2>&1 | %FileCheck %s --check-prefix EQUAL
; EQUAL: function 'equal', block 'inner': not merged with the loop around it: it gains too little
; RUN: %python %source/test/simt/Inputs/saved.py %simt %t/equal %t/main.ll %t/after.ll 1 1
;
; RUN: %opt %load -passes=linearize-merge-loops -pass-remarks=linearize -disable-output %t/main.ll 2>&1 | %FileCheck %s --check-prefix GUESS
; GUESS: function 'lucky', block '{{.*}}': merged this loop
; GUESS: function 'equal', block '{{.*}}': merged this loop

;--- lucky
--kernel lucky --grid 8 --block 128 --arg u32:16 --arg buf:i32:1024

;--- apart
--kernel lucky --grid 8 --block 128 --arg u32:32 --arg buf:i32:1024

;--- equal
--kernel equal --grid 8 --block 128 --arg u32:16 --arg buf:i32:1024

;--- main.ll
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

define ptx_kernel void @lucky(i32 %n, ptr addrspace(1) %data) "target-cpu"="sm_90" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = shl i32 %block, 7
  %index = add i32 %first, %tid
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %seed = phi i32 [ %index, %entry ], [ %x.next, %latch ]
  %s.5 = mul i32 %seed, -1640531535
  %trips = lshr i32 %s.5, 26
  br label %inner

inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %x = phi i32 [ %s.5, %outer ], [ %x.next, %inner ]
  %x.1 = or i32 %x, 1
  %x.2 = udiv i32 -1, %x.1
  %x.3 = xor i32 %x.2, %j
  %x.4 = or i32 %x.3, 1
  %x.5 = udiv i32 -1, %x.4
  %x.7 = xor i32 %x.5, %j
  %x.8 = or i32 %x.7, 1
  %x.9 = udiv i32 -1, %x.8
  %y.1 = or i32 %x.9, 3
  %y.2 = udiv i32 -1, %y.1
  %y.3 = xor i32 %y.2, %x.7
  %y.4 = or i32 %y.3, 1
  %y.5 = udiv i32 -1, %y.4
  %y.6 = xor i32 %y.5, %x.5
  %y.7 = or i32 %y.6, 1
  %y.8 = udiv i32 -5, %y.7
  %x.6 = mul i32 %y.8, 1664525
  %x.next = add i32 %x.6, %x
  %j.next = add nuw i32 %j, 1
  %more = icmp ult i32 %j, %trips
  br i1 %more, label %inner, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %outer, label %end

end:
  %a = getelementptr i32, ptr addrspace(1) %data, i32 %index
  store i32 %x.next, ptr addrspace(1) %a
  ret void
}

define ptx_kernel void @equal(i32 %n, ptr addrspace(1) %data) "target-cpu"="sm_90" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = shl i32 %block, 7
  %index = add i32 %first, %tid
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %seed = phi i32 [ %index, %entry ], [ %x.next, %latch ]
  %zero = icmp eq i32 %seed, -1
  %one = zext i1 %zero to i32
  %trips = add i32 %i, %one
  br label %inner

inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %x = phi i32 [ %seed, %outer ], [ %x.next, %inner ]
  %x.1 = or i32 %x, 1
  %x.2 = udiv i32 -1, %x.1
  %x.3 = xor i32 %x.2, %j
  %x.4 = or i32 %x.3, 1
  %x.5 = udiv i32 -1, %x.4
  %x.7 = xor i32 %x.5, %j
  %x.8 = or i32 %x.7, 1
  %x.9 = udiv i32 -1, %x.8
  %y.1 = or i32 %x.9, 3
  %y.2 = udiv i32 -1, %y.1
  %y.3 = xor i32 %y.2, %x.7
  %y.4 = or i32 %y.3, 1
  %y.5 = udiv i32 -1, %y.4
  %y.6 = xor i32 %y.5, %x.5
  %y.7 = or i32 %y.6, 1
  %y.8 = udiv i32 -5, %y.7
  %x.6 = mul i32 %y.8, 1664525
  %x.next = add i32 %x.6, %x
  %j.next = add nuw i32 %j, 1
  %more = icmp ult i32 %j, %trips
  br i1 %more, label %inner, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %outer, label %end

end:
  %a = getelementptr i32, ptr addrspace(1) %data, i32 %index
  store i32 %x.next, ptr addrspace(1) %a
  ret void
}
