; RUN: %same %s
; Values that live across a whole unstructured region: defined before it and used after, used
; in one block of it only, loaded before and stored after, and a condition computed before
; that decides inside.
;
;   entry -> a -> b -> c -> d -> done
;            |    |    ^    ^
;            |    +----|----+
;            +---------+

declare zeroext i1 @bit()
declare ptr @memory()
declare void @effect(i32, i64)

define i64 @test(i64 %s) {
entry:
  %m = call ptr @memory()
  %l0 = load i64, ptr %m
  %g1 = getelementptr i64, ptr %m, i64 5
  %cond = icmp slt i64 %l0, %s
  %far = mul i64 %s, %l0
  %f = sitofp i64 %l0 to double
  %c = call zeroext i1 @bit()
  br i1 %c, label %a, label %done
a:
  call void @effect(i32 1, i64 %l0)
  store i64 %far, ptr %g1
  br i1 %cond, label %b, label %c1
b:
  %vb = load i64, ptr %g1
  call void @effect(i32 2, i64 %vb)
  %cb = call zeroext i1 @bit()
  br i1 %cb, label %c1, label %d
c1:
  %l1 = load i64, ptr %g1
  %l2 = xor i64 %l1, 3
  store i64 %l2, ptr %g1
  call void @effect(i32 3, i64 %l2)
  br i1 %cond, label %d, label %done
d:
  %g = fadd double %f, 1.5
  %gi = bitcast double %g to i64
  call void @effect(i32 4, i64 %gi)
  br label %done
done:
  store i64 %l0, ptr %g1
  %t = add i64 %far, %l0
  %cz = zext i1 %cond to i64
  %r = add i64 %t, %cz
  ret i64 %r
}
