; Loops in loops, merged and with few branches nested: each function is one form of a nest. What they
; call waits for no other thread, or the nests would be left alone.
;
; RUN: %same --tests 15 --inputs 400 %s "none;merge-loops;regardless" "none;merge-loops;regardless;O0" "none;limit-depth=1" "none;limit-depth=2" "none;limit-depth=1;O0" "paper;merge-loops;limit-depth=2;regardless" "none;merge-loops;regardless;limit-depth=1"
; RUN: %opt %load -mtriple=nvptx64-nvidia-cuda -mcpu=sm_75 -passes='linearize-merge-loops<regardless>' -pass-remarks=linearize -pass-remarks-missed=linearize -pass-remarks-analysis=linearize -disable-output %s 2>&1 | %FileCheck %s --implicit-check-not=remark:
;
; CHECK-DAG: remark: {{.*}}function 'while', block 'inner': merged this loop
; CHECK-DAG: remark: {{.*}}function 'for', block 'linearize.strip': merged this loop
; CHECK-DAG: remark: {{.*}}function 'exits', block 'inner': merged this loop
; CHECK-DAG: remark: {{.*}}function 'siblings', block '{{.*}}': merged this loop
; CHECK-DAG: remark: {{.*}}function 'siblings', block '{{.*}}': not merged with the loop around it: another inner loop gains more
; CHECK-DAG: remark: {{.*}}function 'deep', block 'third': merged this loop with the one around it, of 'second'
; CHECK-DAG: remark: {{.*}}function 'deep', block 'second': merged this loop with the one around it, of 'first'
; CHECK-DAG: remark: {{.*}}function 'swap', block 'inner': merged this loop
; CHECK-DAG: remark: {{.*}}function 'crossing', block 'inner': merged this loop
; CHECK-DAG: remark: {{.*}}function 'self', block 'linearize.strip': merged this loop
; CHECK-DAG: remark: {{.*}}function 'latches', block 'inner': merged this loop
; CHECK-DAG: remark: {{.*}}function 'atomics', block 'inner': merged this loop
; CHECK-DAG: remark: {{.*}}function 'polls', block 'inner': not merged with the loop around it: it polls memory
; CHECK-DAG: remark: {{.*}}function 'header_leaves', block 'inner': merged this loop
; CHECK-DAG: remark: {{.*}}function 'first', block 'linearize.strip': merged this loop
; CHECK-DAG: remark: {{.*}}function 'returns', block 'inner': merged this loop
; CHECK-DAG: remark: {{.*}}function 'behind', block 'beside': merged this loop with the one around it, of 'outer'
; CHECK-DAG: remark: {{.*}}function 'behind', block 'apart': merged this loop with the one around it, of 'beside'
; CHECK-DAG: remark: {{.*}}function 'behind', block 'inner': not merged with the loop around it: another inner loop gains more

declare zeroext i1 @bit() nosync
declare i32 @pick(i32) nosync
declare i64 @value(i32) nosync
declare void @effect(i32, i64) nosync
declare void @die(i32) nosync noreturn
declare ptr @memory() nosync

@tests = constant [15 x ptr] [ptr @while, ptr @for, ptr @exits, ptr @siblings, ptr @deep, ptr @swap,
  ptr @crossing, ptr @self, ptr @latches, ptr @atomics, ptr @polls, ptr @header_leaves, ptr @first,
  ptr @returns, ptr @behind]

; Both headers may leave at once.
define i64 @while(i64 %s) {
entry:
  br label %outer
outer:
  %x = phi i64 [ %s, %entry ], [ %y.out, %latch ]
  %c = call zeroext i1 @bit()
  br i1 %c, label %inner, label %end
inner:
  %y = phi i64 [ %x, %outer ], [ %y.next, %body ]
  %d = call zeroext i1 @bit()
  br i1 %d, label %body, label %latch
body:
  %y.next = mul i64 %y, 3
  call void @effect(i32 1, i64 %y.next)
  br label %inner
latch:
  %y.out = add i64 %y, 1
  call void @effect(i32 2, i64 %y.out)
  br label %outer
end:
  %r = phi i64 [ %x, %outer ]
  ret i64 %r
}

