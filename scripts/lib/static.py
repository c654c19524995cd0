"""Compiles the kernels of bench/kernels and prints what linearize<paper> makes of their size: PTX instructions, basic
blocks, registers, spills and machine instructions, without it, at O0 and at O4 (table 1), next to LLVM's own passes
(table 3), and which figures are met. All variants of a kernel are made from the same IR. --sm: sm_75,sm_90.

The CSV has a line for each target, kernel and variant. `-` is a number that there is none of: of a variant that LLVM
failed to build, or of machine code without nvdisasm. It is None here, and part of no mean and no figure.
"""
import csv
import os
import textwrap

import suite
import variants
from shell import ask_tools

GROUPS = {"seven": "the seven", "small": "small", "other": "others"}
SIZES = {"ptx": "PTX instructions", "blocks": "blocks", "registers": "registers",
         "sass": "SASS instructions"}
WIDTH = 140


class Kernel:
    """One kernel for one target."""

    def __init__(self, name, group):
        self.name, self.group = name, group
        self.numbers = {}  # by variant and name

    def get(self, what, variant="O4"):
        return self.numbers[variant][what]

    def more(self, what, than="untouched"):
        """How many more at O4."""
        number, base = self.get(what), self.get(what, than)
        return None if None in (number, base) else number - base

    def ratio(self, what, variant="O4"):
        number, base = self.get(what, variant), self.get(what, "untouched")
        return None if None in (number, base) else number / base


def read(path):
    """The kernels of each target, in the order of the file."""
    targets = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            target, group, name, variant = (row.pop(column)
                                            for column in ("sm", "group", "kernel", "variant"))
            kernel = targets.setdefault(target, {}).setdefault(name, Kernel(name, group))
            kernel.numbers[variant] = {what: None if number == "-" else int(number)
                                       for what, number in row.items()}
    return {target: list(kernels.values()) for target, kernels in targets.items()}


def members(kernels, group):
    return [kernel for kernel in kernels if kernel.group == group]


def mean(kernels, what, variant="O4"):
    """The geometric mean of the ratios to the untouched kernels."""
    return suite.geometric_mean(kernel.ratio(what, variant) for kernel in kernels)


# ---- tables ------------------------------------------------------------------------------------

def cell(value):
    return "-" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)


def print_table(columns, kernels, row, means):
    """`columns` are (heading, [(heading, width), ...]); `row` gives the cells of a kernel, `means`
    those of the last line of a group."""
    def print_line(name, cells):
        cells = iter(cells)
        print((f"{name:21}" + "".join(
            "  " + "".join(f"{cell(next(cells)):>{width}}" for _, width in parts)
            for _, parts in columns)).rstrip())

    print(" " * 21 + "".join(f"  {heading:>{sum(width for _, width in parts)}}"
                             for heading, parts in columns))
    print_line("", [heading for _, parts in columns for heading, _ in parts])
    for group, title in GROUPS.items():
        if those := members(kernels, group):
            print(f"\n{title}")
            for kernel in those:
                print_line("  " + kernel.name, row(kernel))
            print_line("  mean", means(those))


def print_sizes(kernels):
    sizes = [("before", 6), ("O0", 6), ("O4", 6)]
    columns = [("", [("edges", 5), ("guards", 7)]), (SIZES["ptx"], sizes + [("ratio", 7)]),
               *((SIZES[what], sizes) for what in ("blocks", "registers", "sass")),
               ("spilled bytes", [("before", 6), ("O0", 5), ("O4", 5)])]

    def row(kernel):
        before, o0, o4 = ([kernel.get(what, variant) for what in [*SIZES, "spills"]]
                          for variant in ("untouched", "O0", "O4"))
        cells = [number for three in zip(before, o0, o4) for number in three]
        cells.insert(3, kernel.ratio("ptx"))
        return [kernel.get("edges", "untouched"), kernel.get("guards"), *cells]

    def means(those):
        cells = [value for what in SIZES
                 for value in ("", mean(those, what, "O0"), mean(those, what, "O4"))]
        cells.insert(2, "")  # the mean of O4 is the ratio
        return ["", "", *cells, "", "", ""]

    print_table(columns, kernels, row, means)


def print_growth(kernels):
    columns = [(heading, [("chain", 9), ("O4", 9)]) for heading in SIZES.values()]
    variants = [(what, variant) for what in SIZES for variant in ("chain", "O4")]
    print_table(columns, kernels,
                lambda kernel: [kernel.ratio(*which) for which in variants],
                lambda those: [mean(those, *which) for which in variants])


# ---- figures -----------------------------------------------------------------------------------
#
# A figure is (what, value, limit, missed): texts, and what misses it, none if it is met.

def on_average(what, limit, kernels):
    value = mean(kernels, what)
    return (f"{SIZES[what]}, geometric mean", f"{value:.3f}", f"{limit:.2f}",
            ["the mean"] if value > limit else [])


def for_each(title, limit, kernels, excess, show):
    """`excess`: by how much a kernel is over the limit. The value shown is the worst kernel's."""
    kernels = sorted((kernel for kernel in kernels if excess(kernel) is not None),
                     key=excess, reverse=True)
    missed = [f"{kernel.name} {show(kernel)}" for kernel in kernels if excess(kernel) > 0]
    return title, show(kernels[0]) if kernels else "-", limit, missed


