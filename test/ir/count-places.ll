; Where blocks are in the source: the program's line, not that of a header of the compiler or of a toolkit that
; was inlined there; in the folder that the compiler ran in; and nowhere if no instruction is anywhere.
;
; RUN: %opt %load -passes=linearize-count,verify -S %s -o %t.ll
; RUN: %python %S/../profile/Inputs/text.py %t.ll kernel | %FileCheck %s
; CHECK: 5 kernel
; CHECK-NEXT: entry {{[0-9]+}} /home/me/app/k.cu:7 1
; CHECK-NEXT: own {{[0-9]+}} /home/me/app/own.cuh:70 2
; CHECK-NEXT: toolkit {{[0-9]+}} /home/me/app/k.cu:7 3
; CHECK-NEXT: foreign {{[0-9]+}} /usr/include/x.h:33 4
; CHECK-NEXT: nowhere {{[0-9]+}} r

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @kernel(ptr %p) #0 !dbg !10 {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !20
  br label %own, !dbg !22
own:
  %v = load volatile i32, ptr %p, align 4, !dbg !23
  br label %toolkit, !dbg !23
toolkit:
  store volatile i32 %x, ptr %p, align 4, !dbg !27
  br label %foreign, !dbg !27
foreign:
  store volatile i32 %v, ptr %p, align 4, !dbg !24
  br label %nowhere, !dbg !24
nowhere:
  store volatile i32 %x, ptr %p, align 4, !dbg !25
  ret void
}

attributes #0 = { "target-cpu"="sm_90" }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!1}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !2, emissionKind: LineTablesOnly)
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !DIFile(filename: "k.cu", directory: "/home/me/app")
!3 = !DIFile(filename: "/usr/lib/llvm-22/lib/clang/22/include/__clang_cuda_builtin_vars.h", directory: "/home/me/app")
!4 = !DIFile(filename: "own.cuh", directory: "/home/me/app")
!5 = !DIFile(filename: "/usr/include/x.h", directory: "/home/me/app")
!10 = distinct !DISubprogram(name: "kernel", file: !2, line: 5, scope: !2, type: !11, unit: !0, spFlags: DISPFlagDefinition)
!11 = !DISubroutineType(types: !12)
!12 = !{}
!13 = distinct !DISubprogram(name: "get", file: !3, line: 90, scope: !3, type: !11, unit: !0, spFlags: DISPFlagDefinition)
!14 = distinct !DISubprogram(name: "helper", file: !4, line: 69, scope: !4, type: !11, unit: !0, spFlags: DISPFlagDefinition)
!15 = distinct !DISubprogram(name: "far", file: !5, line: 30, scope: !5, type: !11, unit: !0, spFlags: DISPFlagDefinition)
!16 = distinct !DISubprogram(name: "kernel2", file: !5, line: 5, scope: !5, type: !11, unit: !0, spFlags: DISPFlagDefinition)
!20 = !DILocation(line: 93, scope: !13, inlinedAt: !21)
!21 = distinct !DILocation(line: 7, scope: !10)
!22 = !DILocation(line: 8, scope: !10)
!23 = !DILocation(line: 70, scope: !14, inlinedAt: !21)
!24 = !DILocation(line: 33, scope: !15, inlinedAt: !26)
!25 = !DILocation(line: 0, scope: !10)
!26 = distinct !DILocation(line: 0, scope: !10)
!27 = !DILocation(line: 30, scope: !15, inlinedAt: !21)
