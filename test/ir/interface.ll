; RUN: %opt %load -passes='linearize<all;O4>,verify' -S %s | %FileCheck %s
;
; What a function is for others stays: linkage, calling convention, attributes, parameter
; attributes, module metadata, section, comdat, alignment; declarations too.
;
; CHECK: $shared = comdat any
; CHECK: @kernel.ptr = {{.*}}@k
; CHECK: define weak_odr ptx_kernel void @k(ptr noalias byval(i32) align 4 %b, ptr addrspace(1) noalias writeonly %p, i1 %c, i1 %d) {{.*}}comdat($shared) align 16
; CHECK: !list.of.kernels = !{!0}
; CHECK: !0 = !{ptr @k, !"a kernel", i32 128}

target triple = "nvptx64-nvidia-cuda"

$shared = comdat any
@kernel.ptr = constant ptr @k

define weak_odr ptx_kernel void @k(ptr noalias byval(i32) align 4 %b, ptr addrspace(1) noalias writeonly %p, i1 %c, i1 %d) "target-cpu"="sm_75" comdat($shared) align 16 {
entry:
  br i1 %c, label %a, label %j
a:
  store i32 1, ptr addrspace(1) %p
  br i1 %d, label %j, label %out
j:
  store i32 2, ptr addrspace(1) %p
  br label %out
out:
  ret void
}

!list.of.kernels = !{!0}
!0 = !{ptr @k, !"a kernel", i32 128}
