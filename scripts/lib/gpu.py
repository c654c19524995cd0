"""Builds the kernels of bench/kernels, bench/structured, bench/exits, bench/costs, bench/large and
bench/device/waiting.cu in several variants (variants.py) into build/device, by nvcc's toolkit, and runs them on a GPU,
each checked against the CPU; and a whole CUDA program built with the plugin. Without options it builds.

  --run          prints a table for each size of the input, and what they say of mode needed; they are in
                 build/device/results.txt and .csv, too. The figures, for each size: all right, none slower than
                 clang's, the fixed list 1.25 times as fast as clang's and nvcc's in the geometric mean and none of it
                 slower than the chain's, switch_fallthrough 1.4 times as fast as clang's, no kernel over 4
                 registers more, none with more local memory or fewer blocks on a multiprocessor
  --kinds        runs kernels of other kinds, of bench/exits, bench/costs and bench/large. The figures,
                 for each size: all right in each variant, none under 0.97 of clang's speed, those of
                 bench/costs at 0.98 of the better of clang and the chain
  --build-ptx    builds nothing but what --ptx runs: of all these kernels what nvcc makes of them, and
                 what ptxas makes of nvcc's PTX after linearize-ptx
  --ptx          runs that. The figures, for each size: all right, structured ones the same program;
                 with 64 and 256 KB none under 0.98 of nvcc's speed beyond noise; with 64 KB the fixed
                 list 1.25 times as fast as nvcc's in the geometric mean
  --beyond       runs those with nested loops, merged, and those with two-sided branches, interleaved,
                 with few and with many warps (beyond.py). The figures: loop merging 1.4 times as fast as clang in
                 the geometric mean, 1.8 times for the nest with the heaviest body; interleaving 1.3
                 times with 2 warps a multiprocessor, and left to itself never under 0.98 with as many
                 as there is room for
  --choices      runs what becomes of each kernel for every subset of its regions, and compares mode
                 needed with the best one (gpu_choices.py)
  --words LIST   the sizes, in words of four bytes, powers of two (16384,65536,1048576)
  --profile      counts with Nsight Compute what the kernels execute by their launch files, into
                 build/device/profile.csv, for scripts/bench predict and machine
  --profile-kinds  the same of bench/exits and bench/costs, into kinds-profile.csv, for
                 scripts/bench exits --counts

What --run, --beyond and --profile leave is what the docs are made of (scripts/draw-docs); RESULTS=FILE.txt has FILE.csv
beside it.
"""
import csv
import filecmp
import math
import os
import re
import shutil
import subprocess
import sys
from collections import namedtuple

