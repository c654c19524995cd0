# shellcheck shell=bash
# Sourced by the scripts: where things are and how kernels are compiled.
#
#   root, build              the repository and its build folder
#   llvm_version             the newest LLVM installed with clang; LLVM_VERSION=19 chooses another
#   clang clangxx opt llc    its tools
#   ptxas, nvdisasm, cuobjdump   paths, empty where there is none (scripts/setup gets them)
#   device_flags             compile a kernel without a CUDA toolkit
#
# Tools of CUDA come from PATH, from a toolkit, or from the wheels that scripts/setup installed.

# Most of these are for whoever sources this file.
# shellcheck disable=SC2034

# A failure inside $(...) is a failure.
shopt -s inherit_errexit

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$root/build

die() {
  echo "${0##*/}: $*" >&2
  exit "${die_status:-1}"
}

# One that starts: a wrapper on the PATH can outlive its toolkit.
cuda_tool() {
  local path
  for path in "$(command -v "$1" || true)" "/usr/local/cuda/bin/$1" "$build/venv/bin/$1"; do
    if [[ -x $path ]] && "$path" --version >/dev/null 2>&1; then
      echo "$path"
      return
    fi
  done
}

newest_llvm() {
  local path
  for path in /usr/lib/llvm-*/bin/clang; do
    [[ -x $path ]] || continue
    path=${path#/usr/lib/llvm-}
    echo "${path%/bin/clang}"
  done | sort -n | tail -1
}

find_llvm() {
  llvm_version=${LLVM_VERSION:-$(newest_llvm)}
  local bin=/usr/lib/llvm-$llvm_version/bin
  clang=$bin/clang clangxx=$bin/clang++ opt=$bin/opt llc=$bin/llc
  [[ -n $llvm_version && -x $clangxx && -x $llc ]] ||
    die "no clang and llc of LLVM ${LLVM_VERSION:-22 or 19}: run scripts/setup"
}

find_cuda_tools() {
  ptxas=$(cuda_tool ptxas)
  nvdisasm=$(cuda_tool nvdisasm)
  cuobjdump=$(cuda_tool cuobjdump)
}

# No toolkit is looked for even where there is one, so that every machine compiles the same code;
# then clang takes PTX 4.2 for granted, too old for sm_75, unless told otherwise.
device_flags=(-x cuda --cuda-device-only --cuda-path=/nonexistent -nocudainc -nocudalib
  --cuda-feature=+ptx64 --cuda-gpu-arch="${SM:-sm_75}" -O3 -ffp-contract=off
  -I"$root/bench/include")

# Options that load the plugin into clang. LLVM 19's clang reads -mllvm before -fpass-plugin.
plugin_flags() {
  ((llvm_version >= 20)) || echo "-fplugin=$build/lib/liblinearize.so"
  echo "-fpass-plugin=$build/lib/liblinearize.so"
}

# build_project: configures and builds, quietly unless it fails.
build_project() {
  local log=$build/build.log
  mkdir -p "$build"
  {
    cmake -S "$root" -B "$build" -G Ninja \
      -DLLVM_DIR="/usr/lib/llvm-$llvm_version/lib/cmake/llvm" && cmake --build "$build"
  } >"$log" 2>&1 || {
    tail -20 "$log" >&2
    die "the build failed; all of it is in ${log#"$root"/}"
  }
}

# count_ptx FILE: instructions in function bodies, without directives, labels and comments.
count_ptx() {
  awk '/^\{/ { inside = 1; next } /^\}/ { inside = 0 }
       inside && /;/ && !/^[ \t]*(\.|\/\/)/ { count++ } END { print count + 0 }' "$1"
}

# registers_and_spills PTX CUBIN: assembles, and prints the most registers of a kernel and all bytes
# spilled, stores and loads.
registers_and_spills() {
  "$ptxas" -v -arch="${SM:-sm_75}" "$1" -o "$2" 2>&1 | awk '
    { for (i = 2; i <= NF; i++) {
        if ($i ~ /^registers/ && $(i - 1) > registers) registers = $(i - 1)
        if ($i ~ /^spill/) spills += $(i - 2) } }
    /error|fatal/ { print > "/dev/stderr"; failed = 1 }
    END { print registers + 0, spills + 0; exit failed }'
}
