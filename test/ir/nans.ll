; Comparisons of a function that was changed hold for NaNs, too: llc would ask for a condition and
; its opposite by two comparisons that are both false for a NaN, and a loop that steps by the one or
; by the other would stay where it is. A comparison that is one select's alone, and a function that
; is left as it is, keep what they say.
;
; RUN: %opt %load -passes='linearize<paper>' -S %s -o %t.ll
; RUN: %FileCheck %s --input-file=%t.ll
; RUN: %llc -mcpu=sm_75 %t.ll -o - | %FileCheck --check-prefix=PTX %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define void @axis(
; CHECK:         %first = fcmp reassoc ninf nsz arcp contract afn oeq float %least, %x
; CHECK:         %second = fcmp reassoc ninf nsz arcp contract afn oeq float %least, %y
; CHECK:         %low = fcmp fast olt float
; CHECK:       }

; PTX-LABEL: .visible .func axis(
; PTX-COUNT-2: setp.eq.f32
; PTX:         setp.leu.f32
; PTX:         ret;
define void @axis(float %x, float %y, float %least, ptr addrspace(1) %p) #0 {
entry:
  %first = fcmp fast oeq float %least, %x
  %second = fcmp fast oeq float %least, %y
  %other = select i1 %second, i32 1, i32 2
  %axis = select i1 %first, i32 0, i32 %other
  store volatile i32 %axis, ptr addrspace(1) %p
  br i1 %first, label %step, label %or
or:
  br i1 %second, label %step, label %else
step:
  %low = fcmp fast olt float %x, 5.0
  %bound = select i1 %low, float %x, float 5.0
  store volatile float %bound, ptr addrspace(1) %p
  %far = fcmp fast ogt float %bound, 1.0
  br i1 %far, label %end, label %else
else:
  store volatile i32 7, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; CHECK-LABEL: define void @left(
; CHECK-SAME:    #[[KEPT:[0-9]+]]
; CHECK:         fcmp fast oeq
define void @left(float %x, float %y, ptr addrspace(1) %p) #0 {
entry:
  %c = fcmp fast oeq float %x, %y
  br i1 %c, label %step, label %end
step:
  store volatile i32 1, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; CHECK: attributes #[[KEPT]] = { "no-nans-fp-math"="true" }
attributes #0 = { "no-nans-fp-math"="true" }
