; RUN: %same %s
; Device functions that call each other out of unstructured regions: plain, recursive (a tree
; walk with shared tails), mutually recursive, through a pointer, and with a byval parameter.
;
;   walk:  entry -> a -> rec1 -> t1 -> done      a -> t2, rec1 -> t2
;                   |      \      ^
;                   +------> t2 --+

declare zeroext i1 @bit()
declare i32 @pick(i32)
declare void @effect(i32, i64)

define internal i64 @walk(i64 %s, i32 %depth) {
entry:
  call void @effect(i32 1, i64 %s)
  %stop = icmp eq i32 %depth, 0
  br i1 %stop, label %done, label %a
a:
  %d1 = sub i32 %depth, 1
  %left = call i64 @walk(i64 %s, i32 %d1)
  %ca = call zeroext i1 @bit()
  br i1 %ca, label %rec1, label %t2
rec1:
  %x = add i64 %left, 1
  %right = call i64 @walk(i64 %x, i32 %d1)
  call void @effect(i32 2, i64 %right)
  %cr = call zeroext i1 @bit()
  br i1 %cr, label %t1, label %t2
t2:
  %p = phi i64 [ %left, %a ], [ %right, %rec1 ]
  %q = call i64 @odd(i64 %p, i32 %d1)
  call void @effect(i32 3, i64 %q)
  br label %t1
t1:
  %r1 = phi i64 [ %right, %rec1 ], [ %q, %t2 ]
  %r2 = mul i64 %r1, 3
  br label %done
done:
  %r = phi i64 [ %s, %entry ], [ %r2, %t1 ]
  ret i64 %r
}

define internal i64 @odd(i64 %s, i32 %depth) {
entry:
  %stop = icmp sle i32 %depth, 0
  br i1 %stop, label %out, label %a
a:
  %d1 = sub i32 %depth, 1
  %ca = call zeroext i1 @bit()
  br i1 %ca, label %b, label %c
b:
  call void @effect(i32 4, i64 %s)
  %cb = call zeroext i1 @bit()
  br i1 %cb, label %c, label %out
c:
  %v = call i64 @even(i64 %s, i32 %d1)
  br label %out
out:
  %r = phi i64 [ %s, %entry ], [ 7, %b ], [ %v, %c ]
  ret i64 %r
}

define internal i64 @even(i64 %s, i32 %depth) {
  %t = xor i64 %s, 2
  %r = call i64 @odd(i64 %t, i32 %depth)
  ret i64 %r
}

%box = type { i64, i64, [2 x i64] }

define internal i64 @open(ptr byval(%box) %box, i64 %s) {
entry:
  %f1 = getelementptr %box, ptr %box, i32 0, i32 1
  %f2 = getelementptr %box, ptr %box, i32 0, i32 2, i32 1
  %c = call zeroext i1 @bit()
  br i1 %c, label %a, label %b
a:
  %va = load i64, ptr %f1
  store i64 %s, ptr %f2
  call void @effect(i32 5, i64 %va)
  %ca = call zeroext i1 @bit()
  br i1 %ca, label %b, label %done
b:
  %vb = load i64, ptr %f2
  call void @effect(i32 6, i64 %vb)
  br label %done
done:
  %r = phi i64 [ %va, %a ], [ %vb, %b ]
  ret i64 %r
}

define i64 @test(i64 %s) {
entry:
  %box = alloca %box
  store %box { i64 1, i64 2, [2 x i64] [ i64 3, i64 4 ] }, ptr %box
  %c = call zeroext i1 @bit()
  br i1 %c, label %a, label %b
a:
  %va = call i64 @walk(i64 %s, i32 3)
  %ca = call zeroext i1 @bit()
  br i1 %ca, label %b, label %done
b:
  %f = phi ptr [ @odd, %entry ], [ @even, %a ]
  %pb = phi i64 [ 1, %entry ], [ %va, %a ]
  %vb = call i64 %f(i64 %pb, i32 4)
  %o = call i64 @open(ptr byval(%box) %box, i64 %vb)
  br label %done
done:
  %r = phi i64 [ %va, %a ], [ %o, %b ]
  ; The callee's copy may change, this one must not.
  %kept = getelementptr %box, ptr %box, i32 0, i32 2, i32 1
  %k = load i64, ptr %kept
  %t = add i64 %r, %k
  ret i64 %t
}
