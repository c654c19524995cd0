#!/usr/bin/env python3
"""The same kernels through both front ends. `scripts/bench fronts` calls it.

    fronts.py [--check] FOLDER KERNEL...

Prints, of FOLDER/KERNEL.llvm and FOLDER/KERNEL.text, which are remarks, how many regions were
linearized, exits freed, tests made one and entries copied, and of kernels that differ each of them.
With --check the status is 1 if there is one that differs of which nobody has said why (WHY).
"""
import argparse
import os
import re
import sys

import remarks

# Between the two stands llc: it puts what edges set (the operands of phis) into blocks, makes tests of
# switches, lays blocks together or apart, and fuses instructions. And regions of PTX have to gain more
# (LEAST_GAIN in lib/ptx/steps.c). Seen in the remarks and the PTX of each:
WHY = {
    "early_returns": "in PTX its region gains too little",
    "goto_parser": "what a second loop of two tests hands on is a `mov` in PTX, for those who leave",
    "heartwall": "in PTX its region gains too little",
    "hotspot": "in PTX its region saves 53 of 188 instructions, not 22 of 154: enough",
    "irreducible_3": "an entry sets values that are used far behind: registers may be set by a copy",
    "prime_search": "the flag's test has a counter's in it (or.pred): the exit is freed before tests fold",
    "ray": "the flag was a switch: its first test alone takes fewer ways, and none to a place where all wait",
    "shared_tails": "in PTX its region gains too little",
    "substring": "a region of three blocks is there in PTX alone",
    "union_find": "the flag was a switch: its first test takes two ways out, to a place where not all wait",
}


def count(path):
    """How many of each kind, and the lines."""
    with open(path, encoding="utf-8") as file:
        lines = [line.strip() for line in file if "remark: " in line]
    found = remarks.counted(lines)
    return [len(lines) for lines in found], [line for lines in found for line in lines]


def brief(line):
    """The message, and the line of the source."""
    at = re.search(r"([\w.]+\.cuh?:\d+)", line)
    message = re.sub(r"^.*?remark: (function '[^']+', )?(block '[^']+': )?", "", line)
    message = re.split(r"[:;] | \((?:for|[\w.]+:\d)", message)[0]
    return "%s %s" % (at[1] if at else "?", message)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("folder")
    parser.add_argument("kernels", nargs="+")
    options = parser.parse_args()

    print("%-20s %-28s %s" % ("", "clang's IR", "clang's PTX"))
    print(("%-20s" + " %7s" * 8) % ("kernel", *[name for name, _ in remarks.COUNTED] * 2))
    unknown, differ, same = [], 0, 0
    for kernel in options.kernels:
        path = os.path.join(options.folder, kernel)
        (llvm, llvm_lines), (text, text_lines) = count(path + ".llvm"), count(path + ".text")
        if any(llvm) or any(text):
            print(("%-20s" + " %7d" * 8 + "%s") % (kernel, *llvm, *text, "" if llvm == text else "  *"))
        same += llvm == text
        if llvm == text:
            continue
        differ += 1
        for name, lines in (("IR", llvm_lines), ("PTX", text_lines)):
            for line in lines:
                print("    %-3s  %s" % (name, brief(line)))
        print("    why: %s" % WHY.get(kernel, "nobody has said"))
        if kernel not in WHY:
            unknown.append(kernel)
    print("%d kernels the same, %d not" % (same, differ))
    print("%s  of each that differs it is known why%s"
          % ("missed" if unknown else "met   ", ": not of " + ", ".join(unknown) if unknown else ""))
    sys.exit(options.check and bool(unknown))


if __name__ == "__main__":
    main()