; The inner loop is passed by where it has no turn; its bound is another one in each turn.
define i64 @for(i64 %s) {
entry:
  %n = call i32 @pick(i32 7)
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %sum = phi i64 [ %s, %entry ], [ %sum.out, %latch ]
  %m = call i32 @pick(i32 4)
  %none = icmp eq i32 %m, 0
  br i1 %none, label %latch, label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %sum.in = phi i64 [ %sum, %outer ], [ %sum.next, %inner ]
  %wide = zext i32 %j to i64
  %sum.mul = mul i64 %sum.in, 5
  %sum.next = add i64 %sum.mul, %wide
  %j.next = add i32 %j, 1
  %more = icmp ult i32 %j.next, %m
  br i1 %more, label %inner, label %latch
latch:
  %sum.out = phi i64 [ %sum, %outer ], [ %sum.next, %inner ]
  call void @effect(i32 1, i64 %sum.out)
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %outer, label %end
end:
  ret i64 %sum.out
}

; The inner loop is left to three places of the outer one, and out of both.
define i64 @exits(i64 %s) {
entry:
  br label %outer
outer:
  %x = phi i64 [ %s, %entry ], [ %x1, %continue ], [ %x3, %latch ]
  call void @effect(i32 1, i64 %x)
  br label %inner
inner:
  %y = phi i64 [ %x, %outer ], [ %y1, %turn ]
  %k = call i32 @pick(i32 5)
  switch i32 %k, label %turn [ i32 0, label %continue
                               i32 1, label %other
                               i32 2, label %latch
                               i32 3, label %broken ]
turn:
  %y1 = add i64 %y, 7
  %c = call zeroext i1 @bit()
  br i1 %c, label %inner, label %other
continue:
  %x1 = xor i64 %y, 1
  call void @effect(i32 2, i64 %x1)
  br label %outer
other:
  %z = phi i64 [ %y, %inner ], [ %y1, %turn ]
  %x2 = mul i64 %z, 11
  call void @effect(i32 3, i64 %x2)
  br label %latch
latch:
  %x3 = phi i64 [ %y, %inner ], [ %x2, %other ]
  %d = call zeroext i1 @bit()
  br i1 %d, label %outer, label %end
broken:
  call void @effect(i32 4, i64 %y)
  br label %end
end:
  %r = phi i64 [ %x3, %latch ], [ %y, %broken ]
  ret i64 %r
}

; One of the two is merged; the other stays a loop in it.
define i64 @siblings(i64 %s) {
entry:
  br label %outer
outer:
  %x = phi i64 [ %s, %entry ], [ %x2, %latch ]
  br label %one
one:
  %x0 = phi i64 [ %x, %outer ], [ %x1, %one.turn ]
  %c = call zeroext i1 @bit()
  br i1 %c, label %one.turn, label %between
one.turn:
  %x1 = mul i64 %x0, 3
  call void @effect(i32 1, i64 %x1)
  br label %one
between:
  call void @effect(i32 2, i64 %x0)
  br label %two
two:
  %y0 = phi i64 [ %x0, %between ], [ %y1, %two.turn ]
  %d = call zeroext i1 @bit()
  br i1 %d, label %two.turn, label %latch
two.turn:
  %y1 = add i64 %y0, %x
  call void @effect(i32 3, i64 %y1)
  br label %two
latch:
  %x2 = xor i64 %y0, %x0
  %e = call zeroext i1 @bit()
  br i1 %e, label %outer, label %end
end:
  ret i64 %x2
}

