"""Compares, for kernels that are left early (bench/exits), what the simulator's model volta and the remarks promise of
the modes needed and paper with what the machine code of sm_90 does. It is run on the CPU, instruction by instruction
(machine.py); --counts takes what a GPU counted instead, which scripts/bench gpu --profile-kinds writes. Every output
has to be the CPU's.

The figures: 90% of the ratios of warp instructions within 10%, and the sign of every change; the sign of every remark,
and where it says that over 10% are saved, half to twice of what is. --half open takes the kernels that a model is
mended by, --half held-out those that it is judged by.
"""
import os
import subprocess

import reference
import simulate
import suite
import variants
from halves import is_held_out
from machine import Machine

MODES = ("clang", "needed", "paper")
LIMIT, WANTED, NO_CHANGE = 0.10, 0.9, 0.01  # 18 of 20; less than 1% is no change


def promised(said):
    """What the remarks say is saved, guards taken off, of what a warp runs; None if nothing is."""
    regions = [remark.value for remark in said if remark.passed and "Gain" in remark.value]
    if not regions:
        return None
    total = sum(int(value["Executed"]) for value in regions)
    return sum(int(value["Gain"]) - int(value["Cost"]) for value in regions) / max(total, 1)


def measure(options, kernel, mode, launch, expected):
    """{"machine": (warp instructions, threads active), "volta": the same, "said": promised}"""
    name = os.path.join(options.folder, f"{kernel}.{mode}")
    source = os.path.join(options.repository, "bench", "exits", kernel + ".cu")
    result = {"said": promised(variants.build(options, source, mode, name))}
    if options.counts is None:
        *numbers, out = Machine(options.nvdisasm, os.path.join(options.llvm, "clang"),
                                name + ".cubin", kernel).run(launch)
        if out != expected:
            raise RuntimeError(f"{kernel}, {mode}: the machine code's output is another")
        result["machine"] = numbers
    run = simulate.Run(options.simt, launch, name + ".ll", "volta", expected)
    if run.fault:
        raise RuntimeError(f"{kernel}, {mode}: {run.fault}")
    result["volta"] = (run.numbers["warp_instructions"], run.numbers["threads_active"])
    return result


def measure_kernel(options, kernel):
    launch = simulate.Launch(os.path.join(options.repository, "bench", "exits",
                                          kernel + ".launch"))
    library = os.path.join(options.folder, kernel + ".so")
    source = os.path.join(options.repository, "bench", "exits", kernel + ".cu")
    subprocess.run(reference.compile_command(os.path.join(options.llvm, "clang++"),
                                             options.repository, source, library), check=True)
    expected = reference.outputs(library, kernel, reference.random_words(launch.words),
                                 launch.rounds, launch.threads)
    result = {mode: measure(options, kernel, mode, launch, expected) for mode in MODES}
    if options.counts is not None:
        for mode in MODES:
            row = options.counts[kernel, mode]
            result[mode]["machine"] = (float(row["warp_instructions"]),
                                       float(row["threads_active"]))
    return result


def sign(ratio):
    return 0 if abs(ratio - 1) < NO_CHANGE else 1 if ratio > 1 else -1


def report(results, source):
    """Prints the table and the figures; whether one is missed."""
    print("%-18s %-7s %9s %7s %7s   %13s %13s   %s" % (
        "kernel", "mode", source, "volta", "off by", "active, " + source, "active, volta",
        "remark saves, does"))
    near = {mode: [] for mode in MODES[1:]}
    turned, promises, kept = [], 0, 0
    for kernel, result in results.items():
        for mode in MODES[1:]:
            real, ours = (result[mode][by][0] / result["clang"][by][0]
                          for by in ("machine", "volta"))
            off = ours / real - 1
            near[mode].append(abs(off) <= LIMIT)
            opposite = sign(real) * sign(ours) < 0
            turned += [f"{kernel}, {mode}"] * opposite
            said = result[mode]["said"]
            text = ""
            if said is not None and mode == "needed":
                good = said * (1 - real) > 0 and (said < 0.1 or 0.5 <= said / (1 - real) <= 2)
                promises, kept = promises + 1, kept + good
                text = "%5.1f%% %5.1f%%%s" % (100 * said, 100 * (1 - real), "" if good else " *")
            print("%-18s %-7s %9.3f %7.3f %+6.1f%%%s %6.2f %6.2f %6.2f %6.2f   %s" % (
                kernel, mode, real, ours, 100 * off, " *"[abs(off) > LIMIT],
                result["clang"]["machine"][1], result[mode]["machine"][1],
                result["clang"]["volta"][1], result[mode]["volta"][1], text))
    return suite.print_figures([
        *((f"{mode}: {sum(good)} of {len(good)} ratios within {100 * LIMIT:.0f}%, of which {100 * WANTED:.0f}% are wanted",
           sum(good) >= WANTED * len(good)) for mode, good in near.items()),
        ("the sign of every change" + (": not of " + "; ".join(turned) if turned else ""), not turned),
        (f"{kept} of {promises} remarks have the sign, and are within a factor of two where they say over 10%",
         kept == promises)])


def read_counts(path):
    return {(row["kernel"], row["variant"]): row for row in suite.read_csv(path)[0]}


def main(options):
    if options.half not in (None, "open", "held-out"):
        suite.die("--half is open or held-out")
    options.counts = options.counts and read_counts(options.counts)
    suite.choose(options, "exits")
    suite.find_tools(options, "sm_90", sass=True)
    suite.folder_of(options, "bench", "exits")
    suite.describe(options)
    kernels = [k for k in options.kernels if options.half is None or is_held_out(k) == (options.half == "held-out")]
    results = suite.each("measuring", lambda kernel: measure_kernel(options, kernel), kernels)
    return report(results, "machine" if options.counts is None else "GPU") and options.check
