; Integer guards that can be one of two values where they are joined become flags (lib/llvm/write/narrow.c).
;
; RUN: %opt %load -passes='linearize<paper>,verify' -S %s | %FileCheck %s
; RUN: %opt %load -passes='linearize<paper;O3>,verify' -S %s | %FileCheck %s --check-prefix=O3
;
; O3: phi i32
target triple = "nvptx64-nvidia-cuda"
declare i1 @test(i32) nosync nounwind memory(none)
declare void @work(i32) nosync nounwind

; A short circuit, || and && in turn: each test goes on to the next one or to the one after it. Whom
; the test before didn't let in is known to go on to this one.
;
; CHECK-LABEL: @tests(
; CHECK-NOT: phi i32
; CHECK: %[[TWO:.*]] = phi i1 [ true, %entry ], [ %{{.*}}, %c2 ]
; CHECK-NEXT: br i1 %[[TWO]], label %c3, label %[[NEXT:.*]], !linearize.guard
; CHECK: %[[THREE:.*]] = phi i1 [ true, %{{.*}} ], [ %{{.*}}, %c3 ]
; CHECK-NEXT: br i1 %[[THREE]], label %c4, label %{{.*}}, !linearize.guard
; CHECK: ret void
define void @tests(i32 %x) {
entry:
  %t1 = call i1 @test(i32 1)
  br i1 %t1, label %c3, label %c2
c2:
  %t2 = call i1 @test(i32 2)
  br i1 %t2, label %c3, label %c4
c3:
  %t3 = call i1 @test(i32 3)
  br i1 %t3, label %c5, label %c4
c4:
  %t4 = call i1 @test(i32 4)
  br i1 %t4, label %c5, label %c6
c5:
  %t5 = call i1 @test(i32 5)
  br i1 %t5, label %yes, label %c6
c6:
  %t6 = call i1 @test(i32 6)
  br i1 %t6, label %yes, label %no
yes:
  call void @work(i32 1)
  br label %end
no:
  call void @work(i32 2)
  br label %end
end:
  ret void
}

; A loop with two entries: who goes around always comes to the first of them.
;
; CHECK-LABEL: @entries(
; CHECK: phi i1 [ %{{.*}}, %entry ], [ true, %{{.*}} ]
; CHECK-NOT: = icmp
; CHECK: ret void
define void @entries(i32 %x) {
entry:
  %e = call i1 @test(i32 0)
  br i1 %e, label %a, label %b
a:
  call void @work(i32 1)
  %ta = call i1 @test(i32 1)
  br i1 %ta, label %b, label %end
b:
  call void @work(i32 2)
  %tb = call i1 @test(i32 2)
  br i1 %tb, label %a, label %end
end:
  ret void
}

; What a switch may have chosen is more than two: that stays an integer.
;
; CHECK-LABEL: @tails(
; CHECK: phi i32
; CHECK-NOT: phi i1
; CHECK: ret void
define void @tails(i32 %x) {
entry:
  switch i32 %x, label %a [ i32 1, label %b
                            i32 2, label %c
                            i32 3, label %d ]
a:
  call void @work(i32 1)
  %ta = call i1 @test(i32 1)
  br i1 %ta, label %b, label %c
b:
  call void @work(i32 2)
  %tb = call i1 @test(i32 2)
  br i1 %tb, label %c, label %d
c:
  call void @work(i32 3)
  %tc = call i1 @test(i32 3)
  br i1 %tc, label %d, label %end
d:
  call void @work(i32 4)
  br label %end
end:
  ret void
}
