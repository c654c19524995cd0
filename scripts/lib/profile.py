#!/usr/bin/env python3
"""Counts with Nsight Compute what one launch of each kernel executes on this machine's GPU.
`scripts/bench gpu --profile` calls it. LAUNCH is a kernel's launch file.

    profile.py --once PROGRAM --cubins FOLDER --variants NAME,NAME LAUNCH...

Prints CSV; `output` is the MD5 sum of what the threads wrote.
"""
import argparse
import csv
import hashlib
import os
import subprocess
import sys
import tempfile

from simulate import Launch

METRICS = {
    "warp_instructions": "smsp__inst_executed.sum",
    "threads_active": "smsp__thread_inst_executed_per_inst_executed.ratio",
    "global_loads": "smsp__inst_executed_op_global_ld.sum",
    "global_load_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
}


def profile(once, cubin, kernel, launch, out):
    """The metrics in their order; None, and a line that says why, where nothing was counted."""
    command = ["ncu", "--clock-control", "none", "--csv", "--page", "raw", "--metrics",
               ",".join(METRICS.values()), once, cubin, kernel, str(launch.grid),
               str(launch.block), str(launch.words), str(launch.rounds), out]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    lines = [line for line in done.stdout.splitlines() if line.startswith('"')]
    if done.returncode != 0 or len(lines) != 3:  # names, units, values
        said = (done.stdout + done.stderr).strip().splitlines() or ["nothing said"]
        print("profile.py: %s: %s" % (cubin, said[-1]), file=sys.stderr)
        return None
    names, _, values = csv.reader(lines)
    return [values[names.index(metric)].replace(",", "") for metric in METRICS.values()]


def main():
    parser = argparse.ArgumentParser()
    for option in ("--once", "--cubins", "--variants"):
        parser.add_argument(option, required=True)
    parser.add_argument("launches", nargs="+")
    options = parser.parse_args()
    out = os.path.join(tempfile.mkdtemp(), "out")
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["kernel", "variant", *METRICS, "output"])
    status = 0
    for path in options.launches:
        kernel, launch = os.path.splitext(os.path.basename(path))[0], Launch(path)
        for variant in options.variants.split(","):
            cubin = os.path.join(options.cubins, "%s.%s.cubin" % (kernel, variant))
            if not os.path.exists(cubin):
                continue
            numbers = profile(options.once, cubin, kernel, launch, out)
            if numbers is None:
                status = 1
                continue
            with open(out, "rb") as file:
                writer.writerow([kernel, variant, *numbers, hashlib.md5(file.read()).hexdigest()])
            sys.stdout.flush()
    return status


if __name__ == "__main__":
    sys.exit(main())
