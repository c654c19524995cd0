; Kernels whose threads can't do each other's work, and why not: what is left of such a version is what its name
; says besides.
;
; RUN: %opt %load -passes='linearize-versions<redirected:paper.redirected>,verify' %all-remarks -S %s -o %t.ll 2> %t.remarks
; RUN: %FileCheck %s < %t.ll
; RUN: %FileCheck %s --check-prefix=SAID < %t.remarks
;
; Where it was found to be the fastest one it stands beside the plain one, for it takes an order.
; RUN: %python %S/Inputs/tuned.py %t.ll good=redirected > %t.tuned
; RUN: %opt %load -passes='linearize-tuned<%t.tuned>,verify' %all-remarks -S %s 2>&1 | %FileCheck %s --check-prefix=TUNED
; TUNED: function 'good': version redirected, the fastest one, takes an order of threads and so stands beside the plain one
; TUNED-DAG: define ptx_kernel void @good(ptr %p)
; TUNED-DAG: define ptx_kernel void @good__linearize_redirected(ptr %p, ptr addrspace(1) %order)
;
; CHECK-DAG: define ptx_kernel void @good__linearize_redirected(ptr %p, ptr addrspace(1) %order)
; CHECK-DAG: define ptx_kernel void @counts__linearize_redirected(ptr %p, ptr addrspace(1) %order)
; CHECK-NOT: @waits__linearize
; CHECK-NOT: @shares__linearize
; CHECK-NOT: @first__linearize
; CHECK-NOT: @lane__linearize
;
; SAID-NOT: function 'good': its threads
; SAID-NOT: function 'counts': its threads
; SAID-NOT: function 'widens': its threads
; SAID-DAG: function 'waits': its threads can't do each other's work, as version redirected would have them: threads wait for each other or exchange values ({{.*}}barrier
; SAID-DAG: function 'waits': its threads can't do each other's work, as version paper.redirected would
; SAID-DAG: function 'waits': no version differs from the plain one; plain is also redirected, paper.redirected
; SAID-DAG: function 'shuffles': {{.*}} threads wait for each other or exchange values (shfl
; SAID-DAG: function 'shares': {{.*}} threads of a block share memory
; SAID-DAG: function 'first': {{.*}} results of atomic operations tell which thread came first
; SAID-DAG: function 'swaps': {{.*}} results of atomic operations tell which thread came first
; SAID-DAG: function 'floats': {{.*}} atomic operations, on floats or of several kinds, depend on the threads' order
; SAID-DAG: function 'kinds': {{.*}} atomic operations, on floats or of several kinds, depend on the threads' order
; SAID-DAG: function 'polls': {{.*}} memory is volatile or atomic: others may be waiting for it
; SAID-DAG: function 'fences': {{.*}} threads wait for each other or exchange values (membar.gl)
; SAID-DAG: function 'lane': {{.*}} it reads laneid, which says more of a thread than its index
; SAID-DAG: function 'clock': {{.*}} it reads clock, which says more of a thread than its index
; SAID-DAG: function 'assembly': {{.*}} it has inline assembly that does more than compute
; SAID-DAG: function 'bound': {{.*}} it has inline assembly that does more than compute
; SAID-DAG: function 'unknown': {{.*}} it calls elsewhere, whose code isn't known here
; SAID-DAG: function 'pointer': {{.*}} it calls a function by pointer
; SAID-DAG: function 'inner': {{.*}} it calls index, which isn't inlined and reads the thread's index
; SAID-DAG: function 'deeper': {{.*}} threads of a block share memory
; SAID-DAG: function 'fill': {{.*}} memory is volatile: others may be waiting for it
target triple = "nvptx64-nvidia-cuda"

@shared = internal addrspace(3) global [32 x i32] undef
@total = addrspace(1) global i32 0

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i32 @llvm.nvvm.read.ptx.sreg.clock()
declare void @llvm.nvvm.barrier0()
declare void @llvm.nvvm.membar.gl()
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @elsewhere()

define ptx_kernel void @good(ptr %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = call i32 @adds(i32 %t)
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 4, i1 false)
  store i32 %x, ptr %p
  ret void
}

define ptx_kernel void @counts(ptr %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = atomicrmw add ptr addrspace(1) @total, i32 %t monotonic
  %b = atomicrmw sub ptr %p, i32 %t monotonic
  ret void
}

define ptx_kernel void @waits(ptr %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  call void @llvm.nvvm.barrier0()
  store i32 %t, ptr %p
  ret void
}

define ptx_kernel void @shuffles(ptr %p) {
  %x = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 1, i32 1, i32 31)
  store i32 %x, ptr %p
  ret void
}

