; Which arms take turns, and where: by how long what they wait for takes, and by what they would keep
; in registers.
;
; RUN: %opt %load -passes='linearize-interleave<warps=2>' -pass-remarks=linearize -S %s -o %t.ll 2> %t.remarks
; RUN: %opt -passes=verify -disable-output %t.ll
; RUN: %FileCheck %s < %t.ll
; RUN: %FileCheck %s --check-prefix=REMARKS --implicit-check-not=remark: < %t.remarks
; RUN: %opt %load -passes='linearize-interleave<regardless>' -pass-remarks=linearize -disable-output %s 2>&1 | %FileCheck %s --check-prefix=ALL
;
; REMARKS: remark: {{.*}}function 'chosen', block 'entry': interleaved
; REMARKS: remark: {{.*}}function 'roomy', block 'entry': interleaved
; REMARKS: remark: {{.*}}function 'divided', block 'entry': interleaved
; ALL: remark: {{.*}}function 'special'
; ALL: remark: {{.*}}function 'once'
; ALL: remark: {{.*}}function 'constant'
; ALL: remark: {{.*}}function 'chosen'
; ALL: remark: {{.*}}function 'roomy'
; ALL: remark: {{.*}}function 'crowded'
; ALL: remark: {{.*}}function 'divided'
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"

declare float @llvm.nvvm.sin.approx.f(float)
declare float @llvm.nvvm.ex2.approx.f(float)

; Two special functions in a row take less than another branch does; so does shared memory.
; CHECK-LABEL: define void @special
; CHECK-NOT: linearize
define void @special(ptr addrspace(1) %out, i1 %c, float %x) {
entry:
  br i1 %c, label %a, label %b
a:
  %a1 = call float @llvm.nvvm.sin.approx.f(float %x)
  %a2 = call float @llvm.nvvm.ex2.approx.f(float %a1)
  %a3 = fadd float %a2, 1.0
  br label %end
b:
  %b1 = call float @llvm.nvvm.ex2.approx.f(float %x)
  %b2 = call float @llvm.nvvm.sin.approx.f(float %b1)
  %b3 = fadd float %b2, 2.0
  br label %end
end:
  %v = phi float [ %a3, %a ], [ %b3, %b ]
  store float %v, ptr addrspace(1) %out
  ret void
}

define void @once(ptr addrspace(3) %p, ptr addrspace(1) %out, i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  %x = load i32, ptr addrspace(3) %p
  %a1 = add i32 %x, 1
  br label %end
b:
  %q = getelementptr i32, ptr addrspace(3) %p, i32 7
  %y = load i32, ptr addrspace(3) %q
  %b1 = mul i32 %y, 3
  br label %end
end:
  %v = phi i32 [ %a1, %a ], [ %b1, %b ]
  store i32 %v, ptr addrspace(1) %out
  ret void
}

; Constant memory is as near.
define void @constant(ptr addrspace(4) %p, ptr addrspace(1) %out, i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  %x = load i32, ptr addrspace(4) %p
  %a1 = add i32 %x, 1
  br label %end
b:
  %q = getelementptr i32, ptr addrspace(4) %p, i32 7
  %y = load i32, ptr addrspace(4) %q
  %b1 = mul i32 %y, 3
  br label %end
end:
  %v = phi i32 [ %a1, %a ], [ %b1, %b ]
  store i32 %v, ptr addrspace(1) %out
  ret void
}

; Four pieces: the cut is at the wait for global memory, not at those for shared memory.
; CHECK-LABEL: define void @chosen
; CHECK: %near = load i32, ptr addrspace(3)
; CHECK: %here = load i32, ptr addrspace(3)
; CHECK: phi ptr addrspace(1) [ %there
; CHECK-NEXT: load i32, ptr addrspace(1)
; CHECK: %last = load i32, ptr addrspace(3)
; CHECK-LABEL: define void @roomy
define void @chosen(ptr addrspace(3) %s, ptr addrspace(1) %p, ptr addrspace(1) %out, i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  %near = load i32, ptr addrspace(3) %s
  %sum = add i32 %near, 1
  %there = getelementptr i32, ptr addrspace(1) %p, i32 %sum
  %far = load i32, ptr addrspace(1) %there
  %index = add i32 %far, 1
  %slot = getelementptr i32, ptr addrspace(3) %s, i32 %index
  %last = load i32, ptr addrspace(3) %slot
  %a1 = add i32 %last, 1
  br label %end
b:
  %here = load i32, ptr addrspace(3) %s
  %from = getelementptr i32, ptr addrspace(1) %p, i32 %here
  %y = load i32, ptr addrspace(1) %from
  %b1 = mul i32 %y, 3
  br label %end
end:
  %v = phi i32 [ %a1, %a ], [ %b1, %b ]
  store i32 %v, ptr addrspace(1) %out
  ret void
}

; The same code twice, and the values that the arms keep while they wait: room for them or not.
; CHECK: linearize
; CHECK-LABEL: define void @crowded
; CHECK-NOT: linearize
define void @roomy(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %out, i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  %a1 = load <8 x i32>, ptr addrspace(1) %p
  %a2 = mul <8 x i32> %a1, %a1
  store <8 x i32> %a2, ptr addrspace(1) %out
  br label %end
b:
  %b1 = load <8 x i32>, ptr addrspace(1) %q
  %b2 = add <8 x i32> %b1, %b1
  store <8 x i32> %b2, ptr addrspace(1) %out
  br label %end
end:
  ret void
}

define void @crowded(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %out, i1 %c) "nvvm.maxnreg"="20" {
entry:
  br i1 %c, label %a, label %b
a:
  %a1 = load <8 x i32>, ptr addrspace(1) %p
  %a2 = mul <8 x i32> %a1, %a1
  store <8 x i32> %a2, ptr addrspace(1) %out
  br label %end
b:
  %b1 = load <8 x i32>, ptr addrspace(1) %q
  %b2 = add <8 x i32> %b1, %b1
  store <8 x i32> %b2, ptr addrspace(1) %out
  br label %end
end:
  ret void
}

; A store may trap: the division that a special function behind it needs stays behind it.
; CHECK-LABEL: define void @divided
; CHECK: store i32 7
; CHECK: udiv
define void @divided(ptr addrspace(1) %p, ptr addrspace(1) %out, i1 %c, i32 %d) {
entry:
  br i1 %c, label %a, label %b
a:
  %x = load float, ptr addrspace(1) %p
  %a1 = fadd float %x, 1.0
  store i32 7, ptr addrspace(1) %out
  %quotient = udiv i32 100, %d
  %number = uitofp i32 %quotient to float
  %sine = call float @llvm.nvvm.sin.approx.f(float %number)
  %more = fadd float %a1, %sine
  br label %end
b:
  %y = load float, ptr addrspace(1) %p
  %b1 = fmul float %y, 3.0
  br label %end
end:
  %v = phi float [ %more, %a ], [ %b1, %b ]
  store float %v, ptr addrspace(1) %p
  ret void
}
