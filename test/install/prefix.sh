#!/usr/bin/env bash
# cmake --install into an empty prefix, used from there and from the build folder.
#
#   prefix.sh BUILD WORK [BUILD2]   with another build, if for another LLVM, into the same prefix
# shellcheck source=test/install/common.sh
source "$(dirname "$0")/common.sh"

others=()
for folder in "${@:3}"; do
  [[ $folder == "$build" ]] || grep -qx "major=$major" "$folder/bin/linearize-config" ||
    others+=("$folder")
done
for folder in "$build" "${others[@]}"; do
  quietly "$work/install.log" cmake --install "$folder" --prefix "$work/first"
done
mv "$work/first" "$work/it's elsewhere"
prefix="$work/it's elsewhere"
config=$prefix/bin/linearize-config-$major

check_flags "$config"
check_tools "$prefix/bin"
check_c "$config"
check_project found "$config" -DCMAKE_PREFIX_PATH="$prefix"
check_project told "$config" -DLinearize_DIR="$("$config" --cmake-dir)"
check_project tree "$build/bin/linearize-config" -DCMAKE_PREFIX_PATH="$build"

# Whichever version's package is found, it chooses the plugin by the project's clang.
for folder in "${others[@]}"; do
  other=$(sed -n 's/^major=//p' "$folder/bin/linearize-config")
  check_project other "$prefix/bin/linearize-config-$other" \
    -DLinearize_DIR="$("$config" --cmake-dir)"
done
