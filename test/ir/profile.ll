; A profile says which way threads go, whatever the branches' own weights say: as option, parameter
; and in the environment. Without one, the join of `early` is taken for one that threads come to
; twice, which no thread does; the weights of `uneven` say that nobody comes early, but half do.
; Guards have weights from the profile; branches keep theirs.
;
; RUN: %split-file %s %t
; RUN: %simt --kernel early --launch %t/launch --csv --blocks %t/main.ll > %t/main.csv
; RUN: %simt --kernel uneven --launch %t/launch --csv --blocks %t/main.ll >> %t/main.csv
; RUN: %opt %load -passes='linearize' %all-remarks -disable-output %t/main.ll 2>&1 | %FileCheck %s --check-prefix=WITHOUT
; RUN: %opt %load -passes='linearize<profile=%t/main.csv>,verify' %all-remarks -S %t/main.ll -o %t/parameter.ll 2>&1 | %FileCheck %s --check-prefix=WITH --implicit-check-not=profile
; RUN: %FileCheck %s --check-prefix=WEIGHTS < %t/parameter.ll
; RUN: %opt %load -linearize-profile=%t/main.csv -passes='linearize,verify' -S %t/main.ll -o %t/option.ll
; RUN: diff %t/parameter.ll %t/option.ll
; RUN: env LINEARIZE_OPTIONS='profile=%t/main.csv' %opt %load -passes='linearize,verify' -S %t/main.ll -o %t/environment.ll
; RUN: diff %t/parameter.ll %t/environment.ll
; RUN: env LINEARIZE_OPTIONS='profile=%t/none.csv,threshold=7' %opt %load -linearize-profile=%t/main.csv -passes='linearize,verify' -S %t/main.ll -o %t/environment.ll
; RUN: diff %t/parameter.ll %t/environment.ll
; RUN: cp %t/main.csv '%t/a,b;c.csv'
; RUN: %opt %load '-linearize-profile=%t/a,b;c.csv' -passes='linearize,verify' -S %t/main.ll -o %t/option.ll
; RUN: diff %t/parameter.ll %t/option.ll
; RUN: %opt %load -passes='linearize<paper;O0;profile=%t/main.csv>,verify' -S %t/main.ll | %FileCheck %s --check-prefix=ODDS
; RUN: %simt --kernel uneven --launch %t/launch --compare %t/parameter.ll %t/main.ll | %FileCheck %s --check-prefix=COMPARE
;
; Of one function only; the other one keeps its weights.
; RUN: grep -v ',early,' %t/main.csv > %t/uneven.csv
; RUN: %opt %load -passes='linearize<profile=%t/uneven.csv>' %all-remarks -disable-output %t/main.ll 2>&1 | %FileCheck %s --check-prefix=ONE --implicit-check-not=profile
;
; Versions have it of their kernel, whatever their names are.
; RUN: %opt %load -passes='linearize-versions<needed;profile=%t/main.csv>,verify' %all-remarks -disable-output %t/main.ll 2>&1 | %FileCheck %s --check-prefix=VERSIONS --implicit-check-not=profile
; VERSIONS-DAG: function 'early__linearize_needed', block 'c2': left alone region 0 of 3 blocks {{.*}}: it gains too little; of what a warp runs there it saves about 0%
; VERSIONS-DAG: function 'uneven__linearize_needed', block 'c2': linearized a region {{.*}} rests on weights of all branches
;
; Of other code: said once for each function that has something to gain, and ignored.
; RUN: sed 's/,c2,/,c4,/' %t/main.csv > %t/other.csv
; RUN: %opt %load -passes='linearize<profile=%t/other.csv>' %all-remarks -disable-output %t/main.ll 2>&1 | %FileCheck %s --check-prefixes=OTHER,WITHOUT
; RUN: sed 's/,uneven,entry,/,uneven,swap,/; s/,uneven,other,/,uneven,entry,/; s/,uneven,swap,/,uneven,other,/' %t/main.csv > %t/counts.csv
; RUN: %opt %load -passes='linearize<profile=%t/counts.csv>' -pass-remarks-missed=linearize -disable-output %t/main.ll 2>&1 | %FileCheck %s --check-prefix=COUNTS
; RUN: %opt %load -passes='linearize<profile=%t/other.csv>' -pass-remarks-output=%t/yaml -disable-output %t/main.ll
; RUN: %FileCheck %s --check-prefix=YAML < %t/yaml
; RUN: %opt %load -passes='linearize<profile=%t/other.csv>' -disable-output %t/main.ll > %t/nothing 2>&1
; RUN: %count 0 < %t/nothing
;
; linearize-graph has them too.
; RUN: %graph-tool --profile %t/main.csv --step order --function early %t/main.ll | %FileCheck %s --check-prefix=GRAPH --implicit-check-not='#'
; RUN: %graph-tool --profile %t/other.csv --function uneven %t/main.ll | %FileCheck %s --check-prefix=IGNORED
;
; WITHOUT-DAG: function 'early', block 'c2': linearized a region
; WITHOUT-DAG: function 'uneven', block 'c2': left alone region 0 of 3 blocks {{.*}}: it gains too little
; WITH-DAG: function 'early', block 'c2': left alone region 0 of 3 blocks {{.*}}: it gains too little; of what a warp runs there it saves about 0%
; WITH-DAG: function 'uneven', block 'c2': linearized a region
; ONE-DAG: function 'early', block 'c2': linearized a region
; ONE-DAG: function 'uneven', block 'c2': linearized a region
; OTHER-DAG: function 'early': the profile is of other code, and ignored: it names block 'c4', which the function doesn't have
; OTHER-DAG: function 'uneven': the profile is of other code, and ignored: it names block 'c4', which
; COUNTS: function 'uneven': the profile is of other code, and ignored: in it block 'c2' was entered more often than all blocks before it
; YAML: --- !Missed
; YAML: Name: ProfileIgnored
; GRAPH: entry{{.*}}: join{{[^*]*}} c2{{[^*]*}}*128
; IGNORED: # the profile is of other code, and ignored: it names block 'c4'
; COMPARE: warp instructions {{.*}} 0.{{[0-9]+}}
;
; WEIGHTS-LABEL: @uneven
; WEIGHTS: br i1 {{.*}} !prof ![[OWN:[0-9]+]]
; WEIGHTS: br i1 {{.*}} !linearize.guard
; WEIGHTS: ![[OWN]] = !{!"branch_weights", i32 1, i32 1000000}
;
; ODDS-LABEL: @uneven
; ODDS: entry:
; ODDS: br label %linearize.guard
; ODDS: br i1 {{.*}}, label %c2, {{.*}} !prof ![[EVEN:[0-9]+]]
; ODDS: ![[EVEN]] = !{!"branch_weights", i32 64, i32 64}

