; RUN: %same %s
; Dynamic allocas in blocks that will stand behind guards: one of a size known only there, used
; after a join through a phi, one inside a loop (with stacksave/stackrestore), and one of
; constant size that is not in the entry block.
;
;   entry -> a -> b -> c -> done     a -> c, b -> done
;     |      |    |    ^     ^       entry -> b
;     |      +----|----+     |
;     +---------> b ---------+

declare zeroext i1 @bit()
declare i32 @pick(i32)
declare void @effect(i32, i64)
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)

define i64 @test(i64 %s) {
entry:
  %home = alloca [4 x i64]
  store i64 %s, ptr %home
  %c = call zeroext i1 @bit()
  br i1 %c, label %a, label %b
a:
  %n = call i32 @pick(i32 30)
  %n1 = add i32 %n, 1
  %va = alloca i64, i32 %n1
  %last = getelementptr i64, ptr %va, i32 %n
  store i64 %s, ptr %last
  store i64 5, ptr %va
  call void @effect(i32 1, i64 %s)
  %ca = call zeroext i1 @bit()
  br i1 %ca, label %b, label %c1
b:
  %p = phi ptr [ %home, %entry ], [ %last, %a ]
  %fixed = alloca [2 x i64]
  %i0 = load i64, ptr %p
  store i64 %i0, ptr %fixed
  call void @effect(i32 2, i64 %i0)
  br label %loop
loop:
  %i = phi i32 [ 0, %b ], [ %i2, %loop ]
  %sp = call ptr @llvm.stacksave.p0()
  %m = call i32 @pick(i32 8)
  %m1 = add i32 %m, 1
  %tmp = alloca i64, i32 %m1
  %e = getelementptr i64, ptr %tmp, i32 %m
  %old = load i64, ptr %fixed
  %new = mul i64 %old, 3
  store i64 %new, ptr %e
  %back = load i64, ptr %e
  store i64 %back, ptr %fixed
  call void @effect(i32 3, i64 %back)
  call void @llvm.stackrestore.p0(ptr %sp)
  %i2 = add i32 %i, 1
  %cl = call zeroext i1 @bit()
  br i1 %cl, label %loop, label %b2
b2:
  %cb = call zeroext i1 @bit()
  br i1 %cb, label %c1, label %done
c1:
  %q = phi ptr [ %va, %a ], [ %fixed, %b2 ]
  %l = load i64, ptr %q
  call void @effect(i32 4, i64 %l)
  br label %done
done:
  %r = phi i64 [ %l, %c1 ], [ %back, %b2 ]
  %h = load i64, ptr %home
  %t = add i64 %r, %h
  ret i64 %t
}
