; What nothing reaches may lead anywhere: into a test of a short loop that becomes one with the
; first, into a block of which exits become free, into an entry that is copied. The graphs of the core
; are without it, and so is the function that is worked on. It stays where nothing is done.
;
; RUN: %opt %load -passes='linearize,verify' -S %s -o %t.ll
; RUN: %FileCheck %s < %t.ll
; RUN: %opt %load -passes='linearize<paper;O0>,verify' -S %s | %FileCheck %s --check-prefix=PAPER
; RUN: %opt %load -passes='linearize<none;merge-loops;interleave;limit-depth=1;regardless>,verify' -disable-output %s
;
; In a second run there is nothing to do.
; RUN: %opt %load -passes='linearize,verify' -S %t.ll -o %t.again.ll
; RUN: sed '1d;s/; preds.*//' %t.ll > %t.first
; RUN: sed '1d;s/; preds.*//' %t.again.ll | diff %t.first -
;
; PAPER-LABEL: define i32 @folded
; PAPER-NOT: dead
; PAPER-LABEL: define i32 @structured
target triple = "nvptx64-nvidia-cuda"

declare i32 @load(i32) nosync

; CHECK-LABEL: define i32 @folded
; CHECK-NOT: dead
; CHECK: br i1 {{.*}}, label %linearize.exit, label %h
; CHECK-NOT: dead
; CHECK-LABEL: define i32 @freed
define i32 @folded(i32 %n, i32 %k, ptr %p) {
entry:
  br label %h
h:
  %i = phi i32 [ 0, %entry ], [ %j, %b ]
  %c = icmp eq i32 %i, %n
  br i1 %c, label %out, label %b
b:
  %j = add i32 %i, 1
  %m = mul i32 %j, 7
  %d = icmp eq i32 %m, %k
  br i1 %d, label %out2, label %h
dead:
  br label %b
out:
  ret i32 %i
out2:
  store i32 %m, ptr %p
  ret i32 7
}

; The dead ones lead to each other, go around, and have a switch; their phis read live values and
; live phis theirs.
;
; CHECK-NOT: dead
; CHECK: linearize.exit:
; CHECK-NOT: dead
; CHECK-LABEL: define void @copied
define i32 @freed(i32 %n, i32 %key) {
start:
  br label %head
head:
  %i = phi i32 [ 0, %start ], [ %where, %more ], [ %x, %dead ], [ %y, %dead.loop ]
  %entry.1 = call i32 @load(i32 %i)
  %low = and i32 %entry.1, 31
  %empty = icmp eq i32 %low, 31
  br i1 %empty, label %test, label %on
on:
  %next = add i32 %entry.1, %i
  br label %test
dead:
  %x = phi i32 [ %y, %dead.loop ], [ %i, %dead.too ]
  switch i32 %x, label %test [ i32 1, label %test
                               i32 2, label %head
                               i32 3, label %dead.loop ]
dead.loop:
  %y = phi i32 [ %y, %dead.loop ], [ %x, %dead ]
  %z = icmp eq i32 %y, %key
  switch i32 %y, label %dead.loop [ i32 7, label %more
                                    i32 8, label %dead
                                    i32 9, label %head ]
dead.too:
  br i1 %z, label %dead, label %end
test:
  %stays = phi i1 [ false, %head ], [ true, %on ], [ false, %dead ], [ false, %dead ]
  %where = phi i32 [ %i, %head ], [ %next, %on ], [ %x, %dead ], [ %x, %dead ]
  br i1 %stays, label %more, label %end
more:
  %was = phi i32 [ %where, %test ], [ %y, %dead.loop ]
  %last = icmp ugt i32 %was, %n
  br i1 %last, label %end, label %head
end:
  %reason = phi i32 [ %where, %test ], [ 5, %more ], [ %next, %dead.too ]
  ret i32 %reason
}

; CHECK: linearize.entry:
; CHECK-NOT: dead
; CHECK-LABEL: define i32 @structured
define void @copied(ptr addrspace(1) %out, i1 %way, i32 %n) {
entry:
  br i1 %way, label %a, label %b
a:
  %i = phi i32 [ %n, %entry ], [ %t, %b ], [ 3, %dead ]
  %v = add i32 %i, 1
  br label %b
b:
  %j = phi i32 [ 1, %entry ], [ %v, %a ]
  %s = mul i32 %j, %j
  %t = mul i32 %s, %j
  %t1 = mul i32 %t, %s
  %t2 = mul i32 %t1, %t
  %leaves = icmp sgt i32 %t2, 1000
  br i1 %leaves, label %end, label %a
dead:
  store i32 %v, ptr addrspace(1) %out
  br label %a
end:
  store i32 %t2, ptr addrspace(1) %out
  ret void
}

; Nothing is done here.
;
; CHECK: dead:
define i32 @structured(i32 %n) {
entry:
  %c = icmp eq i32 %n, 3
  br i1 %c, label %then, label %end
then:
  br label %end
dead:
  br label %end
end:
  %r = phi i32 [ 1, %entry ], [ 2, %then ], [ 3, %dead ]
  ret i32 %r
}
