; REQUIRES: ptxas
; RUN: %opt %load -passes='linearize<paper>,verify<linearized>' -S %s -o %t.ll
; RUN: %llc -mcpu=sm_20 -O3 %t.ll -o %t.ptx
; RUN: %FileCheck %s < %t.ptx
; RUN: %python %S/Inputs/every_target.py %ptxas %t.ptx
;
; PTX for sm_20, as the paper had it, assembled for whatever this ptxas still takes.
;
; CHECK: .target sm_20

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @ring(ptr addrspace(1) %p, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %tid
  %v = load i32, ptr addrspace(1) %a
  %odd = trunc i32 %v to i1
  br i1 %odd, label %x, label %y
x:
  %vx = phi i32 [ %v, %entry ], [ %y2, %y ]
  %x2 = mul i32 %vx, 3
  %c = icmp slt i32 %x2, %n
  br i1 %c, label %y, label %out
y:
  %vy = phi i32 [ %v, %entry ], [ %x2, %x ]
  %y2 = add i32 %vy, 5
  %d = icmp sgt i32 %y2, %n
  br i1 %d, label %x, label %out
out:
  %r = phi i32 [ %x2, %x ], [ %y2, %y ]
  store i32 %r, ptr addrspace(1) %a
  ret void
}
