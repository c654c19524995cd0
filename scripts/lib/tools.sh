# shellcheck shell=bash
# Sourced by the scripts: where things are and how kernels are compiled.
#
#   root, build              the repository and its build folder
#   llvm_version             the newest LLVM installed with clang; LLVM_VERSION=19 chooses another
#   clang clangxx opt llc    its tools
#   ptxas, nvdisasm, cuobjdump   paths, empty where there is none (scripts/setup gets them)
#   sm, device_flags         the target; compile a kernel for it without a CUDA toolkit. SM=sm_90
#                            chooses another than sm_75, and so does compile_for
#
# Tools of CUDA come from PATH, from a toolkit, or from the wheels that scripts/setup installed.

# Most of these are for whoever sources this file.
# shellcheck disable=SC2034

# A failure inside $(...) is a failure.
shopt -s inherit_errexit

root=$(cd -P "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
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

# A whole toolkit, for programs that run on a GPU: cuda, its folder, and nvcc and ptxas of it.
find_cuda_toolkit() {
  local path
  path=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
  [[ -x $path ]] || die "no nvcc: a CUDA toolkit is needed to build"
  cuda=$(dirname "$(dirname "$(readlink -f "$path")")")
  nvcc=$cuda/bin/nvcc ptxas=$cuda/bin/ptxas
}

# build_tool SOURCE [clang options and files]
build_tool() {
  local options=(-std=c++20 -O2 -Wall -Wextra -I"$cuda/include")
  "$clangxx" "${options[@]}" "$@" -L"$cuda/lib64" -lcudart_static -ldl -lrt -lpthread ||
    die "clang failed on $1"
}

ptxas_version() {
  "$ptxas" --version | sed -n 's/.*release \([^,]*\),.*/\1/p'
}

# compile_for SM: sets the target.
#
# No toolkit is looked for even where there is one, so that every machine compiles the same code;
# then clang takes PTX 4.2 for granted, too old for every target here, unless told otherwise.
compile_for() {
  local ptx
  sm=$1
  case $sm in
  sm_[1-7]?) ptx=ptx64 ;;
  sm_8? | sm_90*) ptx=ptx78 ;;
  *) ptx=ptx90 ;;
  esac
  device_flags=(-x cuda --cuda-device-only --cuda-path=/nonexistent -nocudainc -nocudalib
    --cuda-feature=+"$ptx" --cuda-gpu-arch="$sm" -O3 -ffp-contract=off -I"$root/bench/include")
}
compile_for "${SM:-sm_75}"

# Options that load the plugin into clang. Before LLVM 22, it reads -mllvm before -fpass-plugin.
plugin_flags() {
  ((llvm_version >= 22)) || echo "-fplugin=$build/lib/liblinearize.so"
  echo "-fpass-plugin=$build/lib/liblinearize.so"
}

# build_project [FOLDER cmake's options]: configures and builds, quietly unless it fails.
build_project() {
  local folder=${1:-$build}
  local log=$folder/build.log
  if (($#)); then
    shift
  else
    set -- -DLLVM_DIR="/usr/lib/llvm-$llvm_version/lib/cmake/llvm"
  fi
  mkdir -p "$folder"
  { cmake -S "$root" -B "$folder" -G Ninja "$@" && cmake --build "$folder"; } >"$log" 2>&1 || {
    tail -20 "$log" >&2
    die "the build failed; all of it is in ${log#"$root"/}"
  }
}

# progress TEXT: one line that the next one replaces, on a terminal only; empty to clear it.
progress() {
  [[ ! -t 1 ]] || printf '\r\033[K%s' "$*"
}

# all_kernels [FOLDER]: those of bench/kernels, or of another folder of bench.
all_kernels() {
  (cd "$root/bench/${1:-kernels}" && printf '%s\n' *.cu | sed 's/\.cu$//')
}

# kernel_source KERNEL: its file, of one of bench's folders.
kernel_source() {
  local file
  for file in "$root"/bench/{kernels,structured,large,costs,exits,threads}/"$1.cu"; do
    [[ ! -f $file ]] || { echo "$file" && return; }
  done
  die "no kernel '$1' in bench/kernels, structured, large, costs, exits or threads"
}

require_kernels() {
  local kernel
  for kernel; do kernel_source "$kernel" >/dev/null; done
}

# kernel_ir KERNEL FILE [clang's options]
kernel_ir() {
  local kernel=$1 file=$2 source
  source=$(kernel_source "$kernel")
  shift 2
  "$clangxx" "${device_flags[@]}" "$@" -S -emit-llvm "$source" -o "$file" ||
    die "clang failed on $kernel"
}

# kernel_ptx NAME: NAME.ptx from NAME.ll.
kernel_ptx() {
  "$llc" -O3 -mcpu="$sm" "$1.ll" -o "$1.ptx"
}

# stats FILE FUNCTION COLUMNS [linearize-graph's options]: numbers of the function's graph, by the
# names of their columns.
stats() {
  local file=$1 function=$2 columns=$3
  shift 3
  "$build/bin/linearize-graph" --step stats "$@" "$file" |
    awk -F '\t' -v function_name="$function" -v wanted="$columns" '
      NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; n = split(wanted, name, " "); next }
      $1 == function_name { for (i = 1; i <= n; i++) printf "%s ", $column[name[i]]; found = 1 }
      END { exit !found }' || die "linearize-graph has no stats of $function in $file"
}

# count_ptx FILE: instructions in function bodies, without directives, labels, tables of labels and
# comments.
count_ptx() {
  awk '/^\{/ { inside = 1; next } /^\}/ { inside = 0 }
       inside && /;/ && !/^[ \t]*(\.|\/\/|\$)/ { count++ } END { print count + 0 }' "$1"
}

# count_ptx_blocks FILE: a block begins with a function, at a label (llc prints only those that are
# jumped to) and after a branch.
count_ptx_blocks() {
  awk '/^\{/ { inside = begins = 1; next } /^\}/ { inside = 0 }
       /^\$L.*:/ { begins = 1 }
       inside && /;/ && !/^[ \t]*(\.|\/\/|\$)/ {
         count += begins
         begins = /^[ \t]*(@!?%p[0-9]+[ \t]+)?(bra|brx|ret|exit)/
       }
       END { print count + 0 }' "$1"
}

# registers_and_spills PTX CUBIN: assembles, and prints the most registers of a kernel and all bytes
# spilled, stores and loads.
registers_and_spills() {
  "$ptxas" -v -O3 -arch="$sm" "$1" -o "$2" 2>&1 | awk '
    { for (i = 2; i <= NF; i++) {
        if ($i ~ /^registers/ && $(i - 1) > registers) registers = $(i - 1)
        if ($i ~ /^spill/) spills += $(i - 2) } }
    /error|fatal/ { print > "/dev/stderr"; failed = 1 }
    END { print registers + 0, spills + 0; exit failed }'
}

# count_sass CUBIN: machine instructions, without what fills up the end of a function: a branch to
# itself and NOPs. "-" if there is no nvdisasm.
count_sass() {
  [[ -n $nvdisasm ]] || { echo -; return; }
  "$nvdisasm" -c "$1" | awk '
    /^\.L.*:/ { label = substr($1, 1, length($1) - 1); next }
    /^[ \t]*\/\*[0-9a-f]+\*\// && !/ NOP *;/ && index($0, " BRA `(" label ")") == 0 { count++ }
    { label = "none" }
    END { print count + 0 }'
}
