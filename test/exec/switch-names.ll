; RUN: %same %s
; Interpreters: switches into leaves that fall through, whose cases name the leaves, so that the
; guard is the operand. @test runs one of them:
;   0  sparse cases; other values pass all leaves by; a leaf that is no case comes later
;   1  dense cases, and the other values have a leaf of their own
;   2  64 bits: values that are cases in their lower 32 bits only
;   3  8 bits, several cases for a leaf, and the other values lead to a case's leaf
;   4  a second switch sets the same leaves by other cases
;
;   switch ─▶ a ─▶ b ─▶ c ─▶ d ─▶ e ─▶ f ─▶ out      each leaf may skip the next one, or leave
;      └────────▶     each      ▶──────┘

declare zeroext i1 @bit()
declare i32 @pick(i32)
declare void @effect(i32, i64)

define i64 @test(i64 %s) {
entry:
  %which = call i32 @pick(i32 5)
  switch i32 %which, label %zero [ i32 1, label %one
                                   i32 2, label %two
                                   i32 3, label %three
                                   i32 4, label %four ]
zero:
  %r0 = call i64 @sparse(i64 %s)
  ret i64 %r0
one:
  %r1 = call i64 @dense(i64 %s)
  ret i64 %r1
two:
  %r2 = call i64 @wide(i64 %s)
  ret i64 %r2
three:
  %r3 = call i64 @narrow(i64 %s)
  ret i64 %r3
four:
  %r4 = call i64 @twice(i64 %s)
  ret i64 %r4
}

define internal i64 @sparse(i64 %s) {
entry:
  %k = call i32 @pick(i32 12)
  switch i32 %k, label %out [ i32 3, label %a
                              i32 7, label %b
                              i32 9, label %d
                              i32 4, label %f ]
a:
  %pa = phi i64 [ %s, %entry ]
  %va = add i64 %pa, 1
  call void @effect(i32 1, i64 %va)
  %ba = call zeroext i1 @bit()
  br i1 %ba, label %b, label %skipa
skipa:
  %ca = call zeroext i1 @bit()
  br i1 %ca, label %c, label %out
b:
  %pb = phi i64 [ %s, %entry ], [ %va, %a ]
  %vb = add i64 %pb, 2
  call void @effect(i32 2, i64 %vb)
  %bb = call zeroext i1 @bit()
  br i1 %bb, label %c, label %skipb
skipb:
  %cb = call zeroext i1 @bit()
  br i1 %cb, label %d, label %out
c:
  %pc = phi i64 [ %vb, %b ], [ %va, %skipa ]
  %vc = add i64 %pc, 3
  call void @effect(i32 3, i64 %vc)
  %bc = call zeroext i1 @bit()
  br i1 %bc, label %d, label %skipc
skipc:
  %cc = call zeroext i1 @bit()
  br i1 %cc, label %e, label %out
d:
  %pd = phi i64 [ %s, %entry ], [ %vc, %c ], [ %vb, %skipb ]
  %vd = add i64 %pd, 4
  call void @effect(i32 4, i64 %vd)
  %bd = call zeroext i1 @bit()
  br i1 %bd, label %e, label %skipd
skipd:
  %cd = call zeroext i1 @bit()
  br i1 %cd, label %f, label %out
e:
  %pe = phi i64 [ %vd, %d ], [ %vc, %skipc ]
  %ve = add i64 %pe, 5
  call void @effect(i32 5, i64 %ve)
  %be = call zeroext i1 @bit()
  br i1 %be, label %f, label %skipe
skipe:
  %ce = call zeroext i1 @bit()
  br i1 %ce, label %out, label %out
f:
  %pf = phi i64 [ %s, %entry ], [ %ve, %e ], [ %vd, %skipd ]
  %vf = add i64 %pf, 6
  call void @effect(i32 6, i64 %vf)
  br label %out
out:
  %r = phi i64 [ %va, %skipa ], [ %vb, %skipb ], [ %vc, %skipc ], [ %vd, %skipd ], [ %ve, %skipe ], [ %ve, %skipe ], [ %vf, %f ], [ %s, %entry ]
  ret i64 %r
}

