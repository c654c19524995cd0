"""Runs in the simulator what linearize makes of structured control flow (section 5 of the paper): loops merged, where it
finds that worth it (models ipdom and volta), and the decision tree with at most 1 to 8 branches nested; the outputs of
interleaved arms are compared, too. `scripts/bench gpu --beyond` times them.

The figures: over the nests 1.6 times the threads active and 1.4 times fewer warp instructions (ipdom), no kernel over
1% more, and never more branches nested than the limit.
"""
import csv

import gpu
import simulate
import suite
from dynamic import number, ratio

MODELS = ["ipdom", "volta"]
DEPTHS = ["depth%d" % limit for limit in range(1, 9)]
ACTIVE, FEWER, MORE = 1.6, 1.4, 1.01              # counted: what nests gain, what none may lose
MERGED, HEAVIEST, FEW_WARPS, ALL_WARPS = 1.4, 1.8, 1.3, 0.98  # timed
TASKS = 64                                       # of a thread, in nests
NEST_WORDS = ["16384", "65536", "1048576"]       # 64 KB, 256 KB, 4 MB
VARIANTS = ["clang", "again", "nvcc", "chain", "merged", "interleaved", "default"]
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
    more = suite.geometric_mean([ratio(runs[k], "merged", "threads_active") for k in nests])
    share = suite.geometric_mean([ratio(runs[k], "merged") for k in nests])
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
        runs = simulate.run_all(options, variants, model)
        print_merged(runs, options.nests, model)
        missed |= summarise_merged(runs, options.nests, model)
        if model == MODELS[0]:
            tree = simulate.run_all(options, ["untouched"] + DEPTHS, model, [options.tree])
            missed |= print_depths(tree[options.tree], options.tree)
            runs = dict(runs, **{"%s, %s" % (options.tree, v): {v: run}
                                 for v, run in tree[options.tree].items()})
        wrong |= bool(simulate.print_faults(runs))
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
        writer.writerow(gpu.row_of(words, kernel, table[kernel], VARIANTS))
    return table


def mean(table, kernels, variant, base="clang"):
    return suite.geometric_mean([gpu.speed(table[k], variant, base) for k in kernels])


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
        writer.writerow(["words", "kernel", "rounds", *VARIANTS])
        missed = time_nests(options, writer)
        missed |= time_sides(options, writer)
    return options.check and missed


def main(options):
    options.nests, options.tree, options.model = suite.NESTS, suite.TREE, MODELS[0]
    options.kernels = options.kernels and list(dict.fromkeys(suite.NESTS + options.kernels))
    suite.choose(options, "kernels", "structured", first=suite.NESTS)
    simulate.prepare(options, "beyond", ["untouched", "merged", "interleaved"])
    simulate.build_modules(options, options.tree, ["untouched", "merged", "interleaved"] + DEPTHS)
    suite.describe(options, "loop merging, branch interleaving, limited depth")
    return count(options)
