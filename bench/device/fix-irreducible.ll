; LLVM 22's fix-irreducible (22.1.8) writes broken IR for this loop of three blocks with three
; entries; 19.1.7's is right. Where what it writes is valid, as for bench/kernels/irreducible_3.cu,
; the program it makes is another one: variant `chain` of scripts/bench gpu.
;
;   opt-22 -passes='function(lower-switch,fix-irreducible)' bench/device/fix-irreducible.ll -S
define i32 @f(i32 %start, i32 %bits) {
entry:
  switch i32 %start, label %first [ i32 1, label %second
                                    i32 2, label %third ]
first:
  %a = phi i32 [ 0, %entry ], [ %s2, %second ], [ %t1, %third ]
  %a1 = add i32 %a, 1
  %full = icmp sgt i32 %a1, 40
  br i1 %full, label %done, label %more
more:
  %am = lshr i32 %bits, %a1
  %ac = trunc i32 %am to i1
  br i1 %ac, label %third, label %second
second:
  %s = phi i32 [ 0, %entry ], [ %a1, %more ]
  %s2 = add i32 %s, 3
  %sm = lshr i32 %bits, %s2
  %sc = trunc i32 %sm to i1
  br i1 %sc, label %first, label %third
third:
  %t = phi i32 [ 0, %entry ], [ %a1, %more ], [ %s2, %second ]
  %t1 = add i32 %t, 7
  %go = icmp slt i32 %t1, 30
  br i1 %go, label %first, label %done
done:
  %r = phi i32 [ %a1, %first ], [ %t1, %third ]
  ret i32 %r
}