define ptx_kernel void @shares(ptr %p) {
  %x = load i32, ptr addrspacecast (ptr addrspace(3) @shared to ptr)
  store i32 %x, ptr %p
  ret void
}

define ptx_kernel void @first(ptr %p) {
  %x = atomicrmw add ptr addrspace(1) @total, i32 1 monotonic
  store i32 %x, ptr %p
  ret void
}

define ptx_kernel void @swaps(ptr %p) {
  %x = cmpxchg ptr %p, i32 0, i32 1 monotonic monotonic
  ret void
}

define ptx_kernel void @floats(ptr %p) {
  %x = atomicrmw fadd ptr %p, float 1.0 monotonic
  ret void
}

define ptx_kernel void @kinds(ptr %p) {
  %x = atomicrmw add ptr %p, i32 1 monotonic
  %y = atomicrmw max ptr %p, i32 5 monotonic
  ret void
}

define ptx_kernel void @polls(ptr %p) {
  %x = load volatile i32, ptr %p
  store i32 %x, ptr addrspace(1) @total
  ret void
}

define ptx_kernel void @fences(ptr %p) {
  store i32 1, ptr %p
  call void @llvm.nvvm.membar.gl()
  ret void
}

define ptx_kernel void @lane(ptr %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  store i32 %x, ptr %p
  ret void
}

define ptx_kernel void @clock(ptr %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.clock()
  store i32 %x, ptr %p
  ret void
}

define ptx_kernel void @assembly(ptr %p) {
  %x = call i32 asm "mov.u32 $0, %lanemask_eq;", "=r"()
  store i32 %x, ptr %p
  ret void
}

define ptx_kernel void @bound(ptr %p) {
  %x = call i32 asm "mov.u32 $0, $1;", "=r,r,~{memory}"(i32 1)
  store i32 %x, ptr %p
  ret void
}

define ptx_kernel void @widens(ptr %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = call i64 asm "mul.wide.u32 $0, $1, $2;", "=l,r,r"(i32 %t, i32 7)
  %at = getelementptr i8, ptr %p, i64 %x
  store i8 1, ptr %at
  ret void
}

define ptx_kernel void @unknown(ptr %p) {
  call void @elsewhere()
  ret void
}

define ptx_kernel void @pointer(ptr %p) {
  call void %p()
  ret void
}

define ptx_kernel void @inner(ptr %p) {
  %x = call i32 @index()
  store i32 %x, ptr %p
  ret void
}

define ptx_kernel void @deeper(ptr %p) {
  %x = call i32 @calls_shared()
  store i32 %x, ptr %p
  ret void
}

define ptx_kernel void @fill(ptr %p) {
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 4, i1 true)
  ret void
}

define i32 @adds(i32 %x) {
  %y = add i32 %x, 1
  ret i32 %y
}

define i32 @index() noinline {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %t
}

define i32 @calls_shared() {
  %x = call i32 @reads_shared(i32 3)
  ret i32 %x
}

define i32 @reads_shared(i32 %i) {
  %at = getelementptr i32, ptr addrspace(3) @shared, i32 %i
  %x = load i32, ptr addrspace(3) %at
  ret i32 %x
}
