#!/usr/bin/env python3
"""Times lib/threads on made-up vectors: how long regrouping takes, and how that grows.

    regroup.py [--check] PROGRAM      bench/regroup.c, compiled

Prints for each number of threads, of different vectors, of blocks, and each shape (bench/regroup.c), the
seconds of one core, and the metric before by that after, of each algorithm. --check: status 1 if
a figure is missed. Then the same of linearize_lam: seconds, the share of elements that move, and the
segments of one class that it and sorting make.
"""
import argparse
import subprocess
import sys

ALGORITHMS = ("Sorting", "Greedy", "Greedy-Max")
FIGURES = {"Sorting": 0.1, "Greedy": 1.0, "Greedy-Max": 1.0}  # seconds for 2^20 threads, issue 27
THREADS = 1 << 20
SHAPES = ("loop", "clusters", "paths")
LAM = {"elements": 10_000_000, "seconds": 0.2, "classes": 10, "pure": 0.99}  # issue 30
DOUBLINGS = 3
MOST_GROWTH = 2  # of time, over as many times as many threads or vectors: for caches; quadratic is 8


def measure(program, threads, different, blocks, shape, *options):
    """[(seconds, gain)] of each algorithm, then the gains of options."""
    line = subprocess.run([program, str(threads), str(different), str(blocks), shape, *options],
                          stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    numbers = [float(word) for word in line[4:]]
    return list(zip(numbers[0:6:2], numbers[1:6:2])), numbers[6:]


def print_row(threads, different, blocks, shape, results, others=()):
    print("%8d %7d %4d %-9s" % (threads, different, blocks, shape)
          + "".join("  %7.3f s x%.3f" % result for result in results)
          + "".join("  x%.3f" % gain for gain in others), flush=True)


def check_lam(program):
    """What is missed of linearize_lam."""
    missed = []
    print("linearize_lam of %d elements:" % LAM["elements"])
    for classes in (10, 100, 1000):
        for run in (1, 20, 1000):
            line = subprocess.run([program, "--lam", str(LAM["elements"]), str(classes), str(run)],
                                  stdout=subprocess.PIPE, text=True, check=True).stdout.split()
            seconds, moved, pure, by_sorting = (float(word) for word in line)
            print("%5d classes, %4d of one after the other: %.3f s, %5.1f%% move, %d segments of one "
                  "class (sorting: %d)" % (classes, run, seconds, 100 * moved, pure, by_sorting), flush=True)
            if classes == LAM["classes"] and seconds > LAM["seconds"]:
                missed.append("linearize_lam takes %.3f s, not %.1f" % (seconds, LAM["seconds"]))
            if pure < LAM["pure"] * by_sorting:
                missed.append("linearize_lam makes %d segments of one class, sorting %d" % (pure, by_sorting))
    return missed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("program")
    options = parser.parse_args()
    missed = []
    print(" threads vectors blocks shape    " + "".join("%18s" % name for name in ALGORITHMS)
          + "  the greedy ones if all are looked at")
    for shape in SHAPES:
        for different in (100, 1000, 10000):
            results, others = measure(options.program, THREADS, different, 16, shape, "--all")
            print_row(THREADS, different, 16, shape, results, others)
            for name, (seconds, _) in zip(ALGORITHMS, results):
                if seconds > FIGURES[name]:
                    missed.append("%s takes %.3f s, not %.1f, for %d different vectors, %s"
                                  % (name, seconds, FIGURES[name], different, shape))
    print("growth with threads, and with different vectors:")
    for rows in ([(THREADS >> halved, 1000) for halved in range(DOUBLINGS, -1, -1)],
                 [(THREADS, 10000 << doubled) for doubled in range(DOUBLINGS + 1)]):
        rows = [(row, measure(options.program, *row, 16, "paths")[0]) for row in rows]
        for row, results in rows:
            print_row(*row, 16, "paths", results)
        for index, name in enumerate(ALGORITHMS):
            growth = rows[-1][1][index][0] / rows[0][1][index][0]
            if growth > MOST_GROWTH << DOUBLINGS:
                missed.append("%s takes %.1f times as long for %d times as many, up to %d threads of %d "
                              "vectors" % (name, growth, 1 << DOUBLINGS, *rows[-1][0]))
    missed += check_lam(options.program)
    for line in missed:
        print("missed: " + line)
    print("%d figures missed" % len(missed))
    sys.exit(1 if options.check and missed else 0)


if __name__ == "__main__":
    main()
