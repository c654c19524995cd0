; Conditions that are needed behind a call are kept in registers: ptxas would make them again from
; what the call has overwritten.
;
; RUN: %opt %load -passes='linearize<paper>' -S %s | %FileCheck %s

target triple = "nvptx64-nvidia-cuda"

declare i32 @pick(i32) nosync nounwind
declare void @use(i1)

;   a || (b && c) ? yes : no, and both ask %first
;
; CHECK-LABEL: define i32 @kept(
; CHECK:         %first = icmp eq i32 %x, 7
; CHECK-NEXT:    %[[WORD:.*]] = zext i1 %first to i32
; CHECK:         br i1 %first,
; CHECK:         call i32 @pick(i32 1)
; CHECK-NEXT:    %[[AGAIN:.*]] = icmp ne i32 %[[WORD]], 0
; CHECK-NEXT:    %s1 = select i1 %[[AGAIN]], i32 %r1, i32 5
; CHECK-NOT:     select i1 %first
; CHECK:       }
define i32 @kept(i32 %n) {
a:
  %x = call i32 @pick(i32 %n)
  %first = icmp eq i32 %x, 7
  br i1 %first, label %yes, label %b

b:
  %y = call i32 @pick(i32 %x)
  %b.holds = icmp ult i32 %y, 9
  br i1 %b.holds, label %c, label %no

c:
  %z = call i32 @pick(i32 %y)
  %c.holds = icmp ult i32 %z, 9
  br i1 %c.holds, label %yes, label %no

yes:
  %r1 = call i32 @pick(i32 1)
  %s1 = select i1 %first, i32 %r1, i32 5
  br label %end

no:
  %r2 = call i32 @pick(i32 2)
  %s2 = select i1 %first, i32 %r2, i32 6
  br label %end

end:
  %result = phi i32 [ %s1, %yes ], [ %s2, %no ]
  ret i32 %result
}

; A phi of conditions, of a parameter too, is one of words, and poison in it is zero.
; CHECK-LABEL: define void @phi(
; CHECK:         %[[OWN:.*]] = zext i1 %own to i32
; CHECK-NOT:     phi i1 [ %own
; CHECK:         phi i32 [ {{(0|1|%.*)}}, %{{.*}} ], [ {{.*}}
; CHECK:         icmp ne i32 %{{.*}}, 0
; CHECK:         call void @use(i1 %
; CHECK:       }
define void @phi(i32 %n, i1 %own) {
a:
  %x = call i32 @pick(i32 %n)
  switch i32 %x, label %b [
    i32 1, label %yes
    i32 2, label %yes
    i32 3, label %no
  ]

b:
  %y = call i32 @pick(i32 %x)
  %b.holds = icmp ult i32 %y, 9
  br i1 %b.holds, label %yes, label %no

yes:
  %odd = phi i1 [ %own, %a ], [ %own, %a ], [ true, %b ]
  %r1 = call i32 @pick(i32 1)
  br label %end

no:
  %even = phi i1 [ false, %a ], [ %own, %b ]
  %r2 = call i32 @pick(i32 2)
  br label %end

end:
  %which = phi i1 [ %odd, %yes ], [ %even, %no ]
  %r3 = call i32 @pick(i32 3)
  call void @use(i1 %which)
  ret void
}

; Those that no longer matter where the call is stay what they are.
; CHECK-LABEL: define i32 @early(
; CHECK-NOT:     zext i1
; CHECK:       }
define i32 @early(ptr %p, i32 %x, i32 %y, i32 %z) {
a:
  %first = icmp eq i32 %x, 7
  br i1 %first, label %yes, label %b

b:
  %b.holds = icmp ult i32 %y, 9
  br i1 %b.holds, label %c, label %no

c:
  %c.holds = icmp ult i32 %z, 9
  br i1 %c.holds, label %yes, label %no

yes:
  %r1 = load volatile i32, ptr %p
  %s1 = select i1 %first, i32 %r1, i32 5
  br label %end

no:
  %r2 = load volatile i32, ptr %p
  %s2 = select i1 %first, i32 %r2, i32 6
  br label %end

end:
  %result = phi i32 [ %s1, %yes ], [ %s2, %no ]
  %late = call i32 @pick(i32 %result)
  ret i32 %late
}
