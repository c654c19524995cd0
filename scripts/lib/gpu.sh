# shellcheck shell=bash disable=SC2034,SC2154 # names of tools.sh and of scripts/bench
# Sourced by scripts/bench: gpu, the kernels in several variants on an NVIDIA GPU, each checked
# against the CPU and timed, and a whole CUDA program built with the plugin.
#
# The variants are scripts/lib/variants.py's.

out=$build/device
sm=${SM:-sm_90}
sources=$root/bench/device
variants=(nvcc clang again chain paper needed)
of_ptx=(nvcc nvcc_again linearized lifted)
words=16384,65536,1048576 # 64 KB fit into an L1 cache; the launch files' size; 4 MB, the L2's
waiting=(wait_syncwarp wait_shuffle wait_reduce wait_vote wait_spin wait_lock_inside
  wait_lock_after wait_handshake)
mapfile -t kernels < <(all_kernels)
mapfile -t structured < <(all_kernels structured)
mapfile -t costs < <(all_kernels costs)
mapfile -t kinds < <(all_kernels exits && all_kernels large)
kinds+=("${costs[@]}")

# ---- building --------------------------------------------------------------------------------

# Makers of variants, and of which a variant is a copy, by name.
declare -A maker=() copy_of=()
while read -r variant by original; do
  maker[$variant]=$by copy_of[$variant]=$original
done < <(python3 "$root/scripts/lib/variants.py" list)

find_toolkit() {
  find_cuda_toolkit
  # Contraction off everywhere: results are compared bit by bit with the CPU's.
  with_toolkit=(-x cuda --cuda-gpu-arch="$sm" -O3 -ffp-contract=off -I"$root/bench/include"
    --cuda-path="$cuda" -Wno-unknown-cuda-version)
  # The kernels need none, and with one, clang's sqrtf is libdevice's: approximate.
  compile_for "$sm"
}

find_plugin() {
  if [[ ${PLUGIN:-} ]]; then
    [[ -f $PLUGIN ]] || die "no plugin $PLUGIN"
    plugin=$(readlink -f "$PLUGIN")
  else
    build_plugin
  fi
}

# is_new TARGET SOURCE...: the target is there and not older than any of these.
is_new() {
  local target=$1 source
  shift
  [[ -f $target ]] || return 1
  for source in "$@" "$root/bench/include/linearize_device.h" \
    "$root"/scripts/lib/{gpu.sh,tools.sh,variants.py}; do
    [[ ! $source -nt $target ]] || return 1
  done
}

