; Points at which threads aren't regrouped, each with what it says; the kernel stays as it was, without the
; point, and other points of it are used.
;
; RUN: %opt -S %s | sed '/ModuleID/d; /linearize_reorder_here/d; /DILocation/d; /^attributes/d; /^$/d; /^; Function Attrs/d; s/[!#][0-9]*//g' > %t.plain.ll
; RUN: %opt %load -passes=linearize-reorder,verify -pass-remarks-missed=linearize -pass-remarks=linearize -S %s -o %t.ll 2> %t.remarks
; RUN: %FileCheck %s < %t.remarks
; RUN: sed '/ModuleID/d; /linearize_reorder_here/d; /DILocation/d; /^attributes/d; /^$/d; /^; Function Attrs/d; s/[!#][0-9]*//g' %t.ll | diff %t.plain.ll -
;
; With a place in the source.
; CHECK: remark: kernel.cu:7:3: function 'not_a_kernel', block 'entry': threads aren't regrouped here: this function is no kernel, and isn't inlined into one: declare it __forceinline__ (for sm_90)
; CHECK: function 'old', {{.*}}: that takes sm_70 or newer (for sm_60)
; CHECK: function 'bits', {{.*}}: how many bits of the key count must be a constant from 0 to 32
; CHECK: function 'many_bits', {{.*}}: how many bits
; CHECK: function 'algorithm', {{.*}}: the algorithm must be a constant, one of linearize_reorder_algorithm
; CHECK: function 'neighbours', {{.*}}: DGI counts for 4, 8, 16, 32 or 64 neighbours, or 0 for the usual number
; CHECK: function 'exits', {{.*}}: threads end in assembly (exit), and others would wait for them: let them return
; CHECK: function 'tid_in_assembly', {{.*}}: assembly asks for %tid
; CHECK: function 'by_value', {{.*}}: a parameter that is passed by value is written to: copy it into a variable
; CHECK: function 'calls_index', {{.*}}: 'asks_index' asks for threadIdx: declare it __forceinline__
; CHECK: function 'calls_unknown', {{.*}}: 'unknown' may wait for other threads: declare it __forceinline__
; CHECK: function 'calls_pointer', {{.*}}: what is called here by a pointer, or in assembly, may be a barrier
; CHECK: function 'part_of_block', {{.*}}: a barrier for a part of the block can't know whose work its threads do
; CHECK: function 'counts', {{.*}}: a barrier that counts or compares stands where threads wait to be regrouped: use __syncthreads()
; CHECK: function 'shuffles', {{.*}}: a warp operation waits for lanes that may wait to be regrouped: name the lanes that are there, __activemask()
; CHECK: function 'large', {{.*}}: each thread has arrays or structures in memory that are too large to move, more than 256 bytes: put them into shared memory, or end their scope before
; CHECK: function 'dynamic', {{.*}}: it takes memory on its stack as it runs (alloca), which can't move
; CHECK: function 'no_room', {{.*}}: there is no shared memory left for it, unless a multiprocessor were to have fewer warps
; CHECK: function 'jumps', {{.*}}: indirectbr
; CHECK-NOT: remark

target triple = "nvptx64-nvidia-cuda"

@most = internal addrspace(3) global [12200 x i32] undef

declare i32 @linearize_reorder_here(i32, i32, i32, i32) nounwind willreturn memory(none)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.bar.warp.sync(i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1)
declare void @unknown()
declare void @use(ptr) nosync

define void @not_a_kernel(i32 %key) "target-cpu"="sm_90" !dbg !4 {
entry:
  %point = call i32 @linearize_reorder_here(i32 %key, i32 2, i32 0, i32 0), !dbg !5
  ret void, !dbg !6
}

define ptx_kernel void @old(i32 %key) "target-cpu"="sm_60" {
entry:
  %point = call i32 @linearize_reorder_here(i32 %key, i32 2, i32 0, i32 0)
  ret void
}

define ptx_kernel void @bits(i32 %key) "target-cpu"="sm_90" {
entry:
  %point = call i32 @linearize_reorder_here(i32 %key, i32 %key, i32 0, i32 0)
  ret void
}

define ptx_kernel void @many_bits(i32 %key) "target-cpu"="sm_90" {
entry:
  %point = call i32 @linearize_reorder_here(i32 %key, i32 33, i32 0, i32 0)
  ret void
}

define ptx_kernel void @algorithm(i32 %key) "target-cpu"="sm_90" {
entry:
  %point = call i32 @linearize_reorder_here(i32 %key, i32 3, i32 4, i32 0)
  ret void
}

