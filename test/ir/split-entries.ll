; Loops with two entries and more: where an entry leads only to others it is copied in front of the
; loop, and no guard is needed; where that can't be, guards are.
;
; RUN: %opt %load -passes='linearize<irreducible>' -pass-remarks=linearize -pass-remarks-missed=linearize -S %s -o %t.ll 2> %t.remarks
; RUN: %opt -passes=verify -disable-output %t.ll
; RUN: %opt %load -passes='print<unstructured>' -disable-output %t.ll 2>&1 | %FileCheck %s --check-prefix=LEFT --implicit-check-not='jump in'
; RUN: %FileCheck %s < %t.ll
; RUN: %FileCheck %s --check-prefix=REMARKS --implicit-check-not=remark: < %t.remarks
;
; Modes that are asked for every region take blocks as they are. A profile of other functions changes
; nothing.
; RUN: %opt %load -passes='linearize<paper>' -S %s | %FileCheck %s --check-prefix=GUARDS
; RUN: %opt %load -passes='linearize<only=0>' -S %s | %FileCheck %s --check-prefix=GUARDS
; RUN: echo function,block,thread_entries > %t.csv
; RUN: sed 1d %t.ll > %t.profiled
; RUN: %opt %load -passes='linearize<irreducible;profile=%t.csv>' -S %s | sed 1d | diff - %t.profiled
; GUARDS-NOT: linearize.entry:
; GUARDS-LABEL: define {{.*}} @two
; GUARDS-NOT: linearize.entry:
;
; LEFT: two: {{[0-9]+}} unstructured
; REMARKS: remark: {{.*}}function 'two', block 'a': copied this entry of an irreducible loop in front of it: one entry less
; REMARKS: remark: {{.*}}function 'three', block 'c': copied this entry
; REMARKS: remark: {{.*}}function 'three', block 'a': copied this entry
; REMARKS: remark: {{.*}}function 'behind', block 'a': copied this entry
; REMARKS: remark: {{.*}}function 'behind', block 'entry': with that, nothing is left to do in region 0
; REMARKS: remark: {{.*}}function 'further', block {{.*}}: linearized a region
; REMARKS: remark: {{.*}}function 'two_exits', block {{.*}}: linearized a region
; REMARKS: remark: {{.*}}function 'once', block {{.*}}: linearized a region
; REMARKS: remark: {{.*}}function 'dear', block {{.*}}: linearized a region
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"

declare i32 @shared(i32) nosync noduplicate

; CHECK-LABEL: define void @two
; CHECK: entry:
; CHECK: br i1 %c, label %linearize.entry, label %b
; CHECK: a:
; CHECK-NEXT: %i = phi i32 [ %v, %b ]
; CHECK: b:
; CHECK-NEXT: %v = phi i32 [ %n, %entry ], [ %w, %a ], [ [[W:%.*]], %linearize.entry ]
; CHECK: end:
; CHECK: linearize.entry:
; CHECK-NEXT: [[I:%.*]] = phi i32 [ 0, %entry ]
; CHECK: [[W]] = add i32 {{.*}}, 5
; CHECK: br label %b
; CHECK-NOT: linearize.guard
; CHECK-LABEL: define void @three
define void @two(ptr addrspace(1) %out, i1 %c, i32 %n) {
entry:
  br i1 %c, label %a, label %b
a:
  %i = phi i32 [ 0, %entry ], [ %v, %b ]
  %j = mul i32 %i, 3
  %w = add i32 %j, 5
  store i32 %j, ptr addrspace(1) %out
  br label %b
b:
  %v = phi i32 [ %n, %entry ], [ %w, %a ]
  %s = shl i32 %v, 2
  %t = mul i32 %s, %v
  %k = mul i32 %t, %s
  %k1 = mul i32 %k, %k
  %k2 = mul i32 %k1, %k
  %u = mul i32 %k2, %t
  %again = icmp slt i32 %u, 100
  br i1 %again, label %a, label %end
end:
  store i32 %u, ptr addrspace(1) %out
  ret void
}

; c leads to a, and a to b, which stays: c's copy leads to a's.
; CHECK: linearize.entry:
; CHECK: br label %[[A:linearize.entry[0-9]+]]
; CHECK: [[A]]:
; CHECK-NEXT: phi i32 [ %n, %entry ], [ {{.*}}, %linearize.entry ]
; CHECK: br label %b
; CHECK-NOT: linearize.guard
; CHECK-LABEL: define void @behind
define void @three(ptr addrspace(1) %out, i32 %way, i32 %n) {
entry:
  switch i32 %way, label %a [ i32 1, label %b
                              i32 2, label %c ]
a:
  %i = phi i32 [ %n, %entry ], [ %w, %c ]
  %v = add i32 %i, 1
  br label %b
b:
  %j = phi i32 [ 1, %entry ], [ %v, %a ]
  %j1 = mul i32 %j, 3
  %j2 = mul i32 %j1, %j
  %j3 = mul i32 %j2, %j1
  %leaves = icmp sgt i32 %j3, 1000
  br i1 %leaves, label %end, label %c
c:
  %k = phi i32 [ 2, %entry ], [ %j3, %b ]
  %w = add i32 %k, 4
  br label %a
end:
  store i32 %j3, ptr addrspace(1) %out
  ret void
}