define i64 @deep(i64 %s) {
entry:
  br label %first
first:
  %a = phi i64 [ %s, %entry ], [ %a1, %first.latch ]
  %c = call zeroext i1 @bit()
  br i1 %c, label %second, label %end
second:
  %b = phi i64 [ %a, %first ], [ %b1, %second.latch ]
  call void @effect(i32 1, i64 %b)
  %d = call zeroext i1 @bit()
  br i1 %d, label %third, label %first.latch
third:
  %e = phi i64 [ %b, %second ], [ %e1, %third.latch ]
  call void @effect(i32 2, i64 %e)
  %f = call i32 @pick(i32 4)
  switch i32 %f, label %third.latch [ i32 0, label %second.latch
                                      i32 1, label %first.latch ]
third.latch:
  %e1 = add i64 %e, %a
  %g = call zeroext i1 @bit()
  br i1 %g, label %third, label %second.latch
second.latch:
  %b0 = phi i64 [ %e, %third ], [ %e1, %third.latch ]
  %b1 = xor i64 %b0, %b
  call void @effect(i32 3, i64 %b1)
  br label %second
first.latch:
  %a0 = phi i64 [ %b, %second ], [ %e, %third ]
  %a1 = mul i64 %a0, 3
  call void @effect(i32 4, i64 %a1)
  br label %first
end:
  ret i64 %a
}

; Values change places in every turn of the inner loop, and others in every one of the outer loop.
define i64 @swap(i64 %s) {
entry:
  br label %outer
outer:
  %a = phi i64 [ %s, %entry ], [ %b, %latch ]
  %b = phi i64 [ 7, %entry ], [ %a, %latch ]
  %p = phi i64 [ 1, %entry ], [ %v, %latch ]
  br label %inner
inner:
  %u = phi i64 [ %a, %outer ], [ %v, %turn ]
  %v = phi i64 [ %p, %outer ], [ %u, %turn ]
  %w = phi i64 [ 3, %outer ], [ %t, %turn ]
  %t = phi i64 [ 4, %outer ], [ %w1, %turn ]
  call void @effect(i32 1, i64 %u)
  %c = call zeroext i1 @bit()
  br i1 %c, label %turn, label %latch
turn:
  %w1 = add i64 %w, 1
  call void @effect(i32 2, i64 %w1)
  br label %inner
latch:
  call void @effect(i32 3, i64 %a)
  call void @effect(i32 4, i64 %w)
  %d = call zeroext i1 @bit()
  br i1 %d, label %outer, label %end
end:
  %r0 = mul i64 %a, 3
  %r1 = add i64 %r0, %b
  %r = xor i64 %r1, %v
  ret i64 %r
}

; Values of the outer loop's turn are used in the inner loop, before and behind what changes there;
; values of the inner loop's last turn behind it, and after both.
define i64 @crossing(i64 %s) {
entry:
  br label %outer
outer:
  %x = phi i64 [ %s, %entry ], [ %z, %latch ]
  %fresh = call i64 @value(i32 1)
  %both = add i64 %x, %fresh
  br label %inner
inner:
  %y = phi i64 [ 0, %outer ], [ %y1, %turn ]
  %old = phi i64 [ %x, %outer ], [ %mixed, %turn ]
  %mixed = mul i64 %both, %old
  %c = call zeroext i1 @bit()
  br i1 %c, label %turn, label %latch
turn:
  %y1 = add i64 %y, %fresh
  call void @effect(i32 2, i64 %mixed)
  br label %inner
latch:
  %z = xor i64 %mixed, %y
  call void @effect(i32 3, i64 %z)
  call void @effect(i32 4, i64 %both)
  %d = call zeroext i1 @bit()
  br i1 %d, label %outer, label %end
end:
  %r0 = add i64 %old, %y
  %r = add i64 %r0, %fresh
  ret i64 %r
}

