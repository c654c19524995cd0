"""Compares mode needed with the best choice of regions there is: every subset of the unstructured regions (Definition 1)
of each kernel that has up to 8 is linearized and run in the simulator, in model ipdom for sm_60 and in model volta for
sm_90. What is compared is warp instructions; reached is needed's part of what the best subset saves. A subset that
leaves an irreducible loop is no choice, for ptxas may miscompile it.

The figure: 90% is reached of each kernel of which 1% or more can be saved, and needed makes warps execute at most 1%
more than untouched, or than the best choice where that costs more.
"""
import concurrent.futures
import os
import subprocess

import simulate
import suite
from subsets import MOST_REGIONS, Subsets, name_of

WANTED = 0.9        # of what the best choice saves
WORTH = 0.01        # of the kernel's instructions, to be worth asking that
MOST = 1.01         # times as many warp instructions as untouched, or as the best choice


class Kernel:
    def __init__(self, options, name):
        self.name, self.options = name, options
        self.folder = os.path.join(options.folder, name)
        self.launch = simulate.Launch(simulate.launch_file(options.repository, name))
        self.expected = simulate.expected_output(self.folder, name, self.launch)
        self.choices = Subsets(options.opt, options.plugin,
                               os.path.join(self.folder, "untouched.ll"), self.folder)
        self.module_of = self.choices.module_of

    def simulate(self, pool):
        """Runs all of it."""
        paths = set(self.module_of.values()) | {self.choices.path("needed")}
        runs = {path: pool.submit(simulate.Run, self.options.simt, self.launch, path,
                                  self.options.model, self.expected) for path in sorted(paths)}
        self.runs = {path: run.result() for path, run in runs.items()}
        self.faults = ["%s: %s" % (os.path.relpath(path, self.options.folder), run.fault)
                       for path, run in self.runs.items() if run.fault]
        if self.faults:
            return
        self.before = self.count(self.choices.untouched)
        self.needed = self.count(self.choices.path("needed"))
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


def print_row(kernel):
    reached = "-" if kernel.reached is None else "%.1f%%" % (100 * kernel.reached)
    print("%-20s %7d %12d %8.3f %8.3f %8s  %-16s %s%s" % (
        kernel.name, kernel.choices.regions, kernel.before, kernel.needed / kernel.before,
        kernel.best / kernel.before, reached, name_of(kernel.choices.taken),
        name_of(kernel.best_subset), "  *" if kernel.is_missed else ""), flush=True)


def compare(options):
    """True if something doesn't compute what the CPU does, or with --check if the figure is missed."""
    print("%-20s %7s %12s %8s %8s %8s  %-16s %s" % (
        "kernel", "regions", "untouched", "needed", "best", "reached", "needed takes", "best takes"))
    faults, done, skipped = [], [], []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name in options.kernels:
            kernel = Kernel(options, name)
            if kernel.choices.regions > MOST_REGIONS:
                skipped.append("%s %d" % (name, kernel.choices.regions))
                continue
            kernel.simulate(pool)
            faults += kernel.faults
            if not kernel.faults:
                print_row(kernel)
                done.append(kernel)
    means = [suite.geometric_mean(getattr(k, what) / k.before for k in done) or 1 for what in ("needed", "best")]
    print("%-20s %7s %12s %8.3f %8.3f" % ("geometric mean", "", "", *means))
    for fault in faults:
        print("! " + fault)
    if skipped:
        print("more than %d regions: %s" % (MOST_REGIONS, ", ".join(skipped)))
    few = [kernel.name for kernel in done if kernel.is_missed]
    missed = suite.print_figures([("at least %d%% of what the best choice saves, and at most %d%% more%s" % (
        100 * WANTED, 100 * MOST - 100, suite.listed(few, ": not ")), not few)])
    return bool(faults) or (options.check and missed)


def main(options):
    suite.choose(options, "kernels", first=suite.SEVEN + suite.SMALL)
    missed = False
    # The model and the threads' progress belong together: lock step below sm_70.
    for sm, options.model in (("sm_60", "ipdom"), ("sm_90", "volta")):
        simulate.prepare(options, "choices/" + sm, ["untouched"], sm=sm)
        suite.describe(options, "mode needed")
        print("\nwarp instructions of IR for %s, model %s" % (sm, options.model))
        missed |= compare(options)
    return missed
