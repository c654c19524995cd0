#!/usr/bin/env python3
"""What loop merging, branch interleaving and a limit to nested branches do (section 5 of the paper).
`scripts/bench beyond` and `scripts/bench gpu --beyond` call it.

    beyond.py count --simt LINEARIZE-SIMT --repository FOLDER --folder MODULES --nests NAMES
                    --tree NAME [--check] KERNEL...
    beyond.py time --run PROGRAM --cubins FOLDER --nests NAMES --others NAMES --sides NAMES
                   --heaviest NAME --csv FILE [--check]

MODULES has for each kernel a folder with untouched.ll, merged.ll, interleaved.ll, reference.so, and
for the tree depth1.ll to depth8.ll. --nests are the kernels with nested loops, --sides those with
two-sided branches, --others more that loop merging changes; the figures are about the first two.
PROGRAM is bench/device/run, a cubin is FOLDER/KERNEL.VARIANT.cubin. With --check the status is 1 if
a figure is missed.
"""
import argparse
import csv
import sys

import gpu
import simulate
from dynamic import number, ratio

MODELS = ["ipdom", "volta"]
DEPTHS = ["depth%d" % limit for limit in range(1, 9)]
ACTIVE, FEWER, MORE = 1.6, 1.4, 1.01              # counted: what nests gain, what none may lose
MERGED, HEAVIEST, FEW_WARPS, ALL_WARPS = 1.4, 1.8, 1.3, 0.98  # timed
TASKS = 64                                       # of a thread, in nests
NEST_WORDS = ["16384", "65536", "1048576"]       # 64 KB, 256 KB, 4 MB
SIDE_WORDS = ["65536", "1048576"]
FEW, WARPS = "2", ["2", "8", ""]                 # a multiprocessor; "": as many as there is room for


def figure(name, value, least):
    met = value is not None and value >= least
    print("%s: %s, wanted %.2f: %s" % (name, gpu.times(value), least, "met" if met else "MISSED"))
    return not met


# ---- counted

def print_merged(runs, nests, model):
    print("\nloops merged, model %s: warp instructions, threads active" % model)
    print("%-20s %12s %12s %7s %8s %8s %7s" % ("kernel", "untouched", "merged", "", "untouched",
                                               "merged", ""))
    for kernel, variants in runs.items():
        share = ratio(variants, "merged")
        if share is None or (share == 1 and kernel not in nests):
            continue
        counts = [number(variants[v], "warp_instructions") for v in ("untouched", "merged")]
        active = [number(variants[v], "threads_active") for v in ("untouched", "merged")]
        print("%-20s %12d %12d  x%.3f %8.2f %8.2f  x%.2f"
              % (kernel, *counts, share, *active, active[1] / active[0]))


def summarise_merged(runs, nests, model):
    more = gpu.geometric_mean([ratio(runs[k], "merged", "threads_active") for k in nests])
    share = gpu.geometric_mean([ratio(runs[k], "merged") for k in nests])
    worse = [k for k in runs if (ratio(runs[k], "merged") or 0) > MORE]
    print("over 1%% more warp instructions in %s" % (", ".join(worse) or "none"))
    if model != MODELS[0]:
        return bool(worse)
    missed = figure("nests, threads active", more, ACTIVE)
    missed |= figure("nests, fewer warp instructions", 1 / share if share else None, FEWER)
    return missed or bool(worse)


def print_depths(variants, tree):
    print("\n%s with limited depth, model %s" % (tree, MODELS[0]))
    print("%8s %9s %18s" % ("limit", "branches", "warp instructions"))
    missed = False
    for variant in ["untouched"] + DEPTHS:
        nested = number(variants[variant], "nested_branches")
        limit = variant[len("depth"):] if variant != "untouched" else "none"
        missed |= nested is None or (limit != "none" and nested > int(limit))
        print("%8s %9s %18s" % (limit, nested, "x%.3f" % (ratio(variants, variant) or 0)))
    print("never more than the limit: %s" % ("MISSED" if missed else "met"))
    return missed


