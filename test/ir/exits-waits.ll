; A way out of a loop isn't freed from its flag where threads would then wait at fewer places. Those
; of @chains wait for each other at 'hit', in the loop; if 'hit' led out of it, it would be run for
; each way into it. In lock step threads wait where all meet, whatever leads there.
;
; RUN: %opt %load -passes=linearize -pass-remarks=linearize -pass-remarks-analysis=linearize -S %s -o %t.ll 2> %t.remarks
; RUN: %FileCheck %s < %t.ll
; RUN: %FileCheck %s --check-prefix=REMARKS --implicit-check-not=rerouted < %t.remarks
; REMARKS: function 'lock_step', block 'test': rerouted 1 exit of a loop past the flag that is tested here, where threads waited for each other in every iteration

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define {{.*}} @chains
; CHECK: test:
; CHECK-NEXT: phi i1 [ false, %hit ], [ %more, %far ]
define ptx_kernel void @chains(ptr %cells, ptr %out, i32 %n) "target-cpu"="sm_90" {
begin:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %chain

chain:
  %i = phi i32 [ %tid, %begin ], [ %i.next, %on ]
  br label %cell

cell:
  %at = phi i32 [ %i, %chain ], [ %at.next, %test ]
  %p = getelementptr i32, ptr %cells, i32 %at
  %at.next = load i32, ptr %p
  %close = icmp ult i32 %at.next, 16
  br i1 %close, label %hit, label %far

far:
  %odd = trunc i32 %at.next to i1
  %more = icmp ult i32 %at.next, %n
  br i1 %odd, label %hit, label %test

hit:
  %to = getelementptr i32, ptr %out, i32 %i
  store i32 %at, ptr %to
  br label %test

test:
  %again = phi i1 [ false, %hit ], [ %more, %far ]
  br i1 %again, label %cell, label %on

on:
  %i.next = add i32 %i, 32
  %last = icmp uge i32 %i.next, %n
  br i1 %last, label %end, label %chain

end:
  ret void
}

define ptx_kernel void @lock_step(ptr %cells, ptr %out, i32 %n) "target-cpu"="sm_60" {
begin:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %chain

chain:
  %i = phi i32 [ %tid, %begin ], [ %i.next, %on ]
  br label %cell

cell:
  %at = phi i32 [ %i, %chain ], [ %at.next, %test ]
  %p = getelementptr i32, ptr %cells, i32 %at
  %at.next = load i32, ptr %p
  %close = icmp ult i32 %at.next, 16
  br i1 %close, label %hit, label %far

far:
  %odd = trunc i32 %at.next to i1
  %more = icmp ult i32 %at.next, %n
  br i1 %odd, label %hit, label %test

hit:
  %to = getelementptr i32, ptr %out, i32 %i
  store i32 %at, ptr %to
  br label %test

test:
  %again = phi i1 [ false, %hit ], [ %more, %far ]
  br i1 %again, label %cell, label %on

on:
  %i.next = add i32 %i, 32
  %last = icmp uge i32 %i.next, %n
  br i1 %last, label %end, label %chain

end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
