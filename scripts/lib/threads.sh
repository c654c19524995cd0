# shellcheck shell=bash disable=SC2034,SC2154 # names of tools.sh and of scripts/bench
# Sourced by scripts/bench: threads, what regrouping the threads of bench/threads gains on a GPU, beside
# what lib/threads predicts.

out=$build/threads
sm=sm_90
mapfile -t kernels < <(grep -l '^APPLICATION' "$root"/bench/threads/*.cu | xargs -n1 basename -s .cu)

# is_new TARGET SOURCE...: the target is there and not older than any of these.
is_new() {
  local target=$1 source
  shift
  [[ -f $target ]] || return 1
  for source; do [[ ! $source -nt $target ]] || return 1; done
}

# compile_application NAME: the cubin, and what each thread does.
compile_application() {
  local source=$root/bench/threads/$1.cu file=$out/$1
  local launch=${source%.cu}.launch how
  ! is_new "$file.profile.xz" "$source" "$launch" "$root/bench/threads/thread.cuh" \
    "$root/bench/include/linearize_device.h" "$build/bin/linearize-simt" \
    "$build/lib/liblinearize_threads.a" || return 0
  "$clangxx" "${device_flags[@]}" -S -emit-llvm "$source" -o "$file.ll" || die "clang failed on $1"
  "$llc" -O3 -mcpu="$sm" -fp-contract=off "$file.ll" -o "$file.ptx" &&
    "$ptxas" -O3 -arch="$sm" "$file.ptx" -o "$file.cubin" || die "llc or ptxas failed on $1"
  for how in order loops; do
    "$build/bin/linearize-graph" --step "$how" --function "$1" "$file.ll"
  done | python3 "$root/scripts/lib/threads.py" blocks >"$file.blocks"
  simulate "$file" none --launch "$launch" --vectors "$file.csv"
  "$out/ordered" pack "$file.blocks" "$file.csv" "$file.profile"
  for how in 0 1 2; do
    "$out/ordered" order "$how" "$file.profile" "$file.order"
    sed "s|u64:0|buf:u32:file=$file.order|" "$launch" >"$file.launch"
    simulate "$file" "$how" --launch "$file.launch"
  done
  xz -f -T1 -3 "$file.profile"
  rm "$file.csv" "$file.ptx" "$file.ll" "$file.order" "$file.launch"
}

# simulate FILE ORDER [options]: leaves FILE.ORDER.counts, by block.
simulate() {
  "$build/bin/linearize-simt" --csv --blocks "${@:3}" "$1.ll" >"$1.$2.counts" ||
    die "linearize-simt failed on $1"
}

# The program holds the CPU's reference of every application.
build_ordered() {
  local objects=() kernel source object program=$root/bench/device/ordered.cpp
  for kernel in "${kernels[@]}"; do
    source=$root/bench/threads/$kernel.cu object=$out/$kernel.host.o
    objects+=("$object")
    is_new "$object" "$source" "$root"/bench/{threads/thread.cuh,include/linearize_device.h} ||
      "$clangxx" -x c++ -std=c++20 -O2 -ffp-contract=off -I"$root/bench/include" -c "$source" \
        -o "$object" || die "clang failed on $source"
  done
  if ! is_new "$out/ordered" "$program" "${objects[@]}" "$build/lib/liblinearize_threads.a"; then
    build_tool "$program" "${objects[@]}" -I"$root/include" "$build/lib/liblinearize_threads.a" \
      -rdynamic -o "$out/ordered"
  fi
}

build_all() {
  find_llvm
  find_cuda_toolkit
  compile_for "$sm"
  progress "building"
  build_project
  mkdir -p "$out"
  build_ordered
  for_kernels "counting" compile_application
  echo "built: $sm, clang $("$clang" -dumpversion), ptxas $(ptxas_version)," \
    "repository at $(git -C "$root" describe --always --dirty)" >"$out/built.txt"
}

measure() {
  if [[ $1 == run ]]; then
    nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm --format=csv,noheader |
      sed 's/^/GPU, driver, clock of SM as found and at most: /'
  fi
  cat "$out/built.txt"
  python3 "$root/scripts/lib/threads.py" "$1" "${check[@]}" --copies "$copies" \
    "${measured[@]}" --folder "$out" --launches "$root/bench/threads" --csv "$out/$1.csv" "${kernels[@]}"
}

action="" check=() names=() copies=64 measured=()
while (($#)); do
  case $1 in
  --build | --run | --predict) action=${1#--} ;;
  --check) check=("$1") ;;
  --copies) [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || die "--copies wants a number: see scripts/bench --help" ;;&
  --copies) copies=$2 && shift ;;
  --measured) [[ -f ${2:-} ]] || die "--measured wants a file: see scripts/bench --help" ;;&
  --measured) measured=("$1" "$2") && shift ;;
  -h | --help) usage && exit ;;
  -*) die "no option '$1': see scripts/bench --help" ;;
  *) names+=("$1") ;;
  esac
  shift
done
[[ $action ]] || die "threads wants --build, --predict or --run: see scripts/bench --help"
((${#names[@]} == 0)) || kernels=("${names[@]}")
die_status=1
case $action in
build) build_all ;;
*)
  [[ $action == predict ]] || nvidia-smi -L >/dev/null 2>&1 || die "no NVIDIA GPU here"
  [[ -x $out/ordered ]] || die "nothing is built: scripts/bench threads --build first"
  measure "$action" 2>&1 | tee "${RESULTS:-$out/$action.txt}"
  ;;
esac
