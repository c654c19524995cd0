"""Times linearize-ptxas against ptxas: `scripts/bench compile --ptx`.

Both compile each file in turns, 15 rounds after one that isn't counted. What is compared is processor
time, that of the kernel for them included: what else runs on the machine changes that little. `ratio`
is the median over the rounds of the two times of a round; `start` what linearize-ptxas takes until it
is ptxas. The rest of the difference is ptxas' own: it has other PTX to compile.
"""
import os
import statistics
import subprocess
import sys

import suite

MOST, ROUNDS = 1.05, 15  # times, the geometric mean


def seconds(command, environment=None):
    """Of a processor."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit("failed: " + " ".join(command))
    return used.ru_utime + used.ru_stime


def main(options):
    print("milliseconds of ptxas for %s, without and with linearize-ptxas, medians of %d rounds in turns; revision %s"
          % (options.sm, ROUNDS, suite.revision()))
    print("%-20s %8s %8s %8s %7s" % ("kernel", "ptxas", "ours", "start", "ratio"))
    ratios, starts = {}, {}
    nothing, ours = "/bin/true", options.tool + "as"
    for kernel in options.kernels:
        file = os.path.join(options.folder, kernel + ".ptx")
        suite.run(options.clangxx, *options.flags, "-S", suite.source_of(kernel), "-o", file)
        arguments = ["-arch=" + options.sm, file, "-o", file + ".cubin"]
        commands = [([options.ptxas, *arguments], None),
                    ([ours, options.ptxas, *arguments], None),
                    ([ours, *arguments], dict(os.environ, LINEARIZE_PTXAS=nothing)),
                    ([nothing], None)]
        times = [[seconds(*command) for command in commands] for _ in range(ROUNDS + 1)][1:]
        without, with_ours, to_nothing, alone = map(statistics.median, zip(*times))
        ratios[kernel] = statistics.median(row[1] / row[0] for row in times)
        starts[kernel] = 1 + max(to_nothing - alone, 0) / without
        print("%-20s %8.1f %8.1f %8.1f %7.3f" % (kernel, 1e3 * without, 1e3 * with_ours, 1e3 * (to_nothing - alone),
                                                 ratios[kernel]), flush=True)
    mean, start = map(suite.geometric_mean, (ratios.values(), starts.values()))
    worst = max(ratios, key=ratios.get)
    return suite.print_figures([(
        "at most %.0f%% more in the geometric mean: it is %.1f%% more, %.1f%% of it until ptxas starts; the most is %.1f%%, %s"
        % (100 * MOST - 100, 100 * mean - 100, 100 * start - 100, 100 * ratios[worst] - 100, worst), mean <= MOST)]) and options.check
