; RUN: %same %s
; Duff's device: a switch into the middle of a loop whose body falls through; it copies words
; of memory, so an iteration too many or too few shows there.
;
;   entry ==0==> c0 -> c3 -> c2 -> c1 -> more -> done
;         ==3==========^      ^     ^      |
;         ==2=================|     |      |
;         ==1=======================|      |
;                ^-------------------------+  (back to c0)

declare ptr @memory()
declare i32 @pick(i32)
declare void @effect(i32, i64)

define i64 @test(i64 %s) {
entry:
  %m = call ptr @memory()
  %to = getelementptr i64, ptr %m, i64 32
  %n0 = call i32 @pick(i32 24)
  %n = add i32 %n0, 1
  %n3 = add i32 %n, 3
  %trips = lshr i32 %n3, 2
  %rest = and i32 %n, 3
  switch i32 %rest, label %c0 [ i32 3, label %c3
                                i32 2, label %c2
                                i32 1, label %c1 ]
c0:
  %i0 = phi i64 [ 0, %entry ], [ %i1n, %more ]
  %t0 = phi i32 [ %trips, %entry ], [ %t, %more ]
  %a0 = getelementptr i64, ptr %m, i64 %i0
  %v0 = load i64, ptr %a0
  %b0 = getelementptr i64, ptr %to, i64 %i0
  store i64 %v0, ptr %b0
  call void @effect(i32 1, i64 %i0)
  %i0n = add i64 %i0, 1
  br label %c3
c3:
  %i3 = phi i64 [ 0, %entry ], [ %i0n, %c0 ]
  %t3 = phi i32 [ %trips, %entry ], [ %t0, %c0 ]
  %a3 = getelementptr i64, ptr %m, i64 %i3
  %v3 = load i64, ptr %a3
  %b3 = getelementptr i64, ptr %to, i64 %i3
  store i64 %v3, ptr %b3
  call void @effect(i32 2, i64 %i3)
  %i3n = add i64 %i3, 1
  br label %c2
c2:
  %i2 = phi i64 [ 0, %entry ], [ %i3n, %c3 ]
  %t2 = phi i32 [ %trips, %entry ], [ %t3, %c3 ]
  %a2 = getelementptr i64, ptr %m, i64 %i2
  %v2 = load i64, ptr %a2
  %b2 = getelementptr i64, ptr %to, i64 %i2
  store i64 %v2, ptr %b2
  call void @effect(i32 3, i64 %i2)
  %i2n = add i64 %i2, 1
  br label %c1
c1:
  %i1 = phi i64 [ 0, %entry ], [ %i2n, %c2 ]
  %t1 = phi i32 [ %trips, %entry ], [ %t2, %c2 ]
  %a1 = getelementptr i64, ptr %m, i64 %i1
  %v1 = load i64, ptr %a1
  %b1 = getelementptr i64, ptr %to, i64 %i1
  store i64 %v1, ptr %b1
  call void @effect(i32 4, i64 %i1)
  %i1n = add i64 %i1, 1
  br label %more
more:
  %t = sub i32 %t1, 1
  %go = icmp sgt i32 %t, 0
  br i1 %go, label %c0, label %done
done:
  ret i64 %i1n
}
