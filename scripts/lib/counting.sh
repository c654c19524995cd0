# shellcheck shell=bash disable=SC2034,SC2154 # names of tools.sh and of scripts/bench Sourced by
# scripts/bench: counting, what -linearize-count costs on a GPU, and whether it is right there.

out=$build/counting

build_counting() {
  find_llvm
  find_cuda_toolkit
  progress "building"
  build_project
  progress "counting"
  PATH=$(dirname "$ptxas"):$PATH "$root/bench/device/counting" --build "${names[@]}"
  progress "programs"
  [[ ${#names[@]} -gt 0 ]] || "$root/bench/device/profiled" --build
  progress ""
  echo "built: sm_90, clang $("$clang" -dumpversion), ptxas $(ptxas_version)," \
    "repository at $(git -C "$root" describe --always --dirty)" >"$out/built.txt"
}

# Both to their ends, whatever the first one says.
run_counting() {
  local status=0
  echo "date: $(date -u '+%Y-%m-%d %H:%M')"
  cat "$out/built.txt"
  python3 "$root/bench/device/counting" "${names[@]}" || status=1
  echo
  [[ ${#names[@]} -gt 0 ]] || python3 "$root/bench/device/profiled" || status=1
  return "$status"
}

action="" names=()
while (($#)); do
  case $1 in
  --build | --run | --registers) action=${1#--} ;;
  -h | --help) usage && exit ;;
  -*) die "no option '$1': see scripts/bench --help" ;;
  *) names+=("$1") ;;
  esac
  shift
done
[[ $action ]] || die "counting wants --build, --registers or --run: see scripts/bench --help"
die_status=1
case $action in
build) build_counting ;;
registers) "$root/bench/device/counting" --registers "${names[@]}" ;;
run)
  nvidia-smi -L >/dev/null 2>&1 || die "no NVIDIA GPU here"
  [[ -f $out/built.txt ]] || die "nothing is built: scripts/bench counting --build first"
  run_counting 2>&1 | tee "${RESULTS:-$out/run.txt}"
  ;;
esac
