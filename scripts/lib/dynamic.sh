# shellcheck shell=bash disable=SC2034,SC2154 # names of tools.sh and of scripts/bench
# Sourced by scripts/bench: dynamic, predict, choices, beyond, estimates and metrics, what linearize-simt counts.

out=$build/bench/$what
model=ipdom
parse_arguments "--model --csv --check" "$@"
arguments=("${check[@]}")
[[ -z $csv ]] || arguments+=(--csv "$csv")

# profile LAUNCH FOLDER: how often the launch runs the blocks of FOLDER/untouched.ll.
profile() {
  "$build/bin/linearize-simt" --launch "$1" --model "$model" --jobs "$(nproc)" --csv --blocks \
    "$2/untouched.ll" >"$2/profile.csv" || die "linearize-simt failed on ${1#"$root"/}"
}

# build_modules KERNEL VARIANT...: their modules, and the kernel for the CPU. LLVM's passes may fail.
build_modules() {
  local kernel=$1 folder=$out/$1 variant source
  source=$(kernel_source "$kernel")
  shift
  rm -rf "$folder"
  mkdir -p "$folder"
  kernel_ir "$kernel" "$folder/untouched.ll"
  [[ " $* " != *" profiled "* ]] || profile "${source%.cu}.launch" "$folder"
  for variant; do
    build_variant "$variant" "$folder/untouched.ll" "$folder/$variant" 2>"$folder/$variant.log" ||
      [[ $variant == chain ]] || die "opt failed on $kernel: see ${folder#"$root"/}/$variant.log"
  done
  python3 -c 'import reference, subprocess, sys
sys.exit(subprocess.call(reference.compile_command(*sys.argv[1:])))' "$clangxx" "$root" \
    "$source" "$folder/reference.so"
}

build_kernel() {
  build_modules "$1" "${wanted[@]}"
}

# build_all VARIANT...: of all kernels.
build_all() {
  wanted=("$@")
  for_kernels "building" build_kernel
}

export PYTHONPATH=$root/scripts/lib
"$root/scripts/setup"
find_llvm
build_plugin
common=(--simt "$build/bin/linearize-simt" --repository "$root" --folder "$out")
if [[ $what == dynamic ]]; then
  choose_kernels "${others[@]}"
  die_status=1
  build_all untouched O0 O1 O2 O3 O4 needed profiled chain
  describe_revision
  python3 "$root/scripts/lib/dynamic.py" "${common[@]}" --model "$model" "${arguments[@]}" \
    "${kernels[@]}"
elif [[ $what == beyond ]]; then
  kernels=("${others[@]}")
  ((${#kernels[@]} > 0)) || mapfile -t kernels < <(all_kernels && all_kernels structured)
  mapfile -t kernels < <(printf '%s\n' "${nests[@]}" "${kernels[@]}" | awk '!seen[$0]++')
  require_kernels "${kernels[@]}"
  die_status=1
  build_all untouched merged interleaved
  build_modules "$tree" untouched merged interleaved depth{1..8}
  describe_revision "loop merging, branch interleaving, limited depth"
  python3 "$root/scripts/lib/beyond.py" count "${common[@]}" "${check[@]}" \
    --nests "$(IFS=, && echo "${nests[*]}")" --tree "$tree" "${kernels[@]}"
elif [[ $what == estimates ]]; then
  kernels=("${others[@]}")
  if ((${#kernels[@]} == 0)); then
    for folder in kernels costs exits; do
      [[ ! -d $root/bench/$folder ]] || mapfile -t -O "${#kernels[@]}" kernels < <(all_kernels $folder)
    done
  fi
  require_kernels "${kernels[@]}"
  die_status=1
  compile_for sm_90
  build_all untouched
  describe_revision "mode needed"
  python3 "$root/scripts/lib/estimates.py" "${common[@]}" --graph "$build/bin/linearize-graph" \
    --opt "$opt" --plugin "$plugin" "${arguments[@]}" "${kernels[@]}"
elif [[ $what == metrics ]]; then
  choose_kernels "${others[@]}"
  die_status=1
  compile_for sm_90
  build_all untouched O4
  describe_revision
  python3 "$root/scripts/lib/metrics.py" "${common[@]}" "${check[@]}" \
    --library "$build/lib/liblinearize-threads.so" "${kernels[@]}"
elif [[ $what == choices ]]; then
  choose_kernels "${others[@]}"
  die_status=1
  describe_revision "mode needed"
  missed=0
  # The model and the threads' progress belong together: lock step below sm_70.
  for setting in "sm_60 ipdom" "sm_90 volta"; do
    read -r target model <<<"$setting"
    compile_for "$target"
    out=$build/bench/choices/$target
    build_all untouched
    echo
    echo "warp instructions of IR for $target, model $model"
    python3 "$root/scripts/lib/choices.py" "${common[@]}" --folder "$out" \
      --graph "$build/bin/linearize-graph" --opt "$opt" --plugin "$plugin" --model "$model" "${arguments[@]}" "${kernels[@]}" || missed=1
  done
  exit "$missed"
else
  ((${#others[@]} == 1)) || die "predict wants one file: see scripts/bench --help"
  [[ -r ${others[0]} ]] || die "no file ${others[0]}"
  mapfile -t kernels < <(awk -F, '!/^#/ && $1 != "kernel" && !seen[$1]++ { print $1 }' "${others[0]}")
  require_kernels "${kernels[@]}"
  die_status=1
  compile_for sm_90
  build_all untouched O4
  describe_revision
  python3 "$root/scripts/lib/predict.py" "${common[@]}" "${arguments[@]}" "${others[0]}"
fi
