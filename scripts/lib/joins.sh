# shellcheck shell=bash disable=SC2034,SC2154 # names of tools.sh and of scripts/bench
# Sourced by scripts/bench: joins, where ptxas has threads wait, in its machine code and by
# lib/gpu/meetings.h.

targets=(sm_90)
parse_arguments "--sm --check" "$@"
graphs=${others[0]:-150}
[[ ${#others[@]} -lt 2 && $graphs =~ ^[1-9][0-9]*$ ]] ||
  die "joins takes one number, of graphs: see scripts/bench --help"
find_llvm
find_cuda_tools
[[ -n $ptxas && -n $nvdisasm ]] || "$root/scripts/setup" --sass
find_cuda_tools
die_status=1
[[ -n $ptxas ]] || die "no ptxas: run scripts/setup"
[[ -n $nvdisasm ]] || die "no nvdisasm: run scripts/setup --sass"
build_plugin
describe_revision "ptxas $(ptxas_version)"
status=0
for sm in "${targets[@]}"; do
  python3 "$root/scripts/lib/joins.py" --graph "$build/bin/linearize-graph" --ptxas "$ptxas" \
    --nvdisasm "$nvdisasm" --sm "$sm" --graphs "$graphs" "${check[@]}" || status=1
done
exit "$status"
