#!/usr/bin/env python3
"""Kernels whose threads branch on their index, and such as vote: times on a GPU, and what they say.

    indices.py [--check] --folder FOLDER --words LIST --csv FILE --indices "NAME..." --votes "NAME..."

FOLDER has what scripts/bench indices --build leaves: the program `run` (bench/device/run.cpp) and
NAME.VARIANT.cubin. Each line of a table is a kernel: for each variant its milliseconds, how many times as
fast as clang's it is, and registers. Behind the tables stand the figures; with --check the status is 1 if
one is missed.
"""
import argparse
import collections
import csv
import glob
import os
import re
import subprocess
import sys

WIDTHS = {"board": 16}  # of blocks that aren't one row
PATIENCE = 300          # seconds
BY_HAND, SLOWER = 1.03, 0.98     # issue 28: within 3% of the one by hand; never slower than that
ALIKE, LOST = 0.98, 0.03         # issue 28: warps with equal data; the part of the gain that may be lost

Row = collections.namedtuple("Row", "words kernel variant rounds ms registers fault note")


def variants_of(folder, kernel):
    order = ["clang", "again", "regrouped", "needed", "vote", "hand1", "hand2", "hand3"]
    there = {re.fullmatch(r".*\.(\w+)\.cubin", path)[1] for path in
             glob.glob(os.path.join(folder, kernel + ".*.cubin"))}
    return [name for name in order if name in there]


def measure(folder, kernel, words):
    command = [os.path.join(folder, "run"), kernel, str(words)]
    if kernel in WIDTHS:
        command.append("--width=%d" % WIDTHS[kernel])
    command += ["%s=%s" % (name, os.path.join(folder, "%s.%s.cubin" % (kernel, name)))
                for name in variants_of(folder, kernel)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
    rows = []
    for line in done.stdout.splitlines():
        name, rounds, ms, registers, _, _, fault, note = line.split("\t")
        rows.append(Row(words, kernel, name, int(rounds), float(ms), int(registers), fault, note))
    if not rows:
        sys.exit("indices.py: %s: %s" % (kernel, done.stderr.strip() or "no output"))
    return rows


def print_table(rows, kernels, words):
    for kernel in kernels:
        here = [row for row in rows if (row.kernel, row.words) == (kernel, words)]
        base = here[0].ms
        cells = ["%s %.4f x%.3f %d" % (row.variant, row.ms, base / row.ms if row.ms else 0, row.registers)
                 if not row.fault else "%s %s" % (row.variant, row.fault) for row in here]
        print("%-13s %6d rounds   %s" % (kernel, here[0].rounds, "   ".join(cells)))


class Figures:
    def __init__(self, rows):
        self.ms = {(row.kernel, row.words, row.variant): row.ms for row in rows if not row.fault}
        self.missed = False

    def say(self, met, text):
        print("%s %s" % ("met   " if met else "missed", text))
        self.missed |= not met

    def ratio(self, kernel, words, above, below):
        """How many times as long one variant takes as another; 0 if either isn't there."""
        one, other = (self.ms.get((kernel, words, name)) for name in (above, below))
        return one / other if one and other else 0


def judge(rows, sizes, indices, votes):
    figures = Figures(rows)
    wrong = ["%s, %s, %d words: %s" % (row.kernel, row.variant, row.words, row.note) for row in rows if row.fault]
    figures.say(not wrong, "all are right%s" % "".join("\n  " + line for line in wrong))
    if "tree" in indices:
        worst = max(figures.ratio("tree", words, "regrouped", "hand1") for words in sizes)
        figures.say(0 < worst <= BY_HAND, "the tree, regrouped, takes %.3f times as long as the contiguous one "
                    "by hand, at most %.2f" % (worst, BY_HAND))
    slowest = min((figures.ratio(kernel, words, "clang", "regrouped"), kernel, words)
                  for kernel in indices for words in sizes)
    figures.say(slowest[0] >= SLOWER, "regrouped, none is under %.2f of clang's speed: %s, %d words, %.3f"
                % (SLOWER, slowest[1], slowest[2], slowest[0]))
    for kernel in votes:
        for words in sizes:
            speed = figures.ratio(kernel, words, "clang", "vote")
            if kernel.endswith("_alike"):
                figures.say(speed >= ALIKE, "%s, %d words: with votes %.3f of clang's speed, at least %.2f; "
                            "without %.3f" % (kernel, words, speed, ALIKE,
                                              figures.ratio(kernel, words, "clang", "needed")))
                continue
            gain = 1 - figures.ratio(kernel, words, "needed", "clang")
            lost = (figures.ratio(kernel, words, "vote", "clang") - 1 + gain) / gain if gain > 0.02 else 0
            figures.say(lost <= LOST, "%s, %d words: %.1f%% of the gain is lost, at most %.0f%%; x%.3f without "
                        "votes" % (kernel, words, 100 * lost, 100 * LOST,
                                   figures.ratio(kernel, words, "clang", "needed")))
    return figures.missed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    for name in ("folder", "words", "csv", "indices", "votes"):
        parser.add_argument("--" + name, required=True)
    options = parser.parse_args()
    sizes = [int(word) for word in options.words.split(",")]
    indices, votes = options.indices.split(), options.votes.split()
    rows = []
    for words in sizes:
        print("\n%d KB of input: ms, times as fast as clang's, registers" % (words // 256))
        for kernel in indices + votes:
            rows += measure(options.folder, kernel, words)
            print_table(rows, [kernel], words)
            sys.stdout.flush()
    print()
    with open(options.csv, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(Row._fields)
        writer.writerows(rows)
    missed = judge(rows, sizes, indices, votes)
    sys.exit(1 if missed and options.check else 0)


if __name__ == "__main__":
    main()
