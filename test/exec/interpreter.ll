; RUN: %same %s
; An interpreter: a switch in a loop whose cases share tails, fall through, jump to another
; case (an edge into the middle), halt or trap.
;
;          +--------------------------------------+
;          v                                      |
;   in -> fetch =0=> push ------------------+     |
;              =1=> add --> arith --+       |     |
;              =2=> neg --> arith   +--> store -> next
;              =3=> jump ----------------------> next
;              =4=> halt                neg may go to push too
;              =5=> bad (trap)

declare zeroext i1 @bit()
declare i32 @pick(i32)
declare ptr @memory()
declare void @effect(i32, i64)
declare void @die(i32) noreturn

define i64 @test(i64 %s) {
entry:
  %m = call ptr @memory()
  br label %fetch
fetch:
  %acc = phi i64 [ %s, %entry ], [ %acc2, %next ]
  %pc = phi i64 [ 0, %entry ], [ %pc2, %next ]
  %slot = and i64 %pc, 63
  %a = getelementptr i64, ptr %m, i64 %slot
  %w = load i64, ptr %a
  call void @effect(i32 1, i64 %w)
  %op0 = trunc i64 %w to i32
  %op1 = and i32 %op0, 63
  %op = udiv i32 %op1, 12
  switch i32 %op, label %bad [ i32 0, label %push
                               i32 1, label %add
                               i32 2, label %neg
                               i32 3, label %jump
                               i32 4, label %halt0 ]
push:
  %v = phi i64 [ %w, %fetch ], [ %n, %neg ]
  %pv = add i64 %v, %acc
  call void @effect(i32 2, i64 %pv)
  br label %store
add:
  %sum = add i64 %acc, %w
  call void @effect(i32 3, i64 %sum)
  br label %arith
neg:
  %n = sub i64 0, %acc
  call void @effect(i32 4, i64 %n)
  %cn = call zeroext i1 @bit()
  br i1 %cn, label %arith, label %push
arith:
  %ar = phi i64 [ %sum, %add ], [ %n, %neg ]
  %ar2 = mul i64 %ar, 3
  call void @effect(i32 5, i64 %ar2)
  br label %store
store:
  %sv = phi i64 [ %pv, %push ], [ %ar2, %arith ]
  store i64 %sv, ptr %a
  br label %next
jump:
  %far = lshr i64 %w, 20
  call void @effect(i32 6, i64 %far)
  br label %next
halt0:
  %ch = call i32 @pick(i32 5)
  %h = icmp eq i32 %ch, 0
  br i1 %h, label %halt, label %next
next:
  %acc2 = phi i64 [ %sv, %store ], [ %acc, %jump ], [ 1, %halt0 ]
  %step = phi i64 [ 1, %store ], [ %far, %jump ], [ 3, %halt0 ]
  %pc2 = add i64 %pc, %step
  br label %fetch
bad:
  %cb = call i32 @pick(i32 3)
  %b = icmp eq i32 %cb, 0
  br i1 %b, label %die, label %push2
push2:
  call void @effect(i32 7, i64 %pc)
  br label %jump2
jump2:
  %p8 = add i64 %pc, 8
  %s8 = and i64 %p8, 63
  %a8 = getelementptr i64, ptr %m, i64 %s8
  store i64 %s, ptr %a8
  br label %halt
die:
  call void @die(i32 8)
  unreachable
halt:
  %r = phi i64 [ %acc, %halt0 ], [ 9, %jump2 ]
  ret i64 %r
}
