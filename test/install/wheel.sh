#!/usr/bin/env bash
# The wheel, in a virtual environment of its own.
#
#   wheel.sh BUILD WORK
# shellcheck source=test/install/common.sh
source "$(dirname "$0")/common.sh"

wheel=$(LLVM_VERSION=$major "$inputs/../../../scripts/wheel")
[[ $wheel == *"/linearize_$major-"*-py3-none-manylinux_*_"$(uname -m)".whl ]] ||
  die "not the name of a wheel for Linux: $wheel"
/usr/bin/python3 -m venv "$work/its own"
quietly "$work/pip.log" "$work/its own/bin/pip" install --no-index "$wheel"
config="$work/its own/bin/linearize-config"

check_flags "$config"
check_tools "$work/its own/bin"
check_project told "$config" -DLinearize_DIR="$("$config" --cmake-dir)"

# It brings what it needs, and nothing that is of use to debuggers only.
for file in "$("$config" --cmake-dir)"/../{bin/linearize-graph,lib/liblinearize.so}; do
  ldd "$file" >"$work/libraries"
  expect_no 'not found|libLLVM' "$work/libraries"
  readelf -S "$file" >"$work/sections"
  expect_no 'debug_info|\.symtab' "$work/sections"
done
