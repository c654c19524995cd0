; Before LLVM 20 annotations say which functions are kernels, and until LLVM 22 what else there is to say
; of them: they say it of versions, too, and nothing of copies that are gone.
;
; REQUIRES: llvm-19
; RUN: %opt %load -passes='linearize-versions<needed:paper:all>,verify' -S %s | %FileCheck %s
; CHECK: define void @k__linearize_paper(
; CHECK: !nvvm.annotations = !{!0, !1, !2, !3, !4}
; CHECK: !0 = !{ptr @k, !"kernel", i32 1}
; CHECK: !1 = !{ptr @k, !"maxntidx", i32 128, !"maxntidy", i32 2}
; CHECK: !2 = !{ptr addrspace(1) @texture, !"texture", i32 1}
; CHECK: !3 = !{ptr @k__linearize_paper, !"kernel", i32 1}
; CHECK: !4 = !{ptr @k__linearize_paper, !"maxntidx", i32 128, !"maxntidy", i32 2}

target triple = "nvptx64-nvidia-cuda"

@texture = addrspace(1) global i64 0

define void @k(ptr %p, i1 %c, i1 %d) {
entry:
  br i1 %c, label %a, label %join
a:
  store volatile i32 1, ptr %p
  br i1 %d, label %join, label %out
join:
  store volatile i32 2, ptr %p
  br label %out
out:
  ret void
}

!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr @k, !"kernel", i32 1}
!1 = !{ptr @k, !"maxntidx", i32 128, !"maxntidy", i32 2}
!2 = !{ptr addrspace(1) @texture, !"texture", i32 1}
