; Arms that may not be melded: others notice how they run. Each is left as it is, and a remark says why.
;
; REQUIRES: newest-llvm
; RUN: %opt %load -passes='linearize<none;meld;regardless>,verify' -pass-remarks-missed=linearize -S %s -o %t.ll 2> %t.remarks
; RUN: %FileCheck %s < %t.remarks --implicit-check-not='melded:'
; RUN: %opt -S %s | diff - %t.ll
;
; CHECK: function 'barrier', block 'entry': arms of this branch do much the same, but aren't melded: the code at block 'a' waits for other threads
; CHECK: function 'shuffle', block 'entry': arms of this branch do much the same, but aren't melded: the code at block 'b' waits for other threads
; CHECK: function 'vote', block 'entry': arms of this branch do much the same, but aren't melded: the code at block 'a' hangs on which threads run together
; CHECK: function 'volatile', block 'entry': arms of this branch do much the same, but aren't melded: the code at block 'b' may wait for what other threads change
; CHECK: function 'foreign', block 'entry': arms of this branch do much the same, but aren't melded: the code at block 'a' calls code that isn't here
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"

define ptx_kernel void @barrier(ptr %p, ptr %q) {
entry:
  %k = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bit = trunc i32 %k to i1
  br i1 %bit, label %a, label %b
a:
  %da = udiv i32 7, %k
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %ea = udiv i32 %da, %k
  br label %j
b:
  %db = udiv i32 9, %k
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %eb = udiv i32 %db, %k
  br label %j
j:
  %g = phi i32 [ %ea, %a ], [ %eb, %b ]
  store i32 %g, ptr %p
  ret void
}

define ptx_kernel void @shuffle(ptr %p, ptr %q) {
entry:
  %k = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bit = trunc i32 %k to i1
  br i1 %bit, label %a, label %b
a:
  %da = udiv i32 7, %k
  %ea = udiv i32 %da, %k
  br label %j
b:
  %db = udiv i32 9, %k
  %s = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %db, i32 0, i32 31)
  %eb = udiv i32 %db, %k
  br label %j
j:
  %g = phi i32 [ %ea, %a ], [ %eb, %b ]
  store i32 %g, ptr %p
  ret void
}

define ptx_kernel void @vote(ptr %p, ptr %q) {
entry:
  %k = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bit = trunc i32 %k to i1
  br i1 %bit, label %a, label %b
a:
  %da = udiv i32 7, %k
  %m = call i32 @llvm.nvvm.activemask()
  %ea = udiv i32 %da, %k
  br label %j
b:
  %db = udiv i32 9, %k
  %eb = udiv i32 %db, %k
  br label %j
j:
  %g = phi i32 [ %ea, %a ], [ %eb, %b ]
  store i32 %g, ptr %p
  ret void
}

define ptx_kernel void @volatile(ptr %p, ptr %q) {
entry:
  %k = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bit = trunc i32 %k to i1
  br i1 %bit, label %a, label %b
a:
  %da = udiv i32 7, %k
  %ea = udiv i32 %da, %k
  br label %j
b:
  %db = udiv i32 9, %k
  %v = load volatile i32, ptr %q
  %waits = icmp eq i32 %v, 0
  %eb = udiv i32 %db, %k
  br i1 %waits, label %b, label %j
j:
  %g = phi i32 [ %ea, %a ], [ %eb, %b ]
  store i32 %g, ptr %p
  ret void
}

define ptx_kernel void @foreign(ptr %p, ptr %q) {
entry:
  %k = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bit = trunc i32 %k to i1
  br i1 %bit, label %a, label %b
a:
  %da = udiv i32 7, %k
  call void @elsewhere()
  %ea = udiv i32 %da, %k
  br label %j
b:
  %db = udiv i32 9, %k
  call void @elsewhere()
  %eb = udiv i32 %db, %k
  br label %j
j:
  %g = phi i32 [ %ea, %a ], [ %eb, %b ]
  store i32 %g, ptr %p
  ret void
}

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.activemask()
declare void @elsewhere()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
