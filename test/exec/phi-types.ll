; RUN: %same %s
; Phis of many types at a join that is not a post-dominator, and around an irreducible loop.
;
;      entry
;      /   \
;     v     v
;     a --> b <--+
;     |     |    |      a -> b, c;  b -> c, done;  c -> b, done
;     +---> c ---+
;           |
;          done (also from b)

declare zeroext i1 @bit()
declare ptr @memory()
declare void @effect(i32, i64)

%pair = type { i32, float }
%deep = type { %pair, [2 x i16], <2 x i8> }

define i64 @test(i64 %s) {
entry:
  %m = call ptr @memory()
  %m1 = addrspacecast ptr %m to ptr addrspace(1)
  %m8 = getelementptr i8, ptr %m, i64 8
  %m3 = addrspacecast ptr %m8 to ptr addrspace(3)
  %n1 = trunc i64 %s to i1
  %n8 = trunc i64 %s to i8
  %n16 = trunc i64 %s to i16
  %n32 = trunc i64 %s to i32
  %n128 = zext i64 %s to i128
  %n7 = trunc i64 %s to i7
  %f = uitofp i8 %n8 to float
  %d = uitofp i32 %n32 to double
  %h = uitofp i8 %n8 to half
  %vec0 = insertelement <4 x i32> <i32 1, i32 2, i32 3, i32 4>, i32 %n32, i32 2
  %bits = insertelement <4 x i1> <i1 1, i1 0, i1 1, i1 0>, i1 %n1, i32 1
  %st0 = insertvalue %pair { i32 3, float 4.0 }, i32 %n32, 0
  %dp0 = insertvalue %deep zeroinitializer, i32 %n32, 0, 0
  %fv = insertelement <2 x float> <float 1.0, float 2.0>, float %f, i32 0
  %pv = insertelement <2 x ptr> zeroinitializer, ptr %m, i32 0
  %pv1 = insertelement <2 x ptr> %pv, ptr %m8, i32 1
  %c = call zeroext i1 @bit()
  br i1 %c, label %a, label %b
a:
  call void @effect(i32 1, i64 %s)
  %n128a = shl i128 %n128, 64
  %st1 = insertvalue %pair %st0, float %f, 1
  %dp1 = insertvalue %deep %dp0, i16 %n16, 1, 1
  %m1a = getelementptr i64, ptr addrspace(1) %m1, i64 3
  %m3a = getelementptr i64, ptr addrspace(3) %m3, i64 4
  %da = fadd double %d, 5.0e-1
  %ca = call zeroext i1 @bit()
  br i1 %ca, label %b, label %c1
b:
  %b1 = phi i1 [ %n1, %entry ], [ true, %a ], [ %c1i, %c1 ]
  %b7 = phi i7 [ %n7, %entry ], [ 5, %a ], [ %c7, %c1 ]
  %b8 = phi i8 [ %n8, %entry ], [ 3, %a ], [ %c8, %c1 ]
  %b16 = phi i16 [ %n16, %entry ], [ 1, %a ], [ %c16, %c1 ]
  %b32 = phi i32 [ %n32, %entry ], [ 3, %a ], [ %c32, %c1 ]
  %b128 = phi i128 [ %n128, %entry ], [ %n128a, %a ], [ %c128, %c1 ]
  %bf = phi float [ %f, %entry ], [ 2.0, %a ], [ %cf, %c1 ]
  %bd = phi double [ %d, %entry ], [ %da, %a ], [ %cd, %c1 ]
  %bh = phi half [ %h, %entry ], [ 0xH3C00, %a ], [ %ch, %c1 ]
  %bvec = phi <4 x i32> [ %vec0, %entry ], [ <i32 9, i32 8, i32 7, i32 6>, %a ], [ %cvec, %c1 ]
  %bbits = phi <4 x i1> [ %bits, %entry ], [ <i1 1, i1 1, i1 0, i1 0>, %a ], [ %cbits, %c1 ]
  %bst = phi %pair [ %st0, %entry ], [ %st1, %a ], [ %cst, %c1 ]
  %bdp = phi %deep [ %dp0, %entry ], [ %dp1, %a ], [ %cdp, %c1 ]
  %bfv = phi <2 x float> [ %fv, %entry ], [ %fv, %a ], [ %cfv, %c1 ]
  %bp = phi ptr [ %m, %entry ], [ %m8, %a ], [ %cp, %c1 ]
  %bp1 = phi ptr addrspace(1) [ %m1, %entry ], [ %m1a, %a ], [ %cp1, %c1 ]
  %bp3 = phi ptr addrspace(3) [ %m3, %entry ], [ %m3a, %a ], [ %cp3, %c1 ]
  %bpv = phi <2 x ptr> [ %pv1, %entry ], [ %pv, %a ], [ %cpv, %c1 ]
  %b128b = add i128 %b128, 3
  %bfb = fadd float %bf, 1.0
  %bvecb = add <4 x i32> %bvec, <i32 1, i32 2, i32 3, i32 4>
  %bstb = insertvalue %pair %bst, float %bfb, 1
  %b16b = add i16 %b16, 3
  %bdpb = insertvalue %deep %bdp, i16 %b16b, 1, 0
  %bfvb = fadd <2 x float> %bfv, <float 1.0, float 0.5>
  %x8 = zext i8 %b8 to i64
  call void @effect(i32 2, i64 %x8)
  store i64 %x8, ptr addrspace(3) %bp3
  %cb = call zeroext i1 @bit()
  br i1 %cb, label %c1, label %done
c1:
  %c1i = phi i1 [ false, %a ], [ %b1, %b ]
  %c7 = phi i7 [ %n7, %a ], [ %b7, %b ]
  %c8 = phi i8 [ %n8, %a ], [ %b8, %b ]
  %c16 = phi i16 [ %n16, %a ], [ %b16b, %b ]
  %c32 = phi i32 [ 7, %a ], [ %b32, %b ]
  %c128 = phi i128 [ %n128a, %a ], [ %b128b, %b ]
  %cf = phi float [ %f, %a ], [ %bfb, %b ]
  %cd = phi double [ %da, %a ], [ %bd, %b ]
  %ch = phi half [ %h, %a ], [ %bh, %b ]
  %cvec = phi <4 x i32> [ %vec0, %a ], [ %bvecb, %b ]
  %cbits = phi <4 x i1> [ %bits, %a ], [ %bbits, %b ]
  %cst = phi %pair [ %st1, %a ], [ %bstb, %b ]
  %cdp = phi %deep [ %dp1, %a ], [ %bdpb, %b ]
  %cfv = phi <2 x float> [ %fv, %a ], [ %bfvb, %b ]
  %cp = phi ptr [ %m, %a ], [ %bp, %b ]
  %cp1 = phi ptr addrspace(1) [ %m1a, %a ], [ %bp1, %b ]
  %cp3 = phi ptr addrspace(3) [ %m3, %a ], [ %bp3, %b ]
  %cpv = phi <2 x ptr> [ %pv1, %a ], [ %bpv, %b ]
  %l = load i64, ptr addrspace(1) %cp1
  call void @effect(i32 3, i64 %l)
  %cc = call zeroext i1 @bit()
  br i1 %cc, label %b, label %done
done:
  %r1 = phi i1 [ %b1, %b ], [ %c1i, %c1 ]
  %r7 = phi i7 [ %b7, %b ], [ %c7, %c1 ]
  %r32 = phi i32 [ %b32, %b ], [ %c32, %c1 ]
  %r128 = phi i128 [ %b128b, %b ], [ %c128, %c1 ]
  %rf = phi float [ %bfb, %b ], [ %cf, %c1 ]
  %rd = phi double [ %bd, %b ], [ %cd, %c1 ]
  %rh = phi half [ %bh, %b ], [ %ch, %c1 ]
  %rvec = phi <4 x i32> [ %bvecb, %b ], [ %cvec, %c1 ]
  %rbits = phi <4 x i1> [ %bbits, %b ], [ %cbits, %c1 ]
  %rst = phi %pair [ %bstb, %b ], [ %cst, %c1 ]
  %rdp = phi %deep [ %bdpb, %b ], [ %cdp, %c1 ]
  %rfv = phi <2 x float> [ %bfvb, %b ], [ %cfv, %c1 ]
  %rp = phi ptr [ %bp, %b ], [ %cp, %c1 ]
  %rpv = phi <2 x ptr> [ %bpv, %b ], [ %cpv, %c1 ]
  %o1 = zext i1 %r1 to i64
  call void @effect(i32 4, i64 %o1)
  %o7 = zext i7 %r7 to i64
  call void @effect(i32 5, i64 %o7)
  %o32 = zext i32 %r32 to i64
  call void @effect(i32 6, i64 %o32)
  %o128 = lshr i128 %r128, 60
  %o128t = trunc i128 %o128 to i64
  call void @effect(i32 7, i64 %o128t)
  %of = bitcast float %rf to i32
  %ofz = zext i32 %of to i64
  call void @effect(i32 8, i64 %ofz)
  %od = bitcast double %rd to i64
  call void @effect(i32 9, i64 %od)
  %oh = bitcast half %rh to i16
  %ohz = zext i16 %oh to i64
  call void @effect(i32 10, i64 %ohz)
  %ov = bitcast <4 x i32> %rvec to i128
  %ovh = lshr i128 %ov, 50
  %ovt = trunc i128 %ovh to i64
  call void @effect(i32 11, i64 %ovt)
  %ob = bitcast <4 x i1> %rbits to i4
  %obz = zext i4 %ob to i64
  call void @effect(i32 12, i64 %obz)
  %os0 = extractvalue %pair %rst, 0
  %os1 = extractvalue %pair %rst, 1
  %os1i = bitcast float %os1 to i32
  %osx = xor i32 %os0, %os1i
  %osz = zext i32 %osx to i64
  call void @effect(i32 13, i64 %osz)
  %odp0 = extractvalue %deep %rdp, 1, 0
  %odp1 = extractvalue %deep %rdp, 1, 1
  %odp = add i16 %odp0, %odp1
  %odpz = zext i16 %odp to i64
  call void @effect(i32 14, i64 %odpz)
  %ofv = bitcast <2 x float> %rfv to i64
  call void @effect(i32 15, i64 %ofv)
  %op = load i64, ptr %rp
  call void @effect(i32 16, i64 %op)
  %opv = extractelement <2 x ptr> %rpv, i32 0
  %opl = load i64, ptr %opv
  ret i64 %opl
}
