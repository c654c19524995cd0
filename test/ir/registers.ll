; The same region in a function that needs few registers at once, and in one that needs more than the
; 32 that are there for each of as many threads as a multiprocessor can run: a gain of a fifth is enough
; for the first one only. Where shared memory lets it run fewer, there are more for each.
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
  %p0 = getelementptr i32, ptr %in, i32 0
  %v0 = load i32, ptr %p0
  %p1 = getelementptr i32, ptr %in, i32 1
  %v1 = load i32, ptr %p1
  %p2 = getelementptr i32, ptr %in, i32 2
  %v2 = load i32, ptr %p2
  %p3 = getelementptr i32, ptr %in, i32 3
  %v3 = load i32, ptr %p3
  %p4 = getelementptr i32, ptr %in, i32 4
  %v4 = load i32, ptr %p4
  %p5 = getelementptr i32, ptr %in, i32 5
  %v5 = load i32, ptr %p5
  %p6 = getelementptr i32, ptr %in, i32 6
  %v6 = load i32, ptr %p6
  %p7 = getelementptr i32, ptr %in, i32 7
  %v7 = load i32, ptr %p7
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
  %s0 = phi i32 [ %lane, %other ], [ %j8, %join ]
  %s1 = mul i32 %s0, %v0
  %s2 = mul i32 %s1, %v1
  %s3 = mul i32 %s2, %v2
  %s4 = mul i32 %s3, %v3
  %s5 = mul i32 %s4, %v4
  %s6 = mul i32 %s5, %v5
  %s7 = mul i32 %s6, %v6
  %s8 = mul i32 %s7, %v7
  store i32 %s8, ptr %out
  ret void
}

