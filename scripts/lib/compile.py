"""Counts, in valgrind, the instructions that clang -O3 executes to make PTX of each kernel of bench/kernels and
bench/structured, without the plugin and with it; of an empty file, too, which shows what loading the plugin costs.
Cachegrind's counts come again within 0.1%, on a machine that does other things too. The figures: at most 3% more in
all, and at most 10% more for each.

--ptx times linearize-ptxas against ptxas on clang's PTX of these kernels, in turns (compile_ptx.py). The figure: at
most 5% more processor time in the geometric mean.
"""
import csv
import os
import re

import compile_ptx
import suite

MOST_IN_ALL, MOST = 1.03, 1.10  # times


def print_row(name, without, with_plugin):
    print("%-20s %9.2f %9.2f %7.3f" % (name, without / 1e6, with_plugin / 1e6,
                                       with_plugin / without))


def count(options, source, name, flags):
    suite.run("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=" + name + ".cachegrind",
              options.clangxx, *options.flags, *flags, "-S", source, "-o", name + ".ptx")
    with open(name + ".cachegrind", encoding="ascii") as file:
        return int(re.search(r"^summary: (\d+)", file.read(), re.MULTILINE)[1])


def measure(options, kernel):
    """(instructions without the plugin, with it); `empty` is no kernel."""
    name = os.path.join(options.folder, kernel)
    source = name + ".cu" if kernel == "empty" else suite.source_of(kernel)
    return tuple(count(options, source, name + end, flags)
                 for end, flags in ((".without", []), (".with", suite.plugin_flags(options))))


def report(rows, check):
    """`rows`: {kernel: (without, with)}."""
    empty = rows.pop("empty")
    print("%-20s %9s %9s %7s" % ("kernel", "without", "with", "ratio"))
    for name, numbers in rows.items():
        print_row(name, *numbers)
    without, with_plugin = map(sum, zip(*rows.values()))
    print_row("total", without, with_plugin)
    print_row("an empty file", *empty)
    print("of the %.2f%% more in all, %.2f%% is loading the plugin"
          % (100 * (with_plugin / without - 1),
             100 * len(rows) * (empty[1] - empty[0]) / without))

    ratios = {name: numbers[1] / numbers[0] for name, numbers in rows.items()}
    worst = max(ratios, key=ratios.get)
    over = [name for name, ratio in ratios.items() if ratio > MOST]
    return suite.print_figures([
        ("in all at most %.0f%% more" % (100 * MOST_IN_ALL - 100), with_plugin <= MOST_IN_ALL * without),
        ("each at most %.0f%% more: the most is %.2f%%, %s%s" % (
            100 * MOST - 100, 100 * ratios[worst] - 100, worst, suite.listed(over, "; over it: ")), not over)]) and check


def judge(options):
    """Of the file options.counts."""
    with open(options.counts, newline="", encoding="ascii") as file:
        return report({row["kernel"]: (int(row["without"]), int(row["with"])) for row in csv.DictReader(file)}, options.check)


def main(options):
    suite.choose(options, "kernels", "structured")
    suite.find_tools(options, setup="--sass" if options.ptx else "--count")
    suite.folder_of(options, "bench", "compile")
    if options.ptx:
        return compile_ptx.main(options)
    with open(os.path.join(options.folder, "empty.cu"), "w", encoding="ascii"):
        pass
    options.counts = options.csv or os.path.join(options.folder, "compile.csv")
    found = suite.each("counting", lambda kernel: measure(options, kernel), [*options.kernels, "empty"])
    with open(options.counts, "w", encoding="ascii") as file:
        file.write("kernel,without,with\n" + "".join("%s,%d,%d\n" % (kernel, *row) for kernel, row in found.items()))
    suite.describe(options, "million instructions of clang -O3 -S for %s, the plugin with its default options" % options.sm)
    return judge(options)