; What a gives is used behind an exit that only a has, where unreachable code leads, too,
; which goes.
; CHECK: early:
; CHECK-NEXT: [[L:%.*]] = phi i32 [ {{%.*}}, %linearize.entry ], [ %w, %a ]
; CHECK-NOT: never
; CHECK-NEXT: store i32 [[L]]
; CHECK-LABEL: define void @further
define void @behind(ptr addrspace(1) %out, i1 %c, i32 %n) {
entry:
  br i1 %c, label %a, label %b
a:
  %i = phi i32 [ 0, %entry ], [ %u, %b ]
  %w = add i32 %i, 5
  %leaves = icmp eq i32 %w, %n
  br i1 %leaves, label %early, label %b
b:
  %v = phi i32 [ %n, %entry ], [ %w, %a ]
  %s = mul i32 %v, %n
  %t = mul i32 %s, %v
  %u = mul i32 %t, %s
  %again = icmp slt i32 %u, 100
  br i1 %again, label %a, label %end
early:
  store i32 %w, ptr addrspace(1) %out
  ret void
end:
  ret void
never:
  br label %early
}

; a leads to a block that is no entry; b is longer than what may stand twice.
define void @further(ptr addrspace(1) %out, i1 %c, i32 %n) {
entry:
  br i1 %c, label %a, label %b
a:
  %i = phi i32 [ 0, %entry ], [ %again, %b ], [ %again, %b ]
  %j = mul i32 %i, 3
  %q = udiv i32 %j, %n
  br label %inner
inner:
  %w = add i32 %q, 5
  br label %b
b:
  %v = phi i32 [ %n, %entry ], [ %w, %inner ]
  %s1 = udiv i32 %v, 7
  %s2 = udiv i32 %s1, %n
  %s3 = udiv i32 %s2, %n
  %s4 = udiv i32 %s3, %n
  %again = udiv i32 %s4, %n
  switch i32 %again, label %end [ i32 1, label %a
                                  i32 2, label %a ]
end:
  ret void
}

; What a gives is used behind two exits, and so does what b gives.
define void @two_exits(ptr addrspace(1) %out, i1 %c, i32 %n) {
entry:
  br i1 %c, label %a, label %b
a:
  %i = phi i32 [ 0, %entry ], [ %u, %b ]
  %w = add i32 %i, 5
  switch i32 %w, label %b [ i32 1, label %out1
                            i32 2, label %out2 ]
b:
  %v = phi i32 [ %n, %entry ], [ %w, %a ]
  %u = mul i32 %v, %n
  switch i32 %u, label %a [ i32 1, label %out3
                            i32 2, label %out4 ]
out1:
  store i32 %w, ptr addrspace(1) %out
  ret void
out2:
  %w2 = mul i32 %w, %w
  store i32 %w2, ptr addrspace(1) %out
  ret void
out3:
  store i32 %u, ptr addrspace(1) %out
  ret void
out4:
  %u2 = mul i32 %u, %u
  store i32 %u2, ptr addrspace(1) %out
  ret void
}

; Calls that must stand once.
define void @once(ptr addrspace(1) %out, i1 %c, i32 %n) {
entry:
  br i1 %c, label %a, label %b
a:
  %i = phi i32 [ 0, %entry ], [ %u, %b ]
  %w = call i32 @shared(i32 %i)
  br label %b
b:
  %v = phi i32 [ %n, %entry ], [ %w, %a ]
  %u = call i32 @shared(i32 %v)
  %again = icmp slt i32 %u, 100
  br i1 %again, label %a, label %end
end:
  ret void
}

; Too much would stand twice.
define void @dear(ptr addrspace(1) %out, i1 %c, i32 %n) {
entry:
  br i1 %c, label %a, label %b
a:
  %i = phi i32 [ 0, %entry ], [ %u, %b ]
  %i1 = udiv i32 %i, %n
  %i2 = udiv i32 %i1, %n
  %i3 = udiv i32 %i2, %n
  %i4 = udiv i32 %i3, %n
  %w = udiv i32 %i4, %n
  br label %b
b:
  %v = phi i32 [ %n, %entry ], [ %w, %a ]
  %v1 = udiv i32 %v, %n
  %v2 = udiv i32 %v1, %n
  %v3 = udiv i32 %v2, %n
  %v4 = udiv i32 %v3, %n
  %u = udiv i32 %v4, %n
  %again = icmp slt i32 %u, 100
  br i1 %again, label %a, label %end
end:
  ret void
}
