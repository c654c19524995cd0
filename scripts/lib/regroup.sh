# shellcheck shell=bash disable=SC2034,SC2154 # names of tools.sh and of scripts/bench
# Sourced by scripts/bench: regroup, how long regrouping takes and what it gains.

parse_arguments "--check" "$@"
[[ ${#others[@]} -eq 0 ]] || die "regroup takes no '${others[0]}': see scripts/bench --help"
find_llvm
progress "building"
build_project
mkdir -p "$build/bench"
program=$build/bench/regroup
cc -std=c11 -O2 -I"$root/lib" -I"$root/include" "$root/bench/regroup.c" \
  "$build/lib/liblinearize_threads.a" -o "$program"
progress ""
die_status=1
python3 "$root/scripts/lib/regroup.py" "${check[@]}" "$program"
