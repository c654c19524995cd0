; RUN: %same %s
; Parallel edges: cases and the default of a switch that go to one block, which has phis with
; an entry for each of the edges, inside a loop with a second switch of the same kind.
;
;          +-----------------------------+
;          v                             |
;   entry->h ==0,1,2==> a --> m ==0,3,def==> (back)
;          ===3,4=====> b --> |  ==1,2===> x --> done
;          ===default=> m     v
;                             (phis in m: from h, a, b)

declare i32 @pick(i32)
declare void @effect(i32, i64)

define i64 @test(i64 %s) {
entry:
  br label %h
h:
  %v = phi i64 [ %s, %entry ], [ %m2, %m ], [ %m2, %m ], [ %m2, %m ]
  call void @effect(i32 1, i64 %v)
  %k = call i32 @pick(i32 6)
  switch i32 %k, label %m [ i32 0, label %a
                            i32 1, label %a
                            i32 2, label %a
                            i32 3, label %b
                            i32 4, label %b ]
a:
  %pa = phi i64 [ %v, %h ], [ %v, %h ], [ %v, %h ]
  %a2 = add i64 %pa, 11
  call void @effect(i32 2, i64 %a2)
  %ka = call i32 @pick(i32 2)
  switch i32 %ka, label %b [ i32 0, label %m
                             i32 -1, label %m ]
b:
  %pb = phi i64 [ %s, %h ], [ %a2, %a ], [ %s, %h ]
  %b2 = mul i64 %pb, 13
  call void @effect(i32 3, i64 %b2)
  br label %m
m:
  %pm = phi i64 [ 17, %h ], [ %a2, %a ], [ %a2, %a ], [ %b2, %b ]
  %qm = phi i32 [ 1, %h ], [ 2, %a ], [ 2, %a ], [ 3, %b ]
  %qz = zext i32 %qm to i64
  %m2 = add i64 %pm, %qz
  call void @effect(i32 4, i64 %m2)
  %km = call i32 @pick(i32 5)
  switch i32 %km, label %h [ i32 0, label %h
                             i32 1, label %x
                             i32 2, label %x
                             i32 3, label %h ]
x:
  %px = phi i64 [ %pm, %m ], [ %pm, %m ]
  %qx = phi i32 [ %qm, %m ], [ %qm, %m ]
  %r1 = zext i32 %qx to i64
  %r = sub i64 %px, %r1
  ret i64 %r
}
