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
# points, and the CPU's reference.
compile_source() {
  local source=$regroup/$1.cu file=$out/$1
  is_new "$file.clang.cubin" "$source" || compile_by_clang "$source" "$file.clang" ||
    die "clang, llc or ptxas failed on $1"
  [[ $1 == costs ]] || is_new "$file.plugin.cubin" "$source" "$plugin" ||
    compile_by_clang "$source" "$file.plugin" -DREGROUP_POINTS "${with_plugin[@]}" ||
    die "clang with the plugin, llc or ptxas failed on $1"
  is_new "$file.nvcc.cubin" "$source" ||
    "$nvcc" -arch="$sm" -std=c++17 -O3 -fmad=false -I"$root/bench/include" -cubin "$source" \
      -o "$file.nvcc.cubin" || die "nvcc failed on $1"
  is_new "$file.host.o" "$source" ||
    "$clangxx" -x c++ -std=c++20 -O2 -ffp-contract=off -fPIC -I"$root/bench/include" -c "$source" \
      -o "$file.host.o" || die "clang failed on $1"
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

build_all() {
  find_llvm
  find_cuda_toolkit
  compile_for "$sm"
  find_plugin
  mkdir -p "$out"
  kernels=("${sources[@]}")
  for_kernels "compiling" compile_source
  progress "linking"
  mapfile -t objects < <(printf "$out/%s.host.o\n" "${sources[@]}")
  "$clangxx" -shared "${objects[@]}" -o "$out/references.so"
  build_tool "$root/bench/device/reorder.cpp" -o "$out/reorder"
  is_new "$out/wavefront" "$root"/bench/device/{wavefront.cu,checked.h} ||
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
  --build | --run) action=${1#--} ;;
  --check) check=("$1") ;;
  -h | --help) usage && exit ;;
  -*) die "no option '$1': see scripts/bench --help" ;;
  *) parts+=("$1") ;;
  esac
  shift
done
[[ $action ]] || die "reorder wants --build or --run: see scripts/bench --help"
die_status=1
if [[ $action == build ]]; then
  build_all
else
  nvidia-smi -L >/dev/null 2>&1 || die "no NVIDIA GPU here"
  [[ -x $out/reorder ]] || die "nothing is built: scripts/bench reorder --build first"
  measure 2>&1 | tee "${RESULTS:-$out/run.txt}"
fi
