# shellcheck shell=bash disable=SC2034,SC2154 # names of tools.sh and of scripts/bench
# Sourced by scripts/bench: amdgpu, what linearize makes of the size of kernels for AMD GPUs.
#
# BUILD=FOLDER takes that build as it is, and builds nothing.

gfx=${GFX:-gfx90a}
parse_arguments "--check" "$@"
kernels=("${others[@]}")
if ((${#kernels[@]} == 0)); then
  mapfile -t kernels < <(all_kernels)
fi
require_kernels "${kernels[@]}"
die_status=1

hip_flags=(-x hip --cuda-device-only --offload-arch="$gfx" -nogpuinc -nogpulib -O3 -ffp-contract=off
  -I"$root/bench/include" -include linearize_hip.h)

# count FILE.s: all instructions; those that write the mask of threads that run, or branch; vector
# registers; what is spilled.
count() {
  awk '/^\t[a-z]/ { all++ }
       /^\ts_(cbranch|branch)/ || (/^\ts_/ && /exec/) { control++ }
       $1 == ".vgpr_count:" { registers += $2 }
       $1 ~ /^\.[sv]gpr_spill_count:/ { spills += $2 }
       END { print all + 0, control + 0, registers + 0, spills + 0 }' "$1"
}

# measure KERNEL: leaves KERNEL.numbers, those of count for each variant in turn.
measure() {
  local variant source file with options
  source=$(kernel_source "$1")
  for variant in clang needed paper; do
    file=$out/$1.$variant.s with=()
    if [[ $variant != clang ]]; then
      options=$(python3 "$root/scripts/lib/variants.py" options "$variant")
      mapfile -t options <<<"$options"
      with=("${with_plugin[@]}" "${options[@]}" -mllvm -linearize-any-target
        -mllvm -linearize-verify-each)
    fi
    "$clangxx" "${hip_flags[@]}" "${with[@]}" -mllvm -verify-machineinstrs -S "$source" -o "$file" \
      2>"$file.log" || die "clang failed on $1: see ${file#"$root"/}.log"
    count "$file"
  done | paste -sd ' ' | sed "s/^/$1 /" >"$out/$1.numbers"
}

find_llvm
if [[ ${BUILD:-} ]]; then
  build=$BUILD plugin=$BUILD/lib/liblinearize.so
else
  "$root/scripts/setup"
  build_plugin
fi
out=$build/bench/amdgpu
mkdir -p "$out"
mapfile -t with_plugin < <(plugin_flags)
for_kernels "$gfx" measure

echo "$gfx, LLVM $llvm_version: clang, mode needed, mode paper"
printf '%-20s %18s %22s %18s %12s\n' kernel instructions 'of them control' 'vector registers' spills
(cd "$out" && cat "${kernels[@]/%/.numbers}") | awk -v check="${check[*]}" '
  { printf "%-20s %5d %5d %5d   %7d %5d %5d   %7d %4d %4d %6d %2d %2d\n", $1, $2, $6, $10, $3, $7, $11,
           $4, $8, $12, $5, $9, $13
    needed += log($6 / $2); paper += log($10 / $2)
    less += $7; even_less += $11; before += $3
    if ($9 > $5 || $13 > $5) more = more " " $1 }
  END {
    printf "instructions, geometric mean: needed x%.3f, paper x%.3f\n", exp(needed / NR),
           exp(paper / NR)
    printf "control, in all: needed x%.3f, paper x%.3f\n", less / before, even_less / before
    print (more ? "missed" : "met   ") "  none spills more" more
    print (paper > 0 ? "missed" : "met   ") "  mode paper takes no more instructions"
    exit check && (more || paper > 0)
  }'