define ptx_kernel void @neighbours(i32 %key) "target-cpu"="sm_90" {
entry:
  %point = call i32 @linearize_reorder_here(i32 %key, i32 3, i32 3, i32 5)
  ret void
}

define ptx_kernel void @exits(i32 %key) "target-cpu"="sm_90" {
entry:
  %point = call i32 @linearize_reorder_here(i32 %key, i32 3, i32 0, i32 0)
  call void asm sideeffect "exit;", ""()
  ret void
}

define ptx_kernel void @tid_in_assembly(i32 %key) "target-cpu"="sm_90" {
entry:
  %t = call i32 asm sideeffect "mov.u32 $0, %tid.x;", "=r"()
  %point = call i32 @linearize_reorder_here(i32 %t, i32 3, i32 0, i32 0)
  ret void
}

define ptx_kernel void @by_value(ptr byval([4 x i32]) align 4 %all) "target-cpu"="sm_90" {
entry:
  %at = getelementptr i32, ptr %all, i32 2
  store i32 1, ptr %at
  %point = call i32 @linearize_reorder_here(i32 0, i32 3, i32 0, i32 0)
  ret void
}

define internal i32 @asks_index() noinline "target-cpu"="sm_90" {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %t
}

; In front of the point it may.
define ptx_kernel void @calls_index(ptr %p) "target-cpu"="sm_90" {
entry:
  %key = call i32 @asks_index()
  %point = call i32 @linearize_reorder_here(i32 %key, i32 3, i32 0, i32 0)
  %t = call i32 @asks_index()
  store i32 %t, ptr %p
  ret void
}

define ptx_kernel void @calls_unknown(i32 %key) "target-cpu"="sm_90" {
entry:
  %point = call i32 @linearize_reorder_here(i32 %key, i32 3, i32 0, i32 0)
  call void @unknown()
  ret void
}

define ptx_kernel void @calls_pointer(i32 %key, ptr %f) "target-cpu"="sm_90" {
entry:
  %point = call i32 @linearize_reorder_here(i32 %key, i32 3, i32 0, i32 0)
  call void %f()
  ret void
}

define ptx_kernel void @part_of_block(i32 %key) "target-cpu"="sm_90" {
entry:
  %point = call i32 @linearize_reorder_here(i32 %key, i32 3, i32 0, i32 0)
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)
  ret void
}

define ptx_kernel void @counts(i32 %n) "target-cpu"="sm_90" {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %count = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 true)
  %point = call i32 @linearize_reorder_here(i32 %count, i32 3, i32 0, i32 0)
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %t
  br i1 %again, label %head, label %end
end:
  ret void
}

define ptx_kernel void @shuffles(i32 %n) "target-cpu"="sm_90" {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %all = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 true)
  %point = call i32 @linearize_reorder_here(i32 %all, i32 3, i32 0, i32 0)
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %t
  br i1 %again, label %head, label %end
end:
  ret void
}

define ptx_kernel void @large(i32 %key) "target-cpu"="sm_90" {
entry:
  %a = alloca [100 x i32], align 4
  call void @use(ptr %a)
  %point = call i32 @linearize_reorder_here(i32 %key, i32 3, i32 0, i32 0)
  call void @use(ptr %a)
  ret void
}

define ptx_kernel void @dynamic(i32 %key) "target-cpu"="sm_90" {
entry:
  %a = alloca i32, i32 %key
  store volatile i32 1, ptr %a
  %point = call i32 @linearize_reorder_here(i32 %key, i32 3, i32 0, i32 0)
  ret void
}

define ptx_kernel void @no_room(i32 %key, ptr %p) "target-cpu"="sm_90" {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr addrspace(3) @most, i32 %t
  store i32 1, ptr addrspace(3) %at
  %point = call i32 @linearize_reorder_here(i32 %key, i32 3, i32 0, i32 0)
  store i32 %t, ptr %p
  ret void
}

define ptx_kernel void @jumps(i32 %key, ptr %to) "target-cpu"="sm_90" {
entry:
  %point = call i32 @linearize_reorder_here(i32 %key, i32 3, i32 0, i32 0)
  indirectbr ptr %to, [label %a, label %b]
a:
  ret void
b:
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "kernel.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "not_a_kernel", scope: !1, file: !1, line: 6, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!5 = !DILocation(line: 7, column: 3, scope: !4)
!6 = !DILocation(line: 8, column: 3, scope: !4)
