; Ways out of loops that go through a flag are ways out again, where a flag says so on the way to
; the block that tests it; short loops with several tests of threads have one.
;
; RUN: %opt %load -passes=linearize -pass-remarks=linearize -pass-remarks-analysis=linearize -S %s -o %t.ll 2> %t.remarks
; RUN: %opt -passes=verify -disable-output %t.ll
; RUN: %FileCheck %s < %t.ll
; RUN: %FileCheck %s --check-prefix=REMARKS --implicit-check-not=rerouted --implicit-check-not=combined < %t.remarks
;
; The second time there is nothing left to do.
; RUN: %opt %load -passes=linearize -S %t.ll -o %t.again.ll
; RUN: sed '1d;s/; preds.*//' %t.ll > %t.first
; RUN: sed '1d;s/; preds.*//' %t.again.ll | diff %t.first -
;
; Modes that are asked take the function as it is, and what is structured stays as it is. A profile
; of other functions changes nothing.
; RUN: %opt %load -passes='linearize<paper>' -S %s | %FileCheck %s --check-prefix=AS-IT-IS
; RUN: %opt %load -passes='linearize<irreducible>' -S %s | %FileCheck %s --check-prefix=AS-IT-IS
; RUN: echo function,block,thread_entries > %t.csv
; RUN: sed 1d %t.ll > %t.profiled
; RUN: %opt %load -passes='linearize<profile=%t.csv>' -S %s | sed 1d | diff - %t.profiled
; AS-IT-IS-NOT: linearize.exit
; AS-IT-IS: define {{.*}} @structured
;
; REMARKS: function 'search', block 'test': rerouted 2 exits of a loop past the flag that is tested here, where threads waited for each other in every iteration
; REMARKS: function 'cases', block 'test': rerouted 1 exit of a loop past the flag that is tested here, where threads waited for each other in every iteration
; REMARKS: function 'cases', block 'test': rerouted 1 exit of a loop past the flag that is tested here, where threads waited for each other in every iteration
; REMARKS: function 'latch', block 'test': rerouted 2 exits
; REMARKS: function 'latch', block 'head': combined 3 exit tests of this loop: an iteration takes one branch instead of 3
; REMARKS: function 'counter', block 'head': combined 2 exit tests of this loop: an iteration takes one branch instead of 2
; REMARKS: function 'not_kept', block 'head': combined 2 exit tests of this loop: an iteration takes one branch instead of 2
; REMARKS: function 'levels', block 'inner.test': rerouted 1 exit
; REMARKS: function 'levels', block 'outer.test': rerouted 1 exit
; REMARKS: function 'behind', block 'test': rerouted 1 exit
; REMARKS: function 'joined', block 'test': rerouted 1 exit
; REMARKS: function 'by_or', block 'test': rerouted 1 exit
; REMARKS: function 'by_select', block 'test': rerouted 1 exit
; REMARKS: function 'by_and', block 'test': rerouted 1 exit
; REMARKS: function 'by_not', block 'test': rerouted 1 exit
; REMARKS: function 'by_number', block 'test': rerouted 1 exit
; REMARKS: function 'by_default', block 'test': rerouted 1 exit
; REMARKS: function 'two_cases', block 'test': rerouted 1 exit
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"

declare i32 @load(i32) nosync
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @keep(i32) nosync
declare i32 @together(i32) nosync convergent

