"""Which hashes do kernels have in modules with versions?

    hashes.py FILE.ll...

Prints each file's name, and the kernels with their hashes behind it.
"""
import os
import re
import sys

for path in sys.argv[1:]:
    with open(path, encoding="utf-8", errors="replace") as file:
        found = re.findall(r'@__linearize_versions_(\S+) = .*c"linearize-versions 1 ([0-9a-f]{16})', file.read())
    print(os.path.basename(path), *(" ".join(pair) for pair in sorted(found)))