# compile SOURCE NAME VARIANT: leaves NAME.VARIANT.cubin, or .cubin.error with one line.
compile() {
  local file=$out/$2.$3 made=$1 flags=("${device_flags[@]}")
  if [[ ${copy_of[$3]} ]]; then
    cp "$out/$2.${copy_of[$3]}.cubin" "$file.cubin"
    return
  fi
  case ${maker[$3]} in
  plugin) made=$plugin ;;
  ptx) made=$build/bin/linearize-ptx ;;
  lift) made=$build/bin/linearize-lift ;;
  esac
  if is_new "$file.cubin" "$1" "$made" || is_new "$file.cubin.error" "$1" "$made"; then
    return
  fi
  rm -f "$file.cubin" "$file.cubin.error"
  [[ $1 != "$sources"/* ]] || flags=(--cuda-device-only "${with_toolkit[@]}")
  python3 "$root/scripts/lib/variants.py" build --llvm "$(dirname "$clang")" --nvcc "$nvcc" \
    --ptxas "$ptxas" --plugin "$plugin" --tool "$build/bin/linearize-ptx" "$3" "$1" "$file" -- \
    "${flags[@]}" >"$file.log" 2>&1 && return
  rm -f "$file.cubin"
  { grep -m1 -iE 'error|assert|crash|unreachable exec|not have|dominate' "$file.log" ||
    echo "no cubin: see ${file#"$root"/}.log"; } >"$file.cubin.error"
  echo "$2, $3 was not built: $(cat "$file.cubin.error")" >&2
}

# The driver holds the CPU's reference of every kernel.
build_driver() {
  local objects=() source object
  for source in "$root"/bench/{kernels,structured,exits,costs,large}/*.cu "$sources/waiting.cu"; do
    object=$out/$(basename "$source" .cu).host.o
    objects+=("$object")
    is_new "$object" "$source" || "$clangxx" -x c++ -std=c++20 -O2 -w -ffp-contract=off \
      -I"$root/bench/include" -c "$source" -o "$object" || die "clang failed on $source"
  done
  if ! is_new "$out/run" "$sources/run.cpp" "${objects[@]}"; then
    build_tool "$sources/run.cpp" "${objects[@]}" -rdynamic -o "$out/run"
  fi
  if ! is_new "$out/once" "$sources/once.cpp"; then
    build_tool "$sources/once.cpp" -o "$out/once"
  fi
}

# build_program NAME [clang options and files]
build_program() {
  local name=$1
  shift
  if is_new "$out/$name" "$plugin" "$sources"/hosted*.cu; then
    return
  fi
  "$clangxx" "${with_toolkit[@]}" "$@" -L"$cuda/lib64" -lcudart_static \
    -ldl -lrt -lpthread -o "$out/$name" >"$out/$name.log" 2>&1 || {
    cat "$out/$name.log" >&2
    die "clang failed on $name"
  }
}

build_programs() {
  # -fpass-plugin for host and device, as a user gives it; the mode is for the device.
  local with=(-fpass-plugin="$plugin" -Xarch_device -mllvm=-linearize-mode=paper)
  build_program hosted "${with[@]}" "$sources/hosted.cu"
  build_program hosted-rdc "${with[@]}" -fgpu-rdc -DSEPARATE "$sources"/hosted{,_step}.cu
  build_program hosted-plain "$sources/hosted.cu"
}

# The versions are written down here: the machine that runs has none of these tools.
describe() {
  local ptxas_version
  ptxas_version=$("$ptxas" --version | sed -n 's/.*release \([^,]*\),.*/\1/p')
  echo "built: $sm, clang $("$clang" -dumpversion), nvcc and ptxas $ptxas_version," \
    "repository at $(git -C "$root" describe --always --dirty), plugin ${PLUGIN:-built from it}"
  echo "chain: $(python3 "$root/scripts/lib/variants.py" chain)"
}

compile_variants() {
  local variant source
  source=$(kernel_source "$1")
  for variant in "${variants[@]}"; do compile "$source" "$1" "$variant"; done
}

build_choices() {
  local module base
  mapfile -t kernels < <(all_kernels | grep -v '^irreducible_')
  if is_new "$out/choices/choices.json" "$plugin" "$root"/scripts/lib/{gpu_choices,subsets}.py \
    "$out"/*.clang.ll; then
    return
  fi
  python3 "$root/scripts/lib/gpu_choices.py" build --opt "$opt" --plugin "$plugin" --cubins "$out" \
    "${kernels[@]}"
  for module in "$out"/choices/*/*.ll; do
    base=${module%.ll}
    python3 "$root/scripts/lib/variants.py" assemble --llvm "$(dirname "$clang")" --ptxas "$ptxas" \
      "$base" -- "${device_flags[@]}" >"$base.log" 2>&1 ||
      { rm "$out/choices/choices.json" && die "see $base.log"; }
    rm "$module" "$base.ptx" "$base.log"
  done
}

# What becomes of nvcc's PTX: all that --ptx runs.
build_ptx() {
  find_llvm
  find_toolkit
  build_plugin
  mkdir -p "$out"
  kernels+=("${structured[@]}" "${kinds[@]}")
  variants=("${of_ptx[@]}")
  for_kernels "compiling" compile_variants
  for variant in "${variants[@]}"; do compile "$sources/waiting.cu" waiting "$variant"; done
  build_driver
  describe >"$out/built.txt"
}

build_all() {
  find_llvm
  find_toolkit
  find_plugin
  mkdir -p "$out"
  kernels+=("${structured[@]}" "${kinds[@]}")
  for_kernels "compiling" compile_variants
  kernels=("${nests[@]}" "${other_nests[@]}") variants=(merged)
  for_kernels "compiling" compile_variants
  kernels=("${sides[@]}") variants=(interleaved default)
  for_kernels "compiling" compile_variants
  build_choices
  variants=(nvcc clang again chain paper needed)
  for variant in "${variants[@]}"; do compile "$sources/waiting.cu" waiting "$variant"; done
  build_driver
  build_programs
  describe >"$out/built.txt"
}

# ---- running ---------------------------------------------------------------------------------

header() {
  date '+date: %Y-%m-%d %H:%M'
  nvidia-smi --format=csv,noheader \
    --query-gpu=name,driver_version,clocks.sm,clocks.mem,clocks.max.sm |
    sed 's/^/GPU, driver, clocks of SM and memory as found, of SM at most: /'
  cat "$out/built.txt"
}

# keep FILE: what was measured, FILE.csv, and what with; beside the table that was printed.
keep() {
  { header | sed 's/^/# /' && cat "$out/$1.csv"; } >"$out/$1.new" && mv "$out/$1.new" "$out/$1.csv"
  [[ -z ${RESULTS:-} ]] || cp "$out/$1.csv" "${RESULTS%.txt}.csv"
}

# joined NAME...: with commas.
joined() {
  (IFS=, && echo "$*")
}

# profile FILE LAUNCH...
profile() {
  local file=$1
  shift
  {
    header | sed 's/^/# /'
    python3 "$root/scripts/lib/profile.py" --once "$out/once" --cubins "$out" \
      --variants nvcc,clang,chain,paper,needed "$@"
  } | tee "$file"
  python3 "$root/scripts/lib/gpu.py" active "$file"
}

programs() {
  local program
  for program in hosted hosted-rdc hosted-plain; do
    echo "$program: $(timeout 30 "$out/$program" 2>&1 || echo "status $?")"
  done
}

tables() {
  local lost=0
  header
  python3 "$root/scripts/lib/gpu.py" time "${check[@]}" --run "$out/run" --cubins "$out" \
    --variants "$(joined "${variants[@]}")" --words "$words" --csv "$out/results.csv" \
    --means "$(joined "${means[@]}")" --apart "$(joined "${apart[@]}")" \
    --kernels "$(joined "${kernels[@]}")" --structured "$(joined "${structured[@]}")" \
    --waiting "$(joined "${waiting[@]}")" || lost=1
  keep results
  programs
  nvidia-smi --query-gpu=clocks.sm,temperature.gpu --format=csv,noheader | sed 's/^/afterwards: /'
  return "$lost"
}

# The fixed list that geometric means are of, and the kernels beside it.
choose_means() {
  local kernel
  means=("${seven[@]}") apart=()
  for kernel in "${small[@]}"; do
    [[ $kernel == irreducible_* ]] && apart+=("$kernel") || means+=("$kernel")
  done
}

# What becomes of kernels of other kinds.
of_kinds() {
  header
  python3 "$root/scripts/lib/gpu.py" kinds "${check[@]}" --run "$out/run" --cubins "$out" \
    --variants "$(joined "${variants[@]}")" --words "$words" --csv "$out/kinds.csv" \
    --kernels "$(joined "${kinds[@]}")" --costs "$(joined "${costs[@]}")"
}

# What becomes of nvcc's PTX.
of_nvcc() {
  header
  python3 "$root/scripts/lib/gpu.py" ptx "${check[@]}" --run "$out/run" --cubins "$out" \
    --variants "$(joined "${of_ptx[@]}")" --words "$words" --csv "$out/ptx.csv" \
    --means "$(joined "${means[@]}")" --kernels "$(joined "${kernels[@]}" "${kinds[@]}")" \
    --structured "$(joined "${structured[@]}")" --waiting "$(joined "${waiting[@]}")"
}

choices() {
  header
  python3 "$root/scripts/lib/gpu_choices.py" time --run "$out/run" --cubins "$out" \
    --words "$words" --means "$(joined "${means[@]}")"
}

beyond() {
  local lost=0
  header
  python3 "$root/scripts/lib/beyond.py" time "${check[@]}" --run "$out/run" --cubins "$out" \
    --nests "$(joined "${nests[@]}")" --others "$(joined "${other_nests[@]}")" \
    --sides "$(joined "${sides[@]}")" --heaviest "$heaviest" --csv "$out/beyond.csv" || lost=1
  keep beyond
  nvidia-smi --query-gpu=clocks.sm,temperature.gpu --format=csv,noheader | sed 's/^/afterwards: /'
  return "$lost"
}

action=build check=()
while (($#)); do
  case $1 in
  --words) [[ -n ${2:-} ]] || die "--words wants a list: see scripts/bench --help" ;;&
  --words) words=$2 && shift ;;
  --run | --kinds | --build-ptx | --ptx | --profile | --profile-kinds | --beyond | --choices) action=${1#--} ;;
  --check) check=("$1") ;;
  -h | --help) usage && exit ;;
  *) die "no option '$1': see scripts/bench --help" ;;
  esac
  shift
