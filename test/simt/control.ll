; Control flow under every model: a switch with shared targets, phis that change places, calls that part and
; return one by one, recursion, loops with a trip count of each thread's own. Only the metrics depend
; on the model.
; RUN: %simt %s --kernel control --arg buf:u32:32:none --print 0 | %FileCheck %s --check-prefixes CHECK,IPDOM
; RUN: %simt %s --kernel control --arg buf:u32:32:none --print 0 --model frontier | %FileCheck %s
; RUN: %simt %s --kernel control --arg buf:u32:32:none --print 0 --model none | %FileCheck %s --check-prefixes CHECK,NONE
; RUN: %simt %s --kernel control --arg buf:u32:32:none --print 0 --model volta | %FileCheck %s
; RUN: %simt %s --kernel loops --arg buf:u32:32:none --print 0 --blocks | %FileCheck %s --check-prefix LOOPS
; RUN: %simt %s --kernel loops --arg buf:u32:32:none --blocks --model volta | %FileCheck %s --check-prefix VOLTA
; RUN: %simt %s --kernel swaps --block 4 --arg buf:u32:4:none --print 0 | %FileCheck %s --check-prefix SWAPS
; RUN: %simt %s --kernel ends --block 40 --arg buf:u32:40:zero --print 0 | %FileCheck %s --check-prefix ENDS
; RUN: %simt %s --kernel ends --block 40 --arg buf:u32:40:zero --print 0 --model volta | %FileCheck %s --check-prefix ENDS

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; n! by recursion, modulo 2^32; returns early for n < 2.
define internal i32 @factorial(i32 %n) noinline {
  %small = icmp ult i32 %n, 2
  br i1 %small, label %one, label %more
one:
  ret i32 1
more:
  %less = sub i32 %n, 1
  %rest = call i32 @factorial(i32 %less)
  %all = mul i32 %n, %rest
  ret i32 %all
}

; Two results, from one of three returns.
define internal { i32, i32 } @sort(i32 %a, i32 %b) noinline {
  %equal = icmp eq i32 %a, %b
  br i1 %equal, label %same, label %other
same:
  ret { i32, i32 } { i32 7, i32 7 }
other:
  %less = icmp ult i32 %a, %b
  %low = select i1 %less, i32 %a, i32 %b
  %high = select i1 %less, i32 %b, i32 %a
  %r0 = insertvalue { i32, i32 } poison, i32 %low, 0
  %r1 = insertvalue { i32, i32 } %r0, i32 %high, 1
  ret { i32, i32 } %r1
}

; By tid & 3: 0: n!; 1: a Fibonacci number, by phis that swap; 2: the larger of tid and 20; 3: a smaller one,
; or 7 if both are the same.
; CHECK: argument 0:
; CHECK-NEXT: 1 1 20 7 24 5 20 7
; CHECK-NEXT: 40320 34 20 3 479001600 233 20 7
; IPDOM: threads active 4.73
; NONE: threads active 4.05
define void @control(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %kind = and i32 %tid, 3
  switch i32 %kind, label %pair [ i32 0, label %call
                                  i32 1, label %loop
                                  i32 3, label %other ]
call:
  %f = call i32 @factorial(i32 %tid)
  br label %done
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %a = phi i32 [ 0, %0 ], [ %b, %loop ]
  %b = phi i32 [ 1, %0 ], [ %sum, %loop ]
  %sum = add i32 %a, %b
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %tid
  br i1 %again, label %loop, label %done
other:
  %bit = and i32 %tid, 4
  %is4 = icmp eq i32 %bit, 4
  %c = select i1 %is4, i32 %tid, i32 3
  br label %pair
pair:
  %d = phi i32 [ 20, %0 ], [ %c, %other ]
  %two = call { i32, i32 } @sort(i32 %tid, i32 %d)
  %low = extractvalue { i32, i32 } %two, 0
  %high = extractvalue { i32, i32 } %two, 1
  %is3 = icmp eq i32 %kind, 3
  %e = select i1 %is3, i32 %low, i32 %high
  br label %done
done:
  %r = phi i32 [ %f, %call ], [ %b, %loop ], [ %e, %pair ]
  %wide = zext i32 %tid to i64
  %at = getelementptr i32, ptr %out, i64 %wide
  store i32 %r, ptr %at
  ret void
}

; Thread t goes around t + 1 times, together: 32 entries of 32, 31, ... threads.
; LOOPS: argument 0:
; LOOPS-NEXT: 0 1 3 6 10 15 21 28
; LOOPS: deepest stack 2
; LOOPS: function loops
; LOOPS: around 5 32 0 528 16.50 32 31
; LOOPS: outside 3 1 0 32 32.00
; VOLTA: around 5 32 0 528 16.50 32 31
; VOLTA: outside 3 1 0 32 32.00
define void @loops(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %around
around:
  %i = phi i32 [ 0, %0 ], [ %next, %around ]
  %sum = phi i32 [ 0, %0 ], [ %more, %around ]
  %more = add i32 %sum, %i
  %same = add i32 %more, 0
  %next = add i32 %i, 1
  %again = icmp ult i32 %i, %tid
  br i1 %again, label %around, label %outside
outside:
  %wide = sext i32 %tid to i64
  %at = getelementptr i32, ptr %out, i64 %wide
  store i32 %same, ptr %at
  ret void
}

; Threads that end inside a function that others return from.
declare void @llvm.nvvm.exit() noreturn
define internal i32 @maybe(i32 %n) noinline {
  %odd = and i32 %n, 1
  %is = icmp eq i32 %odd, 1
  br i1 %is, label %end, label %back
end:
  call void @llvm.nvvm.exit()
  unreachable
back:
  ret i32 %n
}
; ENDS: argument 0:
; ENDS-NEXT: 1 0 3 0 5 0 7 0
; ENDS: 33 0 35 0 37 0 39 0
define void @ends(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %r = call i32 @maybe(i32 %tid)
  %wide = sext i32 %tid to i64
  %at = getelementptr i32, ptr %out, i64 %wide
  %more = add i32 %r, 1
  store i32 %more, ptr %at
  ret void
}

; Three phis that change places: after t turns 1, 2, 3 are rotated by t.
; SWAPS: argument 0:
; SWAPS-NEXT: 123 231 312 123
define void @swaps(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %around
around:
  %i = phi i32 [ 0, %0 ], [ %next, %around ]
  %a = phi i32 [ 1, %0 ], [ %b, %around ]
  %b = phi i32 [ 2, %0 ], [ %c, %around ]
  %c = phi i32 [ 3, %0 ], [ %a, %around ]
  %next = add i32 %i, 1
  %again = icmp ult i32 %i, %tid
  br i1 %again, label %around, label %done
done:
  %a100 = mul i32 %a, 100
  %b10 = mul i32 %b, 10
  %ab = add i32 %a100, %b10
  %abc = add i32 %ab, %c
  %wide = sext i32 %tid to i64
  %at = getelementptr i32, ptr %out, i64 %wide
  store i32 %abc, ptr %at
  ret void
}
