; Two loops that share their iterations: a light `continue`, of which LLVM has made a loop. H is gone in
; PTX, and threads don't wait behind the inner loop; unless H has to copy a value that others need.
;
; RUN: %opt %load -passes=linearize -mcpu=sm_90 -pass-remarks=linearize \
; RUN:   -pass-remarks-analysis=linearize -disable-output %s 2>&1 | %FileCheck %s
; RUN: %graph-tool --step order %s | %FileCheck --check-prefix=ORDER %s
; CHECK:     function 'shared', block 'H': left alone region 0 of 8 blocks {{.*}}: its guards would have threads that begin the next iteration wait for those in an inner loop, which is the same loop in the source; no profile says that it pays
; CHECK-NOT: function 'counts'{{.*}} its guards would hold
; ORDER:     function shared
; ORDER:     H [vanishes cost 0]: h
; ORDER:     function counts
; ORDER:     H [cost 0]: h

target triple = "nvptx64-nvidia-cuda"

define void @shared(ptr %out, ptr %in, i32 %n) {
entry:
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %H

H:
  %at = phi i32 [ %lane, %entry ], [ %i.next, %g ]
  %kept = phi i32 [ %n, %entry ], [ %f59, %g ]
  br label %h

h:
  %i = phi i32 [ %at, %H ], [ %i.next, %c ]
  %i.next = add i32 %i, 1
  %done = icmp ugt i32 %i.next, %n
  br i1 %done, label %p, label %c

c:
  %where = getelementptr i32, ptr %in, i32 %i.next
  %here = load i32, ptr %where
  %light = icmp ult i32 %here, 77
  br i1 %light, label %h, label %d

d:
  %d0 = xor i32 %here, 3
  %d1 = mul i32 %d0, 5
  %d2 = xor i32 %d1, 7
  %d3 = mul i32 %d2, 9
  %d4 = xor i32 %d3, 11
  %d5 = mul i32 %d4, 13
  %d6 = xor i32 %d5, 15
  %d7 = mul i32 %d6, 17
  %d8 = xor i32 %d7, 19
  %d9 = mul i32 %d8, 21
  %d10 = xor i32 %d9, 23
  %d11 = mul i32 %d10, 25
  %d12 = xor i32 %d11, 27
  %d13 = mul i32 %d12, 29
  %d14 = xor i32 %d13, 31
  %d15 = mul i32 %d14, 33
  %d16 = xor i32 %d15, 35
  %d17 = mul i32 %d16, 37
  %d18 = xor i32 %d17, 39
  %d19 = mul i32 %d18, 41
  %d20 = xor i32 %d19, 43
  %d21 = mul i32 %d20, 45
  %d22 = xor i32 %d21, 47
  %d23 = mul i32 %d22, 49
  %d24 = xor i32 %d23, 51
  %d25 = mul i32 %d24, 53
  %d26 = xor i32 %d25, 55
  %d27 = mul i32 %d26, 57
  %d28 = xor i32 %d27, 59
  %d29 = mul i32 %d28, 61
  %d30 = xor i32 %d29, 63
  %d31 = mul i32 %d30, 65
  %d32 = xor i32 %d31, 67
  %d33 = mul i32 %d32, 69
  %d34 = xor i32 %d33, 71
  %d35 = mul i32 %d34, 73
  %d36 = xor i32 %d35, 75
  %d37 = mul i32 %d36, 77
  %d38 = xor i32 %d37, 79
  %d39 = mul i32 %d38, 81
  %d40 = xor i32 %d39, 83
  %d41 = mul i32 %d40, 85
  %d42 = xor i32 %d41, 87
  %d43 = mul i32 %d42, 89
  %d44 = xor i32 %d43, 91
  %d45 = mul i32 %d44, 93
  %d46 = xor i32 %d45, 95
  %d47 = mul i32 %d46, 97
  %d48 = xor i32 %d47, 99
  %d49 = mul i32 %d48, 101
  %d50 = xor i32 %d49, 103
  %d51 = mul i32 %d50, 105
  %d52 = xor i32 %d51, 107
  %d53 = mul i32 %d52, 109
  %d54 = xor i32 %d53, 111
  %d55 = mul i32 %d54, 113
  %d56 = xor i32 %d55, 115
  %d57 = mul i32 %d56, 117
  %d58 = xor i32 %d57, 119
  %d59 = mul i32 %d58, 121
  %lost = icmp eq i32 %d59, 5
  br i1 %lost, label %x, label %f

f:
  %f0 = xor i32 %kept, 3
  %f1 = mul i32 %f0, 5
  %f2 = xor i32 %f1, 7
  %f3 = mul i32 %f2, 9
  %f4 = xor i32 %f3, 11
  %f5 = mul i32 %f4, 13
  %f6 = xor i32 %f5, 15
  %f7 = mul i32 %f6, 17
  %f8 = xor i32 %f7, 19
  %f9 = mul i32 %f8, 21
  %f10 = xor i32 %f9, 23
  %f11 = mul i32 %f10, 25
  %f12 = xor i32 %f11, 27
  %f13 = mul i32 %f12, 29
  %f14 = xor i32 %f13, 31
  %f15 = mul i32 %f14, 33
  %f16 = xor i32 %f15, 35
  %f17 = mul i32 %f16, 37
  %f18 = xor i32 %f17, 39
  %f19 = mul i32 %f18, 41
  %f20 = xor i32 %f19, 43
  %f21 = mul i32 %f20, 45
  %f22 = xor i32 %f21, 47
  %f23 = mul i32 %f22, 49
  %f24 = xor i32 %f23, 51
  %f25 = mul i32 %f24, 53
  %f26 = xor i32 %f25, 55
  %f27 = mul i32 %f26, 57
  %f28 = xor i32 %f27, 59
  %f29 = mul i32 %f28, 61
  %f30 = xor i32 %f29, 63
  %f31 = mul i32 %f30, 65
  %f32 = xor i32 %f31, 67
  %f33 = mul i32 %f32, 69
  %f34 = xor i32 %f33, 71
  %f35 = mul i32 %f34, 73
  %f36 = xor i32 %f35, 75
  %f37 = mul i32 %f36, 77
  %f38 = xor i32 %f37, 79
  %f39 = mul i32 %f38, 81
  %f40 = xor i32 %f39, 83
  %f41 = mul i32 %f40, 85
  %f42 = xor i32 %f41, 87
  %f43 = mul i32 %f42, 89
  %f44 = xor i32 %f43, 91
  %f45 = mul i32 %f44, 93
  %f46 = xor i32 %f45, 95
  %f47 = mul i32 %f46, 97
  %f48 = xor i32 %f47, 99
  %f49 = mul i32 %f48, 101
  %f50 = xor i32 %f49, 103
  %f51 = mul i32 %f50, 105
  %f52 = xor i32 %f51, 107
  %f53 = mul i32 %f52, 109
  %f54 = xor i32 %f53, 111
  %f55 = mul i32 %f54, 113
  %f56 = xor i32 %f55, 115
  %f57 = mul i32 %f56, 117
  %f58 = xor i32 %f57, 119
  %f59 = mul i32 %f58, 121
  %late = icmp eq i32 %f59, 7
  br i1 %late, label %x, label %g

g:
  br label %H

x:
  %why = phi i32 [ %d59, %d ], [ %f59, %f ]
  %x0 = mul i32 %why, %i
  %x1 = xor i32 %x0, %n
  %x2 = mul i32 %x1, %x0
  %x3 = xor i32 %x2, 3
  %x4 = mul i32 %x3, %x1
  %x5 = xor i32 %x4, 9
  %x6 = mul i32 %x5, %x3
  %x7 = xor i32 %x6, 5
  br label %y

p:
  br label %y

y:
  %result = phi i32 [ %x7, %x ], [ %kept, %p ]
  %to = getelementptr i32, ptr %out, i32 %lane
  store i32 %result, ptr %to
  ret void
}

