; RUN: %same %s
; Values carried around an irreducible loop past blocks that do not touch them: defined in one
; iteration, used in a later one, in a block that may be entered first (a use before any
; definition in this pass reads the phi's entry value), and used after the loop.
;
;     entry          keep1 is set in a and read in b an iteration later;
;     /   \          keep2 is set in b, read in c;
;    v     v         acc runs through all.
;    a --> b --> c --+
;    ^     ^     |   v
;    +-----+-----+  done

declare zeroext i1 @bit()
declare i32 @pick(i32)
declare void @effect(i32, i64)

define i64 @test(i64 %s) {
entry:
  %c = call zeroext i1 @bit()
  br i1 %c, label %a, label %b
a:
  %acc.a = phi i64 [ %s, %entry ], [ %acc.c2, %c1 ]
  %k1.a = phi i64 [ 111, %entry ], [ %k1.c, %c1 ]
  %k2.a = phi i64 [ 222, %entry ], [ %k2.c, %c1 ]
  %k1.new = add i64 %k1.a, %acc.a
  call void @effect(i32 1, i64 %k1.new)
  br label %b
b:
  %acc.b = phi i64 [ 1, %entry ], [ %acc.a, %a ], [ %acc.c2, %c1 ]
  %k1.b = phi i64 [ 333, %entry ], [ %k1.new, %a ], [ %k1.c, %c1 ]
  %k2.b = phi i64 [ 444, %entry ], [ %k2.a, %a ], [ %k2.c, %c1 ]
  call void @effect(i32 2, i64 %k1.b)
  %cb = call zeroext i1 @bit()
  %k2.new = xor i64 %acc.b, %k1.b
  %k2.sel = select i1 %cb, i64 %k2.new, i64 %k2.b
  br label %c1
c1:
  %k1.c = phi i64 [ %k1.b, %b ]
  %k2.c = phi i64 [ %k2.sel, %b ]
  %acc.c2 = mul i64 %acc.b, 5
  call void @effect(i32 3, i64 %k2.c)
  %k = call i32 @pick(i32 3)
  switch i32 %k, label %a [ i32 0, label %b
                            i32 1, label %done ]
done:
  %t = add i64 %k1.c, %k2.b
  %r = xor i64 %t, %acc.c2
  ret i64 %r
}
