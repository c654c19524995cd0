; Regions keep their numbers when entries of loops before them are copied.
;
; RUN: %opt %load -passes='linearize<irreducible>' %all-remarks -disable-output %s 2>&1 | %FileCheck %s
; RUN: %opt %load -passes='linearize<none>' -disable-output %s
; RUN: %opt %load -passes='linearize<only=1>' %all-remarks -disable-output %s 2>&1 | %FileCheck %s --check-prefix=ONLY
; CHECK: function 'f', block 'a': copied this entry of an irreducible loop in front of it: one entry less (region 0)
; CHECK: function 'f', block 'd2': left alone region 1 of 3 blocks
; CHECK-NOT: region 0
; ONLY: function 'f', block 'd2': linearized a region {{.*}} (region 1)
target triple = "nvptx64-nvidia-cuda"

define void @f(ptr addrspace(1) %out, i1 %c, i1 %d, i1 %e, i32 %n) {
entry:
  br i1 %c, label %a, label %b
a:
  %i = phi i32 [ 0, %entry ], [ %v, %b ]
  %w = add i32 %i, 5
  br label %b
b:
  %v = phi i32 [ %n, %entry ], [ %w, %a ]
  %s = mul i32 %v, %v
  %t = mul i32 %s, %n
  %again = icmp slt i32 %t, 100
  br i1 %again, label %a, label %d1
d1:
  br i1 %d, label %yes, label %d2
d2:
  br i1 %e, label %yes, label %no
yes:
  store i32 1, ptr addrspace(1) %out
  br label %end
no:
  store i32 2, ptr addrspace(1) %out
  br label %end
end:
  ret void
}
