; A block that begins with an instruction of no line (line 0: the compiler's own) has others.
;
; RUN: %opt %load -passes='linearize<paper>' -pass-remarks=linearize -disable-output %s 2>&1 | %FileCheck %s
; CHECK: remark: some.cu:7:3: function 'f', block 'a': linearized
target triple = "nvptx64-nvidia-cuda"

define void @f(ptr addrspace(1) %out, i1 %c, i1 %d) !dbg !3 {
entry:
  br i1 %c, label %a, label %b, !dbg !4
a:
  %x = add i32 1, 2, !dbg !4
  store i32 %x, ptr addrspace(1) %out, !dbg !5
  br i1 %d, label %b, label %end, !dbg !5
b:
  store i32 1, ptr addrspace(1) %out, !dbg !4
  br label %end, !dbg !4
end:
  ret void, !dbg !4
}

!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!6}
!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, emissionKind: LineTablesOnly)
!2 = !DIFile(filename: "some.cu", directory: "/")
!3 = distinct !DISubprogram(name: "f", file: !2, line: 2, unit: !1, spFlags: DISPFlagDefinition)
!4 = !DILocation(line: 0, scope: !3)
!5 = !DILocation(line: 7, column: 3, scope: !3)
!6 = !{i32 2, !"Debug Info Version", i32 3}
