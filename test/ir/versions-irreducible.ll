; Irreducible loops in which threads part are made reducible in the plain kernel, too: what ptxas compiles wrong
; would differ in what it computes. All else of it stays.
;
; RUN: %opt %load -passes='linearize<irreducible>' -S %s -o %t.mended.ll
; RUN: %opt %load -passes='linearize-versions<needed:paper:merge-loops>,verify' -S %s -o %t.ll
; RUN: %python %S/Inputs/same_functions.py %t.mended.ll %t.ll loop
; RUN: %opt -S %s -o %t.before.ll
; RUN: %not %python %S/Inputs/same_functions.py %t.before.ll %t.ll loop
;
; And so it is where the plain one is the fastest, or one of several, though the mode says none.
; RUN: %python %S/Inputs/tuned.py %t.ll loop=plain > %t.linearize
; RUN: %opt %load -passes='linearize-tuned<%t.linearize;none>,verify' -S %s -o %t.tuned.ll
; RUN: %python %S/Inputs/same_functions.py %t.mended.ll %t.tuned.ll loop
; RUN: %python %S/Inputs/tuned.py %t.ll loop=plain,paper > %t.both.linearize
; RUN: %opt %load -passes='linearize-tuned<%t.both.linearize;none>,verify' -S %s -o %t.both.ll
; RUN: %python %S/Inputs/same_functions.py %t.mended.ll %t.both.ll loop
; RUN: %FileCheck %s < %t.ll
; RUN: %FileCheck %s < %t.both.ll
; CHECK: paper\09loop__linearize_paper\0A

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @loop(ptr addrspace(1) %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = trunc i32 %t to i1
  br i1 %c, label %a, label %b
a:
  %i = phi i32 [ 0, %entry ], [ %v, %b ]
  %j = mul i32 %i, 3
  %w = add i32 %j, 5
  store volatile i32 %j, ptr addrspace(1) %out
  br label %b
b:
  %v = phi i32 [ %n, %entry ], [ %w, %a ]
  store volatile i32 %v, ptr addrspace(1) %out
  %d = icmp ult i32 %v, %t
  br i1 %d, label %a, label %join
join:
  br i1 %c, label %x, label %z
x:
  %e = icmp ult i32 %t, 9
  store volatile i32 1, ptr addrspace(1) %out
  br i1 %e, label %z, label %end
z:
  store volatile i32 2, ptr addrspace(1) %out
  br label %end
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