done
die_status=1
if [[ $action == build || $action == build-ptx ]]; then
  [[ $action == build ]] && build_all || build_ptx
  exit
fi
nvidia-smi -L >/dev/null 2>&1 || die "no NVIDIA GPU here"
[[ -x $out/run && -x $out/once ]] || die "nothing is built: scripts/bench gpu first"
export PYTHONPATH=$root/scripts/lib
choose_means
if [[ $action == run ]]; then
  tables 2>&1 | tee "${RESULTS:-$out/results.txt}"
elif [[ $action == kinds ]]; then
  of_kinds 2>&1 | tee "${RESULTS:-$out/kinds.txt}"
elif [[ $action == ptx ]]; then
  of_nvcc 2>&1 | tee "${RESULTS:-$out/ptx.txt}"
elif [[ $action == beyond ]]; then
  beyond 2>&1 | tee "${RESULTS:-$out/beyond.txt}"
elif [[ $action == choices ]]; then
  choices 2>&1 | tee "${RESULTS:-$out/choices.txt}"
else
  command -v ncu >/dev/null || die "no ncu: Nsight Compute is needed to profile"
  if [[ $action == profile ]]; then
    profile "${RESULTS:-$out/profile.csv}" "$root"/bench/kernels/*.launch
  else
    profile "${RESULTS:-$out/kinds-profile.csv}" "$root"/bench/{exits,costs}/*.launch
  fi
fi
