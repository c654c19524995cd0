# shellcheck shell=bash disable=SC2034,SC2154 # names of tools.sh and of scripts/bench
# Sourced by scripts/bench: exits, what model volta and the remarks promise of kernels that are left
# early, beside their machine code, run on the CPU, or beside what a GPU counted.

out=$build/bench/exits
half=() counts=() check_all=() kernels=()
while (($#)); do
  case $1 in
  --half | --counts) [[ -n ${2:-} ]] || die "$1 wants a value: see scripts/bench --help" ;;&
  --half) [[ $2 == open || $2 == held-out ]] || die "--half is open or held-out" ;;&
  --half) half=(--half "$2") && shift ;;
  --counts) [[ -f $2 ]] || die "no file $2" ;;&
  --counts) counts=(--counts "$2") && shift ;;
  *) parse_arguments "--check" "$1" && check_all+=("${check[@]}") && kernels+=("${others[@]}") ;;
  esac
  shift
done
((${#kernels[@]})) || mapfile -t kernels < <(all_kernels exits)
for kernel in "${kernels[@]}"; do
  [[ -f $root/bench/exits/$kernel.cu ]] || die "no kernel '$kernel' in bench/exits"
done
die_status=1
find_llvm
find_cuda_tools
[[ -n $ptxas && -n $nvdisasm ]] || "$root/scripts/setup" --sass
find_cuda_tools
[[ -n $ptxas && -n $nvdisasm ]] || die "no ptxas or nvdisasm: run scripts/setup --sass"
build_plugin
describe_revision "ptxas $(ptxas_version)"
python3 "$root/scripts/lib/exits.py" --llvm "$(dirname "$clang")" --ptxas "$ptxas" \
  --nvdisasm "$nvdisasm" --plugin "$plugin" --simt "$build/bin/linearize-simt" \
  --repository "$root" --folder "$out" "${half[@]}" "${counts[@]}" "${check_all[@]}" "${kernels[@]}"
