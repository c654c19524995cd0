; RUN: %same %s
; Atomics, fences and volatile accesses in an unstructured region with a loop: each exactly as
; often and in the same order, their results used across guards.
;
;   entry -> h -> a -> b -> l -> done      a -> l, h -> b, l -> h, l -> a (second entry)
;            ^    ^         |
;            +----+---------+

declare zeroext i1 @bit()
declare i32 @pick(i32)
declare ptr @memory()
declare void @effect(i32, i64)

define i64 @test(i64 %s) {
entry:
  %m = call ptr @memory()
  %p1 = getelementptr i64, ptr %m, i64 1
  %p2 = getelementptr i64, ptr %m, i64 2
  %p3 = getelementptr i64, ptr %m, i64 3
  %e = call zeroext i1 @bit()
  br i1 %e, label %h, label %a
h:
  %n = phi i64 [ 0, %entry ], [ %n2, %l ]
  %old = atomicrmw add ptr %m, i64 %s seq_cst
  call void @effect(i32 1, i64 %old)
  %ch = call zeroext i1 @bit()
  br i1 %ch, label %a, label %b
a:
  %na = phi i64 [ 9, %entry ], [ %n, %h ], [ %n2, %l ]
  %va = load volatile i64, ptr %p1
  %wa = add i64 %va, %na
  store volatile i64 %wa, ptr %p1
  call void @effect(i32 2, i64 %va)
  %ca = call zeroext i1 @bit()
  br i1 %ca, label %b, label %l
b:
  %nb = phi i64 [ %n, %h ], [ %na, %a ]
  %pv = phi i64 [ %old, %h ], [ %va, %a ]
  %cur = load atomic i64, ptr %p2 acquire, align 8
  %cx = cmpxchg ptr %p2, i64 %cur, i64 %pv acq_rel monotonic
  %ok = extractvalue { i64, i1 } %cx, 1
  fence seq_cst
  store atomic i64 %nb, ptr %p3 release, align 8
  call void @effect(i32 3, i64 %cur)
  br i1 %ok, label %l, label %done
l:
  %nl = phi i64 [ %na, %a ], [ %nb, %b ]
  %n2 = add i64 %nl, 1
  %mx = atomicrmw umax ptr %p3, i64 %n2 monotonic
  call void @effect(i32 4, i64 %mx)
  %k = call i32 @pick(i32 3)
  switch i32 %k, label %done [ i32 0, label %h
                               i32 1, label %a ]
done:
  %x = load volatile i64, ptr %p2
  ret i64 %x
}
