; A copy of an entry makes a loop one that threads may leave by themselves. One run does both, and
; leaves nothing for a second.
;
; RUN: %opt %load -passes='linearize,verify' -pass-remarks=linearize -pass-remarks-analysis=linearize -pass-remarks-missed=linearize -S %s -o %t.ll 2> %t.remarks
; RUN: %FileCheck %s < %t.remarks
; RUN: %opt %load -passes='linearize,verify' -pass-remarks=linearize -S %t.ll -o %t.again.ll 2> %t.again
; RUN: %count 0 < %t.again
; RUN: sed '1d;s/; preds.*//' %t.ll > %t.first
; RUN: sed '1d;s/; preds.*//' %t.again.ll | diff %t.first -
;
; CHECK: function 'copied', block 'a': copied this entry of an irreducible loop
; CHECK: function 'copied', block 'test': rerouted 1 exit of a loop past the flag
target triple = "nvptx64-nvidia-cuda"

declare void @keep(i32) nosync

define void @copied(ptr addrspace(1) %out, i1 %way, i32 %n) {
entry:
  br i1 %way, label %one, label %two
one:
  %few = icmp slt i32 %n, 3
  br i1 %few, label %two, label %loop
two:
  %one.or.two = phi i32 [ 2, %entry ], [ 3, %one ]
  store i32 %one.or.two, ptr addrspace(1) %out
  br label %loop
loop:
  br i1 %way, label %a, label %b
a:
  %i = phi i32 [ %n, %loop ], [ %t2, %back ]
  %v = add i32 %i, 1
  br label %b
b:
  %j = phi i32 [ 1, %loop ], [ %v, %a ]
  %s = mul i32 %j, %j
  %t = mul i32 %s, %j
  %t1 = mul i32 %t, %s
  %t2 = mul i32 %t1, %t
  %leaves = icmp sgt i32 %t2, 1000
  br i1 %leaves, label %test, label %on
on:
  call void @keep(i32 %t2)
  br label %test
test:
  %stays = phi i1 [ false, %b ], [ true, %on ]
  br i1 %stays, label %back, label %end
back:
  call void @keep(i32 %t1)
  br label %a
end:
  store i32 %t2, ptr addrspace(1) %out
  ret void
}
