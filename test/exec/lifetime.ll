; RUN: %same %s
; Lifetime markers name their alloca; where it no longer dominates one, all of them go.

declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
declare zeroext i1 @bit()
declare void @use(ptr)
declare void @effect(i32, i64)
define i64 @test(i64 %s) {
entry:
  %c = call i1 @bit()
  br i1 %c, label %a, label %b
a:
  %x = alloca i64
  call void @llvm.lifetime.start.p0(i64 8, ptr %x)
  %d = call i1 @bit()
  br i1 %d, label %e, label %b
b:
  call void @effect(i32 1, i64 1)
  %f = call i1 @bit()
  br i1 %f, label %g, label %h
e:
  store i64 %s, ptr %x
  %g1 = call i1 @bit()
  br i1 %g1, label %h, label %k
k:
  %v = load i64, ptr %x
  call void @llvm.lifetime.end.p0(i64 8, ptr %x)
  call void @effect(i32 2, i64 %v)
  br label %g
g:
  br label %h
h:
  ret i64 0
}