define void @many(ptr %out, ptr %in, i32 %n) {
entry:
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p0 = getelementptr i32, ptr %in, i32 0
  %v0 = load i32, ptr %p0
  %p1 = getelementptr i32, ptr %in, i32 1
  %v1 = load i32, ptr %p1
  %p2 = getelementptr i32, ptr %in, i32 2
  %v2 = load i32, ptr %p2
  %p3 = getelementptr i32, ptr %in, i32 3
  %v3 = load i32, ptr %p3
  %p4 = getelementptr i32, ptr %in, i32 4
  %v4 = load i32, ptr %p4
  %p5 = getelementptr i32, ptr %in, i32 5
  %v5 = load i32, ptr %p5
  %p6 = getelementptr i32, ptr %in, i32 6
  %v6 = load i32, ptr %p6
  %p7 = getelementptr i32, ptr %in, i32 7
  %v7 = load i32, ptr %p7
  %p8 = getelementptr i32, ptr %in, i32 8
  %v8 = load i32, ptr %p8
  %p9 = getelementptr i32, ptr %in, i32 9
  %v9 = load i32, ptr %p9
  %p10 = getelementptr i32, ptr %in, i32 10
  %v10 = load i32, ptr %p10
  %p11 = getelementptr i32, ptr %in, i32 11
  %v11 = load i32, ptr %p11
  %p12 = getelementptr i32, ptr %in, i32 12
  %v12 = load i32, ptr %p12
  %p13 = getelementptr i32, ptr %in, i32 13
  %v13 = load i32, ptr %p13
  %p14 = getelementptr i32, ptr %in, i32 14
  %v14 = load i32, ptr %p14
  %p15 = getelementptr i32, ptr %in, i32 15
  %v15 = load i32, ptr %p15
  %p16 = getelementptr i32, ptr %in, i32 16
  %v16 = load i32, ptr %p16
  %p17 = getelementptr i32, ptr %in, i32 17
  %v17 = load i32, ptr %p17
  %p18 = getelementptr i32, ptr %in, i32 18
  %v18 = load i32, ptr %p18
  %p19 = getelementptr i32, ptr %in, i32 19
  %v19 = load i32, ptr %p19
  %p20 = getelementptr i32, ptr %in, i32 20
  %v20 = load i32, ptr %p20
  %p21 = getelementptr i32, ptr %in, i32 21
  %v21 = load i32, ptr %p21
  %p22 = getelementptr i32, ptr %in, i32 22
  %v22 = load i32, ptr %p22
  %p23 = getelementptr i32, ptr %in, i32 23
  %v23 = load i32, ptr %p23
  %p24 = getelementptr i32, ptr %in, i32 24
  %v24 = load i32, ptr %p24
  %p25 = getelementptr i32, ptr %in, i32 25
  %v25 = load i32, ptr %p25
  %p26 = getelementptr i32, ptr %in, i32 26
  %v26 = load i32, ptr %p26
  %p27 = getelementptr i32, ptr %in, i32 27
  %v27 = load i32, ptr %p27
  %p28 = getelementptr i32, ptr %in, i32 28
  %v28 = load i32, ptr %p28
  %p29 = getelementptr i32, ptr %in, i32 29
  %v29 = load i32, ptr %p29
  %p30 = getelementptr i32, ptr %in, i32 30
  %v30 = load i32, ptr %p30
  %p31 = getelementptr i32, ptr %in, i32 31
  %v31 = load i32, ptr %p31
  %p32 = getelementptr i32, ptr %in, i32 32
  %v32 = load i32, ptr %p32
  %p33 = getelementptr i32, ptr %in, i32 33
  %v33 = load i32, ptr %p33
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
  %s0 = phi i32 [ %lane, %other ], [ %j8, %join ]
  %s1 = mul i32 %s0, %v0
  %s2 = mul i32 %s1, %v1
  %s3 = mul i32 %s2, %v2
  %s4 = mul i32 %s3, %v3
  %s5 = mul i32 %s4, %v4
  %s6 = mul i32 %s5, %v5
  %s7 = mul i32 %s6, %v6
  %s8 = mul i32 %s7, %v7
  %s9 = mul i32 %s8, %v8
  %s10 = mul i32 %s9, %v9
  %s11 = mul i32 %s10, %v10
  %s12 = mul i32 %s11, %v11
  %s13 = mul i32 %s12, %v12
  %s14 = mul i32 %s13, %v13
  %s15 = mul i32 %s14, %v14
  %s16 = mul i32 %s15, %v15
  %s17 = mul i32 %s16, %v16
  %s18 = mul i32 %s17, %v17
  %s19 = mul i32 %s18, %v18
  %s20 = mul i32 %s19, %v19
  %s21 = mul i32 %s20, %v20
  %s22 = mul i32 %s21, %v21
  %s23 = mul i32 %s22, %v22
  %s24 = mul i32 %s23, %v23
  %s25 = mul i32 %s24, %v24
  %s26 = mul i32 %s25, %v25
  %s27 = mul i32 %s26, %v26
  %s28 = mul i32 %s27, %v27
  %s29 = mul i32 %s28, %v28
  %s30 = mul i32 %s29, %v29
  %s31 = mul i32 %s30, %v30
  %s32 = mul i32 %s31, %v31
  %s33 = mul i32 %s32, %v32
  %s34 = mul i32 %s33, %v33
  store i32 %s34, ptr %out
  ret void
}

