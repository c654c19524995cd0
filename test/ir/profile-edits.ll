; A profile stays with a function that is edited (lib/counts/carried.h): ways out of the loop are freed
; from their flag, `on`, `test` and `latch` become one block, and the counts still say that threads
; part there, whatever the weights say. Guards have the counts of where they stand.
;
; RUN: %split-file %s %t
; RUN: %simt --kernel search --launch %t/launch --csv --blocks %t/main.ll > %t/main.csv
; RUN: %FileCheck %s --check-prefix=COUNTS < %t/main.csv
; RUN: %opt %load -passes='linearize' %all-remarks -disable-output %t/main.ll 2>&1 | %FileCheck %s --check-prefixes=FREED,WITHOUT
; RUN: %opt %load -passes='linearize<profile=%t/main.csv>,verify' %all-remarks -S %t/main.ll -o %t/out.ll 2>&1 | %FileCheck %s --check-prefixes=FREED,WITH --implicit-check-not=profile
; RUN: %opt %load -passes='linearize<O0;profile=%t/main.csv>,verify' -S %t/main.ll | %FileCheck %s
; RUN: %simt --kernel search --launch %t/launch --compare %t/out.ll %t/main.ll
;
; What the counts have decided is not decided anew without them: one join of `both` is linearized, and
; the other one, to which no thread comes early, is left alone.
; RUN: %simt --kernel both --launch %t/launch --csv --blocks %t/main.ll > %t/both.csv
; RUN: %opt %load -passes='linearize<profile=%t/both.csv>' %all-remarks -S %t/main.ll -o %t/both.ll 2>&1 | grep "'both'" | %FileCheck %s --check-prefix=BOTH
; BOTH: function 'both', block 'd2': linearized a region
; BOTH-NEXT: function 'both', block 'c2': left alone region 0
; BOTH-NOT: linearized
;
; COUNTS: ,search,latch,
; FREED: function 'search', block 'test': rerouted 2 exits of a loop past the flag
; WITHOUT: function 'search', block 'c2': left alone region 1 of 3 blocks {{.*}}: it gains too little
; WITH: function 'search', block 'c2': linearized a region
;
; CHECK: on:
; CHECK-NOT: test:
; CHECK: br label %linearize.guard
; CHECK: br i1 {{.*}}, label %c2, {{.*}} !prof ![[ODDS:[0-9]+]]
; CHECK: ![[ODDS]] = !{!"branch_weights", i32 2892, i32 2828}

;--- launch
--block 128
--arg buf:u32:128:index
--arg buf:u32:128

;--- main.ll
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @search(ptr %in, ptr %out) {
entry:
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %place = getelementptr i32, ptr %in, i32 %thread
  %to = getelementptr i32, ptr %out, i32 %thread
  %x = load i32, ptr %place
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %join ], [ %next, %other ]
  %sum = phi i32 [ 0, %entry ], [ %q, %join ], [ %s, %other ]
  %y = add i32 %x, %i
  %long = icmp ugt i32 %y, 140
  br i1 %long, label %test, label %probe
probe:
  %hash = mul i32 %y, 13
  %low = and i32 %hash, 255
  %found = icmp eq i32 %low, 7
  br i1 %found, label %test, label %on
on:
  store i32 %y, ptr %to
  br label %test
test:
  %stay = phi i1 [ false, %head ], [ false, %probe ], [ true, %on ]
  br i1 %stay, label %latch, label %end
latch:
  %next = add i32 %i, 1
  %half = trunc i32 %x to i1
  br i1 %half, label %join, label %c2, !prof !0
c2:
  %bit = and i32 %y, 2
  %set = icmp ne i32 %bit, 0
  br i1 %set, label %join, label %other
join:
  %q1 = udiv i32 %y, 3
  %q2 = udiv i32 %y, 5
  %q3 = xor i32 %q1, %q2
  %q = add i32 %q3, %sum
  store i32 %q, ptr %to
  br label %head
other:
  %s = add i32 %sum, 1
  br label %head
end:
  store i32 %sum, ptr %to
  ret void
}

define ptx_kernel void @both(ptr %in, ptr %out) {
entry:
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %place = getelementptr i32, ptr %in, i32 %thread
  %to = getelementptr i32, ptr %out, i32 %thread
  %x = load i32, ptr %place
  %never = icmp ugt i32 %x, 1000
  br i1 %never, label %join, label %c2
c2:
  %odd = trunc i32 %x to i1
  br i1 %odd, label %join, label %other
join:
  %q1 = udiv i32 %x, 3
  %q2 = udiv i32 %x, 5
  %q = xor i32 %q1, %q2
  store i32 %q, ptr %to
  br label %then
other:
  store i32 1, ptr %to
  br label %then
then:
  %y = load i32, ptr %to
  %half = trunc i32 %x to i1
  br i1 %half, label %join2, label %d2, !prof !0
d2:
  %bit = and i32 %x, 2
  %set = icmp ne i32 %bit, 0
  br i1 %set, label %join2, label %other2
join2:
  %r1 = udiv i32 %y, 3
  %r2 = udiv i32 %y, 5
  %r = xor i32 %r1, %r2
  store i32 %r, ptr %to
  br label %end
other2:
  store i32 2, ptr %to
  br label %end
end:
  ret void
}

!0 = !{!"branch_weights", i32 1, i32 1000000}
