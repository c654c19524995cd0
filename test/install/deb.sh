#!/usr/bin/env bash
# The Debian package: what it says, and what is in it, used from where it was unpacked.
#
#   deb.sh BUILD WORK
# shellcheck source=test/install/common.sh
source "$(dirname "$0")/common.sh"

quietly "$work/cpack.log" cpack --config "$build/CPackConfig.cmake" -G DEB -B "$work/package"
package=$(echo "$work"/package/linearize-"${major}"_*.deb)
dpkg-deb -I "$package" >"$work/control"
expect "^ Package: linearize-$major\$" "$work/control"
expect "^ Depends: .*libc6 .*libllvm$major" "$work/control"
expect "^ Recommends: .*clang-$major" "$work/control"

# No file that a package for another LLVM has as well.
dpkg-deb -c "$package" | sed -n 's/^[^d].* \.\(\/[^ ]*\).*/\1/p' >"$work/files"
expect "^/usr/lib/linearize-$major/lib/liblinearize.so\$" "$work/files"
if grep -v -- "-$major" "$work/files"; then
  die "a package for another LLVM has these too"
fi

dpkg-deb -x "$package" "$work/root"
config=$work/root/usr/bin/linearize-config-$major
check_flags "$config"
check_tools "$work/root/usr/lib/linearize-$major/bin"
check_c "$config"
check_project found "$config" -DCMAKE_PREFIX_PATH="$work/root/usr"
