; RUN: %same %s
; A loop of one block that stays as it is, in an arm. Its phi, the next value and the phi behind it
; are one variable, that its block sets twice: the later one is what the others see.
;
;   entry -> a(self) -> b -> done
;      |       |              |
;      +-------+-> c ---------+

declare zeroext i1 @bit()
declare i32 @pick(i32)
declare void @effect(i32, i64)

define i64 @test(i64 %s) {
entry:
  %e = call zeroext i1 @bit()
  br i1 %e, label %a, label %c
a:
  %x = phi i64 [ %s, %entry ], [ %y, %a ]
  %y = mul i64 %x, 3
  call void @effect(i32 1, i64 %y)
  %k = call i32 @pick(i32 3)
  switch i32 %k, label %a [ i32 0, label %b
                            i32 1, label %c ]
b:
  call void @effect(i32 2, i64 %s)
  br label %done
c:
  %v = phi i64 [ 7, %entry ], [ %y, %a ]
  call void @effect(i32 3, i64 %v)
  br label %done
done:
  %r = phi i64 [ 5, %b ], [ %v, %c ]
  ret i64 %r
}
