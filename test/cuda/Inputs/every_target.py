"""Assembles a PTX file for each plain target (sm_75, not sm_90a) that ptxas says it takes."""

import re
import subprocess
import sys

ptxas, ptx = sys.argv[1:]
known = subprocess.run([ptxas, "--help"], capture_output=True, text=True).stdout
targets = sorted(set(re.findall(r"'sm_(\d+)'", known)), key=int)
least = int(re.search(r"\.target sm_(\d+)", open(ptx).read()).group(1))
failed = []
took = []
for target in targets:
    if int(target) < least:
        continue
    done = subprocess.run([ptxas, "-arch=sm_" + target, ptx, "-o", "/dev/null"],
                          capture_output=True, text=True)
    took.append(target)
    if done.returncode:
        failed.append(target)
        sys.stdout.write("sm_%s: %s\n" % (target, done.stderr[:2000]))
print("assembled for", " ".join(took))
if not took:
    print("no target in ptxas --help")
sys.exit(1 if failed or not took else 0)
