# shellcheck shell=bash disable=SC2034 # linearize-cc reads what is set here
# nvcc's options as clang's. CMake puts this into linearize-cc.
#
#   from_nvcc ARGUMENT...   whether the first one is nvcc's; it may take the second, too
#
#   -gencode arch=compute_90,code=sm_90  ->  real+=(sm_90)        whole words, when all are known
#   -Xcompiler -Wall,-fPIC               ->  told=(-Xarch_host -Wall -Xarch_host -fPIC)
#   -t 8                                 ->  told=()              clang has nothing of the kind, and
#                                                                 needs none
# What clang calls the same is not here.

told=()                # what clang is told in its place
used=1                 # how many arguments it took
real=() ptx=()         # targets, as in sm_90: machine code for them, PTX
virtual='' codes=''    # nvcc's -arch and -code
link_words=()          # for the link alone
runtime=shared         # how cudart is linked
output='' device_end='' # the file of -o; .ptx or .cubin, if that is all that is wanted
lto=''                 # whether device code is linked as LLVM IR

nvcc_notes=()

# What has no effect though one might expect some, and why.
without_effect() {
  nvcc_notes+=("$1 has no effect: $2")
}

nvcc_takes_value() {
  case $1 in
  arch | gpu-architecture | code | gpu-code | gencode | generate-code | rdc | ftz | fmad | \
    relocatable-device-code | prec-div | prec-sqrt | maxrregcount | default-stream | std | cudart | \
    Xcompiler | compiler-options | Xlinker | linker-options | Xptxas | ptxas-options | Xnvlink | \
    nvlink-options | Xfatbin | fatbin-options | Xcudafe | cudafe-options | Xcicc | ccbin | \
    compiler-bindir | output-file | output-directory | odir | include-path | system-include | \
    pre-include | define-macro | undefine-macro | library-path | library | optimize | t | threads | \
    split-compile | diag-suppress | diag-error | diag-warn | keep-dir | dopt | machine | \
    cudadevrt | compress-mode | options-file | optf) ;;
  *) return 1 ;;
  esac
}

# each OPTION LIST: OPTION in front of each word of a list, between commas or blanks.
each() {
  local words word
  read -ra words <<<"${2//,/ }"
  for word in "${words[@]}"; do
    told+=("$1" "$word")
  done
}

# -Xarch_host takes no option that has a value in the next word: both sides know these.
for_host() {
  local words
  read -ra words <<<"${1//,/ }"
  set -- "${words[@]}"
  while (($#)); do
    case $1 in
    -I | -D | -U | -include | -isystem | -iquote)
      told+=("$1" "${2-}")
      shift
      ;;
    *) told+=(-Xarch_host "$1") ;;
    esac
    shift $(($# ? 1 : 0))
  done
}

# add_code NAME OPTION: sm_90, compute_90, lto_90; native. Both lists stay without repetitions.
add_code() {
  local target=sm_${1#*_}
  case $1 in
  sm_[0-9]* | compute_[0-9]*) ;;
  lto_[0-9]*) lto=yes ;;
  native) target=$(own_arch) ;;
  *) die 2 "$2: '$1' is no target like sm_90, compute_90 or native" ;;
  esac
  [[ $1 != compute_* || " ${ptx[*]-} " == *" $target "* ]] || ptx+=("$target")
  [[ " ${real[*]-} " == *" $target "* ]] || real+=("$target")
}

# arch=compute_90,code=sm_90; code may be a list like [sm_90,compute_90].
add_generated() {
  local code=${1#*code=} word words
  [[ $1 == arch=* && $1 == *,code=* ]] ||
    die 2 "-gencode: '$1' is not like arch=compute_90,code=sm_90"
  code=${code//[][\"\']/}
  read -ra words <<<"${code//,/ }"
  for word in "${words[@]}"; do
    add_code "$word" -gencode
  done
}

# What -arch and -code mean together: sm_90 alone is code=[sm_90,compute_90].
add_architecture() {
  local word words
  [[ $virtual$codes ]] || return 0
  if [[ -z $codes ]]; then
    codes=$virtual
    [[ $virtual != sm_* ]] || codes+=",compute_${virtual#sm_}"
  fi
  read -ra words <<<"${codes//,/ }"
  for word in "${words[@]}"; do
    add_code "$word" "-arch"
  done
}

is_true() {
  case $2 in
  true) ;;
  false) return 1 ;;
  *) die 2 "$1: '$2' is neither true nor false" ;;
  esac
}

# Less exact, and as nvcc has it: other than -ffast-math, all still are IEEE's operations.
approximate=(-Xarch_device -mllvm=-nvptx-prec-divf32=0 -Xarch_device -mllvm=-nvptx-prec-sqrtf32=0)

