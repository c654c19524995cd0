; Two loops that share their iterations: a light `continue`, of which LLVM has made a loop. H is gone in
; PTX, and threads don't wait behind the inner loop; unless H has to copy a value that others need.
;
; RUN: %opt %load -passes=linearize -mcpu=sm_90 -pass-remarks=linearize \
; RUN:   -pass-remarks-analysis=linearize -disable-output %s 2>&1 | %FileCheck %s
; RUN: %graph-tool --step order %s | %FileCheck --check-prefix=ORDER %s
; CHECK:     function 'shared', block 'H': left alone region 0 of 8 blocks {{.*}}: its guards would have threads that begin the next iteration wait for those in an inner loop, which is the same loop in the source; no profile says that it pays
; CHECK-NOT: function 'counts'{{.*}} its guards would hold
; ORDER:     function shared
; ORDER:     H [vanishes cost 0]: h
; ORDER:     function counts
; ORDER:     H [cost 0]: h

target triple = "nvptx64-nvidia-cuda"

define void @shared(ptr %out, ptr %in, i32 %n) {
entry:
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %H

H:
  %at = phi i32 [ %lane, %entry ], [ %i.next, %g ]
  %kept = phi i32 [ %n, %entry ], [ %f3, %g ]
  br label %h

h:
  %i = phi i32 [ %at, %H ], [ %i.next, %c ]
  %i.next = add i32 %i, 1
  %done = icmp ugt i32 %i.next, %n
  br i1 %done, label %p, label %c

c:
  %where = getelementptr i32, ptr %in, i32 %i.next
  %here = load i32, ptr %where
  %light = icmp ult i32 %here, 77
  br i1 %light, label %h, label %d

d:
  %d0 = udiv i32 %here, %n
  %d1 = udiv i32 %d0, %n
  %d2 = udiv i32 %d1, %n
  %d3 = udiv i32 %d2, %n
  %lost = icmp eq i32 %d3, 5
  br i1 %lost, label %x, label %f

f:
  %f0 = udiv i32 %kept, %n
  %f1 = udiv i32 %f0, %n
  %f2 = udiv i32 %f1, %n
  %f3 = udiv i32 %f2, %n
  %late = icmp eq i32 %f3, 7
  br i1 %late, label %x, label %g

g:
  br label %H

x:
  %why = phi i32 [ %d3, %d ], [ %f3, %f ]
  %x0 = mul i32 %why, %i
  %x1 = xor i32 %x0, %n
  %x2 = mul i32 %x1, %x0
  %x3 = xor i32 %x2, 3
  %x4 = mul i32 %x3, %x1
  %x5 = xor i32 %x4, 9
  %x6 = mul i32 %x5, %x3
  %x7 = xor i32 %x6, 5
  br label %y

p:
  br label %y

y:
  %result = phi i32 [ %x7, %x ], [ %kept, %p ]
  %to = getelementptr i32, ptr %out, i32 %lane
  store i32 %result, ptr %to
  ret void
}

define void @counts(ptr %out, ptr %in, i32 %n) {
entry:
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %H

H:
  %at = phi i32 [ %lane, %entry ], [ %i.next, %g ]
  %kept = phi i32 [ %n, %entry ], [ %f3, %g ]
  br label %h

h:
  %i = phi i32 [ %at, %H ], [ %i.next, %c ]
  %i.next = add i32 %i, 1
  %done = icmp ugt i32 %i.next, %n
  br i1 %done, label %p, label %c

c:
  %where = getelementptr i32, ptr %in, i32 %i.next
  %here = load i32, ptr %where
  %light = icmp ult i32 %here, 77
  br i1 %light, label %h, label %d

d:
  %d0 = udiv i32 %here, %n
  %d1 = udiv i32 %d0, %n
  %d2 = udiv i32 %d1, %n
  %d3 = udiv i32 %d2, %n
  %lost = icmp eq i32 %d3, 5
  br i1 %lost, label %x, label %f

f:
  %f0 = udiv i32 %kept, %n
  %f1 = udiv i32 %f0, %n
  %f2 = udiv i32 %f1, %n
  %f3 = udiv i32 %f2, %n
  %late = icmp eq i32 %f3, 7
  br i1 %late, label %x, label %g

g:
  br label %H

x:
  %why = phi i32 [ %d3, %d ], [ %f3, %f ]
  %x0 = mul i32 %why, %at
  %x1 = xor i32 %x0, %n
  %x2 = mul i32 %x1, %x0
  %x3 = xor i32 %x2, 3
  %x4 = mul i32 %x3, %x1
  %x5 = xor i32 %x4, 9
  %x6 = mul i32 %x5, %x3
  %x7 = xor i32 %x6, 5
  br label %y

p:
  br label %y

y:
  %result = phi i32 [ %x7, %x ], [ %kept, %p ]
  %to = getelementptr i32, ptr %out, i32 %lane
  store i32 %result, ptr %to
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
