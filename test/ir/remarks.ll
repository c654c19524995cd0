; Each unstructured region has a remark: passed, missed or analysis, with its number, why, and what
; it costs and gains; the pass does the same whether somebody listens or not.
;
; RUN: %opt %load -passes='linearize' %all-remarks -S %s -o %t.heard 2>&1 | %FileCheck %s --implicit-check-not=remark:
; RUN: %opt %load -passes='linearize' -S %s -o %t.unheard 2>%t.err
; RUN: diff %t.heard %t.unheard
; RUN: %count 1 < %t.err
; RUN: %FileCheck %s --check-prefix=WARNING < %t.err
; RUN: %opt %load -passes='linearize' -pass-remarks=linearize -disable-output %s 2>&1 | %FileCheck %s --check-prefix=PASSED --implicit-check-not=left
; RUN: %opt %load -passes='linearize' -pass-remarks-missed=linearize -disable-output %s 2>&1 | %FileCheck %s --check-prefix=MISSED --implicit-check-not=left
; RUN: %opt %load -passes='linearize' -pass-remarks-analysis=linearize -disable-output %s 2>&1 | %FileCheck %s --check-prefix=ANALYSIS --implicit-check-not='linearized a'
; RUN: %opt %load -passes='linearize<irreducible>' %all-remarks -disable-output %s 2>&1 | %FileCheck %s --check-prefix=IRREDUCIBLE
; RUN: %opt %load -passes='linearize<paper>' %all-remarks -disable-output %s 2>&1 | %FileCheck %s --check-prefix=PAPER
; RUN: %opt %load -passes='linearize<all>' %all-remarks -disable-output %s 2>&1 | %FileCheck %s --check-prefix=ALL
; RUN: %opt %load -passes='linearize' -pass-remarks-output=%t.yaml -disable-output %s
; RUN: %FileCheck %s --check-prefix=YAML < %t.yaml
;
; CHECK: remark: {{.*}}function 'worth', block 'or': linearized a region of 4 blocks with 2 guards (region 0): about 46% fewer instructions; of what a warp runs there it saves about 55%, and guards take 9%
; CHECK-NOT: whatever it gains
; CHECK: remark: {{.*}}function 'uniform', block 'or': left alone region 0 of 4 blocks and 50 instructions: all threads of a warp take each of its branches together
; CHECK: remark: {{.*}}function 'breaks', block 'head': left alone region 0 of 4 blocks and 10 instructions: its threads meet at its end or before, and nothing is run twice
; CHECK: remark: {{.*}}function 'waits', block 'left': left alone region 0 of 2 blocks and 25 instructions: its threads wait for each other at its join
; CHECK: remark: {{.*}}function 'small', block 'or': left alone region 0 of 4 blocks and 11 instructions: what is run twice is too small, 5 instructions; the threshold is 7
; CHECK: remark: {{.*}}function 'polls', block 'head': left alone region 0 of 4 blocks and 46 instructions: it is in a loop that polls memory, in which threads wait for others
; CHECK: remark: {{.*}}function 'votes', block 'work': its result depends on which threads run together (region 0 of 4 blocks)
; CHECK: warning: {{.*}}function 'ring', block 'x': its result depends on which threads run together (region 0 of 3 blocks)
; CHECK: remark: {{.*}}function 'ring', block 'x': its result depends on which threads run together (region 0 of 3 blocks)
; CHECK: remark: {{.*}}function 'unwanted': the function is annotated no-linearize
; CHECK: remark: {{.*}}function 'asked', block 'or': linearized a region of 4 blocks
; CHECK: remark: {{.*}}function 'ways', block 'turn': left alone region 0 of 3 blocks and 6 instructions: what is run twice is too small
; CHECK: remark: {{.*}}function 'ways', block 'turn': left alone region 1 of 4 blocks and 6 instructions: its threads meet at its end or before
; CHECK: remark: {{.*}}function 'dear', block 'left': left alone region 0 of 2 blocks and 187 instructions: it gains too little; of what a warp runs there it saves about 2%, and guards take 2%
;
; WARNING: warning: {{.*}}function 'ring', block 'x': its result depends on which threads run together (region 0 of 3 blocks)
;
; PASSED: function 'worth'
; MISSED: function 'votes'
; MISSED: remark: {{.*}}function 'ring'
; MISSED: function 'unwanted'
; ANALYSIS: function 'uniform'
; ANALYSIS: function 'breaks'
; ANALYSIS: function 'waits'
; ANALYSIS: function 'small'
; ANALYSIS: function 'polls'
; IRREDUCIBLE: function 'worth', block 'or': left alone region 0 of 4 blocks and 50 instructions: mode irreducible is after irreducible loops
; IRREDUCIBLE: warning: {{.*}}function 'ring', block 'x': its result depends
; PAPER: function 'uniform', block 'or': linearized a region of 4 blocks with 2 guards (region 0): about
; PAPER: function 'breaks', block 'head': linearized a region of 4 blocks with 1 guard (region 0): about {{[0-9]+}}% more instructions; of what a warp runs there it saves about 0%
; PAPER: function 'votes', block 'or': linearized a region {{.*}}: an operation in it may see other threads than before{{.*}}; its result depends on which threads run together
; PAPER: function 'ways', block 'turn': linearized a region of 4 blocks with 2 guards (region 1): about
; PAPER: function 'ways', block 'turn': linearized region 0 of 3 blocks as a part of region 1
; ALL: function 'worth', block 'or': linearized a region of 5 blocks with 2 guards{{$}}
; ALL: function 'worth', block 'or': linearized region 0 of 4 blocks as a part of the whole function
;
; YAML: --- !Passed
; YAML-NEXT: Pass: linearize
; YAML-NEXT: Name: Linearized
; YAML-NEXT: Function: worth
; YAML: - Block: or
; YAML: - Blocks: '4'
; YAML: - Guards: '2'
; YAML: - Region: '0'
; YAML: - Gain: '61'
; YAML: - Executed: '111'
; YAML: - Cost: '10'
; YAML: --- !Analysis
; YAML: Name: Uniform
; YAML: - Region: '0'
; YAML: --- !Analysis
; YAML: Name: NothingToGain
; YAML: --- !Analysis
; YAML: Name: ThreadsWait
; YAML: --- !Analysis
; YAML: Name: TooSmall
; YAML: - Instructions: '11'
; YAML: - Cost: '5'
; YAML: - Threshold: '7'
; YAML: --- !Analysis
; YAML: Name: PollingLoop
; YAML: --- !Missed
; YAML: Name: NotLinearized
; YAML: --- !Failure
; YAML: Name: IrreducibleLoopLeft
; YAML: --- !Analysis
; YAML: Name: TooDear
; YAML: - Gain: '3'
; YAML: - Executed: '190'
; YAML: - Cost: '4'
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.activemask() convergent

