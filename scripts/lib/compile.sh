# shellcheck shell=bash disable=SC2034,SC2154 # names of tools.sh and of scripts/bench
# Sourced by scripts/bench: compile, what the plugin adds to the work of clang.
#
# Cachegrind's counts come again within 0.1%, on a machine that does other things too. An empty file
# shows what loading the plugin costs by itself.

out=$build/bench/compile
parse_arguments "--csv --check" "$@"
kernels=("${others[@]}")
if ((${#kernels[@]} == 0)); then
  mapfile -t kernels < <(all_kernels && all_kernels structured)
fi
require_kernels "${kernels[@]}"
[[ -z $csv ]] || { : >"$csv"; } 2>/dev/null || die "cannot write $csv"
die_status=1

# count SOURCE FILE [clang's options]: instructions.
count() {
  local source=$1 file=$2
  shift 2
  valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file="$file.cachegrind" \
    "$clangxx" "${device_flags[@]}" "$@" -S "$source" -o "$file.ptx" >"$file.log" 2>&1 ||
    die "failed: see ${file#"$root"/}.log"
  sed -n 's/^summary: //p' "$file.cachegrind"
}

# measure KERNEL: leaves KERNEL.csv. "empty" is no kernel.
measure() {
  local source=$out/empty.cu without with
  [[ $1 == empty ]] || source=$(kernel_source "$1")
  without=$(count "$source" "$out/$1.without")
  with=$(count "$source" "$out/$1.with" "${with_plugin[@]}")
  echo "$1,$without,$with" >"$out/$1.csv"
}

"$root/scripts/setup" --count
find_llvm
compile_for "${SM:-sm_90}"
build_plugin
mkdir -p "$out"
: >"$out/empty.cu"
mapfile -t with_plugin < <(plugin_flags)
kernels+=(empty)
for_kernels "counting" measure
{
  echo "kernel,without,with"
  for kernel in "${kernels[@]}"; do cat "$out/$kernel.csv"; done
} >"$out/compile.csv"
[[ -z $csv ]] || cp "$out/compile.csv" "$csv"
echo "million instructions of clang -O3 -S for $sm, revision $(git -C "$root" describe --always \
  --dirty), LLVM $llvm_version; the plugin with its default options"
python3 "$root/scripts/lib/compile.py" "${check[@]}" "$out/compile.csv"
