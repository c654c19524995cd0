; The line of a remark is that of the block it is about; if that has none, of a branch to it; if there
; is none, of the function.
;
; RUN: %opt %load -passes='linearize<irreducible>' %all-remarks -disable-output %s 2>&1 | %FileCheck %s
; RUN: sed 's/, !dbg !8$//' %s | %opt %load -passes='linearize<irreducible>' %all-remarks -disable-output 2>&1 | %FileCheck %s --check-prefix=BRANCH
; RUN: sed 's/, !dbg !\(7\|8\)$//' %s | %opt %load -passes='linearize<irreducible>' %all-remarks -disable-output 2>&1 | %FileCheck %s --check-prefix=FUNCTION
; RUN: %opt %load -passes='linearize<paper>' %all-remarks -disable-output %s 2>&1 | %FileCheck %s
;
; CHECK: remark: file.cu:6:3: function 'f', block 'a':
; BRANCH: remark: file.cu:5:2: function 'f', block 'a':
; FUNCTION: remark: file.cu:4:0: function 'f', block 'a':
target triple = "nvptx64-nvidia-cuda"

define void @f(ptr %p, i1 %c, i1 %d) !dbg !4 {
entry:
  br i1 %c, label %a, label %b, !dbg !7
a:
  store i32 1, ptr %p
  br i1 %d, label %b, label %out, !dbg !8
b:
  store i32 2, ptr %p
  br label %out
out:
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "file.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "f", file: !1, line: 4, scopeLine: 4, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = !DILocation(line: 5, column: 2, scope: !4)
!8 = !DILocation(line: 6, column: 3, scope: !4)
