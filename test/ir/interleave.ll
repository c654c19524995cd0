; Two arms that wait for loads take turns: the loads of both are under way before either waits, and
; are one instruction where each arm has one. Where that is worth it depends on how many warps there
; are to hide what a load takes.
;
; RUN: %opt %load -passes='linearize-interleave<warps=2>' -pass-remarks=linearize -S %s -o %t.ll 2> %t.remarks
; RUN: %opt -passes=verify -disable-output %t.ll
; RUN: %FileCheck %s < %t.ll
; RUN: %FileCheck %s --check-prefix=REMARKS --implicit-check-not=remark: < %t.remarks
; RUN: %opt %load -passes='linearize<none;interleave;warps=2>' -S %s | diff %t.ll -
; RUN: %opt %load -linearize-mode=none -linearize-interleave -linearize-warps=2 -passes=linearize -S %s | diff %t.ll -
; RUN: env LINEARIZE_OPTIONS=none,interleave,warps=2 %opt %load -passes=linearize -S %s | diff %t.ll -
;
; With as many warps as there is room for, only who says that there are few.
; RUN: %opt %load -passes=linearize-interleave -pass-remarks=linearize -disable-output %s 2>&1 | %FileCheck %s --check-prefix=DEFAULT --implicit-check-not=remark:
; RUN: %opt -S %s -o %t.before
; RUN: %opt %load -passes='linearize-interleave<warps=64>' -S %s | diff %t.before -
;
; Who is told of none of them is told why, and with how many it would pay.
; RUN: %opt %load -passes=linearize-interleave -pass-remarks-missed=linearize -pass-remarks-analysis=linearize -disable-output %s 2>&1 | %FileCheck %s --check-prefix=HIDDEN --implicit-check-not=remark:
; RUN: %opt %load -passes='linearize-interleave<warps=40>' -pass-remarks-missed=linearize -pass-remarks-analysis=linearize -disable-output %s 2>&1 | %FileCheck %s --check-prefix=KNOWN
; RUN: %opt %load -passes='linearize-interleave<warps=31>' -pass-remarks=linearize -disable-output %s 2>&1 | %FileCheck %s --check-prefix=JUST
; RUN: %opt %load -passes='linearize-interleave<warps=32>' -pass-remarks=linearize -pass-remarks-missed=linearize -disable-output %s 2>&1 | %FileCheck %s --check-prefix=TOO-MANY
; HIDDEN: remark: {{.*}}function 'both', block 'entry': the arms of this branch wait for memory, but don't take turns: with 64 warps a multiprocessor has other work meanwhile; it pays with up to 31 warps. How many there will be isn't known: -linearize-warps=N
; HIDDEN: remark: {{.*}}function 'inside', block 'x': the arms
; HIDDEN: remark: {{.*}}function 'inside', block 'entry': the arms
; HIDDEN: remark: {{.*}}function 'written', block 'entry': the arms
; KNOWN: function 'both', block 'entry': the arms {{.*}} with 40 warps {{.*}} up to 31 warps{{$}}
; JUST: function 'both', block 'entry': interleaved
; TOO-MANY: function 'both', block 'entry': the arms
; RUN: %not %opt %load -passes='linearize-interleave<warps=0>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=WRONG
;
; REMARKS: remark: {{.*}}function 'both', block 'entry': interleaved the two arms of this branch, 4 blocks, with 1 guard
; REMARKS: remark: {{.*}}function 'inside', block 'x': interleaved the two arms of this branch, 4 blocks, with 1 guard
; REMARKS: remark: {{.*}}function 'inside', block 'entry': interleaved the two arms of this branch, {{[0-9]+}} blocks, with {{[12]}} guard
; REMARKS: remark: {{.*}}function 'written', block 'entry': interleaved the two arms of this branch, 8 blocks, with 1 guard
; REMARKS: remark: {{.*}}function 'shared', block 'entry': interleaved
; DEFAULT: remark: {{.*}}function 'shared', block 'entry': interleaved
; WRONG: warps is '0', not a number from 1 to 4294967295
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

@tile = internal addrspace(3) global [30000 x i32] poison

; One load of an address that the arm has chosen, and its own loads before each arm waits.
; CHECK-LABEL: define void @both
; CHECK: entry:
; CHECK: br i1 %c, label %[[A:[a-z0-9.]+]], label %[[B:[a-z0-9.]+]]
; CHECK: [[A]]:
; CHECK: getelementptr i32, ptr addrspace(1) %p, i32 %i
; CHECK: %second = load i32
; CHECK: br label %[[J:[a-z0-9.]+]]
; CHECK: [[B]]:
; CHECK: getelementptr i32, ptr addrspace(1) %q, i32 %i
; CHECK: br label %[[J]]
; CHECK: [[J]]:
; CHECK: [[WHERE:%[0-9]+]] = phi ptr addrspace(1)
; CHECK: [[GOT:%[0-9]+]] = load i32, ptr addrspace(1) [[WHERE]]
; CHECK: br i1 %{{c|[0-9]+}},
; CHECK: add i32 [[GOT]], %{{.*}}
define void @both(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %out, i1 %c, i32 %i) {
entry:
  br i1 %c, label %a, label %b
a:
  %pa = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %first = load i32, ptr addrspace(1) %pa
  %sum = add i32 %first, 1
  %pb = getelementptr i32, ptr addrspace(1) %pa, i32 7
  %second = load i32, ptr addrspace(1) %pb
  %all = add i32 %sum, %second
  br label %end
b:
  %qa = getelementptr i32, ptr addrspace(1) %q, i32 %i
  %other = load i32, ptr addrspace(1) %qa
  %more = add i32 %other, %i
  br label %end
end:
  %v = phi i32 [ %all, %a ], [ %more, %b ]
  store i32 %v, ptr addrspace(1) %out
  ret void
}

