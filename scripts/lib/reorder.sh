# shellcheck shell=bash disable=SC2034,SC2154 # names of tools.sh and of scripts/bench
# Sourced by scripts/bench: reorder, threads of a block regrouped by hand, on a GPU.

out=$build/reorder
sm=sm_90
regroup=$root/bench/regroup
mapfile -t sources < <(cd "$regroup" && printf '%s\n' *.cu | sed 's/\.cu$//')

# is_new TARGET SOURCE...: the target is there and not older than these, or what they include.
is_new() {
  local target=$1 source
  shift
  [[ -f $target ]] || return 1
  for source in "$@" "$regroup"/*.cuh "$root"/bench/threads/*.cuh "$root"/bench/threads/*_t*.cu \
    "$root/bench/include/linearize_device.h" "$root/include/linearize/reorder.h" \
    "$root/scripts/lib/reorder.sh"; do
    [[ ! $source -nt $target ]] || return 1
  done
}

# compile_by_clang SOURCE FILE FLAGS...: leaves FILE.cubin.
compile_by_clang() {
  "$clangxx" "${device_flags[@]}" "${@:3}" -S -emit-llvm "$1" -o "$2.ll" &&
    "$llc" -O3 -mcpu="$sm" -fp-contract=off "$2.ll" -o "$2.ptx" &&
    "$ptxas" -O3 -arch="$sm" "$2.ptx" -o "$2.cubin" && rm "$2.ll" "$2.ptx"
}

# compile_source NAME: NAME.clang.cubin, NAME.nvcc.cubin, NAME.plugin.cubin, which has the kernels with
# points, NAME.merged.cubin, in which the plugin has merged loops, and the CPU's reference.
compile_source() {
  local source=$regroup/$1.cu file=$out/$1
  is_new "$file.clang.cubin" "$source" || compile_by_clang "$source" "$file.clang" ||
    die "clang, llc or ptxas failed on $1"
  [[ $1 == costs ]] || is_new "$file.plugin.cubin" "$source" "$plugin" ||
    compile_by_clang "$source" "$file.plugin" -DREGROUP_POINTS "${with_plugin[@]}" ||
    die "clang with the plugin, llc or ptxas failed on $1"
  [[ $1 == costs || $1 == paths ]] || is_new "$file.merged.cubin" "$source" "$plugin" ||
    compile_by_clang "$source" "$file.merged" "${with_plugin[@]}" -mllvm -linearize-merge-loops ||
    die "clang with the plugin, llc or ptxas failed on $1"
  is_new "$file.nvcc.cubin" "$source" ||
    "$nvcc" -arch="$sm" -std=c++17 -O3 -fmad=false -I"$root/bench/include" -cubin "$source" \
      -o "$file.nvcc.cubin" || die "nvcc failed on $1"
  is_new "$file.host.o" "$source" ||
    "$clangxx" -x c++ -std=c++20 -O2 -ffp-contract=off -fPIC -I"$root/bench/include" -c "$source" \
      -o "$file.host.o" || die "clang failed on $1"
}

# Applications that are regrouped where the plugin finds that it pays: those whose threads take any order, and
# one with barriers.
automatic=$out/automatic
mapfile -t applications < <(cd "$root/bench/threads" && grep -l '^APPLICATION' ./*.cu | sed 's|^\./||; s/\.cu$//')
applications+=(bin_counts)
sample=16 # every so many-th thread block is counted, and simulated

# compile_ways NAME: NAME.counts, counted in the simulator; NAME.WAY.cubin, plain, by these counts, and by
# guesses; NAME.WAY.json, what warps run of the sample, plain and that way.
compile_ways() {
  local source=$root/bench/threads/$1.cu file=$automatic/$1 way regroup=(-mllvm -linearize-regroup -mllvm -linearize-merge-loops)
  local simt=("$build/bin/linearize-simt" --launch "$file.launch")
  ! is_new "$file.guess.json" "$source" "${source%.cu}.launch" "$plugin" || return 0
  python3 "$root/scripts/lib/automatic.py" sample "${source%.cu}.launch" "$sample" "$automatic"
  regroup+=(-mllvm -linearize-mode=none)
  kernel_ir "$1" "$file.plain.ll"
  kernel_ir "$1" "$file.counted.ll" "${with_plugin[@]}" -mllvm -linearize-count-passes -mllvm -linearize-merge-loops
  "${simt[@]}" "$file.counted.ll" --counters "$file.counts" >/dev/null || die "linearize-simt failed on $1"
  kernel_ir "$1" "$file.guess.ll" "${with_plugin[@]}" "${regroup[@]}" -Rpass=linearize -Rpass-missed=linearize \
    -fno-caret-diagnostics 2>"$file.guess.remarks"
  kernel_ir "$1" "$file.profile.ll" "${with_plugin[@]}" "${regroup[@]}" \
    -mllvm "-linearize-profile=$file.counts" -Rpass=linearize -Rpass-missed=linearize -fno-caret-diagnostics 2>"$file.profile.remarks"
  for way in plain profile guess; do
    "$llc" -O3 -mcpu="$sm" -fp-contract=off "$file.$way.ll" -o "$file.$way.ptx" &&
      "$ptxas" -O3 -arch="$sm" "$file.$way.ptx" -o "$file.$way.cubin" || die "llc or ptxas failed on $1"
  done
  "$clangxx" -x c++ -std=c++20 -O2 -ffp-contract=off -fPIC -I"$root/bench/include" -c "$source" \
    -o "$file.host.o" || die "clang failed on $1"
  for way in profile guess; do
    "${simt[@]}" "$file.plain.ll" --compare "$file.$way.ll" --json >"$file.$way.json" ||
      die "$1 is another one when it is regrouped by $way"
  done
  rm -f "$file".*.ll "$file".*.ptx "$file.order"
}

# The plugin is $PLUGIN, or made here.
find_plugin() {
  if [[ ${PLUGIN:-} ]]; then
    [[ -f $PLUGIN ]] || die "no plugin $PLUGIN"
    plugin=$(readlink -f "$PLUGIN")
    with_plugin=(-fpass-plugin="$plugin")
  else
    build_plugin
    mapfile -t with_plugin < <(plugin_flags)
  fi
}

# link_references FOLDER NAME...
link_references() {
  local folder=$1 objects
  mapfile -t objects < <(printf "$folder/%s.host.o\n" "${@:2}")
  "$clangxx" -shared "${objects[@]}" -o "$folder/references.so"
}

build_all() {
  find_llvm
  find_cuda_toolkit
  compile_for "$sm"
  find_plugin
  mkdir -p "$automatic"
  kernels=("${sources[@]}")
  [[ ${parts[*]} == automatic ]] || for_kernels "compiling" compile_source
  kernels=("${applications[@]}")
  for_kernels "counting, compiling, simulating" compile_ways
  progress "linking"
  [[ ${parts[*]} == automatic ]] || link_references "$out" "${sources[@]}"
  link_references "$automatic" "${applications[@]}"
  build_tool "$root/bench/device/reorder.cpp" -o "$out/reorder"
  cp "$out/reorder" "$automatic/reorder"
  [[ ${parts[*]} == automatic ]] || is_new "$out/wavefront" "$root"/bench/device/{wavefront.cu,checked.h} ||
    "$nvcc" -arch="$sm" -std=c++20 -O3 -I"$root/bench/include" -cudart static \
      "$root/bench/device/wavefront.cu" -o "$out/wavefront" -ldl || die "nvcc failed on wavefront"
  progress ""
  echo "built: $sm, clang $("$clang" -dumpversion), nvcc and ptxas $(ptxas_version)," \
    "repository at $(git -C "$root" describe --always --dirty), plugin ${PLUGIN:-built from it}" \
    >"$out/built.txt"
}

measure() {
  echo "date: $(date -u '+%F %H:%M')"
  nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm --format=csv,noheader |
    sed 's/^/GPU, driver, clock of SM as found and at most: /'
  cat "$out/built.txt"
  python3 "$root/scripts/lib/reorder.py" "${check[@]}" --folder "$out" \
    --launches "$root/bench/threads" --csv "$out/run.csv" "${parts[@]}"
}

action="" check=() parts=()
while (($#)); do
  case $1 in
  --build | --run | --simulated) action=${1#--} ;;
  --check) check=("$1") ;;
  -h | --help) usage && exit ;;
  -*) die "no option '$1': see scripts/bench --help" ;;
  *) parts+=("$1") ;;
  esac
  shift
done
[[ $action ]] || die "reorder wants --build, --simulated or --run: see scripts/bench --help"
die_status=1
if [[ $action == build ]]; then
  build_all
elif [[ $action == simulated ]]; then
  [[ -f $automatic/reorder ]] || die "nothing is built: scripts/bench reorder --build automatic first"
  python3 "$root/scripts/lib/automatic.py" report "${check[@]}" "$automatic" "${applications[@]}"
else
  nvidia-smi -L >/dev/null 2>&1 || die "no NVIDIA GPU here"
  [[ -x $automatic/reorder ]] || die "nothing is built: scripts/bench reorder --build first"
  measure 2>&1 | tee "${RESULTS:-$out/run.txt}"
fi
