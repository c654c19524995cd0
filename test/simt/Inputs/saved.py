"""Is what warps execute of a kernel after a pass, of what they execute before, in a range?

    saved.py LINEARIZE-SIMT LAUNCH BEFORE.ll AFTER.ll LEAST MOST
"""
import re
import subprocess
import sys

simt, launch, before, after, least, most = sys.argv[1:]
done = subprocess.run([simt, "--launch", launch, before, "--compare", after, "--model", "volta"],
                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
found = re.search(r"warp instructions +\d+ +\d+ +([\d.]+)", done.stdout)
if done.returncode or not found:
    sys.exit(done.stdout)
ratio = float(found[1])
if not float(least) <= ratio <= float(most):
    sys.exit("%s: warps execute %.3f of what they did, not %s to %s" % (launch, ratio, least, most))
