# shellcheck shell=bash disable=SC2034,SC2154 # names of tools.sh and of scripts/bench
# Sourced by scripts/bench: indices, kernels whose threads branch on their index (bench/indices), regrouped by
# the plugin and by hand; and kernels of which warps have equal data or not (bench/votes), with votes.

out=$build/indices
sm=sm_90
words=16384,1048576,67108864 # 64 KB fit into an L1 cache, 4 MB into an L2 cache, 256 MB into none
mapfile -t indices < <(all_kernels indices)
mapfile -t votes < <(all_kernels votes)
by_hand=(1 2 3) # those that a file has, by the macro BY_HAND

# folder_of KERNEL
folder_of() {
  [[ -f $root/bench/indices/$1.cu ]] && echo indices || echo votes
}

# compile_variant KERNEL VARIANT [options]: leaves KERNEL.VARIANT.cubin.
compile_variant() {
  local file=$out/$1.$2 source
  source=$root/bench/$(folder_of "$1")/$1.cu
  python3 "$root/scripts/lib/variants.py" build --llvm "$(dirname "$clang")" --ptxas "$ptxas" \
    --plugin "$plugin" "${made_as[$2]:-$2}" "$source" "$file" -- "${device_flags[@]}" "${@:3}" \
    >"$file.log" 2>&1 || die "$1, $2: $(tail -1 "$file.log")"
  rm -f "$file".{ll,ptx,log,yaml}
}

declare -A made_as=([hand1]=clang [hand2]=clang [hand3]=clang)

compile_kernel() {
  local variant hand
  for variant in clang again $([[ $(folder_of "$1") == indices ]] && echo regrouped || echo needed vote); do
    compile_variant "$1" "$variant"
  done
  for hand in "${by_hand[@]}"; do
    ! grep -q "BY_HAND $hand " "$root/bench/$(folder_of "$1")/$1.cu" ||
      compile_variant "$1" "hand$hand" -DBY_HAND="$hand"
  done
}

build_all() {
  local kernel objects=()
  find_llvm
  find_cuda_toolkit
  compile_for "$sm"
  build_plugin
  rm -rf "$out"
  mkdir -p "$out"
  for kernel in "${kernels[@]}"; do
    objects+=("$out/$kernel.host.o")
    "$clangxx" -x c++ -std=c++20 -O2 -ffp-contract=off -I"$root/bench/include" \
      -c "$root/bench/$(folder_of "$kernel")/$kernel.cu" -o "$out/$kernel.host.o" ||
      die "clang failed on $kernel"
  done
  build_tool "$root/bench/device/run.cpp" "${objects[@]}" -rdynamic -o "$out/run"
  rm "${objects[@]}"
  for_kernels "compiling" compile_kernel
  echo "built: $sm, clang $("$clang" -dumpversion), ptxas $(ptxas_version)," \
    "repository at $(git -C "$root" describe --always --dirty)" >"$out/built.txt"
}

measure() {
  echo "date: $(date -u '+%Y-%m-%d %H:%M')"
  nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm --format=csv,noheader |
    sed 's/^/GPU, driver, clock of SM as found and at most: /'
  cat "$out/built.txt"
  python3 "$root/scripts/lib/indices.py" "${check[@]}" --folder "$out" --words "$words" \
    --csv "$out/results.csv" --indices "${indices[*]}" --votes "${votes[*]}"
}

action="" check=()
while (($#)); do
  case $1 in
  --build | --run) action=${1#--} ;;
  --check) check=("$1") ;;
  --words) [[ ${2:-} =~ ^[0-9]+(,[0-9]+)*$ ]] || die "--words wants numbers: see scripts/bench --help" ;;&
  --words) words=$2 && shift ;;
  -h | --help) usage && exit ;;
  *) die "indices knows no '$1': see scripts/bench --help" ;;
  esac
  shift
done
[[ $action ]] || die "indices wants --build or --run: see scripts/bench --help"
kernels=("${indices[@]}" "${votes[@]}")
die_status=1
if [[ $action == build ]]; then
  build_all
else
  nvidia-smi -L >/dev/null 2>&1 || die "no NVIDIA GPU here"
  [[ -x $out/run ]] || die "nothing is built: scripts/bench indices --build first"
  measure 2>&1 | tee "${RESULTS:-$out/results.txt}"
fi
