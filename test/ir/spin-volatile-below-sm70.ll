; RUN: %opt %load -passes='linearize<paper>,verify<linearized>' -S %s -o %t.after
; RUN: %simt %t.after --kernel flag --arg buf:u32:1 --arg buf:u32:1:random:seed=5 --limit 100000
; RUN: sed '/first,/s/\(label .\)spin, \(label .\)work/\1work, \2spin/' %s > %t.work-first
; RUN: %opt -S %t.work-first -o %t.before
; RUN: %opt %load -passes='linearize<paper>' -pass-remarks-missed=linearize -S %t.work-first -o %t.left 2>&1 | %FileCheck %s
; RUN: diff %t.before %t.left
; RUN: sed 's/load volatile/load/' %t.work-first | %opt %load -passes='linearize<paper>' -S -o %t.plain
; RUN: sed 's/load volatile/load/' %t.work-first | %opt -S -o %t.plain.before
; RUN: %not diff -q %t.plain.before %t.plain
;
; As spin-below-sm70.ll, but what spins is a volatile read and what lets it go an ordinary store. As
; the loop around both is entered first at what spins, every turn passes both: linearized it ends. Entered first at what
; releases, it has a loop in it that spins alone, and stays as it is. A read that isn't volatile can't
; wait for anybody: then the region is linearized.
;
; CHECK: flag

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @flag(ptr addrspace(1) %flag, ptr addrspace(1) %p) "target-cpu"="sm_60" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = trunc i32 %tid to i1
  br i1 %first, label %spin, label %work
spin:
  %set = load volatile i32, ptr addrspace(1) %flag
  %wait = icmp eq i32 %set, 0
  br i1 %wait, label %spin, label %work
work:
  store i32 1, ptr addrspace(1) %flag
  %v = load i32, ptr addrspace(1) %p
  %again = icmp slt i32 %v, %tid
  br i1 %again, label %spin, label %more
more:
  %m = icmp eq i32 %v, %tid
  br i1 %m, label %work, label %out
out:
  ret void
}
