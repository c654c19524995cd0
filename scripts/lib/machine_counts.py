"""Compares with what a GPU has counted what the machine code of sm_90 executes on the CPU (machine.py, which exits rests
on). The variants of PROFILE.csv, one of bench/results/*-profile.csv, are built anew: by nvcc, by clang, with LLVM's own
passes and with the plugin, which may make other code by now. A table of how far the counts are off, in percent; outputs
have to be the GPU's. The figure: 95% of the counts of warp instructions of all but the plugin's within 1%. It needs a
CUDA toolkit, no GPU, and some 20 minutes, most of it for heartwall and mcx.

--ptx compares nvcc's code of bench/kernels, bench/exits and bench/costs with what becomes of it by linearize-ptx. The
figure: none of it has warps run over 2% more instructions. With --merge-loops, whose nests of loops become one, it is
bench/kernels alone.
"""
import hashlib
import os
from concurrent.futures import ThreadPoolExecutor

import machine_ptx
import predict
import simulate
import suite
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
    """Prints the table, a line as soon as it is known, and the figure; whether it is missed."""
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
    print("\n".join(notes))
    return suite.print_figures([(f"{good} of {all_fixed} counts of {', '.join(FIXED)} within {100 * LIMIT:.0f}%, of which "
                                 f"{100 * WANTED:.0f}% are wanted", good >= WANTED * all_fixed)])


def compare(options):
    """Of options.kernels: PROFILE.csv [KERNEL...]"""
    profile, *kernels = options.kernels
    os.makedirs(options.folder, exist_ok=True)
    measured, comments = predict.read(profile)
    unknown = [kernel for kernel in kernels if kernel not in measured]
    if unknown:
        suite.die("%s has no %s" % (profile, ", ".join(unknown)))
    measured = {kernel: measured[kernel] for kernel in kernels or measured}
    todo = [(kernel, variant) for kernel, rows in measured.items() for variant in rows]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        counted = {each: pool.submit(count, options, *each) for each in todo}
        print("\n".join(comments))
        return report(measured, counted) and options.check


def main(options):
    if not options.ptx and (not options.kernels or not os.path.exists(options.kernels[0])):
        suite.die("machine wants a file: see scripts/bench machine --help")
    suite.find_tools(options, "sm_90", sass=True)
    if not options.nvcc:
        print("skipped: nvcc, ptxas and nvdisasm of CUDA 13 are needed (scripts/setup --sass gets nvdisasm)")
        return False
    suite.folder_of(options, "bench", "machine-ptx" if options.ptx else "machine")
    suite.describe(options)
    return machine_ptx.main(options) if options.ptx else compare(options)
