# shellcheck shell=bash disable=SC2034,SC2154 # names of tools.sh and of scripts/bench
# Sourced by scripts/bench: static, what linearize makes of the size of kernels.

variants=(untouched chain O0 O4)
out=$build/bench

# is_among NAME NAME...
is_among() {
  local name=$1
  shift
  [[ " $* " == *" $name "* ]]
}

group_of() {
  if is_among "$1" "${seven[@]}"; then
    echo seven
  elif is_among "$1" "${small[@]}"; then
    echo small
  else
    echo other
  fi
}

# build_ptx VARIANT UNTOUCHED.ll NAME: leaves NAME.ll and NAME.ptx.
build_ptx() {
  build_variant "$@" && kernel_ptx "$3"
}

columns=sm,group,kernel,variant,edges,guards,ir_blocks,ptx,blocks,registers,spills,sass

# numbers KERNEL VARIANT FOLDER: the columns from `edges` on. Edges are the unstructured ones that
# are there, guards those that were put in.
numbers() {
  local kernel=$1 variant=$2 file=$3/$2 guards=0
  [[ $variant != O? ]] ||
    guards=$(stats "$3/untouched.ll" "$kernel" guards --mode paper --level "$variant")
  stats "$file.ll" "$kernel" unstructured
  echo "$guards"
  stats "$file.ll" "$kernel" blocks
  count_ptx "$file.ptx"
  count_ptx_blocks "$file.ptx"
  registers_and_spills "$file".{ptx,cubin} || die "ptxas failed on $kernel, $variant"
  count_sass "$file.cubin" || die "nvdisasm failed on $kernel, $variant"
}

# measure KERNEL: leaves numbers.csv in its folder. LLVM's passes may fail: that is their result.
measure() {
  local kernel=$1 folder=$out/$sm/$1 group variant file text row
  rm -rf "$folder"
  mkdir -p "$folder"
  kernel_ir "$kernel" "$folder/untouched.ll"
  group=$(group_of "$kernel")
  for variant in "${variants[@]}"; do
    file=$folder/$variant
    if build_ptx "$variant" "$folder/untouched.ll" "$file" 2>"$file.log"; then
      text=$(numbers "$kernel" "$variant" "$folder")
    else
      [[ $variant == chain ]] ||
        die "opt or llc failed on $kernel, $variant: see ${file#"$root"/}.log"
      text="- - - - - - - -"
    fi
    read -rd '' -a row <<<"$text" || true
    (IFS=, && echo "$sm,$group,$kernel,$variant,${row[*]}")
  done >"$folder/numbers.csv"
}

targets=(sm_75 sm_90)
parse_arguments "--sm --csv --check" "$@"
kernels=("${others[@]}")
choose_kernels "${kernels[@]}"
[[ -z $csv ]] || { : >"$csv"; } 2>/dev/null || die "cannot write $csv"
die_status=1

"$root/scripts/setup"
find_cuda_tools
# Without nvdisasm, only the machine instructions are missing.
[[ -n $nvdisasm ]] || "$root/scripts/setup" --sass || true
find_cuda_tools
find_llvm
[[ -n $ptxas ]] || die "no ptxas: run scripts/setup"
known=$("$ptxas" --help)
for target in "${targets[@]}"; do
  [[ $known == *"'$target'"* ]] || die "ptxas $(ptxas_version) knows no target '$target'"
done
build_plugin

mkdir -p "$out"
for target in "${targets[@]}"; do
  compile_for "$target"
  for_kernels "$sm" measure
done
{
  echo "$columns"
  for target in "${targets[@]}"; do
    for kernel in "${kernels[@]}"; do cat "$out/$target/$kernel/numbers.csv"; done
  done
} >"$out/static.csv"
[[ -z $csv ]] || cp "$out/static.csv" "$csv"
echo "$(describe_revision), ptxas $(ptxas_version)"
python3 "$root/scripts/lib/static.py" "${check[@]}" "$out/static.csv"
