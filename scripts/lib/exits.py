#!/usr/bin/env python3
"""What the simulator's model volta and the remarks promise of kernels that are left early, beside
what the machine code does. `scripts/bench exits` calls it.

    exits.py --llvm BIN --ptxas PTXAS --nvdisasm NVDISASM --plugin PLUGIN --simt LINEARIZE-SIMT
             --repository FOLDER --folder WORK [--half open|held-out] [--counts PROFILE.csv]
             [--check] KERNEL...

Each kernel of bench/exits is built by clang, untouched and in the modes needed and paper. Its warp
instructions and threads active come from machine.py, or with --counts from what a GPU counted
(`scripts/bench gpu --profile-kinds`). Every output has to be the CPU's.
"""
import argparse
import csv
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import reference
import simulate
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
    """Prints the table and the figures; whether all are met."""
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
    figures = [(sum(good) >= WANTED * len(good),
                f"{mode}: {sum(good)} of {len(good)} ratios within {100 * LIMIT:.0f}%, of which "
                f"{100 * WANTED:.0f}% are wanted") for mode, good in near.items()]
    figures.append((not turned, "the sign of every change" +
                    (": not of " + "; ".join(turned) if turned else "")))
    figures.append((kept == promises, f"{kept} of {promises} remarks have the sign, and are within "
                    "a factor of two where they say over 10%"))
    for met, text in figures:
        print(f"{'met' if met else 'missed':8}{text}")
    return all(met for met, _ in figures)


def read_counts(path):
    with open(path, newline="", encoding="ascii") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {(row["kernel"], row["variant"]): row for row in rows}


def main():
    parser = argparse.ArgumentParser()
    for option in ("llvm", "ptxas", "nvdisasm", "plugin", "simt", "repository", "folder"):
        parser.add_argument("--" + option, required=True)
    parser.add_argument("--half", choices=("open", "held-out"))
    parser.add_argument("--counts", type=read_counts)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("kernels", nargs="+")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    kernels = [k for k in options.kernels
               if options.half is None or is_held_out(k) == (options.half == "held-out")]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        try:
            results = dict(zip(kernels, pool.map(lambda k: measure_kernel(options, k), kernels)))
        except (RuntimeError, subprocess.SubprocessError) as error:
            sys.exit(f"exits.py: {error}")
    met = report(results, "machine" if options.counts is None else "GPU")
    sys.exit(options.check and not met)


if __name__ == "__main__":
    main()
