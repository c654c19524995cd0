; What a module gets that counts: for each kernel a variable, at first without slots, and a text; each
; counter is a register, increased where no block has to be added; and the only new blocks are those
; that write. Functions are left alone, and a module that counts already is.
;
; RUN: %opt %load -passes=linearize-count,verify -S %s -o %t.ll
; RUN: %FileCheck %s --implicit-check-not='alloca i32' < %t.ll
; RUN: %opt %load -passes=linearize-count -S %t.ll | sed '/ModuleID/d; s/ *; preds.*//' > %t.again.ll
; RUN: sed '/ModuleID/d; s/ *; preds.*//' %t.ll | diff - %t.again.ll
;
; In a pipeline by an option; then nothing is linearized, unless a mode is given.
; RUN: %opt %load -O1 -linearize-count -S %s | %FileCheck %s --check-prefix PIPELINE
; RUN: %opt %load -O1 -S %s | %FileCheck %s --check-prefix OFF
; PIPELINE: @__linearize_counts_kernel = addrspace(1)
; OFF-NOT: __linearize
;
; Only of a GPU's module.
; RUN: sed 's/^target triple.*//' %s | %opt %load -passes=linearize-count -S | %FileCheck %s --check-prefix OFF
;
; CHECK: @__linearize_counts_kernel = addrspace(1) externally_initialized global { i64, i32, i32 } { i64 0, i32 0, i32 1 }
; CHECK: @__linearize_blocks_kernel = addrspace(1) constant {{.*}} c"linearize blocks 1\0A{{[0-9a-f]+}}\0A3 1\0A4 kernel\0A
; CHECK: @__linearize_counts_of_template = weak addrspace(1)
; CHECK-LABEL: define ptx_kernel void @kernel(
; CHECK: entry:
; CHECK-NOT: add
; CHECK: loop:
; CHECK: phi
; CHECK: br i1 %again, label %loop, label %join
; CHECK: join:
; CHECK: getelementptr {{.*}} @__linearize_counts_kernel
; CHECK: udiv
; CHECK: br i1
; CHECK: store i32
; CHECK: store i32
; CHECK: store i32
; CHECK-NOT: store i32
; CHECK: ret void
; CHECK-LABEL: define void @function(
; CHECK-NEXT: br i1 %c, label %a, label %b

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @kernel(ptr %p, i1 %c) {
entry:
  br i1 %c, label %loop, label %other
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = sub i32 %i, 1
  store volatile i32 %next, ptr %p
  %again = icmp ult i32 %next, 8
  br i1 %again, label %loop, label %join
other:
  store volatile i64 1, ptr %p
  br label %join
join:
  ret void
}

define linkonce_odr ptx_kernel void @of_template() {
  ret void
}

define void @function(i1 %c) {
  br i1 %c, label %a, label %b
a:
  ret void
b:
  ret void
}
