; RUN: %opt %load -passes='linearize<paper>,verify<linearized>' -S %s -o %t.after
; RUN: %simt %t.after --kernel locks --arg buf:u32:1 --arg buf:u32:1:random:seed=5 --limit 100000
; RUN: sed '/first,/s/\(label .\)spin, \(label .\)work/\1work, \2spin/' %s > %t.ll
; RUN: %opt -S %t.ll -o %t.before
; RUN: %opt %load -passes='linearize<paper>' -pass-remarks-missed=linearize -S %t.ll -o %t.left 2>&1 | %FileCheck %s
; RUN: diff %t.before %t.left
;
; A lock: a loop spins on an atomic while another block of the region releases it. Entered first at
; what spins, every turn of the loop around both passes both: linearized it ends. Entered first at what
; releases, it has a loop in it that spins alone, and on sm_60 the region stays as it is. It is
; irreducible too, so what is left behind is worth a warning, not only a remark.
;
; CHECK: warning:
; CHECK-SAME: locks

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @locks(ptr addrspace(1) %lock, ptr addrspace(1) %p) "target-cpu"="sm_60" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = trunc i32 %tid to i1
  br i1 %first, label %spin, label %work
spin:
  %old = atomicrmw xchg ptr addrspace(1) %lock, i32 1 seq_cst
  %busy = icmp ne i32 %old, 0
  br i1 %busy, label %spin, label %work
work:
  %v = load volatile i32, ptr addrspace(1) %p
  %again = icmp slt i32 %v, %tid
  store volatile i32 %v, ptr addrspace(1) %p
  %u = atomicrmw xchg ptr addrspace(1) %lock, i32 0 seq_cst
  br i1 %again, label %spin, label %more
more:
  %m = icmp eq i32 %u, %tid
  br i1 %m, label %work, label %out
out:
  ret void
}