define void @worth(i32 %a, i32 %b, ptr %out) {
entry:
  %c1 = icmp eq i32 %a, 0
  br i1 %c1, label %then, label %or
or:
  %c2 = icmp eq i32 %b, 1
  br i1 %c2, label %then, label %else
then:
  %c3 = icmp ugt i32 %b, %a
  br i1 %c3, label %work, label %else
work:
  %old1 = load i32, ptr %out
  %sum1 = udiv i32 %old1, 3
  store i32 %sum1, ptr %out
  br label %end
else:
  %old2 = load i32, ptr %out
  %sum2 = udiv i32 %old2, 3
  store i32 %sum2, ptr %out
  br label %end
end:
  ret void
}

define ptx_kernel void @uniform(i32 %a, i32 %b, ptr %out) {
entry:
  %c1 = icmp eq i32 %a, 0
  br i1 %c1, label %then, label %or
or:
  %c2 = icmp eq i32 %b, 1
  br i1 %c2, label %then, label %else
then:
  %c3 = icmp ugt i32 %b, %a
  br i1 %c3, label %work, label %else
work:
  %old1 = load i32, ptr %out
  %sum1 = udiv i32 %old1, 3
  store i32 %sum1, ptr %out
  br label %end
else:
  %old2 = load i32, ptr %out
  %sum2 = udiv i32 %old2, 3
  store i32 %sum2, ptr %out
  br label %end
end:
  ret void
}

define void @breaks(i32 %n, i32 %m, ptr %out) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %square = mul i32 %i, %i
  %c1 = icmp ugt i32 %square, %n
  br i1 %c1, label %end, label %body
body:
  %sum = add i32 %square, %m
  store i32 %sum, ptr %out
  %c2 = icmp eq i32 %sum, 7
  br i1 %c2, label %end, label %latch
latch:
  %next = add i32 %i, 1
  %c3 = icmp ult i32 %next, 99
  br i1 %c3, label %head, label %end
end:
  ret void
}

; The last join before the end, on a target whose threads run independently.
define void @waits(i32 %a, i32 %b, ptr %out) "target-cpu"="sm_90" {
entry:
  %c1 = icmp eq i32 %a, 0
  br i1 %c1, label %left, label %right
left:
  %c2 = icmp eq i32 %b, 1
  br i1 %c2, label %right, label %end
right:
  %old = load i32, ptr %out
  %sum = udiv i32 %old, 3
  store i32 %sum, ptr %out
  br label %end
end:
  ret void
}

