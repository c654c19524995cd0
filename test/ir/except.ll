; Kernels that an option exempts by name: symbols, or what C++ calls them, with namespaces, of every instance of a
; template. An unknown name is one line.
; DEFINE: %{list} = _Z4stepPi:app::walk:own:nix
; RUN: %opt %load -passes='linearize<paper;except=%{list}>' -pass-remarks=linearize -pass-remarks-missed=linearize -S %s -o %t.1.ll 2> %t.said
; RUN: %FileCheck %s --implicit-check-not=remark: --implicit-check-not=warning: < %t.said
; RUN: %opt %load -linearize-mode=paper '-linearize-except=_Z4stepPi:app::walk:(anonymous namespace)::own:nix' -passes=linearize -S %s 2> %t.other | diff %t.1.ll -
; RUN: env LINEARIZE_OPTIONS='mode=paper except=%{list},remarks=passed' %opt %load -passes=linearize -S %s 2> %t.other | diff %t.1.ll -
; CHECK: warning: {{.*}}option except: no function here is called 'nix'; here: step, app::walk, app::walks, ...{{$}}
; CHECK: remark: {{.*}}function 'step(int*)': the function is named by option except
; CHECK: remark: {{.*}}function 'void app::walk<int>(int*)': the function is named by option except
; CHECK: remark: {{.*}}function 'app::walks(int*)', block 'or': linearized a region
; CHECK: remark: {{.*}}function '(anonymous namespace)::own(int*)': the function is named by option except
; CHECK: remark: {{.*}}function 'walk(int*)', block 'or': linearized a region
;
; Versions, too; and a wrong list.
; RUN: %opt %load -passes='linearize-versions<paper;except=step:app::walk>' -S %s 2>&1 | %FileCheck %s --check-prefix=VERSIONS --implicit-check-not=step__linearize --implicit-check-not=walkIiEEvPT___linearize
; VERSIONS: define {{.*}}@_Z4walkPi__linearize_paper
; RUN: %not %opt %load -passes='linearize<except=>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=WRONG
; WRONG: except is '', not names of kernels like step:app::walk
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @_Z4stepPi(ptr %p) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %at
  %a = trunc i32 %v to i1
  br i1 %a, label %then, label %or

or:
  %s = lshr i32 %v, 1
  %b = trunc i32 %s to i1
  br i1 %b, label %then, label %else

then:
  store i32 1, ptr %at
  br label %both

both:
  %w = sdiv i32 100, %v
  store volatile i32 %w, ptr %at
  br label %end

else:
  %s2 = lshr i32 %v, 2
  %c = trunc i32 %s2 to i1
  br i1 %c, label %both, label %end

end:
  ret void
}

define ptx_kernel void @_ZN3app4walkIiEEvPT_(ptr %p) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %at
  %a = trunc i32 %v to i1
  br i1 %a, label %then, label %or

or:
  %s = lshr i32 %v, 1
  %b = trunc i32 %s to i1
  br i1 %b, label %then, label %else

then:
  store i32 1, ptr %at
  br label %both

both:
  %w = sdiv i32 100, %v
  store volatile i32 %w, ptr %at
  br label %end

else:
  %s2 = lshr i32 %v, 2
  %c = trunc i32 %s2 to i1
  br i1 %c, label %both, label %end

end:
  ret void
}

define ptx_kernel void @_ZN3app5walksEPi(ptr %p) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %at
  %a = trunc i32 %v to i1
  br i1 %a, label %then, label %or

or:
  %s = lshr i32 %v, 1
  %b = trunc i32 %s to i1
  br i1 %b, label %then, label %else

then:
  store i32 1, ptr %at
  br label %both

both:
  %w = sdiv i32 100, %v
  store volatile i32 %w, ptr %at
  br label %end

else:
  %s2 = lshr i32 %v, 2
  %c = trunc i32 %s2 to i1
  br i1 %c, label %both, label %end

end:
  ret void
}

define ptx_kernel void @_ZN12_GLOBAL__N_13ownEPi(ptr %p) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %at
  %a = trunc i32 %v to i1
  br i1 %a, label %then, label %or

or:
  %s = lshr i32 %v, 1
  %b = trunc i32 %s to i1
  br i1 %b, label %then, label %else

then:
  store i32 1, ptr %at
  br label %both

both:
  %w = sdiv i32 100, %v
  store volatile i32 %w, ptr %at
  br label %end

else:
  %s2 = lshr i32 %v, 2
  %c = trunc i32 %s2 to i1
  br i1 %c, label %both, label %end

end:
  ret void
}

define ptx_kernel void @_Z4walkPi(ptr %p) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %at
  %a = trunc i32 %v to i1
  br i1 %a, label %then, label %or

or:
  %s = lshr i32 %v, 1
  %b = trunc i32 %s to i1
  br i1 %b, label %then, label %else

then:
  store i32 1, ptr %at
  br label %both

both:
  %w = sdiv i32 100, %v
  store volatile i32 %w, ptr %at
  br label %end

else:
  %s2 = lshr i32 %v, 2
  %c = trunc i32 %s2 to i1
  br i1 %c, label %both, label %end

end:
  ret void
}
