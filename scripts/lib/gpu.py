#!/usr/bin/env python3
"""Times kernels on a GPU, and says what mode needed gains and loses. `scripts/bench gpu` calls it.

    gpu.py time --run PROGRAM --cubins FOLDER --variants NAMES --words NUMBERS --csv FILE [--check]
                --kernels NAMES --structured NAMES --waiting NAMES --means NAMES --apart NAMES
    gpu.py kinds --run PROGRAM --cubins FOLDER --variants NAMES --words NUMBERS --csv FILE [--check]
                 --kernels NAMES --costs NAMES
    gpu.py ptx --run PROGRAM --cubins FOLDER --variants NAMES --words NUMBERS --csv FILE [--check]
               --kernels NAMES --structured NAMES --waiting NAMES --means NAMES
    gpu.py active PROFILE.csv

NAMES and NUMBERS have commas. PROGRAM is bench/device/run; a cubin is FOLDER/KERNEL.VARIANT.cubin,
and all of --waiting are in waiting.VARIANT.cubin. The geometric means are of the kernels of --means;
those of --apart are listed by themselves. Each table ends with the figures that it meets or misses;
with --check the status is 1 if any is missed.

kinds is about kernels of other kinds, of bench/exits and, --costs, of bench/costs: none may lose.

ptx is about what becomes of nvcc's PTX: linearized against nvcc.

active prints the threads active per warp instruction from what `scripts/bench gpu --profile` wrote.
"""
import argparse
import csv
import filecmp
import math
import os
import subprocess
import sys
from collections import namedtuple

# Who is compared with whom; `again` is the program of `base` once more, for the noise.
Pair = namedtuple("Pair", "base ours again")
PLUGIN, PTX = Pair("clang", "needed", "again"), Pair("nvcc", "linearized", "nvcc_again")
BASE, OURS, OTHERS = PLUGIN.base, PLUGIN.ours, ["clang", "nvcc", "chain"]
SLOWER = 0.02         # counts, if it is more than the noise
MORE_REGISTERS = 4    # are allowed
FASTER = 1.25         # than clang's and nvcc's, the geometric mean
PTX_LEAST, PTX_LARGEST = 0.98, 65536  # of nvcc's speed, with so many words of input at most
PTX_FASTER, PTX_WORDS = 1.25, 16384   # than nvcc, the geometric mean, with so many words
LEAST = 0.97          # of clang's speed, of kernels of any kind
LEAST_OF_BETTER = 0.98  # of the better of clang and the chain, of those of bench/costs
INTERPRETER, INTERPRETER_FASTER = "switch_fallthrough", 1.4
PATIENCE = 120        # seconds; the driver has its own: this is for one that is stuck itself
FIELDS = "variant rounds ms registers local_bytes blocks fault note"
Cell = namedtuple("Cell", FIELDS)


def measure(options, kernel, words, more=()):
    name = "waiting" if kernel in options.waiting else kernel
    return run(options.run, kernel, words, {v: cubin(options, name, v) for v in options.variants},
               more)


def run(program, kernel, words, cubins, more=()):
    """{variant: Cell} for {variant: cubin}; the driver says itself what is wrong with a variant."""
    command = [program, kernel, words, *more, *("%s=%s" % pair for pair in cubins.items())]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return {}
    cells = [line.split("\t", 7) for line in done.stdout.splitlines()]
    return {c[0]: Cell(c[0], int(c[1]), float(c[2]), *map(int, c[3:6]), *c[6:]) for c in cells}


def cubin(options, name, variant):
    return os.path.join(options.cubins, "%s.%s.cubin" % (name, variant))


def sound(cells, *variants):
    return all(v in cells and not cells[v].fault and cells[v].ms for v in variants)


def speed(cells, variant, base):
    """How many times as fast as `base`."""
    return cells[base].ms / cells[variant].ms if sound(cells, variant, base) else None


def times(value):
    return "x%.3f" % value if value else "-"


def cell_text(cells, variant, base):
    if variant not in cells:
        return "-"
    if cells[variant].fault:
        return cells[variant].fault
    ratio = speed(cells, variant, base)
    return "%.3f %6s %3d" % (cells[variant].ms, "x%.2f" % ratio if ratio else "-",
                             cells[variant].registers)


def print_row(kernel, cells, variants, base):
    rounds = next(iter(cells.values())).rounds if cells else 0
    print("%-20s %6d" % (kernel, rounds) + "".join(" %18s" % cell_text(cells, v, base)
                                                       for v in variants))
    for variant, cell in cells.items():
        if cell.fault:
            print("!   %s, %s: %s" % (kernel, variant, cell.note))
    if not cells:
        print("!   %s: the driver failed" % kernel)
    sys.stdout.flush()


def geometric_mean(values):
    values = [value for value in values if value]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def listed(kernels):
    """"none", or what is said of each."""
    return ", ".join("%s %s" % pair for pair in kernels) or "none"


def speeds(tables):
    """Against the others, in the geometric mean."""
    return ", ".join("%s %s" % (base, times(geometric_mean([speed(cells, OURS, base)
                                                            for cells in tables])))
                     for base in OTHERS)


