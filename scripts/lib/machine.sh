# shellcheck shell=bash disable=SC2034,SC2154 # names of tools.sh and of scripts/bench
# Sourced by scripts/bench: machine, what machine.py counts beside what a GPU counted.

parse_arguments "--check" "$@"
((${#others[@]})) || die "machine wants a file: see scripts/bench --help"
[[ -r ${others[0]} ]] || die "no file ${others[0]}"
require_kernels "${others[@]:1}"
die_status=1
find_llvm
find_cuda_tools
nvcc=$(cuda_tool nvcc)
if [[ -z $nvcc || -z $ptxas || -z $nvdisasm ]]; then
  echo "skipped: nvcc, ptxas and nvdisasm of CUDA 13 are needed (scripts/setup --sass gets nvdisasm)"
  exit
fi
build_plugin
describe_revision "ptxas $(ptxas_version)"
export PYTHONPATH=$root/scripts/lib
python3 "$root/scripts/lib/machine_counts.py" --llvm "$(dirname "$clang")" --nvcc "$nvcc" \
  --ptxas "$ptxas" --nvdisasm "$nvdisasm" --plugin "$plugin" --chain "$chain" --repository "$root" \
  --folder "$build/bench/machine" "${check[@]}" "${others[@]}"