; An inner loop of one small block, stripped: more turns than a strip has, and fewer.
define i64 @self(i64 %s) {
entry:
  br label %outer
outer:
  %x = phi i64 [ %s, %entry ], [ %v1, %latch ]
  %turns = phi i64 [ 0, %entry ], [ %turns.next, %latch ]
  call void @effect(i32 1, i64 %x)
  %low = and i64 %x, 63
  br label %inner
inner:
  %u = phi i64 [ %x, %outer ], [ %v, %inner ]
  %v = phi i64 [ %low, %outer ], [ %u1, %inner ]
  %i = phi i64 [ 0, %outer ], [ %i1, %inner ]
  %u1 = add i64 %u, %i
  %i1 = add i64 %i, 1
  %done = icmp ugt i64 %i1, %low
  br i1 %done, label %latch, label %inner
latch:
  %last = phi i64 [ %i1, %inner ]
  %v1 = mul i64 %v, 7
  call void @effect(i32 2, i64 %u1)
  call void @effect(i32 3, i64 %last)
  %turns.next = add i64 %turns, 1
  %c = call zeroext i1 @bit()
  br i1 %c, label %outer, label %end
end:
  %r = add i64 %v1, %i1
  ret i64 %r
}

; Latches that are switches, some ways twice.
define i64 @latches(i64 %s) {
entry:
  br label %outer
outer:
  %x = phi i64 [ %s, %entry ], [ %y1, %inner.latch ], [ %z, %latch ], [ %z, %latch ]
  call void @effect(i32 1, i64 %x)
  br label %inner
inner:
  %y = phi i64 [ %x, %outer ], [ %y1, %inner.latch ], [ %y1, %inner.latch ]
  %y1 = add i64 %y, 5
  call void @effect(i32 2, i64 %y1)
  br label %inner.latch
inner.latch:
  %k = call i32 @pick(i32 6)
  switch i32 %k, label %inner [ i32 0, label %outer
                                i32 1, label %latch
                                i32 2, label %latch
                                i32 3, label %inner
                                i32 4, label %end ]
latch:
  %z = phi i64 [ %y1, %inner.latch ], [ %y1, %inner.latch ]
  call void @effect(i32 3, i64 %z)
  %l = call i32 @pick(i32 3)
  switch i32 %l, label %outer [ i32 0, label %end
                                i32 1, label %outer ]
end:
  %r = phi i64 [ %y1, %inner.latch ], [ %z, %latch ]
  ret i64 %r
}

; Who doesn't look at what an atomic operation found doesn't wait for it.
define i64 @atomics(i64 %s) {
entry:
  %m = call ptr @memory()
  br label %outer
outer:
  %x = phi i64 [ %s, %entry ], [ %z, %latch ]
  %seen = atomicrmw add ptr %m, i64 %x seq_cst
  br label %inner
inner:
  %y = phi i64 [ %x, %outer ], [ %y1, %turn ]
  %c = call zeroext i1 @bit()
  br i1 %c, label %turn, label %latch
turn:
  %slot = getelementptr i64, ptr %m, i64 1
  store i64 %y, ptr %slot
  %y1 = mul i64 %y, 3
  br label %inner
latch:
  %from = load i64, ptr %m
  %z = xor i64 %y, %from
  %seen1 = atomicrmw xchg ptr %m, i64 %z seq_cst
  %d = call zeroext i1 @bit()
  br i1 %d, label %outer, label %end
end:
  ret i64 %z
}

; The inner loop asks for what another thread may write.
define i64 @polls(i64 %s) {
entry:
  %m = call ptr @memory()
  br label %outer
outer:
  br label %inner
inner:
  %seen = load volatile i64, ptr %m
  %odd = trunc i64 %seen to i1
  %b = call zeroext i1 @bit()
  %c = xor i1 %b, %odd
  br i1 %c, label %inner, label %latch
latch:
  %d = call zeroext i1 @bit()
  br i1 %d, label %outer, label %end
end:
  ret i64 %seen
}

