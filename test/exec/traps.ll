; RUN: %same %s
; Blocks that never go on: llvm.trap, a noreturn call, a bare unreachable behind a call that
; does not return, each reached from several regions, and from inside a loop.
;
;   entry -> a -> b -> h -> c -> l -> (h) / done
;            |    |    |    |    |
;            |    +----|----|----|--> trap
;            +---------+----+----|--> die
;                 +---------+----+--> gone

declare zeroext i1 @bit()
declare i32 @pick(i32)
declare void @effect(i32, i64)
declare void @die(i32) noreturn
declare void @llvm.trap() cold noreturn nounwind

define i64 @test(i64 %s) {
entry:
  %k0 = call i32 @pick(i32 3)
  switch i32 %k0, label %a [ i32 2, label %h ]
a:
  %va = add i64 %s, 1
  call void @effect(i32 1, i64 %va)
  %ka = call i32 @pick(i32 9)
  switch i32 %ka, label %b [ i32 0, label %die ]
b:
  %vb = mul i64 %va, 3
  call void @effect(i32 2, i64 %vb)
  %kb = call i32 @pick(i32 9)
  switch i32 %kb, label %h [ i32 0, label %trap
                             i32 1, label %gone ]
h:
  %v = phi i64 [ %s, %entry ], [ %vb, %b ], [ %v2, %l ]
  %n = phi i32 [ 7, %entry ], [ 8, %b ], [ %n2, %l ]
  call void @effect(i32 3, i64 %v)
  %kh = call i32 @pick(i32 20)
  switch i32 %kh, label %c [ i32 0, label %die ]
c:
  %v2 = xor i64 %v, 5
  call void @effect(i32 4, i64 %v2)
  %kc = call i32 @pick(i32 20)
  switch i32 %kc, label %l [ i32 0, label %die
                             i32 1, label %gone
                             i32 2, label %gone ]
l:
  %n2 = add i32 %n, 1
  %kl = call i32 @pick(i32 20)
  switch i32 %kl, label %h [ i32 0, label %trap
                             i32 1, label %gone
                             i32 2, label %done
                             i32 3, label %done ]
trap:
  %vt = phi i64 [ %vb, %b ], [ %v2, %l ]
  call void @effect(i32 5, i64 %vt)
  call void @llvm.trap()
  unreachable
die:
  %nd = phi i32 [ 6, %a ], [ %n, %h ], [ %n, %c ]
  %nz = zext i32 %nd to i64
  call void @effect(i32 6, i64 %nz)
  call void @die(i32 20)
  unreachable
gone:
  %vg = phi i64 [ %va, %b ], [ %v2, %c ], [ %v2, %c ], [ %v, %l ]
  call void @effect(i32 8, i64 %vg)
  call void @die(i32 21) noreturn
  unreachable
done:
  ret i64 %v2
}
