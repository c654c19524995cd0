"""Counts with Nsight Compute what one launch of each kernel executes on this machine's GPU, by its launch file:
`scripts/bench gpu --profile`. Leaves CSV; `output` is the MD5 sum of what the threads wrote.
"""
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


def count(folder, variants, launches, file):
    """True if something couldn't be counted."""
    out, failed = os.path.join(tempfile.mkdtemp(), "out"), False
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["kernel", "variant", *METRICS, "output"])
    for path in launches:
        kernel, launch = os.path.splitext(os.path.basename(path))[0], Launch(path)
        for variant in variants:
            cubin = os.path.join(folder, "%s.%s.cubin" % (kernel, variant))
            if not os.path.exists(cubin):
                continue
            numbers = profile(os.path.join(folder, "once"), cubin, kernel, launch, out)
            failed |= numbers is None
            if numbers is not None:
                with open(out, "rb") as written:
                    writer.writerow([kernel, variant, *numbers, hashlib.md5(written.read()).hexdigest()])
                file.flush()
    return failed
