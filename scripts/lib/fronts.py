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

KINDS = (("regions", "linearized a region"), ("exits", "out of a loop from the flag"),
         ("tests", "by which threads leave this loop"), ("entries", "copied this entry"))

# What llc does in between that makes the difference: it puts what edges set (the operands of phis)
# into blocks, of their own or of those that end there; it lays tests and blocks together, or apart;
# and it fuses and spares instructions, so that what is near a threshold may come to lie beyond it.
WHY = {
    "goto_parser": "the flag of a second short loop is set by a block of its own, which is folded, too",
    "heartwall": "guards cost more of what is fewer instructions: it gains too little",
    "hotspot": "joins of fewer instructions are saved by fewer guards: it gains enough",
    "irreducible_3": "a block that ends in a switch is two blocks; the first one is short, and copied",
    "prime_search": "the flag's test is joined with another one: its exit is freed, not folded",
    "ray": "the flag's exit has become a way around; what is left of its region gains enough",
    "stack_visit": "the flag is a register that the loop's blocks set: it is one in PTX alone",
    "substring": "a block of what an edge sets makes a join that is late",
    "union_find": "the flag's exit has become a way around; its region gains more",
}


def count(path):
    """How many of each kind, and the lines."""
    with open(path, encoding="utf-8") as file:
        lines = [line.strip() for line in file if "remark: " in line]
    found = [[line for line in lines if words in line] for _, words in KINDS]
    return [len(lines) for lines in found], [line for lines in found for line in lines]


def brief(line):
    """The message, and the line of the source."""
    at = re.search(r"([\w.]+\.cuh?:\d+)", line)
    message = re.sub(r"^.*?remark: (function '\S+', )?", "", line)
    message = re.split(r"[:;] | \((?:for|[\w.]+:\d)", message)[0]
    return "%s %s" % (at[1] if at else "?", message)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("folder")
    parser.add_argument("kernels", nargs="+")
    options = parser.parse_args()

    print("%-20s %-28s %s" % ("", "clang's IR", "clang's PTX"))
    print(("%-20s" + " %7s" * 8) % ("kernel", *[name for name, _ in KINDS] * 2))
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
