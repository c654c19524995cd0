; What is counted, and in which forms it is printed. Lanes 0-7 come from c1 to c3, 8-15 by way of c2,
; 16-31 from c2 to s2: under ipdom c3 is entered twice, the second time again in one pass; s2 three
; times. Around it, a loop of two turns: another pass.
;
; RUN: %split-file %s %t
; RUN: %simt --launch %t/launch %t/main.ll | %FileCheck %s --check-prefix TABLE
; RUN: %simt --launch %t/launch %t/main.ll --blocks | %FileCheck %s --check-prefix BLOCKS
; RUN: %simt --launch %t/launch %t/main.ll --blocks --csv | %FileCheck %s --check-prefix CSV
; RUN: %simt --launch %t/launch %t/main.ll --blocks --json | %FileCheck %s --check-prefix JSON
; RUN: %simt --launch %t/launch %t/main.ll --annotate | %FileCheck %s --check-prefix ANNOTATE
; RUN: %simt --launch %t/launch %t/main.ll --model volta --blocks \
; RUN: | %FileCheck %s --check-prefix VOLTA
; RUN: %opt -S -load-pass-plugin=%plugin -passes='linearize<paper;O0>' %t/main.ll -o %t/after.ll
; RUN: %simt --launch %t/launch %t/main.ll --compare %t/after.ll \
; RUN: | %FileCheck %s --check-prefix COMPARE
; RUN: %simt --launch=%t/launch --kernel calls %t/main.ll --blocks \
; RUN: | %FileCheck %s --check-prefix CALLS
;
; RUN: %simt --launch %t/launch %t/main.ll --model volta --vectors %t/vectors >%t/out
; RUN: %FileCheck %s --check-prefix VECTORS < %t/vectors
; RUN: %simt --launch %t/launch %t/main.ll --model volta --warps %t/warps >%t/out
; RUN: %FileCheck %s --check-prefixes WARPS,VOLTA-WARPS < %t/warps
; RUN: %simt --launch %t/launch %t/main.ll --vectors %t/vectors --warps %t/warps >%t/out
; RUN: %FileCheck %s --check-prefixes WARPS,IPDOM-WARPS < %t/warps
; RUN: %FileCheck %s --check-prefix VECTORS < %t/vectors
;
; TABLE: model ipdom
; TABLE-NEXT: warp instructions
; TABLE: guard instructions 0
; TABLE-NEXT: block entries 22
; TABLE-NEXT: entered again 8
; TABLE: global stores 10
; TABLE-NEXT: sectors 12
;
; BLOCKS: block size entries again threads active branches divergent
; BLOCKS-DAG: c1 {{[0-9]+}} 2 0 64 32.00 2 2
; BLOCKS-DAG: c2 {{[0-9]+}} 2 0 48 24.00 2 2
; BLOCKS-DAG: c3 {{[0-9]+}} 4 2 32 8.00 4 4
; BLOCKS-DAG: s1 {{[0-9]+}} 4 2 16 4.00 0 0
; BLOCKS-DAG: s2 {{[0-9]+}} 6 4 48 8.00 0 0
;
; volta: s2 is the last join behind c1.
; VOLTA-DAG: c3 {{[0-9]+}} 4 2 32 8.00 4 4
; VOLTA-DAG: s2 {{[0-9]+}} 2 0 48 24.00 0 0
;
; Each thread's own way, also through arms that are predicated.
; VECTORS: thread,function,block,entries
; VECTORS-NEXT: 0,short_circuit,entry,1
; VECTORS-NEXT: 0,short_circuit,c1,2
; VECTORS-NEXT: 0,short_circuit,c3,2
; VECTORS-NEXT: 0,short_circuit,s1,2
; VECTORS-NEXT: 0,short_circuit,"a, ""b""",2
; VECTORS-NEXT: 0,short_circuit,end,1
; VECTORS-NEXT: 1,short_circuit,entry,1
; VECTORS: 31,short_circuit,c2,2
; VECTORS-NEXT: 31,short_circuit,s2,2
;
; WARPS: warp,function,block,entries
; WARPS-NEXT: 0,short_circuit,entry,1
; WARPS-NEXT: 0,short_circuit,c1,2
; WARPS-NEXT: 0,short_circuit,c2,2
; WARPS-NEXT: 0,short_circuit,c3,4
; WARPS-NEXT: 0,short_circuit,s1,4
; VOLTA-WARPS-NEXT: 0,short_circuit,s2,2
; IPDOM-WARPS-NEXT: 0,short_circuit,s2,6
; WARPS-NEXT: 0,short_circuit,"a, ""b""",2
; WARPS-NEXT: 0,short_circuit,end,1
; WARPS-NOT: {{.}}
;
; CSV: file,kernel,function,block,warp_instructions,thread_instructions,threads_active
; CSV-NEXT: main.ll,short_circuit,,,{{[0-9]+}},
; CSV-NEXT: main.ll,short_circuit,short_circuit,,{{[0-9]+}},
; CSV-NEXT: main.ll,short_circuit,short_circuit,entry,
; CSV: main.ll,short_circuit,short_circuit,"a, ""b""",
;
; JSON: {"kernel":"short_circuit","model":"ipdom","runs":[{"file":"{{.*}}main.ll","warp_instructions":
; JSON-SAME: "block_entries":22,"reentries":8,
; JSON-SAME: "functions":[{"name":"short_circuit","warp_instructions":
; JSON-SAME: "blocks":[{"name":"entry","size":2,"warp_instructions":2,
;
; ANNOTATE: define void @short_circuit
; ANNOTATE-NEXT: entry:
; ANNOTATE-NEXT: entered 1 times by 32.0 threads, {{[0-9.]+}}% of warp instructions
; ANNOTATE: c3:
; ANNOTATE-NEXT: entered 4 times by 8.0 threads, 2 times again, parted 4 of 4 times,
; ANNOTATE: "a, \22b\22":
; ANNOTATE-NEXT: entered 2 times by 32.0 threads,
;
; O0 puts five guards into a turn. Afterwards nothing is entered again.
; COMPARE: guard instructions 0 [[GUARDS:[1-9][0-9]+]] -
; COMPARE: entered again 8 0 0.000
;
; A function that two parts of a warp call in one pass is entered again, too.
; CALLS: function calls:
; CALLS-DAG: twice {{[0-9]+}} 2 1 32 16.00 0 0
; CALLS: function square:
; CALLS: %0 {{[0-9]+}} 2 1 32 16.00 0 0

;--- launch
# one warp
--kernel short_circuit --block 32
--arg buf:u32:64:none

;--- main.ll
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define void @short_circuit(ptr %out) {
entry:
 %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
 br label %c1
c1:
 %turn = phi i32 [ 0, %entry ], [ %next, %"a, \22b\22" ]
 %from1 = icmp ult i32 %tid, 8
 br i1 %from1, label %c3, label %c2
c2:
 %from2 = icmp ult i32 %tid, 16
 br i1 %from2, label %c3, label %s2
c3:
 %bit = and i32 %tid, 1
 %odd = icmp eq i32 %bit, 0
 br i1 %odd, label %s1, label %s2
s1:
 %at1 = getelementptr i32, ptr %out, i32 %tid
 store i32 %turn, ptr %at1
 br label %"a, \22b\22"
s2:
 %far = add i32 %tid, 32
 %twice = mul i32 %turn, 7
 %m1 = xor i32 %twice, 5
 %m2 = add i32 %m1, %tid
 %m3 = mul i32 %m2, 9
 %at2 = getelementptr i32, ptr %out, i32 %far
 store i32 %m3, ptr %at2
 br label %"a, \22b\22"
"a, \22b\22":
 %next = add i32 %turn, 1
 %again = icmp ult i32 %next, 2
 br i1 %again, label %c1, label %end
end:
 ret void
}

define internal i32 @square(i32 %x) noinline {
 %y = mul i32 %x, %x
 ret i32 %y
}

define void @calls(ptr %out) {
entry:
 %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
 %bit = and i32 %tid, 1
 %odd = icmp eq i32 %bit, 0
 br i1 %odd, label %a, label %b
a:
 %high = icmp ult i32 %tid, 64
 br i1 %high, label %twice, label %end
b:
 %low = icmp ult i32 %tid, 64
 br i1 %low, label %twice, label %end
twice:
 %r = call i32 @square(i32 %tid)
 %at = getelementptr i32, ptr %out, i32 %tid
 store i32 %r, ptr %at
 br label %end
end:
 ret void
}