define internal i64 @dense(i64 %s) {
entry:
  %k = call i32 @pick(i32 7)
  %u = sub i32 %k, 1
  switch i32 %u, label %c [ i32 0, label %a
                            i32 1, label %b
                            i32 2, label %d
                            i32 3, label %e ]
a:
  %pa = phi i64 [ %s, %entry ]
  %va = add i64 %pa, 1
  call void @effect(i32 1, i64 %va)
  %ba = call zeroext i1 @bit()
  br i1 %ba, label %b, label %skipa
skipa:
  %ca = call zeroext i1 @bit()
  br i1 %ca, label %c, label %out
b:
  %pb = phi i64 [ %s, %entry ], [ %va, %a ]
  %vb = add i64 %pb, 2
  call void @effect(i32 2, i64 %vb)
  %bb = call zeroext i1 @bit()
  br i1 %bb, label %c, label %skipb
skipb:
  %cb = call zeroext i1 @bit()
  br i1 %cb, label %d, label %out
c:
  %pc = phi i64 [ %s, %entry ], [ %vb, %b ], [ %va, %skipa ]
  %vc = add i64 %pc, 3
  call void @effect(i32 3, i64 %vc)
  %bc = call zeroext i1 @bit()
  br i1 %bc, label %d, label %skipc
skipc:
  %cc = call zeroext i1 @bit()
  br i1 %cc, label %e, label %out
d:
  %pd = phi i64 [ %s, %entry ], [ %vc, %c ], [ %vb, %skipb ]
  %vd = add i64 %pd, 4
  call void @effect(i32 4, i64 %vd)
  %bd = call zeroext i1 @bit()
  br i1 %bd, label %e, label %skipd
skipd:
  %cd = call zeroext i1 @bit()
  br i1 %cd, label %f, label %out
e:
  %pe = phi i64 [ %s, %entry ], [ %vd, %d ], [ %vc, %skipc ]
  %ve = add i64 %pe, 5
  call void @effect(i32 5, i64 %ve)
  %be = call zeroext i1 @bit()
  br i1 %be, label %f, label %skipe
skipe:
  %ce = call zeroext i1 @bit()
  br i1 %ce, label %out, label %out
f:
  %pf = phi i64 [ %ve, %e ], [ %vd, %skipd ]
  %vf = add i64 %pf, 6
  call void @effect(i32 6, i64 %vf)
  br label %out
out:
  %r = phi i64 [ %va, %skipa ], [ %vb, %skipb ], [ %vc, %skipc ], [ %vd, %skipd ], [ %ve, %skipe ], [ %ve, %skipe ], [ %vf, %f ]
  ret i64 %r
}