define void @shared(ptr %out, ptr %in, i32 %n) {
entry:
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p0 = getelementptr i32, ptr %in, i32 0
  %v0 = load i32, ptr %p0
  %p1 = getelementptr i32, ptr %in, i32 1
  %v1 = load i32, ptr %p1
  %p2 = getelementptr i32, ptr %in, i32 2
  %v2 = load i32, ptr %p2
  %p3 = getelementptr i32, ptr %in, i32 3
  %v3 = load i32, ptr %p3
  %p4 = getelementptr i32, ptr %in, i32 4
  %v4 = load i32, ptr %p4
  %p5 = getelementptr i32, ptr %in, i32 5
  %v5 = load i32, ptr %p5
  %p6 = getelementptr i32, ptr %in, i32 6
  %v6 = load i32, ptr %p6
  %p7 = getelementptr i32, ptr %in, i32 7
  %v7 = load i32, ptr %p7
  %p8 = getelementptr i32, ptr %in, i32 8
  %v8 = load i32, ptr %p8
  %p9 = getelementptr i32, ptr %in, i32 9
  %v9 = load i32, ptr %p9
  %p10 = getelementptr i32, ptr %in, i32 10
  %v10 = load i32, ptr %p10
  %p11 = getelementptr i32, ptr %in, i32 11
  %v11 = load i32, ptr %p11
  %p12 = getelementptr i32, ptr %in, i32 12
  %v12 = load i32, ptr %p12
  %p13 = getelementptr i32, ptr %in, i32 13
  %v13 = load i32, ptr %p13
  %p14 = getelementptr i32, ptr %in, i32 14
  %v14 = load i32, ptr %p14
  %p15 = getelementptr i32, ptr %in, i32 15
  %v15 = load i32, ptr %p15
  %p16 = getelementptr i32, ptr %in, i32 16
  %v16 = load i32, ptr %p16
  %p17 = getelementptr i32, ptr %in, i32 17
  %v17 = load i32, ptr %p17
  %p18 = getelementptr i32, ptr %in, i32 18
  %v18 = load i32, ptr %p18
  %p19 = getelementptr i32, ptr %in, i32 19
  %v19 = load i32, ptr %p19
  %p20 = getelementptr i32, ptr %in, i32 20
  %v20 = load i32, ptr %p20
  %p21 = getelementptr i32, ptr %in, i32 21
  %v21 = load i32, ptr %p21
  %p22 = getelementptr i32, ptr %in, i32 22
  %v22 = load i32, ptr %p22
  %p23 = getelementptr i32, ptr %in, i32 23
  %v23 = load i32, ptr %p23
  %p24 = getelementptr i32, ptr %in, i32 24
  %v24 = load i32, ptr %p24
  %p25 = getelementptr i32, ptr %in, i32 25
  %v25 = load i32, ptr %p25
  %p26 = getelementptr i32, ptr %in, i32 26
  %v26 = load i32, ptr %p26
  %p27 = getelementptr i32, ptr %in, i32 27
  %v27 = load i32, ptr %p27
  %p28 = getelementptr i32, ptr %in, i32 28
  %v28 = load i32, ptr %p28
  %p29 = getelementptr i32, ptr %in, i32 29
  %v29 = load i32, ptr %p29
  %p30 = getelementptr i32, ptr %in, i32 30
  %v30 = load i32, ptr %p30
  %p31 = getelementptr i32, ptr %in, i32 31
  %v31 = load i32, ptr %p31
  %p32 = getelementptr i32, ptr %in, i32 32
  %v32 = load i32, ptr %p32
  %p33 = getelementptr i32, ptr %in, i32 33
  %v33 = load i32, ptr %p33
  store i8 0, ptr addrspace(3) @large
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
  %s0 = phi i32 [ %lane, %other ], [ %j8, %join ]
  %s1 = mul i32 %s0, %v0
  %s2 = mul i32 %s1, %v1
  %s3 = mul i32 %s2, %v2
  %s4 = mul i32 %s3, %v3
  %s5 = mul i32 %s4, %v4
  %s6 = mul i32 %s5, %v5
  %s7 = mul i32 %s6, %v6
  %s8 = mul i32 %s7, %v7
  %s9 = mul i32 %s8, %v8
  %s10 = mul i32 %s9, %v9
  %s11 = mul i32 %s10, %v10
  %s12 = mul i32 %s11, %v11
  %s13 = mul i32 %s12, %v12
  %s14 = mul i32 %s13, %v13
  %s15 = mul i32 %s14, %v14
  %s16 = mul i32 %s15, %v15
  %s17 = mul i32 %s16, %v16
  %s18 = mul i32 %s17, %v17
  %s19 = mul i32 %s18, %v18
  %s20 = mul i32 %s19, %v19
  %s21 = mul i32 %s20, %v20
  %s22 = mul i32 %s21, %v21
  %s23 = mul i32 %s22, %v22
  %s24 = mul i32 %s23, %v23
  %s25 = mul i32 %s24, %v24
  %s26 = mul i32 %s25, %v25
  %s27 = mul i32 %s26, %v26
  %s28 = mul i32 %s27, %v27
  %s29 = mul i32 %s28, %v28
  %s30 = mul i32 %s29, %v29
  %s31 = mul i32 %s30, %v30
  %s32 = mul i32 %s31, %v31
  %s33 = mul i32 %s32, %v32
  %s34 = mul i32 %s33, %v33
  store i32 %s34, ptr %out
  ret void
}