from_nvcc() {
  local option=$1 name=${1#-} value=''
  told=() used=1
  name=${name#-}
  if [[ $name == *=* ]]; then
    value=${name#*=} name=${name%%=*}
    nvcc_takes_value "$name" || return 1
  elif nvcc_takes_value "$name"; then
    (($# > 1)) || die 2 "$1 needs a value"
    value=$2 used=2
  fi
  case $name in
  arch | gpu-architecture) virtual=$value ;;
  code | gpu-code) codes=$value ;;
  gencode | generate-code) add_generated "$value" ;;
  rdc | relocatable-device-code)
    if is_true "$option" "$value"; then told=(-fgpu-rdc); else told=(-fno-gpu-rdc); fi
    ;;
  dc | device-c) told=(-fgpu-rdc -c) ;;
  dw | device-w | compile) told=(-c) ;;
  link | m64 | machine) ;;
  ptx) told=(-S) device_end=.ptx ;;
  cubin) told=(--cuda-device-only -c) device_end=.cubin ;;
  preprocess) told=(-E) ;;
  dlink | device-link)
    die 2 "$option: leave it out, device code is linked as part of the program"
    ;;
  lib | run | cuda | fatbin | optix-ir | ltoir | output-directory | odir)
    die 2 "$option: linearize-cc makes programs, objects (-c, -dc), PTX (-ptx) and cubins, in one" \
      "file that -o names"
    ;;
  dlto | dlink-time-opt | lto) lto=yes ;;
  use_fast_math) told=(-fgpu-flush-denormals-to-zero -fgpu-approx-transcendentals "${approximate[@]}") ;;
  ftz)
    ! is_true "$option" "$value" || told=(-fgpu-flush-denormals-to-zero)
    ;;
  fmad)
    is_true "$option" "$value" || told=(-Xarch_device -ffp-contract=off)
    ;;
  prec-div)
    is_true "$option" "$value" || told=("${approximate[@]:0:2}")
    ;;
  prec-sqrt)
    is_true "$option" "$value" || told=("${approximate[@]:2}")
    ;;
  maxrregcount) told=(-Xcuda-ptxas "--maxrregcount=$value") ;;
  default-stream) told=("-fgpu-default-stream=${value/null/legacy}") ;;
  Xcompiler | compiler-options) for_host "$value" ;;
  Xlinker | linker-options) each -Xlinker "$value" ;;
  Xptxas | ptxas-options) each -Xcuda-ptxas "$value" ;;
  Xfatbin | fatbin-options) each -Xcuda-fatbinary "$value" ;;
  Xnvlink | nvlink-options)
    each -Xoffload-linker "$value"
    link_words+=("${told[@]}") told=()
    ;;
  resource-usage | res-usage) told=(-Xcuda-ptxas -v) ;;
  G | device-debug) told=(-g --cuda-noopt-device-debug -Xarch_device -O0) optimises=yes ;;
  lineinfo | generate-line-info) told=(-gline-tables-only) ;;
  debug) told=(-g) ;;
  optimize) told=("-O$value") ;;
  O)
    [[ ${2-} == [0-3] ]] || return 1
    told=("-O$2") used=2
    ;;
  std) told=("-std=$value") ;;
  output-file) told=(-o "$value") output=$value ;;
  include-path) told=("-I$value") ;;
  system-include) told=(-isystem "$value") ;;
  pre-include) told=(-include "$value") ;;
  define-macro) told=("-D$value") ;;
  undefine-macro) told=("-U$value") ;;
  library-path) told=("-L$value") ;;
  library) told=("-l$value") ;;
  disable-warnings) told=(-w) ;;
  dryrun) told=('-###') ;;
  keep) told=(-save-temps) ;;
  cudart)
    case $value in
    static | shared | none) runtime=$value ;;
    *) die 2 "$option: '$value' is not static, shared or none" ;;
    esac
    ;;
  ccbin | compiler-bindir) without_effect "$option" "clang++ compiles for the host, too" ;;
  restrict) without_effect "$option" "write __restrict__ where pointers never alias" ;;
  Xcicc) without_effect "$option" "there is no cicc" ;;
  # How fast nvcc is, what it has to be asked for, and its own warnings.
  t | threads | split-compile | expt-relaxed-constexpr | expt-extended-lambda | extended-lambda | \
    allow-unsupported-compiler | forward-unknown-to-host-compiler | forward-unknown-opts | \
    forward-unknown-to-host-linker | Xcudafe | cudafe-options | diag-suppress | diag-error | \
    diag-warn | display-error-number | err-no | Wno-deprecated-gpu-targets | Wreorder | \
    Wdefault-stream-launch | Wext-lambda-captures-this | Wmissing-launch-bounds | keep-dir | dopt | \
    cudadevrt | no-compress | compress-mode | extra-device-vectorization | source-in-ptx | \
    src-in-ptx) ;;
  *) return 1 ;;
  esac
}

# The words of an options file, in which quotes and backslashes are as in a shell.
words_of_file() {
  [[ -f $1 ]] || die 1 "$1: no such file"
  xargs printf '%s\n' <"$1" 2>/dev/null || die 1 "$1: a quote in it doesn't end"
}
