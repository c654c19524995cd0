; The passes that linearize consists of, in their order; linearize-graph knows each by its name.
;
; RUN: %opt %load -passes='print<linearize-passes>' -disable-output %s > %t.list 2>&1
; RUN: %FileCheck %s --match-full-lines --implicit-check-not='{{.}}' < %t.list
; RUN: %graph-tool --step drop-unreachable %s | %FileCheck %s --check-prefix=STEP -DNAME=drop-unreachable
; RUN: %graph-tool --step free-exits %s | %FileCheck %s --check-prefix=STEP -DNAME=free-exits
; RUN: %graph-tool --step fold-tests %s | %FileCheck %s --check-prefix=STEP -DNAME=fold-tests
; RUN: %graph-tool --step copy-entries %s | %FileCheck %s --check-prefix=STEP -DNAME=copy-entries
; RUN: %graph-tool --step strip-loops %s | %FileCheck %s --check-prefix=STEP -DNAME=strip-loops
; RUN: %graph-tool --step cut-arms %s | %FileCheck %s --check-prefix=STEP -DNAME=cut-arms
; RUN: %graph-tool --step keep-plain %s | %FileCheck %s --check-prefix=STEP -DNAME=keep-plain
; RUN: %graph-tool --step linearize %s | %FileCheck %s --check-prefix=STEP -DNAME=linearize
; RUN: %graph-tool --step finish %s | %FileCheck %s --check-prefix=STEP -DNAME=finish
; RUN: %graph-tool --help | %FileCheck %s --check-prefix=HELP
;
; CHECK: drop-unreachable: blocks that nothing reaches go
; CHECK-NEXT: free-exits: {{.*}}
; CHECK-NEXT: fold-tests: {{.*}}
; CHECK-NEXT: copy-entries: {{.*}}
; CHECK-NEXT: strip-loops: {{.*}}
; CHECK-NEXT: cut-arms: {{.*}}
; CHECK-NEXT: keep-plain: {{.*}}
; CHECK-NEXT: linearize: regions get the control flow of their plan
; CHECK-NEXT: finish: {{.*}}
; STEP: # function search, [[NAME]]: {{.+}}
; HELP: Passes
; HELP-DAG: drop-unreachable
; HELP-DAG: free-exits
; HELP-DAG: fold-tests
; HELP-DAG: copy-entries
; HELP-DAG: strip-loops
; HELP-DAG: cut-arms
; HELP-DAG: keep-plain
; HELP-DAG: linearize
; HELP-DAG: finish
target triple = "nvptx64-nvidia-cuda"

define void @search(i32 %n) {
  ret void
}
