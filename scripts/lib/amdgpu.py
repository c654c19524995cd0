"""Compiles the kernels of bench/kernels as HIP for an AMD GPU, gfx90a unless GFX says another, and prints what LLVM's
back end for it makes of them, without the plugin and in modes needed and paper: machine instructions, which of them set
which threads run or branch, vector registers, bytes spilled. That back end structurizes control flow by itself.

The figures: no kernel spills more, and mode paper takes no more instructions in the geometric mean.
BUILD=FOLDER takes that build as it is, and builds nothing.
"""
import os
import re

import suite
import variants


def count(text):
    """All instructions; those that write the mask of threads that run, or branch; vector registers; what is spilled."""
    control = re.findall(r"^\ts_c?branch.*|^\ts_.*exec.*", text, re.MULTILINE)
    registers, spills = (sum(map(int, re.findall(r"^ *\.%s: +(\d+)" % name, text, re.MULTILINE)))
                         for name in ("vgpr_count", "[sv]gpr_spill_count"))
    return len(re.findall(r"^\t[a-z]", text, re.MULTILINE)), len(control), registers, spills


def measure(options, kernel):
    """[(numbers of count), of clang, mode needed, mode paper]"""
    found = []
    for variant in ("clang", "needed", "paper"):
        file = os.path.join(options.folder, "%s.%s.s" % (kernel, variant))
        more = [] if variant == "clang" else [*suite.plugin_flags(options, "-linearize-any-target", "-linearize-verify-each"),
                                              *variants.options(variant)]
        suite.run(options.clangxx, *options.flags, *more, "-mllvm", "-verify-machineinstrs", "-S", suite.source_of(kernel), "-o", file)
        with open(file, encoding="utf-8") as made:
            found.append(count(made.read()))
    return found


def print_table(rows):
    print("%-20s %18s %22s %18s %12s" % ("kernel", "instructions", "of them control", "vector registers", "spills"))
    for kernel, row in rows.items():
        cells = [number for column in zip(*row) for number in column]
        print("%-20s %5d %5d %5d   %7d %5d %5d   %7d %4d %4d %6d %2d %2d" % (kernel, *cells))


def main(options):
    gfx, given = os.environ.get("GFX", "gfx90a"), os.environ.get("BUILD")
    suite.choose(options, "kernels")
    suite.find_tools(options, build=not given)
    options.flags = ["-x", "hip", "--cuda-device-only", "--offload-arch=" + gfx, "-nogpuinc", "-nogpulib", "-O3", "-ffp-contract=off",
                     "-I" + suite.ROOT + "/bench/include", "-include", "linearize_hip.h"]
    options.plugin = os.path.join(given or suite.BUILD, "lib", "liblinearize.so")
    options.folder = os.path.join(given or suite.BUILD, "bench", "amdgpu")
    os.makedirs(options.folder, exist_ok=True)
    rows = suite.each(gfx, lambda kernel: measure(options, kernel), options.kernels)
    print("%s, LLVM %s: clang, mode needed, mode paper" % (gfx, options.llvm_version))
    print_table(rows)
    needed, paper = (suite.geometric_mean(row[way][0] / row[0][0] for row in rows.values()) for way in (1, 2))
    control = [sum(row[way][1] for row in rows.values()) for way in range(3)]
    more = [kernel for kernel, row in rows.items() if max(row[1][3], row[2][3]) > row[0][3]]
    print("instructions, geometric mean: needed x%.3f, paper x%.3f" % (needed, paper))
    print("control, in all: needed x%.3f, paper x%.3f" % (control[1] / control[0], control[2] / control[0]))
    return suite.print_figures([("none spills more" + suite.listed(more), not more),
                                ("mode paper takes no more instructions", paper <= 1)]) and options.check
