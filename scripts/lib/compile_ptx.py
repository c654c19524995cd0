#!/usr/bin/env python3
"""Times linearize-ptxas against ptxas. `scripts/bench compile --ptx` calls it.

    compile_ptx.py [--check] [--rounds N] --arch SM --ptxas PTXAS --ours LINEARIZE-PTXAS FILE.ptx...

Both compile each file in turns, N rounds after one that isn't counted; medians are compared. With
--check the status is 1 if the figure is missed.
"""
import argparse
import math
import os
import statistics
import subprocess
import sys
import time

MOST = 1.05  # times, the geometric mean


def seconds(command):
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--rounds", type=int, default=9)
    for option in ("--arch", "--ptxas", "--ours"):
        parser.add_argument(option, required=True)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()

    print("%-20s %8s %8s %7s" % ("kernel", "ptxas", "ours", "ratio"))
    ratios = {}
    for file in options.files:
        arguments = ["-arch=" + options.arch, file, "-o", file + ".cubin"]
        commands = ([options.ptxas, *arguments], [options.ours, options.ptxas, *arguments])
        times = [[seconds(command) for command in commands] for _ in range(options.rounds + 1)][1:]
        without, ours = map(statistics.median, zip(*times))
        name = os.path.basename(file).split(".")[0]
        ratios[name] = ours / without
        print("%-20s %8.1f %8.1f %7.3f" % (name, 1e3 * without, 1e3 * ours, ratios[name]))
        sys.stdout.flush()
    mean = math.exp(statistics.fmean(map(math.log, ratios.values())))
    worst = max(ratios, key=ratios.get)
    print("%s  at most %.0f%% more in the geometric mean: it is %.1f%% more, the most is %.1f%%, %s"
          % ("met   " if mean <= MOST else "missed", 100 * MOST - 100, 100 * mean - 100,
             100 * ratios[worst] - 100, worst))
    sys.exit(options.check and mean > MOST)


if __name__ == "__main__":
    main()
