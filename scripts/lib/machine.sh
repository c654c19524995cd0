# shellcheck shell=bash disable=SC2034,SC2154 # names of tools.sh and of scripts/bench
# Sourced by scripts/bench: machine, what machine.py counts beside what a GPU counted, or of nvcc's PTX
# before linearize-ptx and after.

of_ptx=""
[[ ${1:-} != --ptx ]] || { of_ptx=1 && shift; }
merges=()
[[ ! $of_ptx || ${1:-} != --merge-loops ]] || { merges=("$1") && shift; }
parse_arguments "--check" "$@"
if [[ $of_ptx ]]; then
  kernels=("${others[@]}")
  if ((${#kernels[@]} == 0)); then
    mapfile -t kernels < <(all_kernels && { ((${#merges[@]})) || { all_kernels exits && all_kernels costs; }; })
  fi
  require_kernels "${kernels[@]}"
else
  ((${#others[@]})) || die "machine wants a file: see scripts/bench --help"
  [[ -r ${others[0]} ]] || die "no file ${others[0]}"
  require_kernels "${others[@]:1}"
fi
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
common=(--llvm "$(dirname "$clang")" --nvcc "$nvcc" --ptxas "$ptxas" --nvdisasm "$nvdisasm"
  --repository "$root" "${check[@]}")
if [[ $of_ptx ]]; then
  python3 "$root/scripts/lib/machine_ptx.py" "${common[@]}" --tool "$build/bin/linearize-ptx" \
    --folder "$build/bench/machine-ptx" "${merges[@]}" "${kernels[@]}"
else
  python3 "$root/scripts/lib/machine_counts.py" "${common[@]}" --plugin "$plugin" \
    --folder "$build/bench/machine" "${others[@]}"
fi