; A search with two ways out, and the end of the table: no flag is left, and the value that says which
; way it was is joined where the threads have left.
;
; CHECK-LABEL: define i32 @search
; CHECK: head:
; CHECK: br i1 %empty, label %linearize.exit, label %probe
; CHECK: probe:
; CHECK: br i1 %found, label %linearize.exit, label %on
; CHECK: on:
; CHECK-NEXT: %next = add i32 %entry.1, %i
; CHECK-NEXT: call void @keep(i32 %next)
; CHECK-NEXT: %last = icmp ugt i32 %next, %n
; CHECK-NEXT: br i1 %last, label %end, label %head
; CHECK-NOT: test:
; CHECK: end:
; CHECK-NEXT: phi i32 [ 5, %on ], [ [[WHY:%.*]], %linearize.exit ]
; CHECK-NEXT: phi i32 [ %next, %on ], [ [[WHERE:%.*]], %linearize.exit ]
; CHECK: linearize.exit:
; CHECK-NEXT: [[WHY]] = phi i32 [ 8, %head ], [ 9, %probe ]
; CHECK-NEXT: [[WHERE]] = phi i32 [ %i, %head ], [ %i, %probe ]
; CHECK-NEXT: br label %end
define i32 @search(i32 %n, i32 %key) {
start:
  br label %head
head:
  %i = phi i32 [ 0, %start ], [ %where, %more ]
  %entry.1 = call i32 @load(i32 %i)
  %low = and i32 %entry.1, 31
  %empty = icmp eq i32 %low, 31
  br i1 %empty, label %test, label %probe
probe:
  %high = and i32 %entry.1, 15
  %found = icmp eq i32 %high, %key
  br i1 %found, label %test, label %on
on:
  %next = add i32 %entry.1, %i
  call void @keep(i32 %next)
  br label %test
test:
  %stays = phi i1 [ false, %head ], [ false, %probe ], [ true, %on ]
  %why = phi i32 [ 8, %head ], [ 9, %probe ], [ 0, %on ]
  %where = phi i32 [ %i, %head ], [ %i, %probe ], [ %next, %on ]
  br i1 %stays, label %more, label %end
more:
  %last = icmp ugt i32 %where, %n
  br i1 %last, label %end, label %head
end:
  %reason = phi i32 [ %why, %test ], [ 5, %more ]
  %last.where = phi i32 [ %where, %test ], [ %where, %more ]
  %sum = add i32 %reason, %last.where
  ret i32 %sum
}

; A switch over where to go, as clang writes it, with two ways out: one after the other.
;
; CHECK-LABEL: define {{.*}} @cases
; CHECK: head:
; CHECK: on:
; CHECK-NEXT: call void @keep(i32 %v)
; CHECK-NEXT: br label %head, !llvm.loop [[CASES:![0-9]+]]
; CHECK: one:
; CHECK-NEXT: br label %[[SIX:linearize.exit[0-9]*]]
; CHECK: two:
; CHECK-NEXT: br label %[[SEVEN:linearize.exit[0-9]*]]
; CHECK-NOT: test:
; CHECK: [[SIX]]:
; CHECK-NEXT: br label %six
; CHECK: [[SEVEN]]:
; CHECK-NEXT: br label %seven
define ptx_kernel void @cases(i32 %n, i1 %c, i1 %d) {
start:
  br i1 %c, label %begin, label %or
or:
  br i1 %d, label %begin, label %away
away:
  ret void
begin:
  br label %head
head:
  %v = call i32 @load(i32 %n)
  switch i32 %v, label %on [ i32 1, label %one
                             i32 2, label %two ]
on:
  call void @keep(i32 %v)
  br label %test
one:
  br label %test
two:
  br label %test
test:
  %to = phi i32 [ 0, %on ], [ 6, %one ], [ 7, %two ]
  switch i32 %to, label %never [ i32 0, label %head
                                 i32 6, label %six
                                 i32 7, label %seven ], !llvm.loop !1
six:
  call void @keep(i32 6)
  br label %seven
seven:
  call void @keep(i32 7)
  ret void
never:
  unreachable
}

