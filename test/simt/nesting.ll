; The column `nested branches`: how many branches have parted a warp and have not reconverged, at most;
; where groups wait for each other at one place they stand for one branch. Only the stack has that.
;
; RUN: %simt --kernel three --grid 1 --block 32 %s | %FileCheck %s --check-prefix=THREE
; RUN: %simt --kernel row --grid 1 --block 32 %s | %FileCheck %s --check-prefix=ONE
; RUN: %simt --kernel together --grid 1 --block 32 %s | %FileCheck %s --check-prefix=NONE
; RUN: %simt --kernel loop --grid 1 --block 32 %s | %FileCheck %s --check-prefix=TWO
; RUN: %simt --kernel calls --grid 1 --block 32 %s | %FileCheck %s --check-prefix=THREE
; RUN: %simt --kernel ways --grid 1 --block 32 %s | %FileCheck %s --check-prefix=ONE
; RUN: %simt --kernel three --grid 1 --block 1 %s | %FileCheck %s --check-prefix=NONE
; RUN: %simt --kernel three --grid 1 --block 32 --model frontier %s | %FileCheck %s --check-prefix=NONE
; RUN: %simt --kernel three --grid 1 --block 32 --model none %s | %FileCheck %s --check-prefix=NONE
; RUN: %simt --kernel three --grid 1 --block 32 --model volta %s | %FileCheck %s --check-prefix=NONE
; RUN: %simt --kernel three --grid 1 --block 32 --csv %s | %FileCheck %s --check-prefix=CSV
; The most of all warps, not their sum.
; RUN: %simt --kernel three --grid 4 --block 64 --jobs 2 %s | %FileCheck %s --check-prefix=THREE
;
; Limits hold, and a loop that threads leave one by one counts.
; RUN: %opt %load -passes='linearize-limit-depth<1>' -S %s -o %t.1.ll
; RUN: %simt --kernel three --grid 1 --block 32 %t.1.ll | %FileCheck %s --check-prefix=ONE
; RUN: %simt --kernel calls --grid 1 --block 32 %t.1.ll | %FileCheck %s --check-prefix=TWO
; RUN: %simt --kernel loop --grid 1 --block 32 %t.1.ll | %FileCheck %s --check-prefix=TWO
; RUN: %opt %load -passes='linearize-limit-depth<2>' -S %s -o %t.2.ll
; RUN: %simt --kernel three --grid 1 --block 32 %t.2.ll | %FileCheck %s --check-prefix=TWO
;
; NONE: {{^}}nested branches {{ *}}0{{$}}
; ONE: {{^}}nested branches {{ *}}1{{$}}
; TWO: {{^}}nested branches {{ *}}2{{$}}
; THREE: {{^}}nested branches {{ *}}3{{$}}
; CSV: ,nested_branches{{$}}
; CSV: ,3{{$}}
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @three() {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  call void @nest(i32 %t)
  %a = icmp ult i32 %t, 16
  br i1 %a, label %b, label %end
b:
  %cb = icmp ult i32 %t, 8
  br i1 %cb, label %c, label %e
c:
  %cc = icmp ult i32 %t, 4
  br i1 %cc, label %d, label %d1
d:
  br label %d1
d1:
  %p = phi i32 [ 1, %c ], [ 2, %d ]
  br label %e
e:
  br label %end
end:
  ret void
}

define ptx_kernel void @row() {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = icmp ult i32 %t, 16
  br i1 %a, label %b, label %c
b:
  br label %c
c:
  %d = icmp ult i32 %t, 8
  br i1 %d, label %e, label %f
e:
  br label %f
f:
  ret void
}

; All threads take the same ways.
define ptx_kernel void @together() {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = icmp ult i32 %t, 64
  br i1 %a, label %b, label %d
b:
  %c = icmp ult i32 %t, 48
  br i1 %c, label %e, label %d
e:
  br label %d
d:
  ret void
}

; A branch in a loop that threads leave one by one.
define ptx_kernel void @loop() {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %h
h:
  %i = phi i32 [ 0, %entry ], [ %i1, %l ]
  %odd = and i32 %t, 1
  %o = icmp eq i32 %odd, 0
  br i1 %o, label %b, label %l
b:
  br label %l
l:
  %i1 = add i32 %i, 1
  %m = icmp ult i32 %i1, %t
  br i1 %m, label %h, label %end
end:
  ret void
}

; Two in a function that is called in an arm of the third.
define ptx_kernel void @calls() {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = icmp ult i32 %t, 20
  br i1 %a, label %b, label %end
b:
  call void @nest(i32 %t)
  br label %end
end:
  ret void
}

define void @nest(i32 %t) noinline {
entry:
  %a = icmp ult i32 %t, 16
  br i1 %a, label %b, label %end
b:
  %cb = icmp ult i32 %t, 8
  br i1 %cb, label %c, label %e
c:
  br label %e
e:
  br label %end
end:
  ret void
}

; Four ways of one branch are one branch.
define ptx_kernel void @ways() {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = and i32 %t, 3
  switch i32 %w, label %a [ i32 0, label %b
                            i32 1, label %c
                            i32 2, label %d ]
a:
  br label %end
b:
  br label %end
c:
  br label %end
d:
  br label %end
end:
  ret void
}
