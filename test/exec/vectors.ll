; RUN: %same %s
; Vectors across guards: element wise work, shuffles, conditions taken from lanes, a vector
; select, in a region with a short circuit and a loop.
;
;   entry -> h -> a -> b -> l -> h, done      a -> l, h -> b
;            |         ^
;            +---------+

declare zeroext i1 @bit()
declare ptr @memory()
declare void @effect(i32, i64)

define i64 @test(i64 %s) {
entry:
  %m = call ptr @memory()
  %v0 = load <4 x i32>, ptr %m, align 8
  %mf = getelementptr i64, ptr %m, i64 4
  %w0 = load <8 x i16>, ptr %mf, align 8
  br label %h
h:
  %v = phi <4 x i32> [ %v0, %entry ], [ %v3, %l ]
  %w = phi <8 x i16> [ %w0, %entry ], [ %w3, %l ]
  %e0 = extractelement <4 x i32> %v, i32 0
  %cmp = icmp sgt <4 x i32> %v, <i32 0, i32 1000, i32 -1000, i32 0>
  %lane = extractelement <4 x i1> %cmp, i32 1
  %z0 = zext i32 %e0 to i64
  call void @effect(i32 1, i64 %z0)
  br i1 %lane, label %a, label %b
a:
  %sh = shufflevector <4 x i32> %v, <4 x i32> %v0, <4 x i32> <i32 3, i32 2, i32 5, i32 0>
  %wa = add <8 x i16> %w, <i16 1, i16 2, i16 3, i16 4, i16 5, i16 6, i16 7, i16 8>
  %ea = extractelement <4 x i32> %sh, i32 2
  %za = zext i32 %ea to i64
  call void @effect(i32 2, i64 %za)
  %ca = call zeroext i1 @bit()
  br i1 %ca, label %b, label %l
b:
  %vb = phi <4 x i32> [ %v, %h ], [ %sh, %a ]
  %wb = phi <8 x i16> [ %w, %h ], [ %wa, %a ]
  %sel = select <4 x i1> %cmp, <4 x i32> %vb, <4 x i32> %v0
  %mul = mul <4 x i32> %sel, <i32 3, i32 5, i32 7, i32 9>
  %eb = extractelement <4 x i32> %mul, i32 3
  %zb = zext i32 %eb to i64
  call void @effect(i32 3, i64 %zb)
  br label %l
l:
  %v3 = phi <4 x i32> [ %sh, %a ], [ %mul, %b ]
  %w3 = phi <8 x i16> [ %wa, %a ], [ %wb, %b ]
  %mask = phi <4 x i1> [ zeroinitializer, %a ], [ %cmp, %b ]
  %cl = call zeroext i1 @bit()
  br i1 %cl, label %h, label %done
done:
  %o1 = bitcast <4 x i32> %v3 to <2 x i64>
  %o2 = bitcast <8 x i16> %w3 to <2 x i64>
  %o3 = xor <2 x i64> %o1, %o2
  %x0 = extractelement <2 x i64> %o3, i32 0
  %x1 = extractelement <2 x i64> %o3, i32 1
  %x = mul i64 %x0, 31
  %y = add i64 %x, %x1
  %mb = bitcast <4 x i1> %mask to i4
  %mz = zext i4 %mb to i64
  %r = add i64 %y, %mz
  ret i64 %r
}