; The flag is tested with the loop's own condition, and what is between the tests costs little: one
; test, and who leaves finds out behind the loop where to.
;
; CHECK-LABEL: define {{.*}} @latch
; CHECK: head:
; CHECK-NEXT: %i = phi i32 [ %tid, %begin ], [ %next, %head ]
; CHECK-NEXT: %sum = phi i32 [ 1, %begin ], [ %mixed, %head ]
; CHECK-NEXT: %p = getelementptr i32, ptr %t, i32 %i
; CHECK-NEXT: %v = load i32, ptr %p
; CHECK-NEXT: %one = icmp eq i32 %v, 1
; CHECK-NEXT: %two = icmp eq i32 %v, 2
; CHECK-NEXT: [[SECOND_TEST:%.*]] = freeze i1 %two
; CHECK-NEXT: [[TWO:%.*]] = or i1 [[SECOND_TEST]], %one
; CHECK-NEXT: %mixed = mul i32 %sum, %v
; CHECK-NEXT: %next = add i32 %i, 1
; CHECK-NEXT: %again = icmp ult i32 %next, %n
; CHECK-NEXT: [[LAST:%.*]] = xor i1 %again, true
; CHECK-NEXT: [[LAST_TEST:%.*]] = freeze i1 [[LAST]]
; CHECK-NEXT: [[ALL:%.*]] = or i1 [[LAST_TEST]], [[TWO]]
; CHECK-NEXT: br i1 [[ALL]], label %[[FIRST:linearize.exit[0-9]*]], label %head, !llvm.loop [[LATCH:![0-9]+]]
; CHECK: end:
; CHECK: [[FIRST]]:
; CHECK-NEXT: br i1 %one, label %[[LEAVE:linearize.exit[0-9]*]], label %[[SECOND:linearize.exit[0-9]*]]
; CHECK: [[SECOND]]:
; CHECK-NEXT: br i1 [[TWO]], label %[[LEAVE]], label %[[THIRD:linearize.exit[0-9]*]]
; CHECK: [[THIRD]]:
; CHECK-NEXT: br label %end
define ptx_kernel void @latch(i32 %n, i1 %c, i1 %d, ptr %t) {
start:
  br i1 %c, label %begin, label %or
or:
  br i1 %d, label %begin, label %away
away:
  ret void
begin:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ %tid, %begin ], [ %next, %test ]
  %sum = phi i32 [ 1, %begin ], [ %what, %test ]
  %p = getelementptr i32, ptr %t, i32 %i
  %v = load i32, ptr %p
  %one = icmp eq i32 %v, 1
  br i1 %one, label %test, label %second
second:
  %two = icmp eq i32 %v, 2
  br i1 %two, label %test, label %on
on:
  %mixed = mul i32 %sum, %v
  br label %test
test:
  %stays = phi i1 [ false, %head ], [ false, %second ], [ true, %on ]
  %what = phi i32 [ %sum, %head ], [ 77, %second ], [ %mixed, %on ]
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %n
  %around = and i1 %again, %stays
  br i1 %around, label %head, label %end, !llvm.loop !0
end:
  store i32 %what, ptr %t
  ret void
}

; Both tests lead to one place, where threads come together anyway. Who leaves by the first one needs
; what %sum was, which would be kept in each iteration: the tests stay.
;
; CHECK-LABEL: define {{.*}} @kept
; CHECK: br i1 %found, label %end, label %on
; CHECK: br i1 %last, label %end, label %head
define ptx_kernel void @kept(i32 %n, ptr %t) {
start:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ %tid, %start ], [ %next, %on ]
  %sum = phi i32 [ 0, %start ], [ %more, %on ]
  %p = getelementptr i32, ptr %t, i32 %i
  %v = load i32, ptr %p
  %found = icmp eq i32 %v, 1
  br i1 %found, label %end, label %on
on:
  %next = add i32 %i, 1
  %more = add i32 %sum, %v
  %last = icmp eq i32 %next, %n
  br i1 %last, label %end, label %head
end:
  %what = phi i32 [ %sum, %head ], [ %more, %on ]
  store i32 %what, ptr %t
  ret void
}

; What a counter was follows from what it is.
;
; CHECK-LABEL: define {{.*}} @counter(
; CHECK: [[EITHER:%.*]] = or i1 {{.*}}
; CHECK-NEXT: br i1 [[EITHER]], label %linearize.exit, label %head
; CHECK: %where = phi i32 [ [[WAS:%.*]], %linearize.exit ]
; CHECK: linearize.exit:
; CHECK-NEXT: [[IS:%.*]] = call i32 asm "", "=r,0"(i32 %next)
; CHECK-NEXT: [[WAS]] = sub i32 [[IS]], 1
define ptx_kernel void @counter(i32 %n, ptr %t) {
start:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ %tid, %start ], [ %next, %on ]
  %p = getelementptr i32, ptr %t, i32 %i
  %v = load i32, ptr %p
  %found = icmp eq i32 %v, 1
  br i1 %found, label %end, label %on
on:
  %next = add i32 %i, 1
  %last = icmp eq i32 %next, %n
  br i1 %last, label %end, label %head
end:
  %where = phi i32 [ %i, %head ], [ %n, %on ]
  store i32 %where, ptr %t
  ret void
}

