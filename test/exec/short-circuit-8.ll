; RUN: %same %s
; (a1 || b1) && (a2 || b2) && ... eight deep: every test can jump to a shared else part, every
; a can skip its b. The value that reaches the else part tells which test failed.
;
;   a1 --> a2 --> ... --> a8 --> then --+
;   |  ^   |  ^           |  ^          v
;   v  |   v  |           v  |         done
;   b1-+   b2-+           b8-+          ^
;   |      |              |             |
;   +------+-------- .. --+--> else ----+

declare zeroext i1 @bit()
declare i64 @value(i32)
declare void @effect(i32, i64)

define i64 @test(i64 %s) {
entry:
  br label %a1
a1:
  %p1 = phi i64 [ %s, %entry ]
  %va1 = add i64 %p1, 1
  call void @effect(i32 2, i64 %va1)
  %ca1 = call zeroext i1 @bit()
  br i1 %ca1, label %a2, label %b1
b1:
  %vb1 = mul i64 %va1, 3
  call void @effect(i32 3, i64 %vb1)
  %cb1 = call zeroext i1 @bit()
  br i1 %cb1, label %a2, label %else
a2:
  %p2 = phi i64 [ %va1, %a1 ], [ %vb1, %b1 ]
  %va2 = add i64 %p2, 2
  call void @effect(i32 4, i64 %va2)
  %ca2 = call zeroext i1 @bit()
  br i1 %ca2, label %a3, label %b2
b2:
  %vb2 = mul i64 %va2, 3
  call void @effect(i32 5, i64 %vb2)
  %cb2 = call zeroext i1 @bit()
  br i1 %cb2, label %a3, label %else
a3:
  %p3 = phi i64 [ %va2, %a2 ], [ %vb2, %b2 ]
  %va3 = add i64 %p3, 3
  call void @effect(i32 6, i64 %va3)
  %ca3 = call zeroext i1 @bit()
  br i1 %ca3, label %a4, label %b3
b3:
  %vb3 = mul i64 %va3, 3
  call void @effect(i32 7, i64 %vb3)
  %cb3 = call zeroext i1 @bit()
  br i1 %cb3, label %a4, label %else
a4:
  %p4 = phi i64 [ %va3, %a3 ], [ %vb3, %b3 ]
  %va4 = add i64 %p4, 4
  call void @effect(i32 8, i64 %va4)
  %ca4 = call zeroext i1 @bit()
  br i1 %ca4, label %a5, label %b4
b4:
  %vb4 = mul i64 %va4, 3
  call void @effect(i32 9, i64 %vb4)
  %cb4 = call zeroext i1 @bit()
  br i1 %cb4, label %a5, label %else
a5:
  %p5 = phi i64 [ %va4, %a4 ], [ %vb4, %b4 ]
  %va5 = add i64 %p5, 5
  call void @effect(i32 10, i64 %va5)
  %ca5 = call zeroext i1 @bit()
  br i1 %ca5, label %a6, label %b5
b5:
  %vb5 = mul i64 %va5, 3
  call void @effect(i32 11, i64 %vb5)
  %cb5 = call zeroext i1 @bit()
  br i1 %cb5, label %a6, label %else
a6:
  %p6 = phi i64 [ %va5, %a5 ], [ %vb5, %b5 ]
  %va6 = add i64 %p6, 6
  call void @effect(i32 12, i64 %va6)
  %ca6 = call zeroext i1 @bit()
  br i1 %ca6, label %a7, label %b6
b6:
  %vb6 = mul i64 %va6, 3
  call void @effect(i32 13, i64 %vb6)
  %cb6 = call zeroext i1 @bit()
  br i1 %cb6, label %a7, label %else
a7:
  %p7 = phi i64 [ %va6, %a6 ], [ %vb6, %b6 ]
  %va7 = add i64 %p7, 7
  call void @effect(i32 14, i64 %va7)
  %ca7 = call zeroext i1 @bit()
  br i1 %ca7, label %a8, label %b7
b7:
  %vb7 = mul i64 %va7, 3
  call void @effect(i32 15, i64 %vb7)
  %cb7 = call zeroext i1 @bit()
  br i1 %cb7, label %a8, label %else
a8:
  %p8 = phi i64 [ %va7, %a7 ], [ %vb7, %b7 ]
  %va8 = add i64 %p8, 8
  call void @effect(i32 16, i64 %va8)
  %ca8 = call zeroext i1 @bit()
  br i1 %ca8, label %then, label %b8
b8:
  %vb8 = mul i64 %va8, 3
  call void @effect(i32 17, i64 %vb8)
  %cb8 = call zeroext i1 @bit()
  br i1 %cb8, label %then, label %else
then:
  %vt = phi i64 [ %va8, %a8 ], [ %vb8, %b8 ]
  %wt = call i64 @value(i32 30)
  %rt = add i64 %vt, %wt
  br label %done
else:
  %ve = phi i64 [ %vb1, %b1 ], [ %vb2, %b2 ], [ %vb3, %b3 ], [ %vb4, %b4 ], [ %vb5, %b5 ], [ %vb6, %b6 ], [ %vb7, %b7 ], [ %vb8, %b8 ]
  %we = phi i32 [ 1, %b1 ], [ 2, %b2 ], [ 3, %b3 ], [ 4, %b4 ], [ 5, %b5 ], [ 6, %b6 ], [ 7, %b7 ], [ 8, %b8 ]
  %wz = zext i32 %we to i64
  call void @effect(i32 31, i64 %wz)
  br label %done
done:
  %r = phi i64 [ %rt, %then ], [ %ve, %else ]
  ret i64 %r
}
