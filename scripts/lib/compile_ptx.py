#!/usr/bin/env python3
"""Times linearize-ptxas against ptxas. `scripts/bench compile --ptx` calls it.

    compile_ptx.py [--check] [--rounds N] --arch SM --ptxas PTXAS --ours LINEARIZE-PTXAS FILE.ptx...

Both compile each file in turns, N rounds after one that isn't counted. What is compared is processor
time, that of the kernel for them included: what else runs on the machine changes that little. `ratio`
is the median over the rounds of the two times of a round; `start` what linearize-ptxas takes until it
is ptxas. The rest of the difference is ptxas' own: it has other PTX to compile. With --check the status
is 1 if the figure is missed.
"""
import argparse
import math
import os
import statistics
import subprocess
import sys

MOST = 1.05  # times, the geometric mean


def seconds(command, environment=None):
    """Of a processor."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit("failed: " + " ".join(command))
    return used.ru_utime + used.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--rounds", type=int, default=15)
    for option in ("--arch", "--ptxas", "--ours"):
        parser.add_argument(option, required=True)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()

    print("%-20s %8s %8s %8s %7s" % ("kernel", "ptxas", "ours", "start", "ratio"))
    ratios, starts = {}, {}
    nothing = "/bin/true"
    for file in options.files:
        arguments = ["-arch=" + options.arch, file, "-o", file + ".cubin"]
        commands = [([options.ptxas, *arguments], None),
                    ([options.ours, options.ptxas, *arguments], None),
                    ([options.ours, *arguments], dict(os.environ, LINEARIZE_PTXAS=nothing)),
                    ([nothing], None)]
        times = []
        for _ in range(options.rounds + 1):
            times.append([seconds(*command) for command in commands])
        times = times[1:]
        without, ours, to_nothing, alone = map(statistics.median, zip(*times))
        name = os.path.basename(file).split(".")[0]
        ratios[name] = statistics.median(row[1] / row[0] for row in times)
        starts[name] = 1 + max(to_nothing - alone, 0) / without
        print("%-20s %8.1f %8.1f %8.1f %7.3f" % (name, 1e3 * without, 1e3 * ours,
                                                 1e3 * (to_nothing - alone), ratios[name]))
        sys.stdout.flush()
    mean, start = (math.exp(statistics.fmean(map(math.log, column.values())))
                   for column in (ratios, starts))
    worst = max(ratios, key=ratios.get)
    print("%s  at most %.0f%% more in the geometric mean: it is %.1f%% more, %.1f%% of it until ptxas "
          "starts; the most is %.1f%%, %s"
          % ("met   " if mean <= MOST else "missed", 100 * MOST - 100, 100 * mean - 100,
             100 * start - 100, 100 * ratios[worst] - 100, worst))
    sys.exit(options.check and mean > MOST)


if __name__ == "__main__":
    main()
