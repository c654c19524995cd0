; What the simulator makes of blocks before it runs them (the rest of a switch of which one case stays
; in the loop, a copy of a loop's second entry) is theirs in a profile: it fits the module that ran.
;
; RUN: %simt --kernel peeled --model volta --block 64 --arg buf:u32:4096:random:seed=3 --arg buf:u32:64 %s --blocks \
; RUN:   --allow-unwritten | %FileCheck %s --check-prefix TABLE
; RUN: %simt --kernel peeled --model volta --block 64 --arg buf:u32:4096:random:seed=3 --arg buf:u32:64 --csv --blocks %s > %t.csv
; RUN: %simt --kernel entered --model volta --block 64 --arg buf:u32:4096:random:seed=3 --arg buf:u32:64 --csv --blocks %s >> %t.csv
; RUN: %FileCheck %s --check-prefix CSV < %t.csv
; RUN: %not grep -E '[.](rest|copy),' %t.csv
; RUN: %opt %load -passes='linearize<profile=%t.csv>,verify' %all-remarks -disable-output %s 2>&1 | %FileCheck %s --implicit-check-not=profile
; RUN: sed 's/,stay,/,stay.rest,/' %t.csv > %t.rest.csv
; RUN: %opt %load -passes='linearize<profile=%t.rest.csv>' %all-remarks -disable-output %s 2>&1 | %FileCheck %s --check-prefix OTHER
;
; TABLE: stay 4 17 0 43
; TABLE: stay.rest
; CSV: ,peeled,stay,{{[0-9]+,[0-9]+,[0-9.]+}},0,17,0,43,
; CSV: ,entered,right,
; CHECK: function 'peeled', block '{{.*}}': {{linearized|left alone}} {{.*}}region
; OTHER: function 'peeled': the profile is of other code, and ignored: it names block 'stay.rest'
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @peeled(ptr %in, ptr %out) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %to = getelementptr i32, ptr %out, i32 %t
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %more ]
  %a = add i32 %t, %i
  %p = getelementptr i32, ptr %in, i32 %a
  %v = load i32, ptr %p
  %early = icmp ult i32 %v, 100000000
  br i1 %early, label %two, label %again
again:
  %w = and i32 %v, 7
  switch i32 %w, label %more [ i32 0, label %two
                               i32 1, label %one
                               i32 2, label %stay ]
stay:
  %h = lshr i32 %v, 3
  %w2 = and i32 %h, 3
  switch i32 %w2, label %one [ i32 1, label %more
                               i32 2, label %two ]
more:
  %n = add i32 %i, 1
  br label %loop
one:
  %x = mul i32 %v, 77
  %x1 = xor i32 %x, %i
  %x2 = mul i32 %x1, 55
  store i32 %x2, ptr %to
  br label %end
two:
  %y = mul i32 %v, 33
  %y1 = xor i32 %y, %i
  store i32 %y1, ptr %to
  br label %end
end:
  ret void
}

define ptx_kernel void @entered(ptr %in, ptr %out) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %in, i32 %t
  %to = getelementptr i32, ptr %out, i32 %t
  %v = load i32, ptr %p
  %odd = trunc i32 %v to i1
  br i1 %odd, label %left, label %right
left:
  %i = phi i32 [ %v, %entry ], [ %k, %right ]
  %j = lshr i32 %i, 3
  %done = icmp ult i32 %j, 9
  br i1 %done, label %end, label %right
right:
  %l = phi i32 [ %v, %entry ], [ %j, %left ]
  %k = lshr i32 %l, 1
  store i32 %k, ptr %to
  br label %left
end:
  ret void
}

attributes #0 = { "target-cpu"="sm_90" }
