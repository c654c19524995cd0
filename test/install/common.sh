# shellcheck shell=bash
# Sourced by the tests of this folder: TEST BUILD WORK, a build folder and one to work in, which is
# emptied. What was installed, in whatever way, is used by projects outside of this one: Inputs/.
#
# No CUDA toolkit is needed: Inputs/toolkit is as much of one as clang asks for.
set -euo pipefail
shopt -s inherit_errexit

inputs=$(cd "$(dirname "${BASH_SOURCE[0]}")/Inputs" && pwd)
build=$(realpath "$1")
work=$(realpath -m "$2")
major=$(sed -n 's/^major=//p' "$build/bin/linearize-config")

die() {
  echo "${0##*/}: $*" >&2
  exit 1
}

# quietly LOG COMMAND...: its output is shown if it fails, and stays in LOG.
quietly() {
  local log=$1
  shift
  "$@" >"$log" 2>&1 || {
    cat "$log" >&2
    die "failed: $*"
  }
}

# expect TEXT FILE, expect_no TEXT FILE: extended regular expressions.
expect() {
  grep -qE -e "$1" "$2" || { cat "$2" >&2 && die "no '$1' in $2"; }
}
expect_no() {
  ! grep -E -e "$1" "$2" || die "there is '$1' in $2"
}

# A toolkit that stays when it is passed as a path with no blanks in it: options are lists.
make_toolkit() {
  toolkit=$work/toolkit
  cp -r "$inputs/toolkit" "$toolkit"
  mkdir "$toolkit/lib64"
  cc -w -c "$toolkit/cudart.c" -o "$work/cudart.o"
  ar rcs "$toolkit/lib64/libcudart_static.a" "$work/cudart.o"
  cuda_options=("-DCUDA_PATH=$toolkit"
    "-DCUDA_FLAGS=-nocudainc;-nocudalib;-I$toolkit/include;-include;cuda_runtime.h")
}

# configure NAME CONFIG LINE [cmake's options]: a copy of Inputs/project, far from what is installed,
# with one more line.
configure() {
  local folder=$work/$1 config=$2 line=$3
  shift 3
  mkdir "$folder"
  cp -r "$inputs/project" "$folder/source"
  echo "$line" >>"$folder/source/CMakeLists.txt"
  quietly "$folder/configure.log" cmake -G Ninja -S "$folder/source" -B "$folder/build" \
    -DCMAKE_CXX_COMPILER="$("$config" --clang)" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_FLAGS="-Rpass=linearize -Werror" "${cuda_options[@]}" "$@"
}

# build_and_run NAME: the program carries its PTX, for the toolkit's fatbinary packs just that.
build_and_run() {
  local folder=$work/$1
  quietly "$folder/build.log" ninja -C "$folder/build" -v
  quietly "$folder/run.log" "$folder/build/app"
  expect 'on the host: 31' "$folder/run.log"
  strings "$folder/build/app" | sed -n '/\.entry steps_kernel/,/^}/p' >"$folder/kernel.ptx"
  expect 'bra' "$folder/kernel.ptx"
}

# check_project NAME CONFIG [cmake's options]: the plugin that CONFIG, a linearize-config, belongs to
# runs on the kernel and on nothing else, and does what its mode says.
check_project() {
  local name=$1 config=$2
  shift 2
  configure "$name" "$config" "" "$@"
  build_and_run "$name"
  expect "steps.cu.*remark: function 'steps_kernel'.*: linearized a region" "$work/$name/build.log"
  expect_no 'main.cpp.*remark' "$work/$name/build.log"
  expect "fpass-plugin=$("$config" --plugin)" "$work/$name/build.log"

  # Of one mode for all targets and one for this target, the latter counts.
  configure "$name-none" "$config" "set_target_properties(app PROPERTIES LINEARIZE_MODE none)" \
    "$@" -DLINEARIZE_MODE=paper "-DLINEARIZE_OPTIONS=threshold=9;level=O2"
  build_and_run "$name-none"
  expect 'mode=none .*threshold=9 .*level=O2' "$work/$name-none/build.log"
  expect_no 'mode=paper' "$work/$name-none/build.log"
  expect_no 'remark' "$work/$name-none/build.log"
  ! cmp -s "$work/$name/kernel.ptx" "$work/$name-none/kernel.ptx" || die "the plugin changed nothing"
}

# check_flags CONFIG: linearize-config's options for clang and opt, for a shell.
check_flags() {
  local config=$1 device
  device="-x cuda --cuda-device-only -nocudainc -nocudalib --cuda-path='$toolkit' \
    --cuda-gpu-arch=sm_75 -include '$toolkit/include/cuda_runtime.h' -O2 -S"
  quietly "$work/clang.log" eval "'$("$config" --clang)' $device '$inputs/project/steps.cu' \
    -o '$work/plain.ll' -emit-llvm"
  quietly "$work/clang.log" eval "'$("$config" --clang)' $("$config" --clang-flags --mode paper) \
    $device '$inputs/project/steps.cu' -o '$work/flags.ptx' -Rpass=linearize"
  expect "remark: function 'steps_kernel'.*: linearized a region" "$work/clang.log"
  quietly "$work/opt.log" eval "/usr/lib/llvm-$major/bin/opt $("$config" --opt-flags --mode paper) \
    -passes=linearize -pass-remarks=linearize -disable-output '$work/plain.ll'"
  expect "remark: .*function 'steps_kernel'.*: linearized a region" "$work/opt.log"
}

# check_tools FOLDER: each tool of the source's tools/ is there, and starts.
check_tools() {
  local tool
  for tool in "$inputs"/../../../tools/linearize-*; do
    tool=${tool##*/}
    quietly "$work/$tool.log" "$1/$tool" --help
    expect "Usage: $tool" "$work/$tool.log"
  done
  check_run "$1"
  quietly "$work/order.log" "$1/linearize-graph" "$inputs/../../graph/figure-1.cfg"
  cmp "$work/order.log" <("$build/bin/linearize-graph" "$inputs/../../graph/figure-1.cfg")
  quietly "$work/ir.log" "$1/linearize-graph" --step stats "$work/plain.ll"
  expect 'steps_kernel' "$work/ir.log"
}

# check_run FOLDER: linearize-run finds its library; the loader takes no path with a blank.
check_run() {
  local folder
  folder=$(dirname "$("$1/linearize-config" --plugin)")
  [[ -f $folder/liblinearize-run.so ]] || die "no liblinearize-run.so in $folder"
  if [[ $folder != *" "* ]]; then
    quietly "$work/run.log" "$1/linearize-run" true
    expect_no . "$work/run.log"
  fi
}

# check_c CONFIG: the C library, by linearize-config and by CMake; gcc, for any compiler will do.
check_c() {
  local config=$1 program
  quietly "$work/cc.log" eval "gcc '$inputs/c/guards.c' -o '$work/guards' \
    $("$config" --cflags) $("$config" --libs)"
  quietly "$work/c.log" cmake -G Ninja -S "$inputs/c" -B "$work/c" -DCMAKE_C_COMPILER=gcc \
    -DLinearize_DIR="$("$config" --cmake-dir)"
  quietly "$work/c.log" ninja -C "$work/c"
  for program in "$work/guards" "$work/c/guards"; do
    quietly "$work/guards.log" "$program" "$work/plain.ll"
    expect '^1 regions, 2 guards' "$work/guards.log"
  done
  quietly "$work/threads.log" "$work/c/threads"
  expect '^30 cycles' "$work/threads.log"
}

rm -rf "$work"
mkdir -p "$work"
make_toolkit