; The branch inside of an arm first; then it is part of that arm.
define void @inside(ptr addrspace(1) %p, ptr addrspace(1) %out, i1 %c, i32 %i) {
entry:
  %here = getelementptr i32, ptr addrspace(1) %p, i32 %i
  br i1 %c, label %x, label %y
x:
  %l = load i32, ptr addrspace(1) %here
  %t = icmp sgt i32 %l, 0
  br i1 %t, label %x1, label %x2
x1:
  %a1 = getelementptr i32, ptr addrspace(1) %p, i32 %l
  %l1 = load i32, ptr addrspace(1) %a1
  %u1 = mul i32 %l1, 3
  br label %x3
x2:
  %a2 = getelementptr i32, ptr addrspace(1) %here, i32 %l
  %l2 = load i32, ptr addrspace(1) %a2
  %u2 = mul i32 %l2, 5
  br label %x3
x3:
  %u = phi i32 [ %u1, %x1 ], [ %u2, %x2 ]
  br label %end
y:
  %a3 = getelementptr i32, ptr addrspace(1) %here, i32 99
  %l3 = load i32, ptr addrspace(1) %a3
  %u3 = mul i32 %l3, 7
  br label %end
end:
  %v = phi i32 [ %u, %x3 ], [ %u3, %y ]
  store i32 %v, ptr addrspace(1) %out
  ret void
}

; A stage that writes behind its load keeps it: what is loaded must not be what is written.
; CHECK-LABEL: define void @written
; CHECK: %la = load
; CHECK-NEXT: store i32 1
; CHECK: %lb = load
; CHECK-NEXT: store i32 2
define void @written(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  %la = load i32, ptr addrspace(1) %p
  store i32 1, ptr addrspace(1) %p
  %ca = icmp eq ptr addrspace(1) %p, %q
  br i1 %ca, label %a1, label %a2
a1:
  %ua = add i32 %la, 1
  store i32 %ua, ptr addrspace(1) %q
  br label %a2
a2:
  br label %end
b:
  %lb = load i32, ptr addrspace(1) %q
  store i32 2, ptr addrspace(1) %q
  %cb = icmp eq ptr addrspace(1) %p, %q
  br i1 %cb, label %b1, label %b2
b1:
  %ub = add i32 %lb, 2
  store i32 %ub, ptr addrspace(1) %p
  br label %b2
b2:
  br label %end
end:
  ret void
}

; A multiprocessor has room for one block of this one, of four warps.
define void @shared(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %out, i1 %c) #0 {
entry:
  store i32 1, ptr addrspace(3) @tile
  br i1 %c, label %a, label %b
a:
  %x = load i32, ptr addrspace(1) %p
  %ux = add i32 %x, 1
  br label %end
b:
  %y = load i32, ptr addrspace(1) %q
  %uy = add i32 %y, 2
  br label %end
end:
  %v = phi i32 [ %ux, %a ], [ %uy, %b ]
  store i32 %v, ptr addrspace(1) %out
  ret void
}

; Left alone: where all threads go one way, where only one arm waits, where nothing waits inside of
; its arm, where threads wait for others, volatile loads, and who doesn't want it.
; CHECK-LABEL: define ptx_kernel void @uniform
; CHECK-NOT: linearize
; CHECK-LABEL: define void @unwanted
define ptx_kernel void @uniform(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %out, i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  %x = load i32, ptr addrspace(1) %p
  %ux = add i32 %x, 1
  br label %end
b:
  %y = load i32, ptr addrspace(1) %q
  %uy = add i32 %y, 2
  br label %end
end:
  %v = phi i32 [ %ux, %a ], [ %uy, %b ]
  store i32 %v, ptr addrspace(1) %out
  ret void
}

define void @one_sided(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %out, i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  %x = load i32, ptr addrspace(1) %p
  %ux = add i32 %x, 1
  br label %end
b:
  %y = load i32, ptr addrspace(1) %q
  br label %end
end:
  %v = phi i32 [ %ux, %a ], [ %y, %b ]
  store i32 %v, ptr addrspace(1) %out
  ret void
}

define void @waits(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %out, i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  %x = load i32, ptr addrspace(1) %p
  %ux = add i32 %x, 1
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %end
b:
  %y = load i32, ptr addrspace(1) %q
  %uy = add i32 %y, 2
  br label %end
end:
  %v = phi i32 [ %ux, %a ], [ %uy, %b ]
  store i32 %v, ptr addrspace(1) %out
  ret void
}

define void @observed(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %out, i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  %x = load volatile i32, ptr addrspace(1) %p
  %ux = add i32 %x, 1
  br label %end
b:
  %y = load atomic i32, ptr addrspace(1) %q monotonic, align 4
  %uy = add i32 %y, 2
  br label %end
end:
  %v = phi i32 [ %ux, %a ], [ %uy, %b ]
  store i32 %v, ptr addrspace(1) %out
  ret void
}

define void @unwanted(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %out, i1 %c) "no-linearize" {
entry:
  br i1 %c, label %a, label %b
a:
  %x = load i32, ptr addrspace(1) %p
  %ux = add i32 %x, 1
  br label %end
b:
  %y = load i32, ptr addrspace(1) %q
  %uy = add i32 %y, 2
  br label %end
end:
  %v = phi i32 [ %ux, %a ], [ %uy, %b ]
  store i32 %v, ptr addrspace(1) %out
  ret void
}

attributes #0 = { "target-cpu"="sm_90" "nvvm.maxntid"="128" }
