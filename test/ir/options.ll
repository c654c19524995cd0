; RUN: %not %opt %load -passes='linearize<papre>' -disable-output %s > %t 2>&1
; RUN: %FileCheck %s --check-prefix=PARAM < %t
; RUN: %not %opt %load -passes='linearize<paper;O7>' -disable-output %s > %t 2>&1
; RUN: %FileCheck %s --check-prefix=LEVEL < %t
; RUN: %not %opt %load -linearize-mode=papre -passes='linearize' -disable-output %s > %t 2>&1
; RUN: %FileCheck %s --check-prefix=PARAM < %t
; RUN: %not %opt %load -linearize-level=O7 -passes='linearize' -disable-output %s > %t 2>&1
; RUN: %FileCheck %s --check-prefix=LEVEL < %t
;
; A wrong value is one clear line with the value in it, never a crash.
;
; PARAM-NOT: Stack dump
; PARAM: papre
; PARAM-NOT: Stack dump
; LEVEL-NOT: Stack dump
; LEVEL: O7
; LEVEL-NOT: Stack dump

target triple = "nvptx64-nvidia-cuda"

define void @f() {
  ret void
}
