; RUN: %opt %load -passes='linearize<paper;O0>,verify,verify<linearized>' -S %s | %FileCheck %s
; RUN: %opt %load -passes='linearize<paper;O4>,verify,verify<linearized>' -S %s | %FileCheck %s
; RUN: %opt %load -passes='linearize<paper;O4>,verify,verify<linearized>' -S %s | %llc -mcpu=sm_75 -O3 -o - | %FileCheck %s --check-prefix=PTX
; RUN: sed 's/sm_75/sm_60/' %s | %opt %load -passes='linearize<paper;O4>' -S - | %llc -mcpu=sm_60 -O3 -o - | %FileCheck %s --check-prefix=PTX
;
; An address made from a byval parameter, an alloca or a global that lives across guards is
; made anew where it is used: in a phi with poison, llc copies the whole parameter to local
; memory.
;
; CHECK-LABEL: define {{.*}}@reads
; CHECK-NOT: phi ptr
;
; PTX-LABEL: .entry reads
; PTX-NOT: .local
; PTX: ret;

target triple = "nvptx64-nvidia-cuda"

%big = type { [256 x i32] }
@table = internal addrspace(1) global [64 x i32] zeroinitializer
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @reads(ptr byval(%big) align 4 %in, ptr addrspace(1) %out) "target-cpu"="sm_75" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %tid
  %v = load i32, ptr addrspace(1) %o
  %c = icmp sgt i32 %v, 0
  br i1 %c, label %a, label %join
a:
  %field = getelementptr %big, ptr %in, i32 0, i32 0, i32 7
  %entry.t = getelementptr [64 x i32], ptr addrspace(1) @table, i32 0, i32 9
  store volatile i32 1, ptr addrspace(1) %o
  %d = icmp sgt i32 %v, 10
  br i1 %d, label %join, label %b
b:
  %x = load i32, ptr %field
  %y = load i32, ptr addrspace(1) %entry.t
  %xy = add i32 %x, %y
  store volatile i32 %xy, ptr addrspace(1) %o
  br label %out1
join:
  store volatile i32 3, ptr addrspace(1) %o
  store volatile i32 4, ptr addrspace(1) %o
  br label %out1
out1:
  ret void
}
