# shellcheck shell=bash disable=SC2034,SC2154 # names of tools.sh and of scripts/bench
# Sourced by scripts/bench: compile, what the plugin adds to the work of clang.
#
# Cachegrind's counts come again within 0.1%, on a machine that does other things too. An empty file
# shows what loading the plugin costs by itself.

out=$build/bench/compile
most_in_all=1.03 most=1.10
csv="" check="" kernels=()
while (($#)); do
  case $1 in
  --csv) [[ -n ${2:-} ]] || die "$1 wants a value: see scripts/bench --help" ;;&
  --csv) csv=$2 && shift ;;
  --check) check=1 ;;
  -h | --help) usage && exit ;;
  -*) die "no option '$1': see scripts/bench --help" ;;
  *) kernels+=("$1") ;;
  esac
  shift
done
if ((${#kernels[@]} == 0)); then
  mapfile -t kernels < <(all_kernels && all_kernels structured)
fi
require_kernels "${kernels[@]}"
[[ -z $csv ]] || { : >"$csv"; } 2>/dev/null || die "cannot write $csv"
die_status=1

# count SOURCE FILE [clang's options]: instructions.
count() {
  local source=$1 file=$2
  shift 2
  valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file="$file.cachegrind" \
    "$clangxx" "${device_flags[@]}" "$@" -S "$source" -o "$file.ptx" >"$file.log" 2>&1 ||
    die "failed: see ${file#"$root"/}.log"
  sed -n 's/^summary: //p' "$file.cachegrind"
}

# measure KERNEL: leaves KERNEL.csv. "empty" is no kernel.
measure() {
  local source=$out/empty.cu without with
  [[ $1 == empty ]] || source=$(kernel_source "$1")
  without=$(count "$source" "$out/$1.without")
  with=$(count "$source" "$out/$1.with" "${with_plugin[@]}")
  echo "$1,$without,$with" >"$out/$1.csv"
}

# table FILE: status 1 if a figure is missed.
table() {
  awk -F, -v most_in_all=$most_in_all -v most=$most '
    function line(name, without, with) {
      printf "%-20s %9.2f %9.2f %7.3f\n", name, without / 1e6, with / 1e6, with / without
    }
    NR == 1 { printf "%-20s %9s %9s %7s\n", $1, $2, $3, "ratio"; next }
    $1 == "empty" { loading = $3 - $2; empty = $0; next }
    { line($1, $2, $3); without += $2; with += $3; kernels++ }
    $3 / $2 > worst { worst = $3 / $2; worst_name = $1 }
    $3 / $2 > most { over = over " " $1 }
    END {
      line("total", without, with)
      split(empty, cell)
      line("an empty file", cell[2], cell[3])
      printf "of the %.2f%% more in all, %.2f%% is loading the plugin\n",
        100 * (with / without - 1), 100 * kernels * loading / without
      missed = with / without > most_in_all
      printf "%s  in all at most %.0f%% more\n", missed ? "missed" : "met   ", 100 * most_in_all - 100
      printf "%s  each at most %.0f%% more: the most is %.2f%%, %s%s\n", over ? "missed" : "met   ",
        100 * most - 100, 100 * worst - 100, worst_name, over ? "; over it:" over : ""
      exit missed || over
    }' "$1"
}

"$root/scripts/setup" --count
find_llvm
compile_for "${SM:-sm_90}"
build_plugin
mkdir -p "$out"
: >"$out/empty.cu"
mapfile -t with_plugin < <(plugin_flags)
kernels+=(empty)
for_kernels "counting" measure
{
  echo "kernel,without,with"
  for kernel in "${kernels[@]}"; do cat "$out/$kernel.csv"; done
} >"$out/compile.csv"
[[ -z $csv ]] || cp "$out/compile.csv" "$csv"
echo "million instructions of clang -O3 -S for $sm, revision $(git -C "$root" describe --always \
  --dirty), LLVM $llvm_version; the plugin with its default options"
table "$out/compile.csv" || [[ ! $check ]]
