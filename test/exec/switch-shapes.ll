; RUN: %same %s
; Switches of odd shapes in one unstructured region: over i1, i8 with both signs, i64 with huge
; cases, i128, no cases at all, default unreachable, all edges to one block.
;
;   entry =i1=> a =i8=> b =i64=> c =none=> d =i128=> e =all=> done
;      |        |  \    |  \     |         |  \      ^
;      +--> b   |   +-> c   +-> d|         |   +-----+
;               +-> e  +-> e     |         +-> trap(default)

declare zeroext i1 @bit()
declare i32 @pick(i32)
declare void @effect(i32, i64)

define i64 @test(i64 %s) {
entry:
  %c = call zeroext i1 @bit()
  switch i1 %c, label %a [ i1 true, label %b ]
a:
  call void @effect(i32 1, i64 %s)
  %k1 = call i32 @pick(i32 4)
  %k1a = sub i32 %k1, 2
  %k1b = trunc i32 %k1a to i8
  switch i8 %k1b, label %b [ i8 -2, label %c1
                             i8 -1, label %e
                             i8 1, label %c1 ]
b:
  %pb = phi i64 [ 1, %entry ], [ 2, %a ]
  call void @effect(i32 2, i64 %pb)
  %k2 = call i32 @pick(i32 4)
  %k2a = zext i32 %k2 to i64
  %k2b = mul i64 %k2a, 4611686018427387904
  switch i64 %k2b, label %c1 [ i64 4611686018427387904, label %d
                               i64 -9223372036854775808, label %e ]
c1:
  %pc = phi i64 [ 3, %a ], [ 3, %a ], [ %pb, %b ]
  call void @effect(i32 3, i64 %pc)
  switch i64 %pc, label %d [ ]
d:
  %pd = phi i64 [ 4, %b ], [ %pc, %c1 ]
  call void @effect(i32 4, i64 %pd)
  %k3 = call i32 @pick(i32 2)
  %k3a = zext i32 %k3 to i128
  %k3b = shl i128 %k3a, 100
  switch i128 %k3b, label %never [ i128 0, label %e
                                   i128 1267650600228229401496703205376, label %f ]
e:
  %pe = phi i64 [ 5, %a ], [ 6, %b ], [ %pd, %d ]
  call void @effect(i32 5, i64 %pe)
  %k4 = call i32 @pick(i32 3)
  switch i32 %k4, label %f [ i32 0, label %f
                             i32 1, label %f
                             i32 2, label %f ]
f:
  %pf = phi i64 [ %pd, %d ], [ %pe, %e ], [ %pe, %e ], [ %pe, %e ], [ %pe, %e ]
  call void @effect(i32 6, i64 %pf)
  ret i64 %pf
never:
  unreachable
}
