#!/usr/bin/env python3
"""How many warp instructions machine.py counts, beside what a GPU counted. `scripts/bench machine`
calls it.

    machine_counts.py --llvm BIN --nvcc NVCC --ptxas PTXAS --nvdisasm NVDISASM --plugin PLUGIN
                      --repository FOLDER --folder WORK [--check] PROFILE.csv [KERNEL...]

PROFILE.csv is what `scripts/bench gpu --profile` wrote. Every variant is built as it was there, by
the same options, and run on the CPU. A table of how far its counts are off, in percent; outputs have
to be the GPU's. What the plugin makes (paper, needed) may have changed since, and doesn't count. With
--check the status is 1 if fewer than 95% of the others are within 1%.
"""
import argparse
import hashlib
import os
import sys
from concurrent.futures import ThreadPoolExecutor

import predict
import simulate
import variants
from machine import Machine

FIXED, CHANGING = ("nvcc", "clang", "chain"), ("paper", "needed")
LIMIT, WANTED = 0.01, 0.95


def count(options, kernel, variant):
    """(warp instructions, threads active, MD5 sum of what the threads wrote), or what went wrong."""
    base = os.path.join(options.repository, "bench", "kernels", kernel)
    name = os.path.join(options.folder, f"{kernel}.{variant}")
    try:
        variants.build(options, base + ".cu", variant, name)
        machine = Machine(options.nvdisasm, os.path.join(options.llvm, "clang"), name + ".cubin",
                          kernel)
        instructions, active, out = machine.run(simulate.Launch(base + ".launch"))
    except Exception as error:  # of an instruction, too, that the machine doesn't know
        return f"{type(error).__name__}: {error}"
    return instructions, active, hashlib.md5(out).hexdigest()


def report(measured, counted):
    """Prints the table, a line as soon as it is known, and the figure; whether it is met."""
    columns = FIXED + CHANGING
    print("%-20s" % "kernel", *("%9s" % variant for variant in columns))
    good, all_fixed, notes = 0, 0, []
    for kernel, rows in measured.items():
        cells = []
        for variant in columns:
            if variant not in rows:
                cells.append("")
                continue
            result = counted[kernel, variant].result()
            all_fixed += variant in FIXED
            if isinstance(result, str):
                cells.append("-")
                notes.append(f"! {kernel}, {variant}: {result}")
                continue
            off = result[0] / float(rows[variant]["warp_instructions"]) - 1
            same = result[2] == rows[variant]["output"]
            if not same:
                notes.append(f"! {kernel}, {variant}: the output is another")
            good += variant in FIXED and abs(off) <= LIMIT and same
            cells.append("%+.1f%%%s" % (100 * off, " *"[abs(off) > LIMIT]))
        print("%-20s" % kernel, *("%9s" % cell for cell in cells), flush=True)
    met = good >= WANTED * all_fixed
    print("\n".join(notes + [
        f"{'met' if met else 'missed':8}{good} of {all_fixed} counts of {', '.join(FIXED)} within "
        f"{100 * LIMIT:.0f}%, of which {100 * WANTED:.0f}% are wanted"]))
    return met


def main():
    parser = argparse.ArgumentParser()
    for option in ("llvm", "nvcc", "ptxas", "nvdisasm", "plugin", "repository", "folder"):
        parser.add_argument("--" + option, required=True)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("profile")
    parser.add_argument("kernels", nargs="*")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    measured, comments = predict.read(options.profile)
    if options.kernels:
        unknown = [kernel for kernel in options.kernels if kernel not in measured]
        if unknown:
            sys.exit(f"machine_counts.py: {options.profile} has no {', '.join(unknown)}")
        measured = {kernel: measured[kernel] for kernel in options.kernels}
    todo = [(kernel, variant) for kernel, rows in measured.items() for variant in rows]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        counted = {each: pool.submit(count, options, *each) for each in todo}
        print("\n".join(comments))
        met = report(measured, counted)
    sys.exit(options.check and not met)


if __name__ == "__main__":
    main()
