"""Takes kernels of bench/kernels, bench/exits and bench/costs through both front ends: clang's IR, and the PTX that llc
makes of it. It prints how many regions mode needed linearizes in each, exits it frees, tests it makes one and entries
it copies; and of each kernel that differs what and why. The figure: of each kernel that differs it is known why (WHY).
"""
import os
import re

import remarks
import suite

# Between the two stands llc: it puts what edges set (the operands of phis) into blocks, makes tests of
# switches, lays blocks together or apart, and fuses instructions. And regions of PTX have to gain more
# (LIN_LEAST_GAIN_OF_PTX in lib/choose/estimate.h). Seen in the remarks and the PTX of each:
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
    """How many of each kind, and the remarks."""
    with open(path, encoding="utf-8") as file:
        found = remarks.counted(remarks.read(file.read()))
    return [len(said) for said in found], [remark for said in found for remark in said]


def brief(remark):
    """The line of the source, and how the message begins."""
    message = re.sub(r"^(function '[^']+', )?(block '[^']+': )?", "", remark.text)
    return "%s %s" % (remark.where or "?", re.split(r"[:;,] | \((?:for|in) ", message)[0])


def measure(options, kernel):
    """Leaves what the plugin says of clang's IR in KERNEL.llvm.yaml, and what linearize-ptx says of the PTX that
    llc makes of the same IR, untouched, in KERNEL.ptx.yaml."""
    name = os.path.join(options.folder, kernel)
    clang = [options.clangxx, *options.flags, "-gline-tables-only", "-S", suite.source_of(kernel)]
    suite.run(*clang, *suite.plugin_flags(options), "-fsave-optimization-record", "-foptimization-record-passes=linearize",
              "-foptimization-record-file=" + name + ".llvm.yaml", "-o", name + ".linearized.ptx")
    suite.run(*clang, "-o", name + ".ptx")
    suite.run(options.tool, "--remarks", "none", "--remarks-output", name + ".ptx.yaml", name + ".ptx", "-o", name + ".out.ptx")


def main(options):
    suite.choose(options, "kernels", "exits", "costs")
    suite.find_tools(options)
    suite.folder_of(options, "bench", "fronts")
    suite.each("compiling", lambda kernel: measure(options, kernel), options.kernels)
    suite.describe(options, "mode needed for " + options.sm)
    print("%-20s %-28s %s" % ("", "clang's IR", "clang's PTX"))
    print(("%-20s" + " %7s" * 8) % ("kernel", *[name for name, _ in remarks.COUNTED] * 2))
    unknown, differ = [], 0
    for kernel in options.kernels:
        path = os.path.join(options.folder, kernel)
        (llvm, llvm_lines), (text, text_lines) = count(path + ".llvm.yaml"), count(path + ".ptx.yaml")
        if any(llvm) or any(text):
            print(("%-20s" + " %7d" * 8 + "%s") % (kernel, *llvm, *text, "" if llvm == text else "  *"))
        if llvm == text:
            continue
        differ += 1
        for name, lines in (("IR", llvm_lines), ("PTX", text_lines)):
            for line in lines:
                print("    %-3s  %s" % (name, brief(line)))
        print("    why: %s" % WHY.get(kernel, "nobody has said"))
        if kernel not in WHY:
            unknown.append(kernel)
    print("%d kernels the same, %d not" % (len(options.kernels) - differ, differ))
    return suite.print_figures([("of each that differs it is known why" + suite.listed(unknown, ": not of "), not unknown)]) and options.check
