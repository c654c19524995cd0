#!/usr/bin/env python3
"""Other people's programs, compiled by clang for the host with and without the plugin.

gcc       the programs of GCC's gcc.c-torture/execute, which check themselves
csmith    random programs, which print a checksum of their variables
programs  real programs with their own test suites (programs.py)

A program passes if it does the same as without the plugin. It is skipped if it fails without the
plugin too, or if the plugin finds nothing in it to linearize. Each runs with every configuration
asked for; a random program, and each of the sample, with one clang level, one level of the plugin
and two of the modes, which go by its number. Every second program has debug info. LLVM's verifier
looks at each function that was changed.
"""

import argparse
import collections
import concurrent.futures
import itertools
import os
import resource
import sys
import time

sys.dont_write_bytecode = True  # the source tree stays as it is

from cases import Compiler, Config, RandomProgram, RealProgram, TortureProgram
from fetch import Archive
from programs import RECIPES

SUITES = ["gcc", "csmith", "programs"]
MODES = ["all", "paper", "needed", "beyond"]  # the last one: Compiler
LEVELS = ["O0", "O1", "O2", "O3", "O4"]
OUTCOMES = ["passed", "failed", "skipped"]
SAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sample.txt")
SAMPLE_SEEDS = 12


def arguments():
    parser = argparse.ArgumentParser(prog="torture", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="*", metavar="gcc|csmith|programs",
                        help="all of them unless named; the sample has none of `programs`")
    parser.add_argument("--sample", action="store_true", help="a few minutes' worth, always the same")
    parser.add_argument("--minutes", type=float, help="start nothing new after that time")
    parser.add_argument("--only", metavar="NAME", help="one program, named as failures name it")
    parser.add_argument("--opt", choices=["O0", "O1", "O2", "O3"], action="append",
                        help="clang's level; O1 and O2 unless given")
    parser.add_argument("--mode", choices=MODES, action="append")
    parser.add_argument("--level", choices=LEVELS, action="append")
    parser.add_argument("--seed", type=int, default=1, help="the first of csmith's")
    parser.add_argument("--count", type=int, default=300, help="how many of csmith's programs")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    for name in "clang", "plugin", "folder":
        parser.add_argument("--" + name, required=True, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if set(args.suites) - set(SUITES):
        parser.error("the suites are " + ", ".join(SUITES))
    args.suites = args.suites or (SUITES[:2] if args.sample else SUITES)
    return args


def torture_programs(root, sample):
    names = [os.path.relpath(os.path.join(folder, name), root)
             for folder, _, files in os.walk(root) for name in files if name.endswith(".c")]
    names = sorted(name for name in names
                   if not name.endswith("-lib.c") and not name.startswith("builtins/lib/"))
    if sample:
        with open(SAMPLE) as f:
            wanted = f.read().split()
        if set(wanted) - set(names):
            raise SystemExit("torture: GCC has no %s" % sorted(set(wanted) - set(names)))
        names = wanted
    return [TortureProgram(root, name, number) for number, name in enumerate(names)]


def cases(args, archive):
    if "gcc" in args.suites:
        yield from torture_programs(archive.gcc_programs(), args.sample)
    if "csmith" in args.suites:
        root = archive.packages("csmith", "csmith", "libcsmith-dev")
        folder = archive.path("csmith-programs")
        os.makedirs(folder, exist_ok=True)
        for i in range(SAMPLE_SEEDS if args.sample else args.count):
            yield RandomProgram(root, folder, args.seed + i)
    if "programs" in args.suites:
        for number, recipe in enumerate(RECIPES):
            if args.only in (None, recipe.name):
                yield RealProgram(recipe, number, archive)


def configurations(args, case):
    opts, levels = sorted(set(args.opt or ["O1", "O2"])), args.level or LEVELS
    modes = args.mode or MODES
    if args.sample or case.suite == "csmith":
        levels, opts = ([levels[case.number % len(levels)]],
                        [opts[case.number // len(levels) % len(opts)]])
        modes = modes if args.mode else MODES[case.number % 2::2]
    return [Config(*parts) for parts in itertools.product(opts, modes, levels)]


class Report:
    """What is printed, and the log with every result."""

    def __init__(self, log, total):
        self.log = open(log, "w")
        self.total = total
        self.finished = 0
        self.counts = collections.Counter()

    def clear(self):
        if sys.stdout.isatty():
            print("\r\033[K", end="", flush=True)

    def add(self, results):
        self.finished += 1
        for case, config, outcome, text in results:
            self.counts[config[1:], outcome] += 1
            line = "%s: %s %s, %s" % (outcome, case.suite, case.name, " ".join(config))
            print(line + ("\n" + text if text else ""), file=self.log, flush=True)
            if outcome == "failed":
                self.clear()
                print("%s\n%s\n" % (line, text), flush=True)
        self.clear()
        if sys.stdout.isatty() and self.finished < self.total:
            print("%d of %d, %d failed" % (self.finished, self.total, self.count("failed")),
                  end="", flush=True)

    def count(self, outcome, config=None):
        return sum(number for (where, what), number in self.counts.items()
                   if what == outcome and config in (None, where))

    def end(self):
        for config in sorted({config for config, _ in self.counts}):
            print("%-9s" % " ".join(config) + "".join(
                "%7d %s" % (self.count(outcome, config), outcome) for outcome in OUTCOMES))
        print("every result, and why programs were skipped: " + self.log.name)
        print(", ".join("%d %s" % (self.count(outcome), outcome) for outcome in OUTCOMES))


def main():
    args = arguments()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.makedirs(args.folder, exist_ok=True)
    archive = Archive(os.path.abspath(args.folder))
    compiler = Compiler(args.clang, os.path.abspath(args.plugin))
    todo = [case for case in cases(args, archive) if args.only in (None, case.name)]
    if not todo:
        raise SystemExit("torture: no program '%s'" % args.only)
    name = "sample" if args.sample else "-".join(args.suites)
    report = Report(os.path.join(args.folder, name + ".log"), len(todo))
    deadline = time.time() + 60 * (args.minutes or 1e6)

    def work(case):
        if time.time() > deadline:
            return []
        return list(case.check(compiler, configurations(args, case)))

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for future in concurrent.futures.as_completed([pool.submit(work, case) for case in todo]):
            report.add(future.result())
    report.end()
    sys.exit(report.count("failed") > 0 or report.count("passed") == 0)


main()