define internal i64 @wide(i64 %s) {
entry:
  %k = call i32 @pick(i32 16)
  %w = zext i32 %k to i64
  %low = and i64 %w, 7
  %high = lshr i64 %w, 3
  %top = shl i64 %high, 32
  %u = or i64 %low, %top
  switch i64 %u, label %out [ i64 0, label %a
                              i64 2, label %b
                              i64 4, label %c
                              i64 5, label %d
                              i64 6, label %e
                              i64 1, label %f ]
a:
  %pa = phi i64 [ %s, %entry ]
  %va = add i64 %pa, 1
  call void @effect(i32 1, i64 %va)
  %ba = call zeroext i1 @bit()
  br i1 %ba, label %b, label %skipa
skipa:
  %ca = call zeroext i1 @bit()
  br i1 %ca, label %c, label %out
b:
  %pb = phi i64 [ %s, %entry ], [ %va, %a ]
  %vb = add i64 %pb, 2
  call void @effect(i32 2, i64 %vb)
  %bb = call zeroext i1 @bit()
  br i1 %bb, label %c, label %skipb
skipb:
  %cb = call zeroext i1 @bit()
  br i1 %cb, label %d, label %out
c:
  %pc = phi i64 [ %s, %entry ], [ %vb, %b ], [ %va, %skipa ]
  %vc = add i64 %pc, 3
  call void @effect(i32 3, i64 %vc)
  %bc = call zeroext i1 @bit()
  br i1 %bc, label %d, label %skipc
skipc:
  %cc = call zeroext i1 @bit()
  br i1 %cc, label %e, label %out
d:
  %pd = phi i64 [ %s, %entry ], [ %vc, %c ], [ %vb, %skipb ]
  %vd = add i64 %pd, 4
  call void @effect(i32 4, i64 %vd)
  %bd = call zeroext i1 @bit()
  br i1 %bd, label %e, label %skipd
skipd:
  %cd = call zeroext i1 @bit()
  br i1 %cd, label %f, label %out
e:
  %pe = phi i64 [ %s, %entry ], [ %vd, %d ], [ %vc, %skipc ]
  %ve = add i64 %pe, 5
  call void @effect(i32 5, i64 %ve)
  %be = call zeroext i1 @bit()
  br i1 %be, label %f, label %skipe
skipe:
  %ce = call zeroext i1 @bit()
  br i1 %ce, label %out, label %out
f:
  %pf = phi i64 [ %s, %entry ], [ %ve, %e ], [ %vd, %skipd ]
  %vf = add i64 %pf, 6
  call void @effect(i32 6, i64 %vf)
  br label %out
out:
  %r = phi i64 [ %va, %skipa ], [ %vb, %skipb ], [ %vc, %skipc ], [ %vd, %skipd ], [ %ve, %skipe ], [ %ve, %skipe ], [ %vf, %f ], [ %s, %entry ]
  ret i64 %r
}

define internal i64 @narrow(i64 %s) {
entry:
  %k = call i32 @pick(i32 11)
  %m = sub i32 %k, 2
  %u = trunc i32 %m to i8
  switch i8 %u, label %c [ i8 0, label %a
                           i8 1, label %b
                           i8 2, label %a
                           i8 3, label %c
                           i8 4, label %d
                           i8 5, label %b
                           i8 6, label %f ]
a:
  %pa = phi i64 [ %s, %entry ], [ %s, %entry ]
  %va = add i64 %pa, 1
  call void @effect(i32 1, i64 %va)
  %ba = call zeroext i1 @bit()
  br i1 %ba, label %b, label %skipa
skipa:
  %ca = call zeroext i1 @bit()
  br i1 %ca, label %c, label %out
b:
  %pb = phi i64 [ %s, %entry ], [ %s, %entry ], [ %va, %a ]
  %vb = add i64 %pb, 2
  call void @effect(i32 2, i64 %vb)
  %bb = call zeroext i1 @bit()
  br i1 %bb, label %c, label %skipb
skipb:
  %cb = call zeroext i1 @bit()
  br i1 %cb, label %d, label %out
c:
  %pc = phi i64 [ %s, %entry ], [ %s, %entry ], [ %vb, %b ], [ %va, %skipa ]
  %vc = add i64 %pc, 3
  call void @effect(i32 3, i64 %vc)
  %bc = call zeroext i1 @bit()
  br i1 %bc, label %d, label %skipc
skipc:
  %cc = call zeroext i1 @bit()
  br i1 %cc, label %e, label %out
d:
  %pd = phi i64 [ %s, %entry ], [ %vc, %c ], [ %vb, %skipb ]
  %vd = add i64 %pd, 4
  call void @effect(i32 4, i64 %vd)
  %bd = call zeroext i1 @bit()
  br i1 %bd, label %e, label %skipd
skipd:
  %cd = call zeroext i1 @bit()
  br i1 %cd, label %f, label %out
e:
  %pe = phi i64 [ %vd, %d ], [ %vc, %skipc ]
  %ve = add i64 %pe, 5
  call void @effect(i32 5, i64 %ve)
  %be = call zeroext i1 @bit()
  br i1 %be, label %f, label %skipe
skipe:
  %ce = call zeroext i1 @bit()
  br i1 %ce, label %out, label %out
f:
  %pf = phi i64 [ %s, %entry ], [ %ve, %e ], [ %vd, %skipd ]
  %vf = add i64 %pf, 6
  call void @effect(i32 6, i64 %vf)
  br label %out
out:
  %r = phi i64 [ %va, %skipa ], [ %vb, %skipb ], [ %vc, %skipc ], [ %vd, %skipd ], [ %ve, %skipe ], [ %ve, %skipe ], [ %vf, %f ]
  ret i64 %r
}

