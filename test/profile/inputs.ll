; What decides how often threads enter blocks, and whether that can be told from it. A thread goes around
; a loop length[tid] times, and enters a block if its table[kind[tid]] is odd: the length and the kind are
; inputs, what the table holds isn't, for its address is loaded. Nor is what only the result needs.
;
; RUN: %split-file %s %t
; RUN: %simt %t/main.ll --launch %t/launch --inputs %t/inputs --counts %t/counts > %t/out
; RUN: %FileCheck %s --input-file %t/inputs
; CHECK: thread,input,line,value
; CHECK-NEXT: 0,0,0,3
; CHECK-NEXT: 0,1,0,-2
; CHECK-NEXT: 0,2,0,0.5
; CHECK-NEXT: 1,0,0,1
; CHECK-NEXT: 1,1,0,5
; CHECK-NEXT: 1,2,0,0.5
; CHECK-NEXT: 2,0,0,4
; CHECK: 127,2,0,0.5
; CHECK-NOT: {{.}}
;
; The loop is told exactly, what the table decides isn't.
; REQUIRES: lapacke
; RUN: %profile --counts %t/counts --inputs %t/inputs | %FileCheck %s --check-prefix TOLD
; TOLD: told by the thread's number and 3 inputs, learned in thread block 0
; TOLD-NEXT: error block source
; TOLD-DAG: 0.0% entry {{$}}
; TOLD-DAG: 0.0% loop {{$}}
; TOLD-DAG: % odd needs an inspector
; TOLD-DAG: 0.0% end {{$}}
;
; RUN: head -c 40 %t/inputs > %t/cut
; RUN: %not %profile --counts %t/counts --inputs %t/cut 2>&1 | %FileCheck %s --check-prefix CUT
; CUT: linearize-profile: {{.*}}cut:3: {{no 'thread,input,line,value'|the file is cut off in this line}}
; RUN: %not %profile --counts %t/counts --inputs %t/counts 2>&1 | %FileCheck %s --check-prefix FOREIGN
; FOREIGN: linearize-profile: {{.*}}counts:1: no inputs: linearize-simt --inputs writes them
; RUN: %not %profile --counts %S/Inputs/walk.counts --inputs %t/inputs 2>&1 | %FileCheck %s --check-prefix OTHER
; OTHER: linearize-profile: {{.*}}inputs:{{[0-9]+}}: thread 64: the launch has 64: it is another one
; RUN: head -n 100 %t/inputs > %t/few
; RUN: %not %profile --counts %S/Inputs/walk.counts --inputs %t/few 2>&1 | %FileCheck %s --check-prefix ONE
; ONE: linearize-profile: {{.*}}few: there is one thread block, and no other to be told

;--- launch
--kernel walk --grid 4 --block 32
--buffer table=u32:16:random:seed=3
--arg buf:i32:values=3,1,4,1,5,9,2,6,5,3,5,8,9,7,9,3,2,3,8,4,6,2,6,4,3,3,8,3,2,7,9,5,1,2,8,8,4,1,9,7,1,6,9,3,9,9,3,7,5,1,1,5,8,2,1,9,7,4,9,4,4,5,9,2,3,1,7,8,1,6,4,1,6,2,8,6,2,1,8,9,9,8,6,2,8,1,3,4,8,2,5,3,4,2,1,1,7,1,6,7,9,8,2,1,4,8,1,8,6,5,1,3,2,8,2,3,1,6,6,4,7,1,9,3,8,4,4,6
--arg buf:i16:values=-2,5,1,4,0,3,7,2,6,5,1,4,0,3,7,2,6,5,1,4,0,3,7,2,6,5,1,4,0,3,7,2,6,5,1,4,0,3,7,2,6,5,1,4,0,3,7,2,6,5,1,4,0,3,7,2,6,5,1,4,0,3,7,2,6,5,1,4,0,3,7,2,6,5,1,4,0,3,7,2,6,5,1,4,0,3,7,2,6,5,1,4,0,3,7,2,6,5,1,4,0,3,7,2,6,5,1,4,0,3,7,2,6,5,1,4,0,3,7,2,6,5,1,4,0,3,7,2
--arg ptr:table+32
--arg buf:f32:values=0.5
--arg buf:u32:128

;--- main.ll
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

define ptx_kernel void @walk(ptr %length, ptr %kind, ptr %table, ptr %limit, ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = shl i32 %b, 5
  %tid = add i32 %first, %t
  %length.at = getelementptr i32, ptr %length, i32 %tid
  %turns = load i32, ptr %length.at
  %kind.at = getelementptr i16, ptr %kind, i32 %tid
  %k = load i16, ptr %kind.at
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %turns
  br i1 %more, label %loop, label %look
look:
  %index = sext i16 %k to i64
  %table.at = getelementptr i32, ptr %table, i64 %index
  %entry.of = load i32, ptr %table.at
  %low = and i32 %entry.of, 1
  %is.odd = icmp eq i32 %low, 1
  %big = icmp sgt i16 %k, 100
  %l = load float, ptr %limit
  %none = fcmp olt float %l, 0.0
  %any = or i1 %is.odd, %none
  %or = or i1 %any, %big
  br i1 %or, label %odd, label %end
odd:
  br label %end
end:
  %result = phi i32 [ 0, %look ], [ %i, %odd ]
  %last.at = getelementptr i32, ptr %out, i32 %tid
  store i32 %result, ptr %last.at
  ret void
}
