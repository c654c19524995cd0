; RUN: %same %s --tests 3
; The three graphs of seed 002: the short circuit of figure 1, the jump out of a loop of
; figure 5 and the irreducible graph of figure 6.
;
;   1: b1 -> b2, b3; b2 -> b3, b4; b3 -> b5, b6 (end); b4 -> b5, b6; b5 -> b6
;   5: b1 -> b2 -> b3 -> b4 -> b5 -> end; b3 -> b5; b4 -> b2; with a jump b2 -> end
;   6: b1 -> b2, b3; b2 <-> b3; both -> end

declare zeroext i1 @bit()
declare i64 @value(i32)
declare void @effect(i32, i64)

@tests = constant [3 x ptr] [ptr @fig1, ptr @fig5, ptr @fig6]

define i64 @fig1(i64 %s) {
b1:
  %c1 = call zeroext i1 @bit()
  br i1 %c1, label %b3, label %b2
b2:
  %v2 = call i64 @value(i32 2)
  %c2 = call zeroext i1 @bit()
  br i1 %c2, label %b3, label %b4
b3:
  %v3 = phi i64 [ %s, %b1 ], [ %v2, %b2 ]
  call void @effect(i32 3, i64 %v3)
  %c3 = call zeroext i1 @bit()
  br i1 %c3, label %b5, label %b6
b4:
  %v4 = call i64 @value(i32 4)
  %c4 = call zeroext i1 @bit()
  br i1 %c4, label %b5, label %b6
b5:
  %v5 = phi i64 [ %v3, %b3 ], [ %v4, %b4 ]
  call void @effect(i32 5, i64 %v5)
  br label %b6
b6:
  %r = phi i64 [ %v3, %b3 ], [ %v4, %b4 ], [ %v5, %b5 ]
  ret i64 %r
}

define i64 @fig5(i64 %s) {
b1:
  br label %b2
b2:
  %v2 = phi i64 [ %s, %b1 ], [ %v4, %b4 ]
  call void @effect(i32 12, i64 %v2)
  %c2 = call zeroext i1 @bit()
  br i1 %c2, label %b3, label %end
b3:
  %v3 = add i64 %v2, 1
  call void @effect(i32 13, i64 %v3)
  %c3 = call zeroext i1 @bit()
  br i1 %c3, label %b4, label %b5
b4:
  %v4 = mul i64 %v3, 3
  call void @effect(i32 14, i64 %v4)
  %c4 = call zeroext i1 @bit()
  br i1 %c4, label %b2, label %b5
b5:
  %v5 = phi i64 [ %v3, %b3 ], [ %v4, %b4 ]
  call void @effect(i32 15, i64 %v5)
  br label %end
end:
  %r = phi i64 [ %v2, %b2 ], [ %v5, %b5 ]
  ret i64 %r
}

define i64 @fig6(i64 %s) {
b1:
  %c1 = call zeroext i1 @bit()
  br i1 %c1, label %b2, label %b3
b2:
  %v2 = phi i64 [ %s, %b1 ], [ %w3, %b3 ]
  %w2 = add i64 %v2, 1
  call void @effect(i32 22, i64 %w2)
  %c2 = call zeroext i1 @bit()
  br i1 %c2, label %b3, label %end
b3:
  %v3 = phi i64 [ %s, %b1 ], [ %w2, %b2 ]
  %w3 = mul i64 %v3, 3
  call void @effect(i32 23, i64 %w3)
  %c3 = call zeroext i1 @bit()
  br i1 %c3, label %b2, label %end
end:
  %r = phi i64 [ %w2, %b2 ], [ %w3, %b3 ]
  ret i64 %r
}
