#!/usr/bin/env python3
"""Prints what the plugin adds to the instructions that clang executes. `scripts/bench compile` calls
it.

    compile.py [--check] FILE.csv

FILE.csv has a line for each kernel with the numbers without and with the plugin; the kernel `empty`
is an empty file, and shows what loading the plugin costs. With --check the status is 1 if a figure is
missed.
"""
import argparse
import csv
import sys

MOST_IN_ALL, MOST = 1.03, 1.10  # times


def print_row(name, without, with_plugin):
    print("%-20s %9.2f %9.2f %7.3f" % (name, without / 1e6, with_plugin / 1e6,
                                       with_plugin / without))


def print_figure(text, missed):
    print("%s  %s" % ("missed" if missed else "met   ", text))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("file")
    options = parser.parse_args()
    with open(options.file, newline="") as file:
        rows = {row["kernel"]: (int(row["without"]), int(row["with"]))
                for row in csv.DictReader(file)}
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
    too_much = with_plugin > MOST_IN_ALL * without
    print_figure("in all at most %.0f%% more" % (100 * MOST_IN_ALL - 100), too_much)
    print_figure("each at most %.0f%% more: the most is %.2f%%, %s%s"
                 % (100 * MOST - 100, 100 * ratios[worst] - 100, worst,
                    "; over it: " + ", ".join(over) if over else ""), over)
    sys.exit(bool(options.check and (too_much or over)))


if __name__ == "__main__":
    main()
