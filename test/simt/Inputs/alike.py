"""Runs kernel @all of a module and of others that must do the same in linearize-simt.

    alike.py LINEARIZE-SIMT BEFORE.ll AFTER.ll...
"""
import subprocess
import sys

simt, before, *others = sys.argv[1:]
for after in others:
    for model in ("ipdom", "volta", "frontier", "none"):
        done = subprocess.run([simt, before, "--kernel", "all", "--grid", "1", "--block", "96",
                               "--arg", "buf:u64:96", "--model", model, "--compare", after],
                              capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit("%s, model %s: %s" % (after, model, done.stderr.strip()[:500]))
