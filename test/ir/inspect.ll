; Kernels that tell ahead what the threads of a redirected one will do: what they keep, and where there are none.
;
; RUN: %opt %load -passes='linearize-versions<redirected;max-inspector=90>,verify' %all-remarks -S %s -o %t.ll 2> %t.remarks
; RUN: %FileCheck %s < %t.ll
; RUN: %FileCheck %s --check-prefix=SAID < %t.remarks
; RUN: %opt %load -passes='linearize-versions<redirected;max-inspector=10>,verify' %all-remarks -disable-output %s 2>&1 | %FileCheck %s --check-prefix=DEAR
; DEAR-DAG: function 'good': no kernel is made that tells ahead what its threads do: what decides which ways threads go is {{[0-9]+}}% of its work, over max-inspector, 10; an order of its threads has to come from elsewhere
;
; CHECK-DAG: @__linearize_versions_good = {{.*}}\0Aredirected\09good__linearize_redirected\09order of a line\09good__linearize_inspect\0A\00"
; CHECK-DAG: @__linearize_versions_late = {{.*}}\0Aredirected\09late__linearize_redirected\09order of a line\0A\00"
;
; The loop goes around as often as in the kernel; what it computes is gone, and so is the store. A slot is kept that is
; read for the loop's end, with what writes it; another isn't.
; CHECK-LABEL: define ptx_kernel void @good__linearize_inspect(ptr %p, ptr %q, ptr addrspace(1) %keys)
; CHECK: %slot = alloca i32
; CHECK-NOT: %other = alloca
; CHECK: store i32 %n, ptr %slot
; CHECK: loop:
; CHECK-NOT: mul i32 %i
; CHECK-NOT: store i32
; CHECK: %more = icmp ult i32 %next, %end
; CHECK: store i32 %key{{[0-9]*}}, ptr addrspace(1) %
; CHECK-NEXT: ret void
;
; What writes one of several slots is kept, if one of them is read.
; CHECK-LABEL: define ptx_kernel void @slots__linearize_inspect(
; CHECK-NOT: define
; CHECK: store i32 %n, ptr %to
; CHECK: %x = load i32, ptr %a
;
; CHECK-NOT: @late__linearize_inspect
; CHECK-NOT: @calls__linearize_inspect
;
; SAID-NOT: function 'good': no kernel
; SAID-NOT: function 'constant': no kernel
; SAID-DAG: function 'late': no kernel is made that tells ahead what its threads do: which ways threads go depends on memory that the kernel may have written before
; SAID-DAG: function 'around': no kernel is made {{.*}} memory that the kernel may have written before
; SAID-DAG: function 'calls': no kernel is made {{.*}} it calls what may write memory
; SAID-DAG: function 'alike': no kernel is made that tells ahead what its threads do: all go the same way
; SAID-DAG: function 'anywhere': no kernel is made {{.*}} it writes where nobody knows it
target triple = "nvptx64-nvidia-cuda"

@table = addrspace(1) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @good(ptr %p, ptr %q) {
entry:
  %slot = alloca i32
  %other = alloca i32
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %p, i32 %t
  %n = load i32, ptr %at
  store i32 %n, ptr %slot
  store i32 7, ptr %other
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %sum3, %loop ]
  %x = load i32, ptr %other
  %sum1 = mul i32 %i, %x
  %sum2 = udiv i32 %sum1, 77
  %sum3 = add i32 %sum, %sum2
  %next = add i32 %i, 1
  %end = load i32, ptr %slot
  %more = icmp ult i32 %next, %end
  br i1 %more, label %loop, label %done
done:
  %to = getelementptr i32, ptr %q, i32 %t
  store i32 %sum3, ptr %to
  ret void
}

define ptx_kernel void @slots(ptr %p, i1 %which) {
entry:
  %a = alloca i32
  %b = alloca i32
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %p, i32 %t
  %n = load i32, ptr %at
  store i32 %t, ptr %a
  store i32 %t, ptr %b
  %to = select i1 %which, ptr %a, ptr %b
  store i32 %n, ptr %to
  %x = load i32, ptr %a
  %c = icmp eq i32 %x, 3
  br i1 %c, label %work, label %end
work:
  %y = udiv i32 %t, %x
  %z = udiv i32 99, %y
  %w = udiv i32 %z, 7
  store i32 %w, ptr %at
  br label %end
end:
  ret void
}

; Read behind a store: the inspector, which has none, might read something else.
define ptx_kernel void @late(ptr %p, ptr %q) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %to = getelementptr i32, ptr %q, i32 %t
  store i32 %t, ptr %to
  %at = getelementptr i32, ptr %p, i32 %t
  %n = load i32, ptr %at
  %c = icmp eq i32 %n, 3
  br i1 %c, label %a, label %end
a:
  store i32 9, ptr %to
  br label %end
end:
  ret void
}

; Behind one of the iteration before.
define ptx_kernel void @around(ptr %p) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %at = getelementptr i32, ptr %p, i32 %t
  %n = load i32, ptr %at
  %less = lshr i32 %n, 1
  store i32 %less, ptr %at
  %c = icmp eq i32 %less, 0
  br i1 %c, label %end, label %loop
end:
  ret void
}

; What nobody writes may be read behind a store.
define ptx_kernel void @constant(ptr %p) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %to = getelementptr i32, ptr %p, i32 %t
  store i32 %t, ptr %to
  %k = and i32 %t, 3
  %at = getelementptr i32, ptr addrspace(1) @table, i32 %k
  %n = load i32, ptr addrspace(1) %at
  %c = icmp eq i32 %n, 3
  br i1 %c, label %a, label %end
a:
  %x = udiv i32 %t, %n
  %y = udiv i32 %x, 7
  %z = udiv i32 99, %y
  store i32 %z, ptr %to
  br label %end
end:
  ret void
}

define ptx_kernel void @calls(ptr %p) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = trunc i32 %t to i1
  br i1 %c, label %a, label %end
a:
  call void @sets(ptr %p)
  br label %end
end:
  ret void
}

; A slot is read, and an address that is loaded from elsewhere, or one of the slots, is written.
define ptx_kernel void @anywhere(ptr %p, i1 %which) {
entry:
  %slot = alloca i32
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %t, ptr %slot
  %to = select i1 %which, ptr %slot, ptr %p
  store i32 1, ptr %to
  %n = load i32, ptr %slot
  %c = icmp eq i32 %n, 3
  br i1 %c, label %a, label %end
a:
  %x = udiv i32 %t, %n
  store i32 %x, ptr %p
  br label %end
end:
  ret void
}

define ptx_kernel void @alike(ptr %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %t, ptr %p
  ret void
}

define void @sets(ptr %p) noinline {
  store i32 1, ptr %p
  ret void
}
