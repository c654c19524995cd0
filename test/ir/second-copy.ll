; A second copy of the plugin does nothing, and says so in one line; the first one works as ever.
; Twice the same file is one.
;
; RUN: rm -rf %t && mkdir %t && cp %plugin %t/copy.so
; RUN: %opt %load -load-pass-plugin=%t/copy.so -passes='linearize<paper>' -pass-remarks=linearize -disable-output %s 2>&1 | %FileCheck %s --check-prefixes=COPY,CHECK
; RUN: %opt %load %load -O2 -linearize-threshold=1000 -pass-remarks-analysis=linearize -disable-output %s 2>&1 | %FileCheck %s --check-prefix=ONCE
; ONCE: remark: {{.*}}function 'f', block 'a': left alone region 0 {{.*}}
; ONCE-NOT: {{.}}
;
; COPY-NOT: {{.}}
; COPY: linearize: {{.*}}copy.so is ignored: another copy of this plugin is loaded already
; CHECK-NOT: Stack dump
; CHECK: remark: {{.*}}function 'f', block 'a': linearized{{.*}}
; CHECK-NOT: {{.}}
target triple = "nvptx64-nvidia-cuda"

define void @f(ptr %p, i1 %c, i1 %d) {
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