; The inner loop's header goes around the outer one.
define i64 @header_leaves(i64 %s) {
entry:
  br label %outer
outer:
  %x = phi i64 [ %s, %entry ], [ %y, %inner ]
  call void @effect(i32 1, i64 %x)
  br label %inner
inner:
  %y = phi i64 [ %x, %outer ], [ %y1, %body ]
  %k = call i32 @pick(i32 4)
  switch i32 %k, label %body [ i32 0, label %outer
                               i32 1, label %end ]
body:
  %y1 = add i64 %y, 9
  call void @effect(i32 2, i64 %y1)
  br label %inner
end:
  ret i64 %y
}

; The outer loop has nothing before the inner one but its header, which is empty.
define i64 @first(i64 %s) {
entry:
  br label %outer
outer:
  %x = phi i64 [ %s, %entry ], [ %x1, %latch ]
  br label %inner
inner:
  %y = phi i64 [ %x, %outer ], [ %y1, %inner ]
  %y1 = add i64 %y, 3
  call void @effect(i32 1, i64 %y1)
  %c = call zeroext i1 @bit()
  br i1 %c, label %inner, label %latch
latch:
  %x1 = mul i64 %y1, 5
  %d = call zeroext i1 @bit()
  br i1 %d, label %outer, label %end
end:
  ret i64 %x1
}

; Threads return, and end, within the inner loop.
define i64 @returns(i64 %s) {
entry:
  br label %outer
outer:
  %x = phi i64 [ %s, %entry ], [ %x1, %latch ]
  %b = call zeroext i1 @bit()
  br i1 %b, label %inner, label %latch
inner:
  %y = phi i64 [ %x, %outer ], [ %y1, %turn ]
  %k = call i32 @pick(i32 9)
  switch i32 %k, label %turn [ i32 0, label %back
                               i32 1, label %dead
                               i32 2, label %latch ]
turn:
  %y1 = add i64 %y, 3
  call void @effect(i32 1, i64 %y1)
  br label %inner
back:
  %r = mul i64 %y, 2
  ret i64 %r
dead:
  call void @die(i32 2)
  unreachable
latch:
  %z = phi i64 [ 4, %outer ], [ %y, %inner ]
  %x1 = xor i64 %z, %x
  call void @effect(i32 3, i64 %x1)
  %d = call zeroext i1 @bit()
  br i1 %d, label %outer, label %end
end:
  ret i64 %x1
}

; A loop beside a nest of two that is merged with the loop around both.
define i64 @behind(i64 %s) {
entry:
  br label %outer
outer:
  %x = phi i64 [ %s, %entry ], [ %y, %beside ]
  %c = call zeroext i1 @bit()
  br i1 %c, label %choice, label %end
choice:
  %d = call zeroext i1 @bit()
  br i1 %d, label %inner, label %beside
inner:
  %u = phi i64 [ %x, %choice ], [ %u1, %turn ]
  %e = call zeroext i1 @bit()
  br i1 %e, label %turn, label %beside
turn:
  %u1 = add i64 %u, 1
  call void @effect(i32 1, i64 %u1)
  %q0 = udiv i64 %u1, 3
  %q1 = udiv i64 %q0, 5
  call void @effect(i32 2, i64 %q1)
  br label %inner
beside:
  %y = phi i64 [ %x, %choice ], [ %u, %inner ], [ %y1, %apart.end ]
  %f = call zeroext i1 @bit()
  br i1 %f, label %apart, label %outer
apart:
  %v = phi i64 [ %y, %beside ], [ %v1, %apart.turn ]
  %g = call zeroext i1 @bit()
  br i1 %g, label %apart.turn, label %apart.end
apart.turn:
  %v1 = mul i64 %v, 3
  br label %apart
apart.end:
  %y1 = add i64 %v, 5
  br label %beside
end:
  ret i64 %x
}
