"""Is what warps execute of a kernel after a pass, of what they execute before, in a range?

    saved.py LINEARIZE-SIMT BEFORE.ll AFTER.ll KERNEL LEAST MOST
"""
import re
import subprocess
import sys

simt, before, after, kernel, least, most = sys.argv[1:]
block = "16,8" if kernel == "board" else "128"
done = subprocess.run([simt, before, "--compare", after, "--model", "volta", "--kernel", kernel, "--grid", "16",
                       "--block", block, "--arg", "buf:u32:65536:random", "--arg", "u32:65535", "--arg", "u32:8",
                       "--arg", "buf:u32:2048", "--arg", "u32:2048"], stdout=subprocess.PIPE,
                      stderr=subprocess.STDOUT, text=True)
found = re.search(r"warp instructions +\d+ +\d+ +([\d.]+)", done.stdout)
if done.returncode or not found:
    sys.exit(done.stdout)
ratio = float(found[1])
if not float(least) <= ratio <= float(most):
    sys.exit("%s: warps execute %.3f of what they did, not %s to %s" % (kernel, ratio, least, most))
