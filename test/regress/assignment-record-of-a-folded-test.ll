; A #dbg_assign record at the end of a block that goes: the store that it belongs to knows it, and must
; not find it there any more.
; RUN: %opt %load -passes='linearize<needed;any-target>,verify' -S %s | %FileCheck %s
; CHECK: linearize.exit
; ModuleID = '/tmp/da.c'
source_filename = "/tmp/da.c"



; Function Attrs: nounwind uwtable
define i32 @find(ptr noundef %0, i32 noundef %1, i32 noundef %2, ptr noundef %3) !dbg !14 {
  %5 = alloca i32, align 4, !DIAssignID !29
    #dbg_assign(i1 poison, !27, !DIExpression(), !29, ptr %5, !DIExpression(), !30)
    #dbg_value(ptr %0, !23, !DIExpression(), !30)
    #dbg_value(i32 %1, !24, !DIExpression(), !30)
    #dbg_value(i32 %2, !25, !DIExpression(), !30)
    #dbg_value(ptr %3, !26, !DIExpression(), !30)
  store i32 0, ptr %5, align 4, !dbg !32, !DIAssignID !33
    #dbg_assign(i32 0, !27, !DIExpression(), !33, ptr %5, !DIExpression(), !30)
  call void @take(ptr noundef nonnull %5), !dbg !34
  %6 = load i32, ptr %3, align 4, !dbg !35
    #dbg_value(i32 %6, !28, !DIExpression(), !30)
  %7 = sext i32 %6 to i64, !dbg !36
  br label %8, !dbg !36

8:                                                ; preds = %16, %4
  %9 = phi i64 [ %18, %16 ], [ %7, %4 ], !dbg !30
    #dbg_value(i64 %9, !28, !DIExpression(), !30)
  %10 = getelementptr inbounds i32, ptr %0, i64 %9, !dbg !37
  %11 = load i32, ptr %10, align 4, !dbg !37
  %12 = icmp eq i32 %11, %2, !dbg !40
  %13 = trunc i64 %9 to i32, !dbg !41
  br i1 %12, label %14, label %16, !dbg !42

14:                                               ; preds = %8
  store i32 %13, ptr %5, align 4, !dbg !43, !DIAssignID !45
    #dbg_assign(i32 %13, !27, !DIExpression(), !45, ptr %5, !DIExpression(), !30)
  call void @take(ptr noundef nonnull %5), !dbg !46
  %15 = load i32, ptr %5, align 4, !dbg !47
  br label %22, !dbg !48

16:                                               ; preds = %8
  %17 = add i32 %13, 3, !dbg !49
    #dbg_assign(i64 %9, !27, !DIExpression(DW_OP_plus_uconst, 3, DW_OP_stack_value), !50, ptr %5, !DIExpression(), !30)
  %18 = add nsw i64 %9, 1, !dbg !51
    #dbg_value(i64 %18, !28, !DIExpression(), !30)
  %19 = trunc nsw i64 %18 to i32, !dbg !52
  %20 = icmp eq i32 %1, %19, !dbg !52
  br i1 %20, label %21, label %8, !dbg !53, !llvm.loop !54

21:                                               ; preds = %16
  store i32 %17, ptr %5, align 4, !dbg !49, !DIAssignID !50
  call void @take(ptr noundef nonnull %5), !dbg !58
  br label %22, !dbg !59

22:                                               ; preds = %21, %14
  %23 = phi i32 [ %15, %14 ], [ -1, %21 ], !dbg !30
  ret i32 %23, !dbg !61
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)


declare void @take(ptr)

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)



