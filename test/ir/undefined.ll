; What is set behind a guard and read behind another one has zero on the other ways: ptxas takes two
; registers that are set to the same on some ways only for one. Predicates keep poison, unless there
; is another one that could be set to the same, over conversions and other such phis, too.
;
; RUN: %opt %load -passes='linearize-limit-depth<1>,verify' -S %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define void @unlike
; CHECK: phi i32 [ 0, %{{.*}} ], [ %x, %first ]
; CHECK-NEXT: phi i1 [ poison, %{{.*}} ], [ %e, %first ]
; CHECK: phi i32 [ 0, %{{.*}} ], [ %y, %second ]
; CHECK-NEXT: phi i1 [ poison, %{{.*}} ], [ %f, %second ]
define void @unlike(i32 %a, i32 %b, ptr %p, ptr %out) {
entry:
  %c1 = icmp slt i32 %a, 1
  br i1 %c1, label %first, label %or
first:
  %x = load i32, ptr %p
  %e = icmp eq i32 %x, 5
  %c2 = icmp slt i32 %b, 2
  br i1 %c2, label %use, label %or
or:
  %c3 = icmp slt i32 %a, %b
  br i1 %c3, label %second, label %end
use:
  store i32 %x, ptr %out
  %z = zext i1 %e to i32
  store volatile i32 %z, ptr %out
  br label %end
second:
  %y = load i32, ptr %p
  %f = icmp eq i32 %y, 6
  %c4 = icmp slt i32 %b, 9
  br i1 %c4, label %use2, label %end
use2:
  store i32 %y, ptr %out
  %z2 = zext i1 %f to i32
  store volatile i32 %z2, ptr %out
  br label %end
end:
  ret void
}

; CHECK-LABEL: define void @alike
; CHECK: phi i1 [ false, %{{.*}} ], [ %e, %first ]
; CHECK: phi i1 [ false, %{{.*}} ], [ %f, %second ]
define void @alike(i32 %a, i32 %b, ptr %p, ptr %out) {
entry:
  %c1 = icmp slt i32 %a, 1
  br i1 %c1, label %first, label %or
first:
  %x = load i32, ptr %p
  %e = icmp ne i32 5, %x
  %c2 = icmp slt i32 %b, 2
  br i1 %c2, label %use, label %or
or:
  %c3 = icmp slt i32 %a, %b
  br i1 %c3, label %second, label %end
use:
  %z = zext i1 %e to i32
  store volatile i32 %z, ptr %out
  br label %end
second:
  %y = load i32, ptr %p
  %s = freeze i32 %y
  %f = icmp eq i32 %s, 5
  %c4 = icmp slt i32 %b, 9
  br i1 %c4, label %use2, label %end
use2:
  %z2 = zext i1 %f to i32
  store volatile i32 %z2, ptr %out
  br label %end
end:
  ret void
}

; One comes from a register that is set on some ways, too.
; CHECK-LABEL: define void @through
; CHECK: phi i1 [ false, %{{.*}} ], [ %e, %first ]
define void @through(i32 %a, i32 %b, ptr %p, ptr %out) {
entry:
  %c1 = icmp slt i32 %a, 1
  br i1 %c1, label %first, label %or
first:
  %x = load i32, ptr %p
  %e = icmp eq i32 %x, 5
  %c2 = icmp slt i32 %b, 2
  br i1 %c2, label %use, label %or
or:
  %c3 = icmp slt i32 %a, %b
  br i1 %c3, label %set, label %join
set:
  %v = load i32, ptr %p
  br label %join
join:
  %y = phi i32 [ %v, %set ], [ undef, %or ]
  br i1 %c3, label %second, label %end
use:
  %z = zext i1 %e to i32
  store volatile i32 %z, ptr %out
  br label %end
second:
  %f = icmp eq i32 %y, 5
  %c4 = icmp slt i32 %b, 9
  br i1 %c4, label %use2, label %end
use2:
  %z2 = zext i1 %f to i32
  store volatile i32 %z2, ptr %out
  br label %end
end:
  ret void
}

; A function that stays as it is keeps them.
; CHECK-LABEL: define i32 @left
; CHECK: phi i32 [ undef, %entry ], [ %x, %set ]
define i32 @left(i1 %a, ptr %p) {
entry:
  br i1 %a, label %set, label %join
set:
  %x = load i32, ptr %p
  br label %join
join:
  %y = phi i32 [ undef, %entry ], [ %x, %set ]
  ret i32 %y
}