import beyond
import gpu_choices
import ncu
import suite
import variants
from suite import geometric_mean, print_figures

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
    return run(options.program, kernel, words, {v: cubin(options, name, v) for v in options.variants},
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
    noise_of(table)
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


def row_of(words, kernel, cells, variants):
    """Of a CSV: of each variant ms, registers, bytes of local memory and blocks; or what went wrong; or nothing."""
    texts = {v: "%s: %s" % (c.fault, c.note) if c.fault else "%s %d %d %d" % (c.ms, c.registers, c.local_bytes, c.blocks)
             for v, c in cells.items()}
    return [words, kernel, max((c.rounds for c in cells.values()), default=0), *(texts.get(v, "") for v in variants)]


def time_all(options, kernels, summarise_table, pair=PLUGIN):
    missed = False
    print("cells: median ms, how many times as fast as %s, registers; %s: %s's cubin once more"
          % (pair.base, pair.again, pair.base))
    with open(options.csv, "w", newline="") as file:
        if "structured" in options:
            file.write("# structured: %d of %d\n" % (len(same_programs(options, pair)),
                                                    len(options.structured)))
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["words", "kernel", "rounds", *options.variants])
        for words in options.words:
            print("\n%s words of input, %d KB" % (words, int(words) * 4 // 1024))
            print("%-20s %6s" % ("kernel", "rounds") + "".join(" %18s" % v
                                                               for v in options.variants))
            table = {}
            for kernel in kernels:
                table[kernel] = measure(options, kernel, words)
                print_row(kernel, table[kernel], options.variants, pair.base)
                writer.writerow(row_of(words, kernel, table[kernel], options.variants))
            missed |= summarise_table(options, table, int(words))
    return options.check and missed


def print_active(path):
    """Threads active per warp instruction, of what --profile wrote."""
    kernels, variants = {}, []
    for row in suite.read_csv(path)[0]:
        kernels.setdefault(row["kernel"], {})[row["variant"]] = float(row["threads_active"])
        variants += [row["variant"]] if row["variant"] not in variants else []
    print("threads active per warp instruction")
    print("%-20s" % "kernel" + "".join(" %7s" % v for v in variants))
    for kernel, values in kernels.items():
        print("%-20s" % kernel + "".join(" %7s" % ("%.2f" % values[v] if v in values else "-")
                                         for v in variants))


def time(options):
    return time_all(options, options.kernels + options.structured + options.waiting, summarise)


def ptx(options):
    return time_all(options, options.kernels + options.structured + options.waiting, summarise_ptx, PTX)


def kinds(options):
    options.waiting = []
    return time_all(options, options.kernels, summarise_kinds)


# ---- building

VARIANTS = ["nvcc", "clang", "again", "chain", "paper", "needed"]
OF_PTX = ["nvcc", "nvcc_again", "linearized", "lifted"]
WORDS = ["16384", "65536", "1048576"]  # 64 KB fit into an L1 cache; the launch files' size; 4 MB, the L2's
WAITING = ["wait_" + name for name in "syncwarp shuffle reduce vote spin lock_inside lock_after handshake".split()]
WAITING_SOURCE = os.path.join(suite.ROOT, "bench", "device", "waiting.cu")


def compile_variant(options, name, variant):
    """Leaves NAME.VARIANT.cubin, or .cubin.error with one line."""
    file, source = os.path.join(options.folder, "%s.%s" % (name, variant)), options.sources[name]
    made = variants.VARIANTS[variant]
    if made.copy_of:
        shutil.copyfile(os.path.join(options.folder, "%s.%s.cubin" % (name, made.copy_of)), file + ".cubin")
        return
    by = {"plugin": options.plugin, "ptx": options.tool, "lift": options.tool}.get(made.maker, source)
    headers = suite.ROOT + "/bench/include/linearize_device.h", variants.__file__
    if any(suite.is_new(end, source, by, *headers) for end in (file + ".cubin", file + ".cubin.error")):
        return
    # waiting.cu needs CUDA's headers; with a toolkit, clang's sqrtf is libdevice's: approximate.
    flags = ["--cuda-device-only", *options.with_toolkit] if source == WAITING_SOURCE else options.flags
    for old in (file + ".cubin", file + ".cubin.error"):
        if os.path.exists(old):
            os.remove(old)
    try:
        variants.build(options, source, variant, file, flags)
    except (RuntimeError, subprocess.SubprocessError) as error:
        said = re.search(r".*(error|assert|crash|unreachable exec|not have|dominate).*", str(error), re.IGNORECASE)
        text = said[0] if said else str(error)[:200]
        with open(file + ".cubin.error", "w", encoding="utf-8") as failed:
            failed.write(text + "\n")
        print("%s, %s was not built: %s" % (name, variant, text), file=sys.stderr)


def compile_all(options, jobs):
    """{kernel: its variants}, in order: some are copies."""
    def compile_kernel(name):
        for variant in jobs[name]:
            compile_variant(options, name, variant)
    suite.each("compiling", compile_kernel, jobs)


def build_programs(options):
    """-fpass-plugin for host and device, as a user gives it; the mode is for the device."""
    at, plugin = suite.ROOT + "/bench/device/", ["-fpass-plugin=" + options.plugin, "-Xarch_device", "-mllvm=-linearize-mode=paper"]
    for name, *arguments in (["hosted", *plugin, at + "hosted.cu"], ["hosted-plain", at + "hosted.cu"],
                             ["hosted-rdc", *plugin, "-fgpu-rdc", "-DSEPARATE", at + "hosted.cu", at + "hosted_step.cu"]):
        suite.run(options.clangxx, *options.with_toolkit, *arguments, "-L" + options.cuda + "/lib64", "-lcudart_static", "-ldl",
                  "-lrt", "-lpthread", "-o", os.path.join(options.folder, name))


def build(options, of_ptx):
    suite.find_tools(options, toolkit=True)
    options.with_toolkit = ["-x", "cuda", "--cuda-gpu-arch=" + options.sm, "-O3", "-ffp-contract=off", "--cuda-path=" + options.cuda,
                            "-I" + suite.ROOT + "/bench/include", "-Wno-unknown-cuda-version"]
    options.sources = {**suite.sources("kernels", "structured", "exits", "costs", "large"), "waiting": WAITING_SOURCE}
    jobs = {name: list(OF_PTX if of_ptx else VARIANTS) for name in options.sources}
    if not of_ptx:
        for name in suite.NESTS + suite.OTHER_NESTS:
            jobs[name].append("merged")
        for name in suite.SIDES:
            jobs[name] += ["interleaved", "default"]
    compile_all(options, jobs)
    objects = suite.references(options, options.sources, options.folder)  # the CPU's, of every kernel
    suite.build_tool(options, os.path.join(options.folder, "run"), "bench/device/run.cpp", *objects, "-rdynamic")
    suite.build_tool(options, os.path.join(options.folder, "once"), "bench/device/once.cpp")
    if not of_ptx:
        gpu_choices.build(options, [name for name in suite.sources("kernels") if not name.startswith("irreducible_")])
        build_programs(options)
    suite.write_built(options, "chain: " + variants.CHAIN)


# ---- running


def keep(options, name):
    """FILE.csv has what was measured with, too."""
    path, given = os.path.join(options.folder, name + ".csv"), os.environ.get("RESULTS")
    with open(path, encoding="ascii") as file:
        text = "".join("# %s\n" % line for line in suite.header(options.folder)) + file.read()
    for copy in [path, given.removesuffix(".txt") + ".csv"] if given else [path]:
        with open(copy, "w", encoding="ascii") as file:
            file.write(text)


def print_programs(folder):
    for program in ("hosted", "hosted-rdc", "hosted-plain"):
        done = subprocess.run(["timeout", "30", os.path.join(folder, program)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, check=False)
        print("%s: %s" % (program, done.stdout.strip() + (" status %d" % done.returncode if done.returncode else "")))


def count(options, name, *folders):
    """Into FOLDER/NAME.csv."""
    if not shutil.which("ncu"):
        suite.die("no ncu: Nsight Compute is needed to profile", 1)
    path = os.environ.get("RESULTS") or os.path.join(options.folder, name + ".csv")
    launches = [source[:-3] + ".launch" for source in suite.sources(*folders).values()]
    with open(path, "w", newline="", encoding="ascii") as file:
        file.write("".join("# %s\n" % line for line in suite.header(options.folder)))
        failed = ncu.count(options.folder, [v for v in VARIANTS if v != "again"], launches, file)
    print_active(path)
    return failed


def active(options):
    """The same of a file, for tests."""
    print_active(options.kernels[0])


def choose_kernels(options, action):
    options.words, options.waiting = options.words or WORDS, WAITING
    options.structured, options.costs = list(suite.sources("structured")), list(suite.sources("costs"))
    options.apart = [name for name in suite.SMALL if name.startswith("irreducible_")]
    options.means = suite.SEVEN + [name for name in suite.SMALL if name not in options.apart]
    others = list(suite.sources("exits", "large", "costs"))
    options.kernels = others if action == "kinds" else list(suite.sources("kernels")) + others * (action == "ptx")
    options.variants = OF_PTX if action == "ptx" else VARIANTS
    options.nests, options.others, options.sides, options.heaviest = suite.NESTS, suite.OTHER_NESTS, suite.SIDES, suite.HEAVIEST


def main(options):
    actions = [name for name in ("run", "kinds", "build_ptx", "ptx", "beyond", "choices", "profile", "profile_kinds")
               if getattr(options, name)]
    if len(actions) > 1 or options.kernels:
        suite.die("gpu does one thing at a time: see scripts/bench gpu --help")
    action = actions[0] if actions else "build"
    suite.folder_of(options, "device")
    if action.startswith("build"):
        return build(options, action == "build_ptx")
    suite.need_gpu(options.folder, "run", "once")
    if action.startswith("profile"):
        return count(options, "profile", "kernels") if action == "profile" else count(options, "kinds-profile", "exits", "costs")
    choose_kernels(options, action)
    name = {"run": "results"}.get(action, action)
    options.program, options.cubins = os.path.join(options.folder, "run"), options.folder
    options.csv = os.path.join(options.folder, name + ".csv")
    with suite.kept(options.folder, name + ".txt"):
        missed = {"run": time, "kinds": kinds, "ptx": ptx, "choices": gpu_choices.time, "beyond": beyond.time}[action](options)
        if action == "run":
            print_programs(options.folder)
        if action in ("run", "beyond"):
            keep(options, name)
            print("afterwards: " + suite.run("nvidia-smi", "--query-gpu=clocks.sm,temperature.gpu", "--format=csv,noheader").strip())
    return missed
