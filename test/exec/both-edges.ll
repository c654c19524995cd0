; RUN: %same %s
; Conditional branches with both edges to one block (phis hold two equal entries), in and out
; of an unstructured region.
;
;   entry ==> a --> b ==> c --> d        == is a pair of edges to one block
;             |     |     ^     ^
;             +-----|-----+     |
;                   +-----------+   (b is a switch: c, c, d)

declare zeroext i1 @bit()
declare i32 @pick(i32)
declare void @effect(i32, i64)

define i64 @test(i64 %s) {
entry:
  %c = call zeroext i1 @bit()
  br i1 %c, label %a, label %a
a:
  %pa = phi i64 [ %s, %entry ], [ %s, %entry ]
  call void @effect(i32 1, i64 %pa)
  %ca = call zeroext i1 @bit()
  br i1 %ca, label %b, label %c1
b:
  %vb = add i64 %pa, 4
  call void @effect(i32 2, i64 %vb)
  %kb = call i32 @pick(i32 3)
  switch i32 %kb, label %d [ i32 0, label %c1
                             i32 1, label %c1 ]
c1:
  %pc = phi i64 [ %pa, %a ], [ %vb, %b ], [ %vb, %b ]
  %qc = phi i64 [ 1, %a ], [ 2, %b ], [ 2, %b ]
  %vc = mul i64 %pc, %qc
  call void @effect(i32 3, i64 %vc)
  %cc = call zeroext i1 @bit()
  br i1 %cc, label %d, label %d
d:
  %pd = phi i64 [ %vb, %b ], [ %vc, %c1 ], [ %vc, %c1 ]
  call void @effect(i32 4, i64 %pd)
  ret i64 %pd
}
