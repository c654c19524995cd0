; RUN: %opt -S %s -o %t.before
; RUN: %opt %load -passes='linearize<paper>' -pass-remarks-missed=linearize -S %s -o %t.paper 2>&1 | %FileCheck %s
; RUN: diff %t.before %t.paper
; RUN: %opt %load -passes='linearize<all>' -S %s -o %t.all
; RUN: diff %t.before %t.all
; RUN: %opt %load -passes='linearize<needed>' -S %s -o %t.needed
; RUN: diff %t.before %t.needed
;
; Convergence control tokens in a region: convergence.loop has to stay in its cycle's header.
;
; CHECK: remark:
; CHECK-SAME: herd
; CHECK-SAME: {{loop|entry|join}}
; CHECK-SAME: converge

target triple = "nvptx64-nvidia-cuda"

declare token @llvm.experimental.convergence.entry() convergent
declare token @llvm.experimental.convergence.loop() convergent
declare void @together() convergent

define void @herd(ptr %p, i1 %c, i1 %d) convergent {
entry:
  %t = call token @llvm.experimental.convergence.entry()
  br label %loop
loop:
  %l = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %t) ]
  br i1 %c, label %a, label %join
a:
  store volatile i32 1, ptr %p
  br i1 %d, label %join, label %out
join:
  call void @together() [ "convergencectrl"(token %l) ]
  %v = load volatile i32, ptr %p
  %more = icmp eq i32 %v, 0
  br i1 %more, label %loop, label %b
b:
  store volatile i32 2, ptr %p
  br label %out
out:
  ret void
}