!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6, !7, !8}
!llvm.ident = !{!9}
!llvm.errno.tbaa = !{!10}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "/tmp/da.c", directory: "/work/main", checksumkind: CSK_MD5, checksum: "499be83555aabcd6b4050e07a96226ec")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 8, !"PIC Level", i32 2}
!6 = !{i32 7, !"PIE Level", i32 2}
!7 = !{i32 7, !"uwtable", i32 2}
!8 = !{i32 7, !"debug-info-assignment-tracking", i1 true}
!9 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!10 = !{!11, !11, i64 0}
!11 = !{!"int", !12, i64 0}
!12 = !{!"omnipotent char", !13, i64 0}
!13 = !{!"Simple C/C++ TBAA"}
!14 = distinct !DISubprogram(name: "find", scope: !15, file: !15, line: 2, type: !16, scopeLine: 2, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !22)
!15 = !DIFile(filename: "/tmp/da.c", directory: "", checksumkind: CSK_MD5, checksum: "499be83555aabcd6b4050e07a96226ec")
!16 = !DISubroutineType(types: !17)
!17 = !{!18, !19, !18, !18, !21}
!18 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!19 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !20, size: 64)
!20 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !18)
!21 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !18, size: 64)
!22 = !{!23, !24, !25, !26, !27, !28}
!23 = !DILocalVariable(name: "a", arg: 1, scope: !14, file: !15, line: 2, type: !19)
!24 = !DILocalVariable(name: "n", arg: 2, scope: !14, file: !15, line: 2, type: !18)
!25 = !DILocalVariable(name: "key", arg: 3, scope: !14, file: !15, line: 2, type: !18)
!26 = !DILocalVariable(name: "out", arg: 4, scope: !14, file: !15, line: 2, type: !21)
!27 = !DILocalVariable(name: "i", scope: !14, file: !15, line: 3, type: !18)
!28 = !DILocalVariable(name: "j", scope: !14, file: !15, line: 5, type: !18)
!29 = distinct !DIAssignID()
!30 = !DILocation(line: 0, scope: !14)
!31 = !DILocation(line: 3, column: 3, scope: !14)
!32 = !DILocation(line: 3, column: 7, scope: !14)
!33 = distinct !DIAssignID()
!34 = !DILocation(line: 4, column: 3, scope: !14)
!35 = !DILocation(line: 5, column: 11, scope: !14)
!36 = !DILocation(line: 6, column: 3, scope: !14)
!37 = !DILocation(line: 7, column: 9, scope: !38)
!38 = distinct !DILexicalBlock(scope: !39, file: !15, line: 7, column: 9)
!39 = distinct !DILexicalBlock(scope: !14, file: !15, line: 6, column: 6)
!40 = !DILocation(line: 7, column: 14, scope: !38)
!41 = !DILocation(line: 0, scope: !39)
!42 = !DILocation(line: 7, column: 14, scope: !38)
!43 = !DILocation(line: 7, column: 26, scope: !44)
!44 = distinct !DILexicalBlock(scope: !38, file: !15, line: 7, column: 22)
!45 = distinct !DIAssignID()
!46 = !DILocation(line: 7, column: 31, scope: !44)
!47 = !DILocation(line: 7, column: 48, scope: !44)
!48 = !DILocation(line: 7, column: 41, scope: !44)
!49 = !DILocation(line: 8, column: 7, scope: !39)
!50 = distinct !DIAssignID()
!51 = !DILocation(line: 9, column: 6, scope: !39)
!52 = !DILocation(line: 10, column: 14, scope: !14)
!53 = !DILocation(line: 10, column: 3, scope: !39)
!54 = distinct !{!54, !36, !55, !56, !57}
!55 = !DILocation(line: 10, column: 18, scope: !14)
!56 = !{!"llvm.loop.mustprogress"}
!57 = !{!"llvm.loop.unroll.disable"}
!58 = !DILocation(line: 11, column: 3, scope: !14)
!59 = !DILocation(line: 12, column: 3, scope: !14)
!60 = !DILocation(line: 13, column: 1, scope: !14)
!61 = !DILocation(line: 13, column: 1, scope: !14)
!62 = !DISubprogram(name: "take", scope: !15, file: !15, line: 1, type: !63, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!63 = !DISubroutineType(types: !64)
!64 = !{null, !21}
