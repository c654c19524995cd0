"""Compares what the simulator's model volta predicts with what a GPU counted, in PROFILE.csv (bench/results/*-profile.csv,
by scripts/bench gpu --profile): the ratios after to before of warp instructions and of threads active.

The figure: four kernels in five have warp instructions within 10%, and threads active within 15%. The simulator's
output has to be the CPU's, and the GPU's for the linearized kernel.
"""
import hashlib
import os

import simulate
import suite

BEFORE, AFTER = "clang", "paper"  # names in the profile
MODULES = {BEFORE: "untouched", AFTER: "O4"}
WARP_LIMIT, ACTIVE_LIMIT, WANTED = 0.10, 0.15, 0.8


def read(path):
    """{kernel: {variant: row}}, and the lines of comment."""
    rows, comments = suite.read_csv(path)
    kernels = {}
    for row in rows:
        kernels.setdefault(row["kernel"], {})[row["variant"]] = row
    return kernels, comments


def ratios(get):
    """Of after to before: warp instructions, threads active."""
    return [get(AFTER, what) / get(BEFORE, what)
            for what in ("warp_instructions", "threads_active")]


def main(options):
    if len(options.kernels) != 1 or not os.path.exists(options.kernels[0]):
        suite.die("predict wants one file: see scripts/bench predict --help")
    measured, comments = read(options.kernels[0])
    options.kernels = list(measured)
    simulate.prepare(options, "predict", list(MODULES.values()), sm="sm_90")
    suite.describe(options)
    runs = simulate.run_all(options, list(MODULES.values()), "volta")
    print("\n".join(comments))
    print("%-20s %29s %29s" % ("", "warp instructions, after/before",
                               "threads active, after/before"))
    print("%-20s %9s %9s %9s %9s %9s %9s   %s" % ("kernel", "simulator", "H200", "off by",
                                                "simulator", "H200", "off by",
                                                "threads active, simulator and H200"))
    predicted, notes, wrong = 0, [], False
    for kernel, profile in measured.items():
        run = {variant: runs[kernel][MODULES[variant]] for variant in MODULES}
        for variant, r in run.items():
            if r.fault:
                notes.append("! %s, %s: %s" % (kernel, variant, r.fault))
                wrong = True
            elif hashlib.md5(r.output).hexdigest() != profile[variant]["output"]:
                notes.append("! %s, %s: the GPU's output is another" % (kernel, variant))
                wrong |= variant == AFTER
        if any(r.numbers is None for r in run.values()):
            continue
        ours = ratios(lambda variant, what: run[variant].numbers[what])
        theirs = ratios(lambda variant, what: float(profile[variant][what]))
        off = [a / b - 1 for a, b in zip(ours, theirs)]
        good = abs(off[0]) <= WARP_LIMIT and abs(off[1]) <= ACTIVE_LIMIT
        predicted += good
        print("%-20s %9.3f %9.3f %+8.1f%% %9.3f %9.3f %+8.1f%% %s %5.2f %5.2f, then %5.2f %5.2f"
              % (kernel, ours[0], theirs[0], 100 * off[0], ours[1], theirs[1], 100 * off[1],
                 " " if good else "*", run[BEFORE].numbers["threads_active"],
                 float(profile[BEFORE]["threads_active"]), run[AFTER].numbers["threads_active"],
                 float(profile[AFTER]["threads_active"])))
    print("\n".join(notes))
    missed = suite.print_figures([("%d of %d within %d%% and %d%%" % (
        predicted, len(measured), 100 * WARP_LIMIT, 100 * ACTIVE_LIMIT), predicted >= WANTED * len(measured))])
    return wrong or (options.check and missed)