def ratio_for_each(what, limit, kernels):
    return for_each(f"{SIZES[what]}, any", f"{limit:.2f}", kernels,
                    lambda kernel: kernel.ratio(what) - limit,
                    lambda kernel: f"{kernel.ratio(what):.3f}")


def more_for_each(title, what, limit, kernels, than="untouched"):
    def excess(kernel):
        more = kernel.more(what, than)
        return None if more is None else more - limit

    return for_each(title, f"{limit:+}", kernels, excess,
                    lambda kernel: f"{kernel.more(what, than):+}")


def more_for_each_guard(what, limit, kernels):
    return for_each(f"{SIZES[what]}, more for a guard", f"+{limit} each", kernels,
                    lambda kernel: kernel.more(what) - limit * kernel.get("guards"),
                    lambda kernel: f"{kernel.more(what):+} for {kernel.get('guards')}")


def figures(kernels):
    """The figures of each group that something was measured of."""
    if seven := members(kernels, "seven"):
        yield "the seven", [
            on_average("ptx", 1.04, seven),
            ratio_for_each("ptx", 1.10, seven),
            on_average("blocks", 1.07, seven),
            ratio_for_each("blocks", 1.25, seven),
            on_average("registers", 1.02, seven),
            more_for_each("registers, more for any", "registers", 4, seven),
            more_for_each("spilled bytes, more for any", "spills", 0, seven)]
    if small := members(kernels, "small"):
        yield "small", [
            more_for_each_guard("ptx", 5, small),
            more_for_each_guard("blocks", 1, small),
            more_for_each("PTX instructions, more than LLVM's chain", "ptx", 0, small, "chain"),
            more_for_each("registers, more for any", "registers", 4, small)]


def print_figures(kernels):
    """Returns whether all are met."""
    all_met = True
    for group, those in figures(kernels):
        print(group)
        for title, value, limit, missed in those:
            line = f"  {title:40} {value:>12}   at most {limit:8} "
            # Lines break between kernels, not within one.
            names = ", ".join(kernel.replace(" ", "\xa0") for kernel in missed)
            verdict = f"MISSED: {names}" if missed else "not measured" if value == "-" else "met"
            print(textwrap.fill(line + verdict, WIDTH, subsequent_indent=" " * (len(line) + 8))
                  .replace("\xa0", " "))
            all_met = all_met and not missed
    return all_met


COLUMNS = "sm,group,kernel,variant,edges,guards,ir_blocks,ptx,blocks,registers,spills,sass"
# Edges are the unstructured ones that are there, guards those that were put in.
NUMBERS = '''compile_for {sm}; stats {file}.ll {kernel} unstructured; {guards}; stats {file}.ll {kernel} blocks
count_ptx {file}.ptx; count_ptx_blocks {file}.ptx; registers_and_spills {file}.ptx {file}.cubin; count_sass {file}.cubin'''
GUARDS = "stats {folder}/untouched.ll {kernel} guards --mode paper,{variant}"


def measure(options, kernel):
    """Lines of the CSV. LLVM's passes may fail: that is their result."""
    folder, lines = os.path.join(options.folder, options.sm, kernel), []
    group = "seven" if kernel in suite.SEVEN else "small" if kernel in suite.SMALL else "other"
    os.makedirs(folder, exist_ok=True)
    untouched = os.path.join(folder, "untouched.ll")
    suite.run(options.clangxx, *options.flags, "-S", "-emit-llvm", suite.source_of(kernel), "-o", untouched)
    for variant in ("untouched", "chain", "O0", "O4"):
        file, numbers = os.path.join(folder, variant), 8 * ["-"]
        try:
            variants.opt(options.opt, options.plugin, variant, untouched, file)
            suite.run(options.llc, "-O3", "-mcpu=" + options.sm, file + ".ll", "-o", file + ".ptx")
            names = {"sm": options.sm, "file": file, "folder": folder, "kernel": kernel, "variant": variant}
            guards = GUARDS.format(**names) if variant[0] == "O" else "echo 0"
            numbers = " ".join(ask_tools(NUMBERS.format(guards=guards, **names))).split()
        except RuntimeError:
            if variant != "chain":
                raise
        lines.append(",".join([options.sm, group, kernel, variant, *numbers]))
    return lines


def report(path):
    """Whether all figures are met."""
    targets = read(path)
    print("edges: unstructured ones before; guards: at O4; blocks: basic blocks of the PTX; "
          "means are geometric, of ratios to before")
    for target, kernels in targets.items():
        print(f"\n{target}, table 1: before, at O0 and at O4; the ratio is O4's to before\n")
        print_sizes(kernels)
        print(f"\n{target}, table 3: ratio to before of LLVM's own passes (chain) and of O4\n")
        print_growth(kernels)
    all_met = True
    for target, kernels in targets.items():
        print(f"\nfigures, {target}")
        all_met = print_figures(kernels) and all_met
    return all_met


def main(options):
    suite.choose(options, "kernels", first=suite.SEVEN + suite.SMALL)
    lines = [COLUMNS]
    for sm in (options.sm or "sm_75,sm_90").split(","):
        suite.find_tools(options, sm, setup="--sass")
        suite.folder_of(options, "bench")
        for found in suite.each(sm, lambda kernel: measure(options, kernel), options.kernels).values():
            lines += found
    path = options.csv or os.path.join(options.folder, "static.csv")
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")
    suite.describe(options)
    return not report(path) and options.check
