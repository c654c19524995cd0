; A kernel that has versions says whether it ends whatever else is launched (lib/llvm/ask/ends.h). `this` does in the
; kernel what each test has in its place.
;
; REQUIRES: newest-llvm
; DEFINE: %{of} = sh -c 'for at in "$@"; do sed "s|^  call void @this.*|$at|" %s | %opt %load -passes="linearize-versions<plain:needed>,verify" -S | grep "^@__linearize_versions_walk" || exit 1; done' of
;
; RUN: %{of} '%r = load i32, ptr %a' '%r = atomicrmw add ptr %a, i32 1 monotonic' 'store volatile i32 1, ptr %a' \
; RUN:   'call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)' 'call void @known(ptr %a)' '%r = call float @llvm.sqrt.f32(float %h)' | %FileCheck %s --check-prefix=ENDS
; ENDS-COUNT-6: linearize-versions 1 {{[0-9a-f]+}} LLVM {{[0-9.]+}}\09ends\0A
;
; RUN: %{of} '%r = load volatile i32, ptr %a' '%r = load atomic i32, ptr %a acquire, align 4' \
; RUN:   '%r = atomicrmw add ptr %a, i32 1 monotonic\n  store i32 %r, ptr %k' 'fence syncscope("device") seq_cst' \
; RUN:   '%r = cmpxchg ptr %a, i32 0, i32 1 monotonic monotonic' 'call void @unknown(ptr %a)' 'call void %a()' \
; RUN:   'call void @polls(ptr %a)' 'call void asm sideeffect "membar.gl;", "~{memory}"()' 'call void @llvm.nvvm.membar.gl()' \
; RUN:   'call void @llvm.memcpy.p0.p0.i32(ptr %a, ptr %k, i32 4, i1 true)' | %FileCheck %s --check-prefix=MAY
; MAY-NOT: ends
; MAY-COUNT-11: linearize-versions 1 {{[0-9a-f]+}} LLVM {{[0-9.]+}}\0A
; MAY-NOT: ends
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.membar.gl()
declare float @llvm.sqrt.f32(float)
declare void @llvm.memcpy.p0.p0.i32(ptr, ptr, i32, i1)
declare void @unknown(ptr)
declare void @this(ptr)

define void @known(ptr %a) {
  store i32 1, ptr %a
  ret void
}

define void @polls(ptr %a) {
  br label %again
again:
  %flag = load volatile i32, ptr %a
  %is_there = icmp eq i32 %flag, 0
  br i1 %is_there, label %again, label %out
out:
  ret void
}

define ptx_kernel void @walk(ptr %a, ptr %k, float %h) {
entry:
  call void @this(ptr %a)
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c1 = trunc i32 %t to i1
  %c2 = icmp ult i32 %t, 7
  br i1 %c1, label %third, label %second
second:
  store i32 1, ptr %a
  br i1 %c2, label %third, label %else
third:
  %x = load i32, ptr %k
  %y = udiv i32 %x, 77
  %z = udiv i32 %t, %y
  %c3 = icmp ugt i32 %z, 9
  br i1 %c3, label %then, label %else
then:
  %u = udiv i32 %z, %x
  store i32 %u, ptr %a
  br label %out
else:
  %v = udiv i32 %t, 99
  store i32 %v, ptr %a
  br label %out
out:
  ret void
}
