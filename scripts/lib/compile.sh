# shellcheck shell=bash disable=SC2034,SC2154 # names of tools.sh and of scripts/bench
# Sourced by scripts/bench: compile, what the plugin adds to the work of clang, linearize-ptxas to that of
# ptxas.
#
# Cachegrind's counts come again within 0.1%, on a machine that does other things too. An empty file
# shows what loading the plugin costs by itself.

out=$build/bench/compile
times_ptxas=""
[[ ${1:-} != --ptx ]] || { times_ptxas=1 && shift; }
parse_arguments "--csv --check" "$@"
[[ ! $times_ptxas || ! $csv ]] || die "--ptx has no --csv: see scripts/bench --help"
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

# compile_kernel KERNEL: leaves KERNEL.ptx.
compile_kernel() {
  "$clangxx" "${device_flags[@]}" -S "$(kernel_source "$1")" -o "$out/$1.ptx" ||
    die "clang failed on $1"
}

# linearize-ptxas against ptxas, by processor time: most of what they do is in other programs.
time_ptxas() {
  local arguments=()
  find_llvm
  find_cuda_tools
  [[ $ptxas ]] || die "no ptxas: run scripts/setup --sass"
  compile_for "${SM:-sm_90}"
  build_plugin
  mkdir -p "$out"
  for_kernels "compiling" compile_kernel
  mapfile -t arguments < <(printf "$out/%s.ptx\n" "${kernels[@]}")
  echo "milliseconds of ptxas for $sm, without and with linearize-ptxas, medians of 15 rounds in turns;" \
    "revision $(git -C "$root" describe --always --dirty)"
  python3 "$root/scripts/lib/compile_ptx.py" "${check[@]}" --arch "$sm" --ptxas "$ptxas" \
    --ours "$build/bin/linearize-ptxas" "${arguments[@]}"
}

if [[ $times_ptxas ]]; then
  time_ptxas
  exit
fi
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