def count(options):
    missed = wrong = False
    for model in MODELS:
        variants = ["untouched", "merged", "interleaved"]
        runs = simulate.run_all(options.simt, options.repository, options.folder, options.kernels,
                                variants, model)
        print_merged(runs, options.nests, model)
        missed |= summarise_merged(runs, options.nests, model)
        if model == MODELS[0]:
            tree = simulate.run_all(options.simt, options.repository, options.folder,
                                    [options.tree], ["untouched"] + DEPTHS, model)
            missed |= print_depths(tree[options.tree], options.tree)
            runs = dict(runs, **{"%s, %s" % (options.tree, v): {v: run}
                                 for v, run in tree[options.tree].items()})
        for kernel, variants in runs.items():
            for variant, run in variants.items():
                if run and run.fault:
                    print("! %s, %s: %s" % (kernel, variant, run.fault))
                    wrong = True
    return wrong or (options.check and missed)


# ---- timed

def measure(options, kernel, words, variants, more=()):
    options.variants, options.waiting = variants, []
    return gpu.measure(options, kernel, words, more)


def print_header(variants):
    print("%-20s %6s" % ("kernel", "rounds") + "".join(" %18s" % v for v in variants))


def time_table(options, kernels, words, variants, writer, more=()):
    table = {}
    print_header(variants)
    for kernel in kernels:
        table[kernel] = measure(options, kernel, words, variants, more)
        gpu.print_row(kernel, table[kernel], variants, gpu.BASE)
        writer.writerows([words, kernel, *cell] for cell in table[kernel].values())
    return table


def mean(table, kernels, variant, base="clang"):
    return gpu.geometric_mean([gpu.speed(table[k], variant, base) for k in kernels])


def time_nests(options, writer):
    missed = False
    variants = ["clang", "again", "nvcc", "chain", "merged"]
    for words in NEST_WORDS:
        print("\nloops merged, %d KB of input, %d tasks a thread" % (int(words) // 256, TASKS))
        table = time_table(options, options.nests + options.others, words, variants, writer,
                           ["--rounds=%d" % TASKS])
        print("merged, geometric mean of %d nests: %s over clang, %s over nvcc, %s over the chain"
              % (len(options.nests), *(gpu.times(mean(table, options.nests, "merged", base))
                                       for base in ("clang", "nvcc", "chain"))))
        if words == NEST_WORDS[0]:
            missed |= figure("loop merging over clang", mean(table, options.nests, "merged"), MERGED)
            missed |= figure("  " + options.heaviest, gpu.speed(table[options.heaviest], "merged",
                                                                "clang"), HEAVIEST)
    return missed


def time_sides(options, writer):
    missed = False
    variants = ["clang", "again", "nvcc", "chain", "interleaved", "default"]
    for words in SIDE_WORDS:
        for warps in WARPS:
            size = words + "/" + warps if warps else words
            print("\narms interleaved, %d KB of input, %s warps a multiprocessor"
                  % (int(words) // 256, warps or "64"))
            table = time_table(options, options.sides, size, variants, writer)
            print("interleaved, geometric mean: %s" % gpu.times(mean(table, options.sides,
                                                                     "interleaved")))
            if warps == FEW:
                missed |= figure("interleaving for few warps over clang",
                                 mean(table, options.sides, "interleaved"), FEW_WARPS)
            if not warps:
                worst = [gpu.speed(table[k], "default", "clang") or 0 for k in options.sides]
                missed |= figure("left to itself, at full occupancy, at least", min(worst),
                                 ALL_WARPS)
    return missed


def time(options):
    print("cells: median ms, how many times as fast as clang, registers")
    with open(options.csv, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["words", "kernel"] + gpu.FIELDS.split())
        missed = time_nests(options, writer)
        missed |= time_sides(options, writer)
    return options.check and missed


def main():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command", required=True)
    counting, timing = commands.add_parser("count"), commands.add_parser("time")
    for option in ("--simt", "--repository", "--folder", "--tree"):
        counting.add_argument(option, required=True)
    counting.add_argument("kernels", nargs="+")
    for option in ("--run", "--cubins", "--csv", "--heaviest"):
        timing.add_argument(option, required=True)
    for command, names in ((counting, ("--nests",)), (timing, ("--nests", "--others", "--sides"))):
        command.add_argument("--check", action="store_true")
        for option in names:
            command.add_argument(option, required=True, type=lambda text: text.split(","))
    options = parser.parse_args()
    sys.exit(count(options) if options.command == "count" else time(options))


if __name__ == "__main__":
    main()
