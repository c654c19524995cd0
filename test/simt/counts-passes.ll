; Kernels that count how often warps enter their blocks: as often as the simulator has them do so.
;
; Of each of two warps lanes 0 to 7 come to `c` from `a`, lanes 8 to 15 from `b`, and the others not at all.
; Model ipdom brings them together in `end`, so `c` is entered twice, where once would do. Lanes go around
; `loop` once or twice.
;
;     entry ─▶ b ─▶ loop ⟲ ─▶ end         2 entries; a, b 2, c 4, loop 4, end 2
;        │     │               ▲          at most once for each time that the warp enters the kernel:
;        ▼     ▼               │          c 2
;        a ──▶ c ──────────────┘
;
; RUN: %opt %load -passes=linearize-count-passes,verify -S %s -o %t.ll
; RUN: %simt %t.ll --model ipdom --block 64 --counters %t.counts > %t.out
; RUN: %FileCheck %s < %t.counts
; RUN: %simt %s --model ipdom --block 64 --counts %t.own > %t.out
; RUN: diff %t.own %t.counts
; RUN: %simt %s --model ipdom --block 64 --csv --blocks | cut -d, -f4,9 > %t.csv
; RUN: %FileCheck %s --check-prefix CSV < %t.csv
; RUN: %build/bin/linearize-profile --counts %t.counts --rows 1 | %FileCheck %s --check-prefix PROFILE
; CHECK: # passes
; CHECK-NEXT: # 0:2 1:2 2:2 3:4 4:4 5:2
; CHECK-NEXT: # 0:2 1:2 2:2 3:2 4:4 5:2
; CHECK-NEXT: # end
; CSV: entry,2
; CSV-NEXT: a,2
; CSV-NEXT: b,2
; CSV-NEXT: c,4
; CSV-NEXT: loop,4
; CSV-NEXT: end,2
; PROFILE: by divergence {{[0-9.]+}}% of it{{$}}
; PROFILE: regrouping in thread blocks {{.*}} before what regrouping takes
;
; Which lanes these are, of the second warp:
; RUN: %simt %s --model ipdom --block 64 --lanes %t.lanes --warp 1 > %t.out
; RUN: %FileCheck %s --check-prefix LANES < %t.lanes
; LANES: lanes,function,block
; LANES-NEXT: ffffffff,kernel,entry
; LANES-DAG: 000000ff,kernel,a
; LANES-DAG: ffffff00,kernel,b
; LANES-DAG: 0000ff00,kernel,c
; LANES-DAG: ffff0000,kernel,loop
; LANES-DAG: ff000000,kernel,loop
; LANES: ffffffff,kernel,end
; LANES-NOT: kernel
; RUN: %not %simt %s --block 64 --lanes %t.lanes --warp 2 2>&1 | %FileCheck %s --check-prefix WARPS
; WARPS: linearize-simt: --warp 2: the launch has 2 warps
;
; In a pipeline by an option, which is one to count, too.
; RUN: %opt %load -O1 -linearize-count-passes -S %s | %FileCheck %s --check-prefix PIPELINE
; PIPELINE: @__linearize_counts_kernel
; PIPELINE: call i32 @llvm.nvvm.activemask()

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @kernel() #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %lane = and i32 %t, 31
  %low = icmp ult i32 %lane, 8
  br i1 %low, label %a, label %b
a:
  call void asm sideeffect "membar.cta;", ""()
  br label %c
b:
  call void asm sideeffect "membar.cta;", ""()
  %some = icmp ult i32 %lane, 16
  br i1 %some, label %c, label %loop
c:
  call void asm sideeffect "membar.cta;", ""()
  br label %end
loop:
  %i = phi i32 [ 0, %b ], [ %next, %loop ]
  %next = add i32 %i, 1
  %bit = lshr i32 %lane, 3
  %most = and i32 %bit, 1
  %again = icmp ule i32 %next, %most
  br i1 %again, label %loop, label %end
end:
  ret void
}

attributes #0 = { "target-cpu"="sm_90" }
