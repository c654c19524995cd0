; Debug records, and places in the source, of what the pass moves, copies and deletes.
;
; RUN: %opt -passes=debugify -S %s -o %t.debug.ll
; RUN: %opt %load -passes='function(linearize,verify)' -S %t.debug.ll -o %t.ll
; RUN: %FileCheck %s < %t.ll
;
; Where a variable is says nothing about what is done.
; RUN: %opt -strip-debug -passes=verify -S %t.ll -o %t.stripped.ll
; RUN: %opt %load -passes=linearize -S %s -o %t.plain.ll
; RUN: sed 's/; preds.*//' %t.stripped.ll | sed -n '/^define/,/^}/p' > %t.stripped
; RUN: sed 's/; preds.*//' %t.plain.ll | sed -n '/^define/,/^}/p' | diff %t.stripped -
target triple = "nvptx64-nvidia-cuda"

declare i32 @load(i32) nosync
declare void @keep(i32) nosync

; The flag is known to be false on two of the ways to its test, which get a copy of it with records of
; what the copy has; what is left becomes one block, with all records in their order.
;
; CHECK-LABEL: define i32 @freed
; CHECK: on:
; CHECK-NEXT: %next = add
; CHECK-NEXT: #dbg_value(i32 %next, ![[NEXT:[0-9]+]],
; CHECK-NEXT: call void @keep(i32 %next)
; CHECK-NEXT: #dbg_value(i1 true, ![[STAYS:[0-9]+]],
; CHECK-NEXT: #dbg_value(i32 0, ![[WHY:[0-9]+]],
; CHECK-NEXT: #dbg_value(i32 %next, ![[WHERE:[0-9]+]],
; CHECK-NEXT: %last = icmp
; CHECK-NEXT: #dbg_value(i1 %last, ![[LAST:[0-9]+]],
; CHECK-NEXT: br i1 %last
; CHECK: linearize.exit:
; CHECK-NEXT: [[A:%.*]] = phi i32 [ 8, %head ], [ 9, %probe ]
; CHECK-NEXT: [[B:%.*]] = phi i32 [ %i, %head ], [ %i, %probe ]
; CHECK-NEXT: #dbg_value(i1 {{.*}}, ![[STAYS]],
; CHECK-NEXT: #dbg_value(i32 [[A]], ![[WHY]],
; CHECK-NEXT: #dbg_value(i32 [[B]], ![[WHERE]],
; CHECK-NEXT: br label %end
define i32 @freed(i32 %n, i32 %key) {
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

; Two loops of which the tests become one: who leaves by the first test runs what is behind it, too,
; and its variables haven't got these values. No other block has the records, not even one that
; happens to stand where the deleted one stood.
;
; CHECK-LABEL: define void @folded
; CHECK: h:
; CHECK-NEXT: %i = phi
; CHECK-NEXT: #dbg_value(i32 %i,
; CHECK-NEXT: %c = icmp eq i32 %i, %n, !dbg
; CHECK-NEXT: #dbg_value(i1 %c,
; CHECK-NEXT: %j = add i32 %i, 1, !dbg ![[J:[0-9]+]]
; CHECK-NEXT: %m = mul i32 %j, 7, !dbg ![[M:[0-9]+]]
; CHECK-NEXT: %d = icmp eq i32 %m, %k, !dbg ![[D:[0-9]+]]
; CHECK-NEXT: [[D:%.*]] = freeze i1 %d
; CHECK-NEXT: or i1 [[D]], %c
; CHECK-NEXT: br i1
; CHECK: linearize.exit:
; CHECK-NEXT: [[J:%.*]] = call i32 asm "", "=r,0"(i32 %j), !dbg
; CHECK-NEXT: sub i32 [[J]], 1
; CHECK-NEXT: br i1 %c
; CHECK: linearize.exit{{[0-9]+}}:
; CHECK-NEXT: br label %found
; CHECK: linearize.exit{{[0-9]+}}:
; CHECK-NEXT: [[J2:%.*]] = call i32 asm "", "=r,0"(i32 %j2), !dbg
; CHECK-NEXT: sub i32 [[J2]], 3
; CHECK-NEXT: br i1 %c2
; CHECK: linearize.exit{{[0-9]+}}:
; CHECK-NEXT: br label %found2
define void @folded(i32 %n, i32 %k, ptr %p) {
entry:
  br label %h
h:
  %i = phi i32 [ 0, %entry ], [ %j, %b ]
  %c = icmp eq i32 %i, %n
  br i1 %c, label %next, label %b
b:
  %j = add i32 %i, 1
  %m = mul i32 %j, 7
  %d = icmp eq i32 %m, %k
  br i1 %d, label %found, label %h
found:
  store i32 %m, ptr %p
  ret void
next:
  br label %h2
h2:
  %i2 = phi i32 [ %i, %next ], [ %j2, %b2 ]
  %c2 = icmp eq i32 %i2, 9
  br i1 %c2, label %out, label %b2
b2:
  %j2 = add i32 %i2, 3
  %m2 = mul i32 %j2, 5
  %d2 = icmp eq i32 %m2, %k
  br i1 %d2, label %found2, label %h2
found2:
  store i32 %m2, ptr %p
  br label %out
out:
  %r = phi i32 [ %i2, %h2 ], [ %m2, %found2 ]
  store i32 %r, ptr %p
  ret void
}

; An entry of a loop is copied: the copy says where the variable is in it, at the same place in the
; source.
;
; CHECK-LABEL: define void @copied
; CHECK: a:
; CHECK: %v = add i32 {{%.*}}, 1, !dbg ![[V:[0-9]+]]
; CHECK-NEXT: #dbg_value(i32 %v, ![[VARIABLE:[0-9]+]],
; CHECK: linearize.entry:
; CHECK: [[W:%.*]] = add i32 {{%.*}}, 1, !dbg ![[V]]
; CHECK-NEXT: #dbg_value(i32 [[W]], ![[VARIABLE]],
; CHECK-NEXT: br label %b
define void @copied(ptr addrspace(1) %out, i1 %way, i32 %n) {
entry:
  br i1 %way, label %a, label %b
a:
  %i = phi i32 [ %n, %entry ], [ %t, %b ]
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
end:
  store i32 %t2, ptr addrspace(1) %out
  ret void
}
