"""Runs the kernels of bench/kernels in linearize-simt, by their launch files, and prints what warps execute, like the
paper's tables 2 and 4: untouched, at O0 to O4, in mode needed, the same with a profile of that launch, after LLVM's
own passes. Every output is compared with the CPU's.

The figure: mode needed never makes warps execute over 1% more, with the profile neither. --model is ipdom, volta,
frontier or none: see linearize-simt --help.
"""
import csv

import simulate
import suite
from suite import geometric_mean

LEVELS = ["O0", "O1", "O2", "O3", "O4"]
NEEDED = ["needed", "profiled"]  # mode needed, and with the profile of this very launch
VARIANTS = ["untouched"] + LEVELS + NEEDED + ["chain"]
MOST = 1.01  # times as many warp instructions as untouched, in mode needed
SHOWN = [("warp_instructions", "warp instructions"), ("global_loads", "global loads"),
         ("global_stores", "global stores"), ("reentries", "entered again"),
         ("threads_active", "threads active")]


def number(run, what):
    return run.numbers[what] if run and run.fault is None else None


def cell(value, width):
    if value is None:
        return "%*s" % (width, "-")
    if isinstance(value, float) and value < 100:
        return "%*.2f" % (width, value)
    return "%*d" % (width, value) if value < 1e7 else "%*.3e" % (width, value)


def table_2(runs, model):
    print("Table 2: what warps execute, model %s: untouched, linearize<paper> at O4, LLVM's chain"
          % model)
    print("%-20s" % "kernel" + "".join("|%*s " % (28, title) for _, title in SHOWN))
    print("%-20s" % "" + "".join("|%9s %9s %8s " % ("untouched", "O4", "chain") for _ in SHOWN))
    for kernel, variants in runs.items():
        print("%-20s" % kernel + "".join(
            "|" + " ".join((cell(number(variants["untouched"], what), 9),
                            cell(number(variants["O4"], what), 9),
                            cell(number(variants["chain"], what), 8))) + " "
            for what, _ in SHOWN))


def ratio(variants, variant, what="warp_instructions"):
    base, value = number(variants["untouched"], what), number(variants[variant], what)
    return value / base if base and value is not None else None


def table_4(runs, model):
    print("Table 4: warp instructions, to those of the kernel untouched; guards: part of O4's that "
          "is guards'")
    rest = VARIANTS[1:]
    print("%-20s %12s" % ("kernel", "untouched") + "".join(" %8s" % v for v in rest) + "  guards")
    for kernel, variants in runs.items():
        guards = number(variants["O4"], "guard_instructions")
        share = guards / number(variants["O4"], "warp_instructions") if guards is not None else None
        print("%-20s %12s" % (kernel, cell(number(variants["untouched"], "warp_instructions"), 12))
              + "".join(" %8s" % ("-" if ratio(variants, v) is None else
                                  "%.3f" % ratio(variants, v)) for v in rest)
              + ("   %4.1f%%" % (100 * share) if share is not None else "       -"))
    print("%-20s %12s" % ("geometric mean", "") + "".join(
        " %8.3f" % geometric_mean([ratio(variants, v) for variants in runs.values()])
        for v in rest))


def write_csv(path, runs):
    with open(path, "w", newline="") as file:
        writer = None
        for kernel, variants in runs.items():
            for variant, run in variants.items():
                if not run or run.fault:
                    continue
                row = {"kernel": kernel, "variant": variant}
                row.update((k, v) for k, v in run.numbers.items() if k not in ("file", "functions"))
                writer = writer or csv.DictWriter(file, row.keys(), lineterminator="\n")
                if file.tell() == 0:
                    writer.writeheader()
                writer.writerow(row)


def main(options):
    options.model = options.model or "ipdom"
    suite.choose(options, "kernels", first=suite.SEVEN + suite.SMALL)
    simulate.prepare(options, "dynamic", VARIANTS)
    suite.describe(options)
    runs = simulate.run_all(options, VARIANTS, options.model)
    table_2(runs, options.model)
    print()
    table_4(runs, options.model)
    if options.csv:
        write_csv(options.csv, runs)
    wrong = simulate.print_faults(runs)
    missed = False
    for variant, title in zip(NEEDED, ["mode needed", "with profiles"]):
        more = [kernel for kernel, runs_of in runs.items() if (ratio(runs_of, variant) or 0) > MOST]
        missed |= bool(more)
        print("%s: over %d%% more warp instructions in %s"
              % (title, 100 * MOST - 100, ", ".join(more) or "none"))
    return any(variant != "chain" for variant in wrong) or (options.check and missed)
