; RUN: %opt %load -passes='linearize<all;O0;any-target>,verify' -disable-output %s
; The alloca no longer dominates its lifetime marker, which may name nothing but an alloca.

declare void @llvm.lifetime.end.p0(i64, ptr)

define void @test() {
entry:
  br label %a
a:
  %x = alloca i64
  br label %b
b:
  call void @llvm.lifetime.end.p0(i64 8, ptr %x)
  ret void
}
