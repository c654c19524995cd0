# shellcheck shell=bash disable=SC2034,SC2154 # names of tools.sh and of scripts/bench
# Sourced by scripts/bench: indices, kernels whose threads branch on their index (bench/indices), regrouped by
# the plugin and by hand; and kernels of which warps have equal data or not (bench/votes), with votes.

out=$build/indices
sm=sm_90
words=16384,1048576,67108864 # 64 KB fit into an L1 cache, 4 MB into an L2 cache, 256 MB into none
mapfile -t indices < <(all_kernels indices)
# Those that mode needed makes faster by most; the last ones take long on the CPU.
mapfile -t votes < <(all_kernels votes)
votes+=(short_circuit short_circuit_8 shared_tails switch_fallthrough early_returns search_two_exits
  heartwall mcx)
by_hand=(1 2 3) # those that a file has, by the macro BY_HAND

# source_of KERNEL
source_of() {
  local folder
  for folder in indices votes kernels; do
    [[ ! -f $root/bench/$folder/$1.cu ]] || { echo "$root/bench/$folder/$1.cu" && return; }
  done
}

declare -A made_as=([hand1]=clang [hand2]=clang [hand3]=clang)

variants() {
  python3 "$root/scripts/lib/variants.py" "$1" --llvm "$(dirname "$clang")" --ptxas "$ptxas" "${@:2}"
}

# compile_variant KERNEL NAME VARIANT [options]: leaves NAME.VARIANT.cubin.
compile_variant() {
  local file=$out/$2.$3
  variants build --plugin "$plugin" "${made_as[$3]:-$3}" "$(source_of "$1")" "$file" \
    -- "${device_flags[@]}" "${@:4}" >"$file.log" 2>&1 || die "$1, $3: $(tail -1 "$file.log")"
  [[ $3 != clang || $(source_of "$1") == */indices/* ]] || vote_regardless "$file" "$out/$2.voted" >"$file.log" 2>&1 ||
    die "$1, voted: $(tail -1 "$file.log")"
  rm -f "$file".{ll,ptx,log,yaml}
}

# vote_regardless UNTOUCHED NAME: leaves NAME.cubin. (Of what it gains: opt alone knows that option.)
vote_regardless() {
  python3 "$root/scripts/lib/variants.py" opt --opt "$(dirname "$clang")/opt" --plugin "$plugin" voted \
    "$1.ll" "$2" && variants assemble "$2" -- "${device_flags[@]}" && rm -f "$2".{ll,ptx}
}

compile_kernel() {
  local variant hand
  if [[ $(source_of "$1") != */indices/* ]]; then
    for variant in clang again needed vote; do
      compile_variant "$1" "$1" "$variant"
      compile_variant "$1" "$1.alike" "$variant" -DLIN_ALIKE
    done
    return
  fi
  for variant in clang again regrouped; do
    compile_variant "$1" "$1" "$variant"
  done
  for hand in "${by_hand[@]}"; do
    ! grep -q "BY_HAND $hand " "$(source_of "$1")" ||
      compile_variant "$1" "$1" "hand$hand" -DBY_HAND="$hand"
  done
}

# build_host NAME [options]: the program with all references.
build_host() {
  local kernel objects=()
  for kernel in "${kernels[@]}"; do
    objects+=("$out/$kernel.host.o")
    "$clangxx" -x c++ -std=c++20 -O2 -ffp-contract=off -I"$root/bench/include" "${@:2}" \
      -c "$(source_of "$kernel")" -o "$out/$kernel.host.o" || die "clang failed on $kernel"
  done
  build_tool "$root/bench/device/run.cpp" "${objects[@]}" -rdynamic -o "$out/$1"
  rm "${objects[@]}"
}

build_all() {
  find_llvm
  find_cuda_toolkit
  compile_for "$sm"
  build_plugin
  rm -rf "$out"
  mkdir -p "$out"
  build_host run
  build_host run.alike -DLIN_ALIKE
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

action="" only="" check=()
while (($#)); do
  case $1 in
  --build | --run) action=${1#--} ;;
  --check) check=("$1") ;;
  --words) [[ ${2:-} =~ ^[0-9]+(,[0-9]+)*$ ]] || die "--words wants numbers: see scripts/bench --help" ;;&
  --words) words=$2 && shift ;;
  --only) only=${2:-} && shift ;;
  -h | --help) usage && exit ;;
  *) die "indices knows no '$1': see scripts/bench --help" ;;
  esac
  shift
done
[[ $action ]] || die "indices wants --build or --run: see scripts/bench --help"
case $only in
"") ;;
indices) votes=() ;;
votes) indices=() ;;
*) die "indices has kernels for indices and votes alone: see scripts/bench --help" ;;
esac
kernels=("${indices[@]}" "${votes[@]}")
die_status=1
if [[ $action == build ]]; then
  build_all
else
  nvidia-smi -L >/dev/null 2>&1 || die "no NVIDIA GPU here"
  [[ -x $out/run ]] || die "nothing is built: scripts/bench indices --build first"
  measure 2>&1 | tee "${RESULTS:-$out/results.txt}"
fi
