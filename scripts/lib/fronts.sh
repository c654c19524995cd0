# shellcheck shell=bash disable=SC2034,SC2154 # names of tools.sh and of scripts/bench
# Sourced by scripts/bench: fronts, the same kernels through the front ends of LLVM and of PTX.

out=$build/bench/fronts
parse_arguments "--check" "$@"
kernels=("${others[@]}")
if ((${#kernels[@]} == 0)); then
  mapfile -t kernels < <(all_kernels && all_kernels exits && all_kernels costs)
fi
require_kernels "${kernels[@]}"
die_status=1

# measure KERNEL: leaves what the plugin says of clang's IR in KERNEL.llvm.yaml, and what linearize-ptx
# says of the PTX that llc makes of the same IR, untouched, in KERNEL.ptx.yaml.
measure() {
  local source
  source=$(kernel_source "$1")
  "$clangxx" "${device_flags[@]}" -gline-tables-only "${with_plugin[@]}" -S \
    -fsave-optimization-record -foptimization-record-passes=linearize \
    -foptimization-record-file="$out/$1.llvm.yaml" "$source" -o "$out/$1.linearized.ptx" ||
    die "clang failed on $1"
  "$clangxx" "${device_flags[@]}" -gline-tables-only -S "$source" -o "$out/$1.ptx" ||
    die "clang failed on $1"
  "$build/bin/linearize-ptx" --remarks none --remarks-output "$out/$1.ptx.yaml" "$out/$1.ptx" \
    -o "$out/$1.out.ptx" || die "linearize-ptx failed on $1"
}

find_llvm
compile_for "${SM:-sm_90}"
build_plugin
mkdir -p "$out"
mapfile -t with_plugin < <(plugin_flags)
for_kernels "compiling" measure
describe_revision "mode needed for $sm"
python3 "$root/scripts/lib/fronts.py" "${check[@]}" "$out" "${kernels[@]}"
