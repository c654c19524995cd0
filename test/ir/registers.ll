; The same region in a function that needs few registers at once, and in one that needs more than the
; 32 that are there for each of as many threads as a multiprocessor can run: a gain of a twentieth is
; enough for the first one only. Where shared memory lets it run fewer, there are more for each.
;
; RUN: %opt %load -passes=linearize -mcpu=sm_90 -pass-remarks=linearize \
; RUN:   -pass-remarks-analysis=linearize -disable-output %s 2>&1 | %FileCheck %s
; CHECK:      function 'few', block 'other': linearized a region of 2 blocks
; CHECK-NEXT: function 'many', block 'other': {{.*}} it gains too little
; CHECK-NEXT: function 'shared', block 'other': linearized a region of 2 blocks

target triple = "nvptx64-nvidia-cuda"

@large = internal addrspace(3) global [131072 x i8] undef

define void @few(ptr %out, ptr %in, i32 %n) {
entry:
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %kept = load <8 x i32>, ptr %in
  %first = icmp ult i32 %lane, 7
  br i1 %first, label %join, label %other

other:
  %heavy = udiv <5 x i32> zeroinitializer, splat (i32 3)
  %odd = and i32 %lane, 1
  %second = icmp eq i32 %odd, 0
  br i1 %second, label %join, label %end

join:
  %j0 = add i32 %lane, 1
  %j00 = mul i32 %j0, %n
  %j1 = xor i32 %j00, 1
  %j2 = mul i32 %j1, %n
  %j3 = xor i32 %j2, 3
  %j4 = mul i32 %j3, %n
  %j5 = xor i32 %j4, 5
  %j6 = mul i32 %j5, %n
  %j7 = xor i32 %j6, 7
  %j8 = mul i32 %j7, %n
  br label %end

end:
  %at = phi i32 [ %lane, %other ], [ %j8, %join ]
  %result = extractelement <8 x i32> %kept, i32 %at
  store i32 %result, ptr %out
  ret void
}

define void @many(ptr %out, ptr %in, i32 %n) {
entry:
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %kept = load <34 x i32>, ptr %in
  %first = icmp ult i32 %lane, 7
  br i1 %first, label %join, label %other

other:
  %heavy = udiv <5 x i32> zeroinitializer, splat (i32 3)
  %odd = and i32 %lane, 1
  %second = icmp eq i32 %odd, 0
  br i1 %second, label %join, label %end

join:
  %j0 = add i32 %lane, 1
  %j00 = mul i32 %j0, %n
  %j1 = xor i32 %j00, 1
  %j2 = mul i32 %j1, %n
  %j3 = xor i32 %j2, 3
  %j4 = mul i32 %j3, %n
  %j5 = xor i32 %j4, 5
  %j6 = mul i32 %j5, %n
  %j7 = xor i32 %j6, 7
  %j8 = mul i32 %j7, %n
  br label %end

end:
  %at = phi i32 [ %lane, %other ], [ %j8, %join ]
  %result = extractelement <34 x i32> %kept, i32 %at
  store i32 %result, ptr %out
  ret void
}

define void @shared(ptr %out, ptr %in, i32 %n) {
entry:
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %kept = load <34 x i32>, ptr %in
  store i8 0, ptr addrspace(3) @large
  %first = icmp ult i32 %lane, 7
  br i1 %first, label %join, label %other

other:
  %heavy = udiv <5 x i32> zeroinitializer, splat (i32 3)
  %odd = and i32 %lane, 1
  %second = icmp eq i32 %odd, 0
  br i1 %second, label %join, label %end

join:
  %j0 = add i32 %lane, 1
  %j00 = mul i32 %j0, %n
  %j1 = xor i32 %j00, 1
  %j2 = mul i32 %j1, %n
  %j3 = xor i32 %j2, 3
  %j4 = mul i32 %j3, %n
  %j5 = xor i32 %j4, 5
  %j6 = mul i32 %j5, %n
  %j7 = xor i32 %j6, 7
  %j8 = mul i32 %j7, %n
  br label %end

end:
  %at = phi i32 [ %lane, %other ], [ %j8, %join ]
  %result = extractelement <34 x i32> %kept, i32 %at
  store i32 %result, ptr %out
  ret void
}
