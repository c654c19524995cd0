#!/usr/bin/env python3
"""Compares mode needed with the best choice of regions there is: every subset of a kernel's
unstructured regions (Definition 1) is linearized and run in the simulator. `scripts/bench choices`
calls it.

    choices.py --simt LINEARIZE-SIMT --graph LINEARIZE-GRAPH --opt OPT --plugin PLUGIN
               --repository FOLDER --folder MODULES --model MODEL [--check] KERNEL...

MODULES has for each kernel a folder with untouched.ll, and reference.so, the kernel on the CPU. What
is compared is warp instructions; reached is needed's part of what the best subset saves. A subset
that leaves an irreducible loop is no choice, for ptxas may miscompile it. The status is 1 if
something doesn't compute what the CPU does; with --check, too, if less than 90% is reached for a
kernel of which 1% or more can be saved, or if needed makes warps execute over 1% more than untouched,
or than the best choice where that costs more.
"""
import argparse
import concurrent.futures
import filecmp
import math
import os
import re
import subprocess
import sys

import simulate

MOST_REGIONS = 8
WANTED = 0.9        # of what the best choice saves
WORTH = 0.01        # of the kernel's instructions, to be worth asking that
MOST = 1.01         # times as many warp instructions as untouched, or as the best choice


class Kernel:
    def __init__(self, options, name):
        self.name, self.options = name, options
        self.folder = os.path.join(options.folder, name)
        self.launch = simulate.Launch(simulate.launch_file(options.repository, name))
        self.expected = simulate.expected_output(self.folder, name, self.launch)
        self.untouched = os.path.join(self.folder, "untouched.ll")
        self.modules = {}  # those that differ
        remarks = self.linearize("needed", "needed")
        self.regions = 1 + max((n for _, n in remarks), default=-1)
        self.taken = sorted({n for kind, n in remarks if kind == "Passed"})
        self.module_of = {(): self.untouched}
        if self.regions <= MOST_REGIONS:
            for subset in subsets(self.regions):
                numbers = "+".join(map(str, subset))
                self.linearize("only=" + numbers, numbers)
                self.module_of[subset] = self.same_module(self.path(numbers))

    def path(self, what):
        return os.path.join(self.folder, what + ".ll")

    def linearize(self, parameters, what):
        """Leaves a module; the kinds of the remarks and the regions that they name."""
        done = subprocess.run(
            [self.options.opt, "-S", "-load-pass-plugin=" + self.options.plugin,
             "-passes=linearize<%s>" % parameters, self.untouched, "-o", self.path(what),
             "-pass-remarks-output=-", "-pass-remarks-filter=linearize"],
            capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit("choices.py: %s, %s: %s" % (self.name, parameters, done.stderr.strip()))
        return [(remark.split("\n", 1)[0], int(number))
                for remark in done.stdout.split("--- !")
                for number in re.findall(r"- Region: +'(\d+)'", remark)]

    def same_module(self, path):
        """The first like it: regions that need each other make the same of several subsets."""
        for other in self.modules.setdefault(os.path.getsize(path), []):
            if filecmp.cmp(path, other, shallow=False):
                os.remove(path)
                return other
        self.modules[os.path.getsize(path)].append(path)
        return path

    def simulate(self, pool):
        """Runs all of it."""
        paths = set(self.module_of.values()) | {self.path("needed")}
        runs = {path: pool.submit(simulate.Run, self.options.simt, self.launch, path,
                                  self.options.model, self.expected) for path in sorted(paths)}
        self.runs = {path: run.result() for path, run in runs.items()}
        self.faults = ["%s: %s" % (os.path.relpath(path, self.options.folder), run.fault)
                       for path, run in self.runs.items() if run.fault]
        if self.faults:
            return
        self.before = self.count(self.untouched)
        self.needed = self.count(self.path("needed"))
        possible = [s for s, module in self.module_of.items() if self.is_reducible(module)]
        self.best_subset = min(possible, key=lambda s: (self.count(self.module_of[s]), len(s), s))
        self.best = self.count(self.module_of[self.best_subset])

    def is_reducible(self, path):
        done = subprocess.run([self.options.graph, "--step", "stats", path], capture_output=True,
                              text=True, check=True)
        names, *rows = [line.split("\t") for line in done.stdout.splitlines()]
        return all(row[names.index("irreducible")] == "0" for row in rows)

    def count(self, path):
        return self.runs[path].numbers["warp_instructions"]

    @property
    def reached(self):
        """None if there is too little to gain."""
        gain = self.before - self.best
        return (self.before - self.needed) / gain if gain >= WORTH * self.before else None

    @property
    def is_missed(self):
        few = self.reached is not None and self.reached < WANTED
        return few or self.needed > MOST * max(self.before, self.best)


def subsets(count):
    """All but the empty one."""
    return [tuple(n for n in range(count) if mask >> n & 1) for mask in range(1, 1 << count)]


def numbers_text(numbers):
    return "+".join(map(str, numbers)) or "-"


def print_row(kernel):
    reached = "-" if kernel.reached is None else "%.1f%%" % (100 * kernel.reached)
    print("%-20s %7d %12d %8.3f %8.3f %8s  %-16s %s%s" % (
        kernel.name, kernel.regions, kernel.before, kernel.needed / kernel.before,
        kernel.best / kernel.before, reached, numbers_text(kernel.taken),
        numbers_text(kernel.best_subset), "  *" if kernel.is_missed else ""), flush=True)


def main():
    parser = argparse.ArgumentParser()
    for option in ("--simt", "--graph", "--opt", "--plugin", "--repository", "--folder", "--model"):
        parser.add_argument(option, required=True)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("kernels", nargs="+")
    options = parser.parse_args()
    print("%-20s %7s %12s %8s %8s %8s  %-16s %s" % (
        "kernel", "regions", "untouched", "needed", "best", "reached", "needed takes", "best takes"))
    faults, done, skipped = [], [], []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name in options.kernels:
            kernel = Kernel(options, name)
            if kernel.regions > MOST_REGIONS:
                skipped.append("%s %d" % (name, kernel.regions))
                continue
            kernel.simulate(pool)
            faults += kernel.faults
            if not kernel.faults:
                print_row(kernel)
                done.append(kernel)
    means = [math.exp(sum(math.log(getattr(k, what) / k.before) for k in done) / len(done))
             for what in ("needed", "best")] if done else [1, 1]
    print("%-20s %7s %12s %8.3f %8.3f" % ("geometric mean", "", "", *means))
    for fault in faults:
        print("! " + fault)
    if skipped:
        print("more than %d regions: %s" % (MOST_REGIONS, ", ".join(skipped)))
    missed = [kernel.name for kernel in done if kernel.is_missed]
    print("%s  at least %d%% of what the best choice saves, and at most %d%% more%s"
          % ("missed" if missed else "met   ", 100 * WANTED, 100 * MOST - 100,
             ": not " + ", ".join(missed) if missed else ""))
    sys.exit(bool(faults) or (options.check and bool(missed)))


if __name__ == "__main__":
    main()