def noise_of(table, pair=PLUGIN):
    """How far the program of the base is off itself, at most."""
    off = {kernel: abs(speed(cells, pair.again, pair.base) - 1) for kernel, cells in table.items()
           if sound(cells, pair.again, pair.base)}
    noise = max(off.values(), default=0)
    print("noise: %.1f%%%s" % (100 * noise, " (%s)" % max(off, key=off.get) if off else ""))
    return noise


def slower_than(table, base, noise, ours=OURS):
    limit = 1 / (1 + max(SLOWER, noise))
    slower = [(kernel, times(speed(cells, ours, base))) for kernel, cells in table.items()
              if (speed(cells, ours, base) or 1) < limit]
    print("slower than %s by more than %.1f%%: %s" % (base, 100 / limit - 100, listed(slower)))
    return [kernel for kernel, _ in slower]


def more_resources(table, pair=PLUGIN):
    """Kernels that take more of what a multiprocessor has."""
    all_worse = []
    for what, field, is_worse in (
            ("over %d registers more" % MORE_REGISTERS, "registers",
             lambda ours, base: ours > base + MORE_REGISTERS),
            ("more local memory", "local_bytes", lambda ours, base: ours > base),
            ("fewer blocks fit on a multiprocessor", "blocks", lambda ours, base: ours < base)):
        pairs = [(kernel, getattr(cells[pair.ours], field), getattr(cells[pair.base], field))
                 for kernel, cells in table.items()
                 if sound(cells, pair.ours) and pair.base in cells and cells[pair.base].blocks > 0]
        worse = [(kernel, "%d for %d" % (ours, base)) for kernel, ours, base in pairs
                 if is_worse(ours, base)]
        print("%s: %s" % (what, listed(worse)))
        all_worse += worse
    return all_worse


def is_faster(tables, base, wanted):
    mean = geometric_mean([speed(cells, OURS, base) for cells in tables])
    return mean is None or mean >= wanted


def same_programs(options, pair):
    """The structured kernels of which both programs are the same."""
    return [k for k in options.structured if os.path.exists(cubin(options, k, pair.ours))
            and filecmp.cmp(cubin(options, k, pair.ours), cubin(options, k, pair.base),
                            shallow=False)]


def tell_same(options, pair):
    same = same_programs(options, pair)
    print("structured: %d of %d are the same program as %s's, byte by byte"
          % (len(same), len(options.structured), pair.base))
    return same


def print_figures(figures):
    """True if one is missed."""
    for text, met in figures:
        print("%-7s %s" % ("met" if met else "missed", text))
    return not all(met for _, met in figures)


def summarise(options, table, _):
    """What the table says of mode needed; True if it misses a figure."""
    means = [table[kernel] for kernel in options.means]
    print("%s is so many times as fast as (geometric means of %d kernels): %s"
          % (OURS, len(means), speeds(means)))
    for kernel in options.apart:
        print("    %s: %s" % (kernel, speeds([table[kernel]])))
    noise = noise_of(table)
    same = tell_same(options, PLUGIN)
    wrong = [(kernel, cells[OURS].fault) for kernel, cells in table.items()
             if OURS in cells and cells[OURS].fault]
    print("not right: " + listed(wrong))
    slower = {base: slower_than(table, base, noise) for base in (BASE, "chain")}
    greedy = more_resources(table)
    figures = (
        ("all are right", not wrong and all(table.values())),
        ("structured ones are the same program", len(same) == len(options.structured)),
        ("none is slower than %s's" % BASE, not slower[BASE]),
        ("none of those in the means is slower than the chain's",
         not set(slower["chain"]) & set(options.means)),
        ("none takes more registers, memory or room", not greedy),
        *(("%.2f times as fast as %s's, in the geometric mean" % (FASTER, base),
           is_faster(means, base, FASTER)) for base in (BASE, "nvcc")),
        ("%s is %.1f times as fast as %s's" % (INTERPRETER, INTERPRETER_FASTER, BASE),
         is_faster([table[k] for k in table if k == INTERPRETER], BASE, INTERPRETER_FASTER)))
    return print_figures(figures)