define void @counts(ptr %out, ptr %in, i32 %n) {
entry:
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %H

H:
  %at = phi i32 [ %lane, %entry ], [ %i.next, %g ]
  %kept = phi i32 [ %n, %entry ], [ %f59, %g ]
  br label %h

h:
  %i = phi i32 [ %at, %H ], [ %i.next, %c ]
  %i.next = add i32 %i, 1
  %done = icmp ugt i32 %i.next, %n
  br i1 %done, label %p, label %c

c:
  %where = getelementptr i32, ptr %in, i32 %i.next
  %here = load i32, ptr %where
  %light = icmp ult i32 %here, 77
  br i1 %light, label %h, label %d

d:
  %d0 = xor i32 %here, 3
  %d1 = mul i32 %d0, 5
  %d2 = xor i32 %d1, 7
  %d3 = mul i32 %d2, 9
  %d4 = xor i32 %d3, 11
  %d5 = mul i32 %d4, 13
  %d6 = xor i32 %d5, 15
  %d7 = mul i32 %d6, 17
  %d8 = xor i32 %d7, 19
  %d9 = mul i32 %d8, 21
  %d10 = xor i32 %d9, 23
  %d11 = mul i32 %d10, 25
  %d12 = xor i32 %d11, 27
  %d13 = mul i32 %d12, 29
  %d14 = xor i32 %d13, 31
  %d15 = mul i32 %d14, 33
  %d16 = xor i32 %d15, 35
  %d17 = mul i32 %d16, 37
  %d18 = xor i32 %d17, 39
  %d19 = mul i32 %d18, 41
  %d20 = xor i32 %d19, 43
  %d21 = mul i32 %d20, 45
  %d22 = xor i32 %d21, 47
  %d23 = mul i32 %d22, 49
  %d24 = xor i32 %d23, 51
  %d25 = mul i32 %d24, 53
  %d26 = xor i32 %d25, 55
  %d27 = mul i32 %d26, 57
  %d28 = xor i32 %d27, 59
  %d29 = mul i32 %d28, 61
  %d30 = xor i32 %d29, 63
  %d31 = mul i32 %d30, 65
  %d32 = xor i32 %d31, 67
  %d33 = mul i32 %d32, 69
  %d34 = xor i32 %d33, 71
  %d35 = mul i32 %d34, 73
  %d36 = xor i32 %d35, 75
  %d37 = mul i32 %d36, 77
  %d38 = xor i32 %d37, 79
  %d39 = mul i32 %d38, 81
  %d40 = xor i32 %d39, 83
  %d41 = mul i32 %d40, 85
  %d42 = xor i32 %d41, 87
  %d43 = mul i32 %d42, 89
  %d44 = xor i32 %d43, 91
  %d45 = mul i32 %d44, 93
  %d46 = xor i32 %d45, 95
  %d47 = mul i32 %d46, 97
  %d48 = xor i32 %d47, 99
  %d49 = mul i32 %d48, 101
  %d50 = xor i32 %d49, 103
  %d51 = mul i32 %d50, 105
  %d52 = xor i32 %d51, 107
  %d53 = mul i32 %d52, 109
  %d54 = xor i32 %d53, 111
  %d55 = mul i32 %d54, 113
  %d56 = xor i32 %d55, 115
  %d57 = mul i32 %d56, 117
  %d58 = xor i32 %d57, 119
  %d59 = mul i32 %d58, 121
  %lost = icmp eq i32 %d59, 5
  br i1 %lost, label %x, label %f

f:
  %f0 = xor i32 %kept, 3
  %f1 = mul i32 %f0, 5
  %f2 = xor i32 %f1, 7
  %f3 = mul i32 %f2, 9
  %f4 = xor i32 %f3, 11
  %f5 = mul i32 %f4, 13
  %f6 = xor i32 %f5, 15
  %f7 = mul i32 %f6, 17
  %f8 = xor i32 %f7, 19
  %f9 = mul i32 %f8, 21
  %f10 = xor i32 %f9, 23
  %f11 = mul i32 %f10, 25
  %f12 = xor i32 %f11, 27
  %f13 = mul i32 %f12, 29
  %f14 = xor i32 %f13, 31
  %f15 = mul i32 %f14, 33
  %f16 = xor i32 %f15, 35
  %f17 = mul i32 %f16, 37
  %f18 = xor i32 %f17, 39
  %f19 = mul i32 %f18, 41
  %f20 = xor i32 %f19, 43
  %f21 = mul i32 %f20, 45
  %f22 = xor i32 %f21, 47
  %f23 = mul i32 %f22, 49
  %f24 = xor i32 %f23, 51
  %f25 = mul i32 %f24, 53
  %f26 = xor i32 %f25, 55
  %f27 = mul i32 %f26, 57
  %f28 = xor i32 %f27, 59
  %f29 = mul i32 %f28, 61
  %f30 = xor i32 %f29, 63
  %f31 = mul i32 %f30, 65
  %f32 = xor i32 %f31, 67
  %f33 = mul i32 %f32, 69
  %f34 = xor i32 %f33, 71
  %f35 = mul i32 %f34, 73
  %f36 = xor i32 %f35, 75
  %f37 = mul i32 %f36, 77
  %f38 = xor i32 %f37, 79
  %f39 = mul i32 %f38, 81
  %f40 = xor i32 %f39, 83
  %f41 = mul i32 %f40, 85
  %f42 = xor i32 %f41, 87
  %f43 = mul i32 %f42, 89
  %f44 = xor i32 %f43, 91
  %f45 = mul i32 %f44, 93
  %f46 = xor i32 %f45, 95
  %f47 = mul i32 %f46, 97
  %f48 = xor i32 %f47, 99
  %f49 = mul i32 %f48, 101
  %f50 = xor i32 %f49, 103
  %f51 = mul i32 %f50, 105
  %f52 = xor i32 %f51, 107
  %f53 = mul i32 %f52, 109
  %f54 = xor i32 %f53, 111
  %f55 = mul i32 %f54, 113
  %f56 = xor i32 %f55, 115
  %f57 = mul i32 %f56, 117
  %f58 = xor i32 %f57, 119
  %f59 = mul i32 %f58, 121
  %late = icmp eq i32 %f59, 7
  br i1 %late, label %x, label %g

g:
  br label %H

x:
  %why = phi i32 [ %d59, %d ], [ %f59, %f ]
  %x0 = mul i32 %why, %at
  %x1 = xor i32 %x0, %n
  %x2 = mul i32 %x1, %x0
  %x3 = xor i32 %x2, 3
  %x4 = mul i32 %x3, %x1
  %x5 = xor i32 %x4, 9
  %x6 = mul i32 %x5, %x3
  %x7 = xor i32 %x6, 5
  br label %y

p:
  br label %y

y:
  %result = phi i32 [ %x7, %x ], [ %kept, %p ]
  %to = getelementptr i32, ptr %out, i32 %lane
  store i32 %result, ptr %to
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
