; Words of which a condition tests a part are loaded whole, where that condition sets a guard.
;
; RUN: %opt %load -passes='linearize<paper>' -S %s | %FileCheck %s
; RUN: %opt %load -passes='linearize<paper>' -S %s | %llc -mcpu=sm_90 | %FileCheck %s --check-prefix=PTX
; RUN: %llc -mcpu=sm_90 %s -o - | %FileCheck %s --check-prefix=BEFORE

target triple = "nvptx64-nvidia-cuda"

declare i32 @long(i32) nosync nounwind willreturn

;   a || (b && c) ? yes : no
;
; CHECK-LABEL: define i32 @bits(
; CHECK:         %x = load i32, ptr addrspace(1) %p, align 4
; CHECK-NEXT:    %[[X:.*]] = freeze i32 %x
; CHECK:         %a.bit = and i32 %[[X]], 8
; CHECK:         %y = load i64
; CHECK-NEXT:    %[[Y:.*]] = freeze i64 %y
; CHECK:         %b.shifted = lshr i64 %[[Y]], 16
; CHECK:         %z = load i16
; CHECK-NEXT:    %[[Z:.*]] = freeze i16 %z
; CHECK:         %c.byte = and i16 %[[Z]], 255
;
; PTX-LABEL: bits(
; PTX:         ld.global.{{[bu]}}32
; PTX:         ld.global.{{[bu]}}64
; PTX:         ld.global.{{[bu]}}16
; PTX-NOT:     ld.global.{{[bu]}}8
; PTX-LABEL: others(
;
; BEFORE-LABEL: bits(
; BEFORE-NOT:     ld.global.{{[bu](16|32|64)}}
; BEFORE-LABEL: others(
define i32 @bits(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %r) {
a:
  %x = load i32, ptr addrspace(1) %p
  %a.bit = and i32 %x, 8
  %a.holds = icmp ne i32 %a.bit, 0
  br i1 %a.holds, label %yes, label %b

b:
  %y = load i64, ptr addrspace(1) %q
  %b.shifted = lshr i64 %y, 16
  %b.byte = trunc i64 %b.shifted to i8
  %b.holds = icmp ugt i8 %b.byte, 9
  br i1 %b.holds, label %c, label %no

c:
  %z = load i16, ptr addrspace(1) %r
  %c.byte = and i16 %z, 255
  %c.holds = icmp ugt i16 %c.byte, 32
  br i1 %c.holds, label %yes, label %no

yes:
  %s1 = call i32 @long(i32 1)
  br label %end

no:
  %s2 = call i32 @long(i32 2)
  br label %end

end:
  %result = phi i32 [ %s1, %yes ], [ %s2, %no ]
  ret i32 %result
}

; A byte, a word that is read as a whole elsewhere, and one that is compared with another.
; CHECK-LABEL: define i32 @others(
; CHECK-NOT:     freeze
; CHECK:       }
define i32 @others(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %r, i32 %n) {
a:
  %x = load i8, ptr addrspace(1) %p
  %a.bit = and i8 %x, 8
  %a.holds = icmp ne i8 %a.bit, 0
  br i1 %a.holds, label %yes, label %b

b:
  %y = load i32, ptr addrspace(1) %q
  %next = add i32 %y, 1
  %b.bit = and i32 %y, 8
  %b.holds = icmp ne i32 %b.bit, 0
  br i1 %b.holds, label %c, label %no

c:
  %z = load i32, ptr addrspace(1) %r
  %c.holds = icmp ult i32 %z, %n
  br i1 %c.holds, label %yes, label %no

yes:
  %s1 = call i32 @long(i32 1)
  br label %end

no:
  %s2 = call i32 @long(i32 %next)
  br label %end

end:
  %result = phi i32 [ %s1, %yes ], [ %s2, %no ]
  ret i32 %result
}

; What stands before the region is left alone.
; CHECK-LABEL: define i32 @outside(
; CHECK:         %first = load i32
; CHECK-NOT:     freeze i32 %first
; CHECK:       a:
define i32 @outside(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %b.word, i32 %c.word) {
entry:
  %first = load i32, ptr addrspace(1) %q
  %first.bit = and i32 %first, 4
  %leaves = icmp eq i32 %first.bit, 0
  br i1 %leaves, label %out, label %a

out:
  ret i32 0

a:
  %x = load i32, ptr addrspace(1) %p
  %a.bit = and i32 %x, 8
  %a.holds = icmp ne i32 %a.bit, 0
  br i1 %a.holds, label %yes, label %b

b:
  %b.holds = icmp eq i32 %b.word, 7
  br i1 %b.holds, label %c, label %no

c:
  %c.holds = icmp ult i32 %c.word, 256
  br i1 %c.holds, label %yes, label %no

yes:
  %s1 = call i32 @long(i32 1)
  br label %end

no:
  %s2 = call i32 @long(i32 2)
  br label %end

end:
  %result = phi i32 [ %s1, %yes ], [ %s2, %no ]
  ret i32 %result
}