define internal i64 @twice(i64 %s) {
entry:
  %k = call i32 @pick(i32 6)
  switch i32 %k, label %again [ i32 0, label %a
                                i32 1, label %b
                                i32 2, label %c
                                i32 3, label %d ]
a:
  %pa = phi i64 [ %s, %entry ], [ 7, %again ]
  %va = add i64 %pa, 1
  call void @effect(i32 1, i64 %va)
  %ba = call zeroext i1 @bit()
  br i1 %ba, label %b, label %skipa
skipa:
  %ca = call zeroext i1 @bit()
  br i1 %ca, label %c, label %out
b:
  %pb = phi i64 [ %s, %entry ], [ %va, %a ], [ 7, %again ]
  %vb = add i64 %pb, 2
  call void @effect(i32 2, i64 %vb)
  %bb = call zeroext i1 @bit()
  br i1 %bb, label %c, label %skipb
skipb:
  %cb = call zeroext i1 @bit()
  br i1 %cb, label %d, label %out
c:
  %pc = phi i64 [ %s, %entry ], [ %vb, %b ], [ %va, %skipa ], [ 7, %again ]
  %vc = add i64 %pc, 3
  call void @effect(i32 3, i64 %vc)
  %bc = call zeroext i1 @bit()
  br i1 %bc, label %d, label %skipc
skipc:
  %cc = call zeroext i1 @bit()
  br i1 %cc, label %e, label %out
d:
  %pd = phi i64 [ %s, %entry ], [ %vc, %c ], [ %vb, %skipb ], [ 7, %again ]
  %vd = add i64 %pd, 4
  call void @effect(i32 4, i64 %vd)
  %bd = call zeroext i1 @bit()
  br i1 %bd, label %e, label %skipd
skipd:
  %cd = call zeroext i1 @bit()
  br i1 %cd, label %f, label %out
e:
  %pe = phi i64 [ %vd, %d ], [ %vc, %skipc ]
  %ve = add i64 %pe, 5
  call void @effect(i32 5, i64 %ve)
  %be = call zeroext i1 @bit()
  br i1 %be, label %f, label %skipe
skipe:
  %ce = call zeroext i1 @bit()
  br i1 %ce, label %out, label %out
f:
  %pf = phi i64 [ %ve, %e ], [ %vd, %skipd ], [ 7, %again ]
  %vf = add i64 %pf, 6
  call void @effect(i32 6, i64 %vf)
  br label %out
again:
  %k2 = call i32 @pick(i32 6)
  call void @effect(i32 9, i64 %s)
  switch i32 %k2, label %out [ i32 0, label %d
                               i32 1, label %c
                               i32 2, label %b
                               i32 3, label %a
                               i32 4, label %f ]
out:
  %r = phi i64 [ %va, %skipa ], [ %vb, %skipb ], [ %vc, %skipc ], [ %vd, %skipd ], [ %ve, %skipe ], [ %ve, %skipe ], [ %vf, %f ], [ 9, %again ]
  ret i64 %r
}