;--- launch
--block 128
--arg buf:u32:128:index
--arg buf:u32:128

;--- main.ll
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @early(ptr %in, ptr %out) {
entry:
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %place = getelementptr i32, ptr %in, i32 %thread
  %to = getelementptr i32, ptr %out, i32 %thread
  %x = load i32, ptr %place
  %never = icmp ugt i32 %x, 1000
  br i1 %never, label %join, label %c2
c2:
  %odd = trunc i32 %x to i1
  br i1 %odd, label %join, label %other
join:
  %q1 = udiv i32 %x, 3
  %q2 = udiv i32 %x, 5
  %q = xor i32 %q1, %q2
  store i32 %q, ptr %to
  br label %end
other:
  store i32 1, ptr %to
  br label %end
end:
  ret void
}

define ptx_kernel void @uneven(ptr %in, ptr %out) {
entry:
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %place = getelementptr i32, ptr %in, i32 %thread
  %to = getelementptr i32, ptr %out, i32 %thread
  %x = load i32, ptr %place
  %half = trunc i32 %x to i1
  br i1 %half, label %join, label %c2, !prof !0
c2:
  %bit = and i32 %x, 2
  %set = icmp ne i32 %bit, 0
  br i1 %set, label %join, label %other
join:
  %q1 = udiv i32 %x, 3
  %q2 = udiv i32 %x, 5
  %q = xor i32 %q1, %q2
  store i32 %q, ptr %to
  br label %end
other:
  store i32 1, ptr %to
  br label %end
end:
  ret void
}

!0 = !{!"branch_weights", i32 1, i32 1000000}