define void @small(i32 %a, i32 %b, ptr %out) {
entry:
  %c1 = icmp eq i32 %a, 0
  br i1 %c1, label %then, label %or
or:
  %c2 = icmp eq i32 %b, 1
  br i1 %c2, label %then, label %else
then:
  %c3 = icmp ugt i32 %b, %a
  br i1 %c3, label %work, label %else
work:
  store i32 1, ptr %out
  br label %end
else:
  store i32 2, ptr %out
  %c4 = icmp ugt i32 %b, %a
  br label %end
end:
  ret void
}

; Threads that wait for different things, in one loop.
define void @polls(ptr %flag, i32 %n, ptr %out) "target-cpu"="sm_90" {
entry:
  br label %head
head:
  %v = load volatile i32, ptr %flag
  %c1 = icmp eq i32 %v, 1
  br i1 %c1, label %a, label %latch
latch:
  %c2 = icmp eq i32 %v, %n
  br i1 %c2, label %b, label %head
a:
  %old1 = load i32, ptr %out
  %sum1 = udiv i32 %old1, 3
  br label %end
b:
  %old2 = load i32, ptr %out
  %sum2 = udiv i32 %old2, 3
  br label %end
end:
  ret void
}

define void @votes(i32 %a, i32 %b, ptr %out) {
entry:
  %c1 = icmp eq i32 %a, 0
  br i1 %c1, label %then, label %or
or:
  %c2 = icmp eq i32 %b, 1
  br i1 %c2, label %then, label %else
then:
  %c3 = icmp ugt i32 %b, %a
  br i1 %c3, label %work, label %else
work:
  %mask = call i32 @llvm.nvvm.activemask()
  store i32 %mask, ptr %out
  br label %end
else:
  %old2 = load i32, ptr %out
  %sum2 = udiv i32 %old2, 3
  store i32 %sum2, ptr %out
  br label %end
end:
  ret void
}

define void @ring(i32 %a, ptr %out) {
entry:
  %c1 = icmp eq i32 %a, 0
  br i1 %c1, label %x, label %y
x:
  %mask = call i32 @llvm.nvvm.activemask()
  store i32 %mask, ptr %out
  br label %y
y:
  %old = load i32, ptr %out
  %c2 = icmp eq i32 %old, 9
  br i1 %c2, label %x, label %end
end:
  ret void
}

define void @unwanted(i32 %a, i32 %b, ptr %out) "no-linearize" {
entry:
  %c1 = icmp eq i32 %a, 0
  br i1 %c1, label %then, label %or
or:
  %c2 = icmp eq i32 %b, 1
  br i1 %c2, label %then, label %else
then:
  %c3 = icmp ugt i32 %b, %a
  br i1 %c3, label %work, label %else
work:
  %old1 = load i32, ptr %out
  %sum1 = udiv i32 %old1, 3
  store i32 %sum1, ptr %out
  br label %end
else:
  %old2 = load i32, ptr %out
  %sum2 = udiv i32 %old2, 3
  store i32 %sum2, ptr %out
  br label %end
end:
  ret void
}

define ptx_kernel void @asked(i32 %a, i32 %b, ptr %out) "linearize" {
entry:
  %c1 = icmp eq i32 %a, 0
  br i1 %c1, label %then, label %or
or:
  %c2 = icmp eq i32 %b, 1
  br i1 %c2, label %then, label %else
then:
  %c3 = icmp ugt i32 %b, %a
  br i1 %c3, label %work, label %else
work:
  store i32 1, ptr %out
  br label %end
else:
  store i32 2, ptr %out
  br label %end
end:
  ret void
}

define void @structured(i1 %c) {
entry:
  br i1 %c, label %a, label %end
a:
  br label %end
end:
  ret void
}

; The inner region's way out is one of the outer region's: both become one.
define void @ways(i32 %a, i32 %b, ptr %out) {
entry:
  %c0 = icmp eq i32 %a, 0
  br i1 %c0, label %end1, label %turn
turn:
  %c1 = icmp eq i32 %a, 1
  br i1 %c1, label %stay, label %end
stay:
  %c2 = icmp eq i32 %b, 2
  store i32 %b, ptr %out
  br i1 %c2, label %turn, label %end1
end1:
  br label %end
end:
  ret void
}

define void @dear(i32 %a, i32 %b, ptr %out) {
entry:
  %c = icmp eq i32 %a, 0
  br i1 %c, label %left, label %join, !prof !90
left:
  %q = udiv i32 %a, 7
  %heavy = udiv <8 x i32> zeroinitializer, splat (i32 3)
  %r = udiv i32 %b, %q
  %s = udiv i32 %r, %b
  %d = icmp eq i32 %s, 1
  br i1 %d, label %join, label %end
join:
  store i32 %a, ptr %out
  store i32 %b, ptr %out
  %e = add i32 %a, %b
  %f = mul i32 %e, %b
  br label %end
end:
  ret void
}

!90 = !{!"branch_weights", i32 100, i32 1}
