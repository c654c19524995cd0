# shellcheck shell=bash disable=SC2034,SC2154 # names of tools.sh and of scripts/bench
# Sourced by scripts/bench: versions, what versions of kernels cost.

versions=needed,paper,merge-loops
front=llvm
arguments=()
while (($#)); do
  case $1 in
  --versions)
    [[ -n ${2:-} ]] || die "$1 wants a value: see scripts/bench --help"
    versions=$2 && shift
    ;;
  --ptx) front=ptx ;;
  *) arguments+=("$1") ;;
  esac
  shift
done
parse_arguments "--csv --check" "${arguments[@]}"
kernels=("${others[@]}")
if ((${#kernels[@]} == 0)); then
  for folder in kernels exits costs large threads structured; do
    mapfile -t -O "${#kernels[@]}" kernels < <(all_kernels "$folder")
  done
fi
require_kernels "${kernels[@]}"
sources=()
for kernel in "${kernels[@]}"; do sources+=("$(kernel_source "$kernel")"); done
find_llvm
find_cuda_tools
[[ $front == llvm ]] || find_cuda_toolkit
[[ $ptxas ]] || die "no ptxas: run scripts/setup --sass"
compile_for "${SM:-sm_90}"
build_plugin
mkdir -p "$build/bench/versions"
tools=("$clangxx" "${device_flags[@]}")
[[ $front == llvm ]] || tools=("$nvcc" -arch="$sm" -O3 -fmad=false -I"$root/bench/include")
echo "$versions, $front, $sm, revision $(git -C "$root" describe --always --dirty), LLVM $llvm_version," \
  "ptxas $(ptxas_version)"
die_status=1
python3 "$root/scripts/lib/versions.py" "${check[@]}" ${csv:+--csv "$csv"} --folder "$build/bench/versions" \
  --versions "$versions" --sm "$sm" --ptxas "$ptxas" --front "$front" --plugin "$plugin" \
  --tool "$build/bin/linearize-ptx" "${sources[@]}" -- "${tools[@]}"
