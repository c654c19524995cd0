; What refilling gains, by a profile: in the remark of a kernel that is refilled, and of one that isn't.
;
; RUN: %split-file %s %t
; RUN: %simt --launch %t/launch --kernel rows --arg buf:i32:8192:random:below=100 %t/main.ll --counts %t/uneven > %t/ignored
; RUN: %simt --launch %t/launch --kernel rows --arg buf:i32:8192:random:below=1 %t/main.ll --counts %t/equal > %t/ignored
; RUN: %simt --launch %t/launch --kernel sums --arg buf:i32:1000000 --arg u32:9 %t/main.ll --counts %t/sums > %t/ignored
; RUN: %simt --launch %t/launch --kernel chase --arg buf:i32:8192:random:below=8192 %t/main.ll --counts %t/chase > %t/ignored
; DEFINE: %{profile} =
; DEFINE: %{versions} = refilled
; DEFINE: %{refill} = %opt %load -passes='linearize-versions<%{versions};profile=%{profile}>,verify' -pass-remarks=linearize -pass-remarks-analysis=linearize -pass-remarks-missed=linearize -disable-output %t/main.ll
;
; RUN: %opt %load -passes='linearize-versions<refilled>' -pass-remarks=linearize -pass-remarks-analysis=linearize -disable-output %t/main.ll 2>&1 | %FileCheck %s --check-prefix=UNKNOWN
; UNKNOWN: function 'rows', block 'loop': in version refilled {{.*}} once 8 lanes of a warp can; the warp looks every {{[0-9]}} steps; what it gains is not known without a profile
;
; Items differ.
; REDEFINE: %{profile} = %t/uneven
; RUN: %{refill} 2>&1 | %FileCheck %s --check-prefix=UNEVEN
; UNEVEN: function 'rows', block 'loop': {{.*}}: about 1.{{[0-3].}} times as fast{{.*}} by the profile warps execute about {{[23].}}% less (
; UNEVEN: function 'sums', block 'loop': its lanes can't take the next item, as version refilled would have them: its items go around the loop equally often (
;
; Or those that were asked for.
; REDEFINE: %{versions} = refilled.refill-at.2.refill-every.1
; RUN: %{refill} 2>&1 | %FileCheck %s --check-prefix=ASKED
; ASKED: function 'rows', block 'loop': {{.*}}: about 0.{{[4-8].}} times as fast{{.*}} once 2 lanes of a warp can; the warp looks every 1 step; by the profile warps execute about {{[0-9]+}}% {{less|more}} (
;
; Items don't: all have one step, so warps fetch as soon as they can.
; REDEFINE: %{versions} = refilled
; REDEFINE: %{profile} = %t/equal
; RUN: %{refill} 2>&1 | %FileCheck %s --check-prefix=EQUAL
; EQUAL: function 'rows', block 'loop': {{.*}}: about 0.{{.*}} once 4 lanes of a warp can; the warp looks every 1 step; by the profile warps execute about {{.*}}% more
; REDEFINE: %{profile} = %t/sums
; RUN: %{refill} 2>&1 | %FileCheck %s --check-prefix=SUMS
; SUMS: function 'sums', block 'loop': its lanes can't take {{.*}} equally often; by the profile warps execute about {{.*}}% more: about 0.
;
; A step is a load of an address that was loaded.
; REDEFINE: %{profile} = %t/chase
; RUN: %{refill} 2>&1 | %FileCheck %s --check-prefix=CHASE
; CHASE: function 'chase', block 'loop': {{.*}}, bound by memory, {{.*}} by the profile
;
; Counts of other code say nothing.
; RUN: sed 's/,loop,/,lop,/; s/,"loop",/,"lop",/' %t/uneven > %t/other
; REDEFINE: %{profile} = %t/other
; RUN: %{refill} 2>&1 | %FileCheck %s --check-prefix=OTHER
; OTHER: function 'rows', block 'loop': {{.*}} once 8 lanes of a warp can; the warp looks every {{[0-9]}} steps; what it gains is not known without a profile

;--- launch
--grid 64 --block 128 --arg buf:i32:8192

;--- main.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

define ptx_kernel void @rows(ptr %out, ptr %length) "target-cpu"="sm_90" {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %base = mul i32 %b, %n
  %i = add i32 %base, %t
  %at = getelementptr i32, ptr %length, i32 %i
  %steps = load i32, ptr %at
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %x = phi i32 [ %i, %entry ], [ %x8, %loop ]
  %x1 = mul i32 %x, 1664525
  %x2 = add i32 %x1, 1013904223
  %x3 = lshr i32 %x2, 15
  %x4 = xor i32 %x3, %x2
  %k1 = add i32 %k, 1
  %x5 = udiv i32 %x4, %k1
  %x6 = urem i32 %x2, %k1
  %x7 = udiv i32 %x5, 7
  %x8 = mul i32 %x7, %x6
  %more = icmp ult i32 %k, %steps
  br i1 %more, label %loop, label %end

end:
  %to = getelementptr i32, ptr %out, i32 %i
  store i32 %x8, ptr %to
  ret void
}

define ptx_kernel void @sums(ptr %out, ptr %in, i32 %steps) "target-cpu"="sm_90" {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %base = mul i32 %b, %n
  %i = add i32 %base, %t
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %next, %loop ]
  %row = mul i32 %k, 8192
  %place = add i32 %row, %i
  %at = getelementptr i32, ptr %in, i32 %place
  %v = load i32, ptr %at
  %next = add i32 %sum, %v
  %k1 = add i32 %k, 1
  %more = icmp ult i32 %k1, %steps
  br i1 %more, label %loop, label %end

end:
  %to = getelementptr i32, ptr %out, i32 %i
  store i32 %next, ptr %to
  ret void
}

define ptx_kernel void @chase(ptr %out, ptr %next) "target-cpu"="sm_90" {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %base = mul i32 %b, %n
  %i = add i32 %base, %t
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %at = phi i32 [ %i, %entry ], [ %to, %loop ]
  %k1 = add i32 %k, 257
  %sum = add i32 %at, %k1
  %place = and i32 %sum, 8191
  %from = getelementptr i32, ptr %next, i32 %place
  %to = load i32, ptr %from
  %low = and i32 %to, 31
  %more = icmp ne i32 %low, 0
  br i1 %more, label %loop, label %end

end:
  %result = getelementptr i32, ptr %out, i32 %i
  store i32 %to, ptr %result
  ret void
}
