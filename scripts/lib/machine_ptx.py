"""Warp instructions of nvcc's code, and of what becomes of it by linearize-ptx: `scripts/bench machine --ptx`.

Runs the machine code of both on the CPU (machine.py). Prints those that are changed: what nvcc's runs,
the ratio, threads active, edits and regions. One that writes something else has missed the figure.
"""
import concurrent.futures
import math
import os

import remarks
import simulate
import suite
import variants
from machine import Machine

MOST = 1.02


def count(options, kernel, launch, ptx):
    """(warp instructions, threads active, what the threads wrote)"""
    cubin = ptx.removesuffix(".ptx") + ".cubin"
    variants.assemble_as_nvcc(options, ptx, cubin, variants.flags_for("sm_90"))
    return Machine(options.nvdisasm, os.path.join(options.llvm, "clang"), cubin, kernel).run(launch)


def compare(options, kernel):
    """A line for a kernel that is changed, and its ratio; else the line alone says why, or is None."""
    launch = simulate.Launch(simulate.launch_file(options.repository, kernel))
    base = os.path.join(options.folder, kernel)
    before, after = base + ".nvcc.ptx", base + ".ptx"
    try:
        variants.linearize_ptx(options, launch.path.removesuffix(".launch") + ".cu", base,
                               variants.flags_for("sm_90"), options.merge_loops)
        with open(base + ".yaml", encoding="utf-8") as file:
            said = remarks.counted(remarks.read(file.read()), remarks.WITH_MERGED)
        with open(before, encoding="utf-8") as file, open(after, encoding="utf-8") as other:
            if file.read() == other.read():
                return None, None
        plain, ours = (count(options, kernel, launch, ptx) for ptx in (before, after))
    except Exception as error:  # of an instruction, too, that the machine doesn't know
        return f"{kernel:20} {type(error).__name__}: {error}", None
    ratio = ours[0] / plain[0] if ours[2] == plain[2] else math.inf
    return ("%-20s %11d %7.3f %6.2f %6.2f" + " %7d" * 5) % (
        kernel, plain[0], ratio, plain[1], ours[1], *map(len, said)), ratio


def main(options):
    suite.choose(options, *(["kernels"] if options.merge_loops else ["kernels", "exits", "costs"]))
    options.merge_loops = ["--merge-loops"] if options.merge_loops else []
    print(("%-20s %11s %7s %6s %6s" + " %7s" * 5)
          % ("kernel", "nvcc", "ratio", "active", "now", *(name for name, _ in remarks.WITH_MERGED)))
    ratios = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = pool.map(lambda kernel: (kernel, *compare(options, kernel)), options.kernels)
        for kernel, line, ratio in rows:
            if line is not None:
                print(line, flush=True)
            if ratio is not None:
                ratios[kernel] = ratio
    worse = [kernel for kernel, ratio in ratios.items() if ratio > MOST]
    if ratios and not math.isinf(max(ratios.values())):
        print("%.3f in the geometric mean of %d kernels that are changed"
              % (suite.geometric_mean(ratios.values()), len(ratios)))
    return suite.print_figures([("none runs over %.0f%% more%s" % (100 * MOST - 100, suite.listed(worse)), not worse)]) and options.check
