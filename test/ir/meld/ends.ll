; An arm's two ends are joined, so that guards stand at one; but it doesn't gain after all, and the code is as
; it was, phis and their order too.
;
; RUN: %opt %load -passes='linearize<none;meld>,verify' -S %s | sed 's/; preds.*//' > %t.ll
; RUN: %opt -S %s | sed 's/; preds.*//' | diff - %t.ll
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"

define ptx_kernel void @ends(ptr %in, ptr %out, i1 %early) {
entry:
  %k = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bit = trunc i32 %k to i1
  br i1 %bit, label %a, label %b
b:
  br i1 %early, label %j, label %c
a:
  %na = uitofp i32 %k to float
  %ma = call float asm "mul.f32 $0, $1, 0f33800000;", "=f,f"(float %na)
  %fa = call float @llvm.fma.f32(float %na, float 1.0, float %ma)
  %pa = call float asm "mul.f32 $0, $1, $2;", "=f,f,f"(float %fa, float %ma)
  %qa = call float asm "mul.f32 $0, $1, $2;", "=f,f,f"(float %pa, float %na)
  %la = load float, ptr %in
  br label %j
c:
  %nc = uitofp i32 %k to float
  %mc = call float asm "mul.f32 $0, $1, 0f33800000;", "=f,f"(float %nc)
  %fc = call float @llvm.fma.f32(float %nc, float 1.0, float %mc)
  %pc = call float asm "mul.f32 $0, $1, $2;", "=f,f,f"(float %fc, float %mc)
  %qc = call float asm "mul.f32 $0, $1, $2;", "=f,f,f"(float %pc, float %nc)
  %lc = load float, ptr %in
  br label %j
j:
  %v = phi float [ %qc, %c ], [ 0.0, %b ], [ %qa, %a ]
  %w = phi float [ %lc, %c ], [ 1.0, %b ], [ %la, %a ]
  %s = fadd float %v, %w
  store float %s, ptr %out
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.fma.f32(float, float, float)
