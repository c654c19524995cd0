; Where ptxas has threads wait, from sm_70 on, and what that leaves to gain: short joins are run
; once for each way into them, unless they touch memory.
;
; RUN: %opt %load -passes=linearize -mcpu=sm_90 -pass-remarks=linearize \
; RUN:   -pass-remarks-analysis=linearize -disable-output %s 2>&1 | %FileCheck %s
; CHECK:      function 'short', block 'other': linearized a region of 2 blocks
; CHECK-NEXT: function 'long', block 'other': {{.*}} its threads wait for each other at its join
; CHECK-NEXT: function 'memory', block 'other': {{.*}} its threads wait for each other at its join
; A root counts as a division does, 16 instructions.
; CHECK-NEXT: function 'root', block 'other': {{.*}} 19 instructions: its threads wait for each other

target triple = "nvptx64-nvidia-cuda"

define void @short(ptr %out, i32 %n) {
entry:
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp ult i32 %lane, 7
  br i1 %first, label %join, label %other

other:
  %odd = and i32 %lane, 1
  %second = icmp eq i32 %odd, 0
  br i1 %second, label %join, label %end

join:
  %j1 = add i32 %lane, 1
  %j2 = mul i32 %j1, %n
  %j3 = xor i32 %j2, 3
  %j4 = mul i32 %j3, %n
  %j5 = xor i32 %j4, 5
  %j6 = mul i32 %j5, %n
  %j7 = xor i32 %j6, 7
  %j8 = mul i32 %j7, %n
  br label %end

end:
  %result = phi i32 [ %lane, %other ], [ %j8, %join ]
  store i32 %result, ptr %out
  ret void
}

define void @long(ptr %out, i32 %n) {
entry:
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp ult i32 %lane, 7
  br i1 %first, label %join, label %other

other:
  %odd = and i32 %lane, 1
  %second = icmp eq i32 %odd, 0
  br i1 %second, label %join, label %end

join:
  %j1 = add i32 %lane, 1
  %j2 = mul i32 %j1, %n
  %j3 = xor i32 %j2, 3
  %j4 = mul i32 %j3, %n
  %j5 = xor i32 %j4, 5
  %j6 = mul i32 %j5, %n
  %j7 = xor i32 %j6, 7
  %j8 = mul i32 %j7, %n
  %j9 = xor i32 %j8, 9
  %j10 = mul i32 %j9, %n
  %j11 = xor i32 %j10, 11
  br label %end

end:
  %result = phi i32 [ %lane, %other ], [ %j11, %join ]
  store i32 %result, ptr %out
  ret void
}

define void @memory(ptr %out, ptr %in, i32 %n) {
entry:
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp ult i32 %lane, 7
  br i1 %first, label %join, label %other

other:
  %odd = and i32 %lane, 1
  %second = icmp eq i32 %odd, 0
  br i1 %second, label %join, label %end

join:
  %j1 = load i32, ptr %in
  %j2 = mul i32 %j1, %n
  %j3 = xor i32 %j2, 3
  %j4 = mul i32 %j3, %n
  br label %end

end:
  %result = phi i32 [ %lane, %other ], [ %j4, %join ]
  store i32 %result, ptr %out
  ret void
}

define void @root(ptr %out, float %x) {
entry:
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp ult i32 %lane, 7
  br i1 %first, label %join, label %other

other:
  %odd = and i32 %lane, 1
  %second = icmp eq i32 %odd, 0
  br i1 %second, label %join, label %end

join:
  %j1 = fmul float %x, %x
  %j2 = call float @llvm.sqrt.f32(float %j1)
  br label %end

end:
  %result = phi float [ %x, %other ], [ %j2, %join ]
  store float %result, ptr %out
  ret void
}
