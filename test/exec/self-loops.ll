; RUN: %same %s
; Blocks that jump to themselves: at the end of an arm, as an entry of an irreducible loop, by
; a switch with two parallel self edges, and with phis that read each other's old values.
;
;   entry -> a(self) -> b(self,self) -> done
;      |       \-> c(self) <-> b
;      +---------> c

declare zeroext i1 @bit()
declare i32 @pick(i32)
declare void @effect(i32, i64)

define i64 @test(i64 %s) {
entry:
  %e = call zeroext i1 @bit()
  br i1 %e, label %a, label %c
a:
  %x = phi i64 [ %s, %entry ], [ %y, %a ]
  %y = phi i64 [ 1, %entry ], [ %z, %a ]
  %z = phi i64 [ 2, %entry ], [ %x, %a ]
  call void @effect(i32 1, i64 %x)
  %ka = call i32 @pick(i32 3)
  switch i32 %ka, label %a [ i32 0, label %b
                             i32 1, label %c ]
b:
  %v = phi i64 [ %x, %a ], [ %w, %c ], [ %v2, %b ], [ %v2, %b ]
  %n = phi i64 [ %y, %a ], [ 3, %c ], [ %v, %b ], [ %v, %b ]
  %v2 = add i64 %v, %n
  call void @effect(i32 2, i64 %v2)
  %kb = call i32 @pick(i32 4)
  switch i32 %kb, label %done [ i32 0, label %b
                                i32 1, label %c
                                i32 2, label %b ]
c:
  %w = phi i64 [ 5, %entry ], [ %z, %a ], [ %v2, %b ], [ %w2, %c ]
  %w2 = mul i64 %w, 3
  call void @effect(i32 3, i64 %w2)
  %kc = call zeroext i1 @bit()
  br i1 %kc, label %b, label %c
done:
  %r = xor i64 %n, %v
  ret i64 %r
}
