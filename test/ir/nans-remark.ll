; A remark at a comparison is at the one that has taken its place, in the end; a condition that goes
; into another one is for NaNs, too.
;
; RUN: %opt %load -passes='linearize<paper>' -pass-remarks=linearize -S %s 2>&1 | %FileCheck %s
; CHECK: remark: axis.cu:7:9: function 'axis', block 'or': linearized
; CHECK-LABEL: define void @axis(
; CHECK-NOT: fcmp fast
target triple = "nvptx64-nvidia-cuda"

define void @axis(float %x, float %y, ptr addrspace(1) %p) !dbg !4 {
entry:
  %first = fcmp fast oeq float %x, 0.0
  br i1 %first, label %step, label %or
or:
  %second = fcmp fast oeq float %y, 0.0, !dbg !6
  br i1 %second, label %step, label %else, !dbg !7
step:
  store volatile i32 3, ptr addrspace(1) %p
  br i1 %first, label %end, label %else
else:
  store volatile i32 7, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "axis.cu", directory: "/")
!2 = !{i32 7, !"Dwarf Version", i32 2}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "axis", file: !1, line: 5, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !{null})
!6 = !DILocation(line: 7, column: 9, scope: !4)
!7 = !DILocation(line: 8, column: 5, scope: !4)