def summarise_ptx(options, table, words):
    """What linearizing nvcc's PTX gains and loses, with so many words of input."""
    ratios = {kernel: speed(cells, PTX.ours, PTX.base) for kernel, cells in table.items()}
    mean = geometric_mean([ratios[kernel] for kernel in options.means])
    print("linearized is so many times as fast as nvcc's (geometric mean of %d kernels): %s"
          % (len(options.means), times(mean)))
    off = {kernel: ratio for kernel, ratio in ratios.items()
           if ratio and abs(ratio - 1) > SLOWER}
    print("differ by more than %.0f%%: %s"
          % (100 * SLOWER, listed((k, times(off[k])) for k in sorted(off, key=off.get))))
    noise = noise_of(table, PTX)
    same = tell_same(options, PTX)
    wrong = [(kernel, cells[PTX.ours].fault) for kernel, cells in table.items()
             if PTX.ours in cells and cells[PTX.ours].fault]
    print("not right: " + listed(wrong))
    saved = [(kernel, cells[PTX.base].fault) for kernel, cells in table.items()
             if PTX.base in cells and cells[PTX.base].fault and sound(cells, PTX.ours)]
    print("right, though nvcc's isn't: " + listed(saved))
    slower = [(kernel, times(ratio)) for kernel, ratio in ratios.items()
              if (ratio or 1) < min(PTX_LEAST, 1 - noise)]
    print("slower than nvcc's beyond noise: " + listed(slower))
    more_resources(table, PTX)
    figures = [("all are right", not wrong and all(table.values())),
               ("structured ones are the same program", len(same) == len(options.structured))]
    if words <= PTX_LARGEST:
        figures.append(("none is under %.2f of nvcc's speed" % PTX_LEAST, not slower))
    if words == PTX_WORDS:
        figures.append(("%.2f times as fast as nvcc's, in the geometric mean" % PTX_FASTER,
                        mean is None or mean >= PTX_FASTER))
    return print_figures(figures)


def summarise_kinds(options, table, _):
    """The same of kernels of other kinds."""
    noise = noise_of(table)
    print("%s is so many times as fast as (geometric means of %d kernels): %s"
          % (OURS, len(table), speeds(list(table.values()))))
    wrong = [("%s, %s" % (kernel, cell.variant), cell.fault) for kernel, cells in table.items()
             for cell in cells.values() if cell.fault]
    print("not right: " + listed(wrong))
    under = [(kernel, times(speed(cells, OURS, BASE))) for kernel, cells in table.items()
             if (speed(cells, OURS, BASE) or 1) < LEAST]
    better = [(kernel, min(speed(table[kernel], OURS, base) or math.inf for base in (BASE, "chain")))
              for kernel in options.costs if kernel in table]
    behind = [(kernel, times(least)) for kernel, least in better if least < LEAST_OF_BETTER]
    figures = (
        ("all are right, in each variant", "not right", wrong or not all(table.values())),
        ("none is under %.2f of clang's speed" % LEAST, "under it", under),
        ("those of bench/costs have %.2f of the better of clang and the chain" % LEAST_OF_BETTER,
         "less", behind))
    for text, failing, pairs in figures:
        print("%-7s %s%s" % ("missed" if pairs else "met", text,
                             "; %s: %s" % (failing, listed(pairs)) if pairs and pairs is not True
                             else ""))
    return any(pairs for *_, pairs in figures)


def time_all(options, kernels, summarise_table, pair=PLUGIN):
    missed = False
    print("cells: median ms, how many times as fast as %s, registers; %s: %s's cubin once more"
          % (pair.base, pair.again, pair.base))
    with open(options.csv, "w", newline="") as file:
        if "structured" in options:
            file.write("# structured: %d of %d\n" % (len(same_programs(options, pair)),
                                                    len(options.structured)))
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["words", "kernel"] + FIELDS.split())
        for words in options.words:
            print("\n%s words of input, %d KB" % (words, int(words) * 4 // 1024))
            print("%-20s %6s" % ("kernel", "rounds") + "".join(" %18s" % v
                                                               for v in options.variants))
            table = {}
            for kernel in kernels:
                table[kernel] = measure(options, kernel, words)
                print_row(kernel, table[kernel], options.variants, pair.base)
                writer.writerows([words, kernel, *cell] for cell in table[kernel].values())
            missed |= summarise_table(options, table, int(words))
    return options.check and missed


def active(path):
    kernels, variants = {}, []
    with open(path, newline="") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            kernels.setdefault(row["kernel"], {})[row["variant"]] = float(row["threads_active"])
            variants += [row["variant"]] if row["variant"] not in variants else []
    print("threads active per warp instruction")
    print("%-20s" % "kernel" + "".join(" %7s" % v for v in variants))
    for kernel, values in kernels.items():
        print("%-20s" % kernel + "".join(" %7s" % ("%.2f" % values[v] if v in values else "-")
                                         for v in variants))


def main():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("active").add_argument("profile")
    lists = ["--variants", "--words", "--kernels"]
    for command, more in (("time", ["--structured", "--waiting", "--means", "--apart"]),
                          ("ptx", ["--structured", "--waiting", "--means"]),
                          ("kinds", ["--costs"])):
        timing = commands.add_parser(command)
        for option in ("--run", "--cubins", "--csv"):
            timing.add_argument(option, required=True)
        for option in lists + more:
            timing.add_argument(option, required=True, type=lambda text: text.split(","))
        timing.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.command == "active":
        sys.exit(active(options.profile))
    if options.command in ("time", "ptx"):
        kernels = options.kernels + options.structured + options.waiting
        sys.exit(time_all(options, kernels, summarise) if options.command == "time" else
                 time_all(options, kernels, summarise_ptx, PTX))
    options.waiting = []
    sys.exit(time_all(options, options.kernels, summarise_kinds))


if __name__ == "__main__":
    main()
