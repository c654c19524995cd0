; RUN: %same %s
; A loop with two entries. Each entry brings its own value, each edge of the loop another.
;
;      entry
;      /   \
;     v     v
;     a <-> b        a and b each leave to done
;      \   /
;      done

declare zeroext i1 @bit()
declare void @effect(i32, i64)

define i64 @test(i64 %s) {
entry:
  %c = call zeroext i1 @bit()
  %s2 = xor i64 %s, 255
  br i1 %c, label %a, label %b
a:
  %p = phi i64 [ %s, %entry ], [ %y, %b ]
  %x = add i64 %p, 1
  call void @effect(i32 1, i64 %x)
  %d = call zeroext i1 @bit()
  br i1 %d, label %b, label %done
b:
  %q = phi i64 [ %s2, %entry ], [ %x, %a ]
  %y = mul i64 %q, 3
  call void @effect(i32 2, i64 %y)
  %e = call zeroext i1 @bit()
  br i1 %e, label %a, label %done
done:
  %r = phi i64 [ %x, %a ], [ %y, %b ]
  call void @effect(i32 3, i64 %r)
  ret i64 %r
}