; Here nobody needs it.
;
; CHECK-LABEL: define {{.*}} @not_kept
; CHECK: [[EITHER:%.*]] = or i1 {{.*}}
; CHECK-NEXT: br i1 [[EITHER]], label %{{.*}}, label %head
define ptx_kernel void @not_kept(i32 %n, ptr %t) {
start:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ %tid, %start ], [ %next, %on ]
  %p = getelementptr i32, ptr %t, i32 %i
  %v = load i32, ptr %p
  %found = icmp eq i32 %v, 1
  br i1 %found, label %end, label %on
on:
  %next = add i32 %i, 1
  %last = icmp eq i32 %next, %n
  br i1 %last, label %end, label %head
end:
  %why = phi i32 [ 1, %head ], [ 2, %on ]
  store i32 %why, ptr %t
  ret void
}

; Out of two loops at once: behind the inner one the flag says to leave the outer one, too.
;
; CHECK-LABEL: define void @levels
; CHECK: inner:
; CHECK: br i1 %leaves, label %[[OUT:linearize.exit[0-9]*]], label %on
; CHECK: on:
; CHECK: br i1 %again, label %inner, label %outer.test
; CHECK: outer.test:
; CHECK-NEXT: %o.next = add i32 %o, 1
; CHECK: [[OUT]]:
; CHECK-NEXT: br label %[[FAR:linearize.exit[0-9]*]]
; CHECK: [[FAR]]:
; CHECK-NEXT: br label %end
define void @levels(i32 %n) {
start:
  br label %outer
outer:
  %o = phi i32 [ 0, %start ], [ %o.next, %outer.on ]
  br label %inner
inner:
  %i = phi i32 [ %o, %outer ], [ %i.new, %inner.test ]
  %v = call i32 @load(i32 %i)
  %leaves = icmp eq i32 %v, 3
  br i1 %leaves, label %inner.test, label %on
on:
  call void @keep(i32 %v)
  %i.next = add i32 %i, %v
  %again = icmp ult i32 %i.next, %n
  br label %inner.test
inner.test:
  %goes.on = phi i1 [ false, %inner ], [ %again, %on ]
  %done = phi i1 [ true, %inner ], [ false, %on ]
  %i.new = phi i32 [ %i, %inner ], [ %i.next, %on ]
  br i1 %goes.on, label %inner, label %outer.test
outer.test:
  br i1 %done, label %end, label %outer.on
outer.on:
  %o.next = add i32 %o, 1
  %o.again = icmp ult i32 %o.next, %n
  br i1 %o.again, label %outer, label %end
end:
  ret void
}

; What the block computes is used behind its own exit, where both come together.
;
; CHECK-LABEL: define {{.*}} @behind
; CHECK: early:
; CHECK-NEXT: [[WHAT:%.*]] = phi i32 [ %i, %[[EXIT:linearize.exit[0-9]*]] ], [ %v, %second ]
; CHECK-NEXT: call void @keep(i32 [[WHAT]])
; CHECK: [[EXIT]]:
; CHECK-NEXT: br label %early
define ptx_kernel void @behind(i32 %n, i1 %c, i1 %d) {
start:
  br i1 %c, label %begin, label %or
or:
  br i1 %d, label %begin, label %away
away:
  ret void
begin:
  br label %head
head:
  %i = phi i32 [ 0, %begin ], [ %what, %test ]
  %v = call i32 @load(i32 %i)
  %leaves = icmp eq i32 %v, 3
  br i1 %leaves, label %test, label %second
second:
  call void @keep(i32 %v)
  %may = icmp eq i32 %v, 4
  br label %test
test:
  %stays = phi i1 [ false, %head ], [ %may, %second ]
  %what = phi i32 [ %i, %head ], [ %v, %second ]
  br i1 %stays, label %head, label %early
early:
  call void @keep(i32 %what)
  ret void
}

