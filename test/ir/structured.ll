; RUN: %opt -S %s -o %t.before
; RUN: %opt %load -passes='linearize<needed>' -S %s -o %t.after
; RUN: diff %t.before %t.after
; RUN: %opt %load -passes='linearize<irreducible>' -S %s -o %t.after
; RUN: diff %t.before %t.after
; RUN: %opt %load -passes='linearize<paper>' -S %s -o %t.after
; RUN: diff %t.before %t.after
; RUN: %opt %load -passes='print<unstructured>' -disable-output %s 2>&1 | %FileCheck %s
; RUN: %opt %load -passes='verify<linearized>' -disable-output %s
;
; Structured already, byte for byte the same afterwards: if, if/else, a loop tested on top, one
; tested at the bottom, nested ones, a switch without fall-through, straight code, a trap in an
; arm (those threads never come back).
;
; CHECK-NOT: ->

target triple = "nvptx64-nvidia-cuda"

declare void @llvm.trap() cold noreturn nounwind

define i32 @ifs(ptr %p, i1 %c, i1 %d) "target-cpu"="sm_75" {
entry:
  br i1 %c, label %then, label %join
then:
  store i32 1, ptr %p
  br i1 %d, label %t, label %e
t:
  store i32 2, ptr %p
  br label %inner
e:
  store i32 3, ptr %p
  br label %inner
inner:
  %x = phi i32 [ 4, %t ], [ 5, %e ]
  br label %join
join:
  %r = phi i32 [ 0, %entry ], [ %x, %inner ]
  ret i32 %r
}

define i32 @loops(ptr %p, i32 %n) "target-cpu"="sm_75" {
entry:
  br label %top
top:
  %i = phi i32 [ 0, %entry ], [ %i2, %latch ]
  %go = icmp slt i32 %i, %n
  br i1 %go, label %body, label %done
body:
  %j = phi i32 [ 0, %top ], [ %j2, %body ]
  %a = getelementptr i32, ptr %p, i32 %j
  store i32 %i, ptr %a
  %j2 = add i32 %j, 1
  %more = icmp slt i32 %j2, %i
  br i1 %more, label %body, label %latch
latch:
  %i2 = add i32 %i, 1
  br label %top
done:
  ret i32 %i
}

define i32 @cases(ptr %p, i32 %n) "target-cpu"="sm_75" {
entry:
  switch i32 %n, label %other [ i32 0, label %a
                                i32 1, label %b ]
a:
  store i32 1, ptr %p
  br label %join
b:
  store i32 2, ptr %p
  br label %join
other:
  store i32 3, ptr %p
  br label %join
join:
  %r = phi i32 [ 1, %a ], [ 2, %b ], [ 3, %other ]
  ret i32 %r
}

define void @trapping(ptr %p, i1 %c) "target-cpu"="sm_75" {
entry:
  br i1 %c, label %bad, label %good
bad:
  call void @llvm.trap()
  unreachable
good:
  store i32 1, ptr %p
  ret void
}

define void @straight(ptr %p) {
  store i32 1, ptr %p
  ret void
}
