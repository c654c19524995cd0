"""Times what lib/threads takes to regroup made-up threads (bench/regroup.c), on one core, and prints what that gains by
BBV-weighted: of each number of threads, of different vectors, of blocks, and each shape. Then the same of linearize_lam:
seconds, the share of elements that move, and the segments of one class that it and sorting make.

The figures, for 2^20 threads with up to 10^4 different vectors: Sorting under 0.1 s, Greedy and Greedy-Max under 1 s;
eight times as many threads or different vectors never take over 16 times as long; linearize_lam under 0.2 s for 10^7
elements of 10 classes, with at most 1% fewer segments of one class than sorting makes.
"""
import os
import subprocess

import suite

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


def main(options):
    suite.find_tools(options)
    program = os.path.join(suite.folder_of(options, "bench"), "regroup")
    suite.run("cc", "-std=c11", "-O2", "-I" + suite.ROOT + "/lib", "-I" + suite.ROOT + "/include", suite.ROOT + "/bench/regroup.c",
              suite.BUILD + "/lib/liblinearize_threads.a", "-o", program)
    missed = []
    print(" threads vectors blocks shape    " + "".join("%18s" % name for name in ALGORITHMS)
          + "  the greedy ones if all are looked at")
    for shape in SHAPES:
        for different in (100, 1000, 10000):
            results, others = measure(program, THREADS, different, 16, shape, "--all")
            print_row(THREADS, different, 16, shape, results, others)
            for name, (seconds, _) in zip(ALGORITHMS, results):
                if seconds > FIGURES[name]:
                    missed.append("%s takes %.3f s, not %.1f, for %d different vectors, %s"
                                  % (name, seconds, FIGURES[name], different, shape))
    print("growth with threads, and with different vectors:")
    for rows in ([(THREADS >> halved, 1000) for halved in range(DOUBLINGS, -1, -1)],
                 [(THREADS, 10000 << doubled) for doubled in range(DOUBLINGS + 1)]):
        rows = [(row, measure(program, *row, 16, "paths")[0]) for row in rows]
        for row, results in rows:
            print_row(*row, 16, "paths", results)
        for index, name in enumerate(ALGORITHMS):
            growth = rows[-1][1][index][0] / rows[0][1][index][0]
            if growth > MOST_GROWTH << DOUBLINGS:
                missed.append("%s takes %.1f times as long for %d times as many, up to %d threads of %d "
                              "vectors" % (name, growth, 1 << DOUBLINGS, *rows[-1][0]))
    missed += check_lam(program)
    return suite.print_figures([(line, False) for line in missed] or [("all figures", True)]) and options.check