; Two edges stay, and their threads wait for each other at the test: it is left.
;
; CHECK-LABEL: define {{.*}} @two_stay
; CHECK: test:
; CHECK-NEXT: phi i1 [ false, %head ], [ true, %second ], [ true, %third ]
define ptx_kernel void @two_stay(i32 %n, i1 %c, i1 %d) {
start:
  br i1 %c, label %begin, label %or
or:
  br i1 %d, label %begin, label %away
away:
  ret void
begin:
  br label %head
head:
  %v = call i32 @load(i32 %n)
  %leaves = icmp eq i32 %v, 3
  br i1 %leaves, label %test, label %second
second:
  %w = call i32 @load(i32 %v)
  %skips = icmp eq i32 %w, 4
  br i1 %skips, label %test, label %third
third:
  call void @keep(i32 %w)
  br label %test
test:
  %stays = phi i1 [ false, %head ], [ true, %second ], [ true, %third ]
  br i1 %stays, label %head, label %end
end:
  ret void
}

; So it is where two ways lead to the edge that stays, if threads run in lock step and meet only
; where all come to; others wait for each other where these ways join.
;
; CHECK-LABEL: define {{.*}} @joined(
; CHECK: second:
; CHECK: br i1 %{{.*}}, label %linearize.exit
; CHECK-LABEL: define {{.*}} @joined_in_lock_step(
; CHECK-NOT: linearize.exit
define ptx_kernel void @joined(i32 %n, i1 %c, i1 %d) "target-cpu"="sm_90" {
start:
  br i1 %c, label %begin, label %or
or:
  br i1 %d, label %begin, label %away
away:
  ret void
begin:
  br label %head
head:
  %v = call i32 @load(i32 %n)
  %near = icmp eq i32 %v, 3
  br i1 %near, label %on, label %second
second:
  %w = call i32 @load(i32 %v)
  %leaves = icmp eq i32 %w, 4
  br i1 %leaves, label %test, label %on
on:
  br label %test
test:
  %stays = phi i1 [ true, %on ], [ false, %second ]
  br i1 %stays, label %head, label %end
end:
  ret void
}
define ptx_kernel void @joined_in_lock_step(i32 %n, i1 %c, i1 %d) "target-cpu"="sm_60" {
start:
  br i1 %c, label %begin, label %or
or:
  br i1 %d, label %begin, label %away
away:
  ret void
begin:
  br label %head
head:
  %v = call i32 @load(i32 %n)
  %near = icmp eq i32 %v, 3
  br i1 %near, label %on, label %second
second:
  %w = call i32 @load(i32 %v)
  %leaves = icmp eq i32 %w, 4
  br i1 %leaves, label %test, label %on
on:
  br label %test
test:
  %stays = phi i1 [ true, %on ], [ false, %second ]
  br i1 %stays, label %head, label %end
end:
  ret void
}
; What each single edge leads to needs no wait, in lock step either: see @cases. What two lead to
; does, for it would be run twice.
;
; CHECK-LABEL: define {{.*}} @not_waited_at
; CHECK: test:
; CHECK-NEXT: phi i32 [ 1, %head ], [ 1, %second ], [ %other, %third ]
define ptx_kernel void @not_waited_at(i32 %n, i1 %c, i1 %d) {
start:
  br i1 %c, label %begin, label %or
or:
  br i1 %d, label %begin, label %away
away:
  ret void
begin:
  br label %head
head:
  %v = call i32 @load(i32 %n)
  %leaves = icmp eq i32 %v, 3
  br i1 %leaves, label %test, label %second
second:
  %w = call i32 @load(i32 %v)
  %leaves.too = icmp eq i32 %w, 4
  br i1 %leaves.too, label %test, label %third
third:
  %other = call i32 @load(i32 %w)
  br label %test
test:
  %to = phi i32 [ 1, %head ], [ 1, %second ], [ %other, %third ]
  switch i32 %to, label %head [ i32 1, label %one
                                i32 2, label %end ]
one:
  call void @keep(i32 1)
  br label %end
end:
  ret void
}

; What a flag decides: alone, with others, as a number, by a switch.
;
; CHECK-LABEL: define {{.*}} @by_or(
; CHECK: br i1 %leaves, label %linearize.exit
; CHECK: second:
; CHECK-NOT: phi
; CHECK: br i1 %far, label
; CHECK-LABEL: define {{.*}} @by_select(
; CHECK: br i1 %leaves, label %linearize.exit
; CHECK: second:
; CHECK-NOT: phi
; CHECK: br i1 %far, label
; CHECK-LABEL: define {{.*}} @by_and(
; CHECK: br i1 %leaves, label %linearize.exit
; CHECK: second:
; CHECK-NOT: phi
; CHECK: br i1 %far, label
; CHECK-LABEL: define {{.*}} @by_not(
; CHECK: br i1 %leaves, label %linearize.exit
; CHECK-LABEL: define {{.*}} @by_number(
; CHECK: br i1 %leaves, label %linearize.exit
; CHECK-LABEL: define {{.*}} @by_default(
; CHECK: br i1 %leaves, label %linearize.exit
define ptx_kernel void @by_or(i32 %n, i1 %c, i1 %d) {
start:
  br i1 %c, label %begin, label %or
or:
  br i1 %d, label %begin, label %away
away:
  ret void
begin:
  br label %head
head:
  %v = call i32 @load(i32 %n)
  %leaves = icmp eq i32 %v, 3
  br i1 %leaves, label %test, label %second
second:
  %w = call i32 @load(i32 %v)
  %far = icmp eq i32 %w, 4
  br label %test
test:
  %flag = phi i1 [ true, %head ], [ false, %second ]
  %also = phi i1 [ false, %head ], [ %far, %second ]
  %leave = or i1 %flag, %also
  br i1 %leave, label %end, label %head
end:
  ret void
}
define ptx_kernel void @by_select(i32 %n, i1 %c, i1 %d) {
start:
  br i1 %c, label %begin, label %or
or:
  br i1 %d, label %begin, label %away
away:
  ret void
begin:
  br label %head
head:
  %v = call i32 @load(i32 %n)
  %leaves = icmp eq i32 %v, 3
  br i1 %leaves, label %test, label %second
second:
  %w = call i32 @load(i32 %v)
  %far = icmp eq i32 %w, 4
  br label %test
test:
  %flag = phi i1 [ true, %head ], [ false, %second ]
  %also = phi i1 [ false, %head ], [ %far, %second ]
  %leave = select i1 %flag, i1 true, i1 %also
  br i1 %leave, label %end, label %head
end:
  ret void
}
define ptx_kernel void @by_and(i32 %n, i1 %c, i1 %d) {
start:
  br i1 %c, label %begin, label %or
or:
  br i1 %d, label %begin, label %away
away:
  ret void
begin:
  br label %head
head:
  %v = call i32 @load(i32 %n)
  %leaves = icmp eq i32 %v, 3
  br i1 %leaves, label %test, label %second
second:
  %w = call i32 @load(i32 %v)
  %far = icmp eq i32 %w, 4
  br label %test
test:
  %flag = phi i1 [ false, %head ], [ true, %second ]
  %also = phi i1 [ true, %head ], [ %far, %second ]
  %stay = and i1 %flag, %also
  br i1 %stay, label %head, label %end
end:
  ret void
}
define ptx_kernel void @by_not(i32 %n, i1 %c, i1 %d) {
start:
  br i1 %c, label %begin, label %or
or:
  br i1 %d, label %begin, label %away
away:
  ret void
begin:
  br label %head
head:
  %v = call i32 @load(i32 %n)
  %leaves = icmp eq i32 %v, 3
  br i1 %leaves, label %test, label %second
second:
  %w = call i32 @load(i32 %v)
  %far = icmp eq i32 %w, 4
  br label %test
test:
  %flag = phi i1 [ false, %head ], [ %far, %second ]
  %leave = xor i1 %flag, true
  br i1 %leave, label %end, label %head
end:
  ret void
}
define ptx_kernel void @by_number(i32 %n, i1 %c, i1 %d) {
start:
  br i1 %c, label %begin, label %or
or:
  br i1 %d, label %begin, label %away
away:
  ret void
begin:
  br label %head
head:
  %v = call i32 @load(i32 %n)
  %leaves = icmp eq i32 %v, 3
  br i1 %leaves, label %test, label %second
second:
  %w = call i32 @load(i32 %v)
  %far = icmp eq i32 %w, 4
  br label %test
test:
  %number = phi i32 [ 5, %head ], [ %w, %second ]
  %stay = icmp ne i32 %number, 5
  br i1 %stay, label %head, label %end
end:
  ret void
}
define ptx_kernel void @by_default(i32 %n, i1 %c, i1 %d) {
start:
  br i1 %c, label %begin, label %or
or:
  br i1 %d, label %begin, label %away
away:
  ret void
begin:
  br label %head
head:
  %v = call i32 @load(i32 %n)
  %leaves = icmp eq i32 %v, 3
  br i1 %leaves, label %test, label %second
second:
  %w = call i32 @load(i32 %v)
  %far = icmp eq i32 %w, 4
  br label %test
test:
  %number = phi i32 [ 9, %head ], [ %w, %second ]
  switch i32 %number, label %end [ i32 0, label %head
                                   i32 1, label %head ]
end:
  ret void
}

; Not where another way leads to what is used there, not where threads run the block together, where
; it costs much, where nobody parts, nor where threads wait for others.
;
; CHECK-LABEL: define {{.*}} @shared_exit
; CHECK: test:
; CHECK-NEXT: phi i1 [ false, %head ], [ true, %second ]
define ptx_kernel void @shared_exit(i32 %n, i1 %c, i1 %d) {
start:
  br i1 %c, label %begin, label %or
or:
  br i1 %d, label %begin, label %away
away:
  ret void
begin:
  br label %head
head:
  %i = phi i32 [ 0, %begin ], [ %what, %more ]
  %v = call i32 @load(i32 %i)
  %leaves = icmp eq i32 %v, 3
  br i1 %leaves, label %test, label %second
second:
  call void @keep(i32 %v)
  br label %test
test:
  %stays = phi i1 [ false, %head ], [ true, %second ]
  %what = phi i32 [ %i, %head ], [ %v, %second ]
  br i1 %stays, label %more, label %end
more:
  call void @keep(i32 2)
  br i1 %leaves, label %head, label %end
end:
  call void @keep(i32 %what)
  ret void
}

; CHECK-LABEL: define {{.*}} @convergent
; CHECK: test:
; CHECK-NEXT: phi i1 [ false, %head ], [ true, %second ]
define ptx_kernel void @convergent(i32 %n, i1 %c, i1 %d) {
start:
  br i1 %c, label %begin, label %or
or:
  br i1 %d, label %begin, label %away
away:
  ret void
begin:
  br label %head
head:
  %v = call i32 @load(i32 %n)
  %leaves = icmp eq i32 %v, 3
  br i1 %leaves, label %test, label %second
second:
  call void @keep(i32 %v)
  br label %test
test:
  %stays = phi i1 [ false, %head ], [ true, %second ]
  %all = call i32 @together(i32 %v)
  br i1 %stays, label %head, label %end
end:
  ret void
}

; CHECK-LABEL: define {{.*}} @costly
; CHECK: test:
; CHECK-NEXT: phi i1 [ false, %head ], [ true, %second ]
define ptx_kernel void @costly(i32 %n, i1 %c, i1 %d) {
start:
  br i1 %c, label %begin, label %or
or:
  br i1 %d, label %begin, label %away
away:
  ret void
begin:
  br label %head
head:
  %v = call i32 @load(i32 %n)
  %leaves = icmp eq i32 %v, 3
  br i1 %leaves, label %test, label %second
second:
  call void @keep(i32 %v)
  br label %test
test:
  %stays = phi i1 [ false, %head ], [ true, %second ]
  %a = udiv i32 %v, %n
  call void @keep(i32 %a)
  br i1 %stays, label %head, label %end
end:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @uniform
; CHECK: test:
; CHECK-NEXT: phi i1 [ false, %head ], [ true, %second ]
define ptx_kernel void @uniform(i32 %n, i32 %v) {
start:
  br label %head
head:
  %i = phi i32 [ 0, %start ], [ %next, %test ]
  %leaves = icmp eq i32 %v, %i
  br i1 %leaves, label %test, label %second
second:
  call void @keep(i32 %i)
  %other = icmp eq i32 %n, %i
  br i1 %other, label %end, label %test
test:
  %stays = phi i1 [ false, %head ], [ true, %second ]
  %next = add i32 %i, 1
  br i1 %stays, label %head, label %end
end:
  ret void
}

; A lock as it is written for threads in lock step: who has it must not wait for the others before
; it is given back, and doesn't, for the flag is tested by all together.
;
; CHECK-LABEL: define void @lock
; CHECK: test:
; CHECK-NEXT: phi i1 [ true, %head ], [ false, %critical ]
define void @lock(ptr %lock, ptr %out, i32 %n) {
start:
  br label %head
head:
  %was = atomicrmw xchg ptr %lock, i32 1 seq_cst
  %taken = icmp ne i32 %was, 0
  br i1 %taken, label %test, label %critical
critical:
  call void @keep(i32 %n)
  store atomic i32 0, ptr %lock release, align 4
  %odd = icmp eq i32 %n, 5
  br i1 %odd, label %end, label %test
test:
  %stays = phi i1 [ true, %head ], [ false, %critical ]
  br i1 %stays, label %head, label %end
end:
  ret void
}

; Two cases lead to the same block: one edge is left, and one operand of its phi.
;
; CHECK-LABEL: define {{.*}} @two_cases(
; CHECK: head:
; CHECK-NEXT: phi i32 [ 7, %begin ], [ %w, %second ]
define ptx_kernel void @two_cases(i32 %n, i1 %c, i1 %d) {
start:
  br i1 %c, label %begin, label %or
or:
  br i1 %d, label %begin, label %away
away:
  ret void
begin:
  br label %head
head:
  %i = phi i32 [ 7, %begin ], [ %what, %test ], [ %what, %test ]
  %v = call i32 @load(i32 %i)
  %leaves = icmp eq i32 %v, 3
  br i1 %leaves, label %test, label %second
second:
  %w = call i32 @load(i32 %v)
  br label %test
test:
  %to = phi i32 [ 5, %head ], [ 1, %second ]
  %what = phi i32 [ 0, %head ], [ %w, %second ]
  switch i32 %to, label %end [ i32 0, label %head
                               i32 1, label %head ]
end:
  ret void
}

; Nor is it one of the flags that linearizing makes, to bring threads together: not the second time.
;
; CHECK-LABEL: define {{.*}} @guarded
; CHECK: br i1 %{{.*}}, label %head, label %end, {{.*}}!linearize.guard
define ptx_kernel void @guarded(i32 %n, i1 %c, i1 %d) {
start:
  br i1 %c, label %begin, label %or
or:
  br i1 %d, label %begin, label %away
away:
  ret void
begin:
  br label %head
head:
  %v = call i32 @load(i32 %n)
  %skips = icmp eq i32 %v, 3
  br i1 %skips, label %test, label %second
second:
  call void @keep(i32 %v)
  %other = icmp eq i32 %v, 5
  br i1 %other, label %end, label %test
test:
  %a = udiv i32 %v, %n
  call void @keep(i32 %a)
  %stays = icmp eq i32 %a, 6
  br i1 %stays, label %head, label %end
end:
  ret void
}

; CHECK-LABEL: define void @structured
; CHECK: test:
; CHECK-NEXT: phi i1 [ false, %head ], [ true, %second ]
define void @structured(i32 %n) {
start:
  br label %head
head:
  %v = call i32 @load(i32 %n)
  %leaves = icmp eq i32 %v, 3
  br i1 %leaves, label %test, label %second
second:
  call void @keep(i32 %v)
  br label %test
test:
  %stays = phi i1 [ false, %head ], [ true, %second ]
  br i1 %stays, label %head, label %end
end:
  ret void
}

; Loops are known by what their branches say of them.
;
; CHECK-DAG: [[LATCH]] = distinct !{[[LATCH]], [[MUST:![0-9]+]]}
; CHECK-DAG: [[CASES]] = distinct !{[[CASES]], [[MUST]], [[NOT:![0-9]+]]}
; CHECK-DAG: [[MUST]] = !{!"llvm.loop.mustprogress"}
; CHECK-DAG: [[NOT]] = !{!"llvm.loop.unroll.disable"}
!0 = distinct !{!0, !2}
!1 = distinct !{!1, !2, !3}
!2 = !{!"llvm.loop.mustprogress"}
!3 = !{!"llvm.loop.unroll.disable"}
