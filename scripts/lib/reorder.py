"""Measures on a GPU what it gains to regroup the threads of a block inside a kernel, written by hand (bench/regroup), and
by the plugin. Every result is compared with the CPU's. Parts, all unless named:

  paths          of 24 to 6,144 instructions, by each algorithm. The figures: paths of 6,144 run 1.7, 2.8 and 4
                 times as fast (2, 4 and 8 paths, blocks of 256 threads), 1.9, 3.6 and 6 times (1,024); two layers
                 of branches 3.5 times
  applications   of bench/threads, and
  wavefronts     the same as several kernels (bench/device/wavefront.cu). The figures, of kernels with a point, by the
                 plugin: 0.95 times as fast as the best by hand in thread blocks, and as the best of all; 1.4 times as
                 clang's
  automatic      bench/threads regrouped by -linearize-regroup, by a profile and by guesses. The figures: of those
                 that Lin, Wang and others have the likes of, 71% of what 32 threads active would gain, on average;
                 none slower than 0.98 of clang's
  costs          cycles of a multiprocessor that a round takes, and the constants of lib/gpu/rounds.h

  --simulated    of automatic, what warps execute in the simulator, of every 16th thread block, and those figures
  --build        makes sm_90's code, by clang and by nvcc, in build/reorder (14 MB), and with points by the plugin. It
                 needs a CUDA toolkit. With `automatic` alone, that
  --run          runs what was built. Parts are measured in this order, and within a part what figures need comes
                 first: whatever is measured is printed, if time runs out, too
"""
import collections
import csv
import math
import os
import shutil
import subprocess

import automatic
import simulate
import suite
import variants
from regroup_kernels import BORDERS, COPIES, LENGTHS, LONGEST, ROUNDS, WAVES, Cost, Path, kernels_of

SIZES = (2, 8, 32)                    # times as many threads as there is room for, of the longest paths
BY_LENGTH = ("plain", "first", "point")        # measured with all lengths,
BY_SIZE = ("plain", "first", "border")   # and sizes: these of
SIZED = ("flat4_256", "flat4_1024")      # these
BY_NVCC = ("plain", "first")
STANDING = ("pure",) + BORDERS
FINISHES = (0, 1, 4)                  # wavefronts: blocks a multiprocessor that are left at their end
PATIENCE = {"reorder": 150, "wavefront": 60}   # seconds, of a program

# Figures of issue 28. (paths, threads of a block): how many times as fast as plain by hand
AIMS = {("flat2", 256): 1.7, ("flat4", 256): 2.8, ("flat8", 256): 4.0,
        ("flat2", 1024): 1.9, ("flat4", 1024): 3.6, ("flat8", 1024): 6.0,
        ("nested4", 1024): 3.5}
AS_BY_HAND, OVER_CLANG = 0.95, 1.4    # the plugin's
OWN_SHARED = 16                       # bytes of shared memory that kernels with a point have without it

AUTOMATIC = automatic.FOLDER          # a part
AUTOMATIC_COPIES = 4                  # how often the threads of the launch files are there

MERGED = "merged"                     # by the plugin, -linearize-merge-loops: plain programs

PARTS = ("paths", "applications", "wavefronts", AUTOMATIC, "costs")


def launch_of(options, application):
    return simulate.Launch(os.path.join(options.launches, application + ".launch"))


def plan_paths(options):
    """Lines for reorder.cpp: the longest paths, then others."""
    main, others = [], []
    paths = [(compiler, os.path.join(options.folder, "paths.%s.cubin" % compiler))
             for compiler in ("clang", "plugin", "nvcc")]
    paths = sorted(((path, compiler, cubin) for compiler, cubin in paths for path in kernels_of(cubin)),
                   key=lambda p: (p[1] == "nvcc", p[0].family, p[1]))
    for path, compiler, cubin in paths:
        if compiler == "nvcc":
            if path.variant in BY_NVCC:
                main.append(path.line("nvcc", cubin, LONGEST, WAVES))
            continue
        main.append(path.line("clang", cubin, LONGEST, WAVES))  # those of the plugin stand beside them
        if path.variant in BY_LENGTH and path.shape != "nested4":
            others += [path.line("clang", cubin, length, WAVES) for length in LENGTHS[:-1]]
        if path.variant in BY_SIZE and path.family in SIZED:
            others += [path.line("clang", cubin, LONGEST, waves) for waves in SIZES if waves != WAVES]
    # A group is compared by itself, in one place.
    return main, sorted(others, key=lambda line: (line[0], line[1]))


def plan_applications(options):
    for application in COPIES:
        for compiler in ("clang", "nvcc", "plugin", MERGED):
            cubin = os.path.join(options.folder, "%s.%s.cubin" % (application, compiler))
            for kernel in kernels_of(cubin):
                if compiler == MERGED and kernel.how != "plain":
                    continue
                if compiler != "nvcc" or kernel.share > 1:  # with one, it is never the fastest
                    yield kernel.line(compiler, cubin, launch_of(options, application))


def plan_automatic(options):
    """Lines for reorder.cpp."""
    for name in automatic.names_in(options):
        launch = launch_of(options, name)
        copies = 1 if name in automatic.OF_BLOCKS else AUTOMATIC_COPIES
        for way in ("plain", *automatic.WAYS):
            if automatic.measured_as(options, name, way) == way:
                yield ("automatic:" + name, way, automatic.cubin(options, name, way), name, launch.block, 1, name,
                       launch.words, launch.rounds, launch.threads, launch.threads * copies)


def plan(options):
    """Lines for reorder.cpp."""
    lines, others = plan_paths(options) if "paths" in options.parts else ([], [])
    if "applications" in options.parts:
        lines += plan_applications(options)
    lines += others
    if "costs" in options.parts:
        cubin = os.path.join(options.folder, "costs.clang.cubin")
        lines += [cost.line(cubin) for cost in kernels_of(cubin)]
    return lines


def plan_wavefronts(options):
    """Lines for wavefront.cu."""
    for application in COPIES if "wavefronts" in options.parts else ():
        launch = launch_of(options, application)
        for way in ("queues", "sorted"):
            for finish in FINISHES:
                yield (application, "clang:%s_wavefront_%s_%d" % (application, way, finish),
                       os.path.join(options.folder, application + ".clang.cubin"), application, way,
                       launch.words, launch.rounds, launch.threads,
                       launch.threads * COPIES[application], finish)


def run(folder, program, lines):
    """The rows that it prints, and what went wrong."""
    text = "".join("%s\n" % " ".join(map(str, line)) for line in lines)
    command = [os.path.join(folder, program), os.path.join(folder, "references.so")]
    raw, faults = os.path.join(folder, program + ".txt"), []
    try:
        with open(raw, "w", encoding="ascii") as file:  # what was measured stays, whatever comes after it
            done = subprocess.run(command, input=text, stdout=file, stderr=subprocess.PIPE, text=True,
                                  timeout=PATIENCE[program])
        if done.returncode not in (0, 2):
            faults.append("%s: %s" % (program, done.stderr.strip() or "status %d" % done.returncode))
    except subprocess.TimeoutExpired:
        faults.append("%s did not end within %d s" % (program, PATIENCE[program]))
    with open(raw, encoding="ascii") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if line.endswith("\n")]
    spent = [row[1:] for row in rows if row[0] == "seconds"][-1:]
    print("%s, seconds: %s" % (program, ", ".join(spent[0]) if spent else "unknown"))
    return [row for row in rows if row[0] != "seconds"], faults


def measure(options):
    """Of the GPU, {(group, name): row}, and what went wrong."""
    gpu, rows, faults, results = None, [], [], {}
    lines, wavefronts = plan(options), list(plan_wavefronts(options))
    found = list(plan_automatic(options)) if AUTOMATIC in options.parts else []
    for folder, some in ((options.folder, lines), (os.path.join(options.folder, AUTOMATIC), found)):
        if some:
            more, wrong = run(folder, "reorder", some)
            gpu = more.pop(0) if more else gpu
            rows, faults = rows + more, faults + wrong
    if wavefronts:
        more, wrong = run(options.folder, "wavefront", wavefronts)
        rows, faults = rows + more, faults + wrong
    for group, name, median, least, threads, registers, shared, local, blocks, fault in rows:
        results[group, name] = {
            "ms": float(median), "least": float(least), "threads": int(threads),
            "registers": int(registers), "shared": int(shared), "local": int(local),
            "blocks": int(blocks)}
        if fault:
            faults.append("%s, %s: %s" % (group, name, fault))
            del results[group, name]
    wanted = len(lines) + len(found) + len(wavefronts)
    if wanted > len(rows):
        faults.append("%d of %d measurements have no result" % (wanted - len(rows), wanted))
    return gpu, results, faults


# ---- paths


def possible(path):
    """How many times as fast: by the pairs of a warp and a key in plain and in sorted order."""
    warps = path.block // 32
    held = path.keys * (1 - (1 - 1 / path.keys) ** 32)
    return held * warps / (warps + path.keys - 1)


def paths_of(results):
    """{(compiler, family, length, waves): {variant: row}}."""
    groups = collections.defaultdict(dict)
    for (group, name), row in results.items():
        if group.count(":") == 3:
            compiler, family, length, waves = group.split(":")
            groups[compiler, family, int(length), int(waves)][Path(name).variant] = row
    return groups


def gain_of(group, variant):
    """How many times as fast as plain; None if one of them is missing."""
    row, plain = group.get(variant), group.get("plain")
    return plain["ms"] / row["ms"] if row and plain else None


def cell(number, width=8, digits=2):
    return "%*s" % (width, "-" if number is None else "%.*f" % (digits, number))


def in_order(families):
    return sorted(families, key=lambda f: (int(f.split("_")[1]), f))


def print_paths(groups):
    """Returns {(shape, block): (best by hand, its name)} of the longest, and with "point" the plugin's."""
    best = {}
    print("\ntimes as fast as plain, by instructions of a path; clang")
    print("%-27s" % "" + "".join("%8d" % length for length in LENGTHS)
          + "%8s  registers  shared  blocks" % "nvcc")
    for family in in_order({key[1] for key in groups}):
        by_length = [groups["clang", family, length, WAVES] for length in LENGTHS]
        longest, nvcc = by_length[-1], groups["nvcc", family, LONGEST, WAVES]
        for variant in sorted(longest, key=lambda v: (v != "plain", v in STANDING, v)):
            row, plain = longest[variant], variant == "plain"
            cells = [cell(group.get("plain", {}).get("ms"), digits=3) if plain
                     else cell(gain_of(group, variant)) for group in by_length + [nvcc]]
            print("%-27s" % (family + "_" + variant + (", ms" if plain else ""))
                  + "".join(cells) + "%11d%8d%8d" % (row["registers"], row["shared"], row["blocks"]))
            path, gain = Path(family + "_" + variant), gain_of(longest, variant) or 0.0
            if variant not in STANDING + ("plain", "point"):
                best[path.shape, path.block] = max(best.get((path.shape, path.block), (0.0, "")),
                                                   (gain, variant))
            if variant == "point":
                best[path.shape, path.block, "point"] = gain, "the plugin"
        print("%-59s%8.2f" % ("  as many pairs as behind a round by votes", possible(Path(family + "_plain"))))
    return best


def print_sizes(groups):
    print("\n%d instructions a path: times as fast as plain, by threads, as many times as there is room"
          " for; clang" % LONGEST)
    print("%-27s" % "" + "".join("%8s" % ("x%d" % waves) for waves in SIZES))
    for family in SIZED:
        sizes = [groups["clang", family, LONGEST, waves] for waves in SIZES]
        for variant in BY_SIZE[1:]:
            print("%-27s" % (family + "_" + variant)
                  + "".join(cell(gain_of(group, variant)) for group in sizes))


def path_figures(best, results):
    for key, aim in AIMS.items():
        for which in (key, (*key, "point")):
            gain, variant = best.get(which, (0.0, "nobody: not measured"))
            yield ("%s, blocks of %d: x%.2f, by %s; at least %.1f" % (*key, gain, variant, aim),
                   gain >= aim)
    fewer = {name for (group, name), row in results.items() if group.count(":") == 3
             and row["blocks"] < results.get((group, Path(name).family + "_plain"), row)["blocks"]}
    yield ("no fewer blocks on a multiprocessor than plain: %s" % (", ".join(sorted(fewer)) or "all"),
           not fewer)


# ---- costs


def cycles(row, gpu):
    """Of a multiprocessor, of a warp and round."""
    _, multiprocessors, khz = gpu
    return row["ms"] * float(khz) * int(multiprocessors) / (row["threads"] / 32 * ROUNDS)


def print_constants(spent):
    """Those of lib/gpu/rounds.h, of {(algorithm, keys, words, block): cycles}: straight lines through two
    measurements each."""
    try:
        word = (spent["votes", 2, 16, 256] - spent["votes", 2, 2, 256]) / 14
        bit = (spent["votes", 32, 2, 256] - spent["votes", 2, 2, 256]) / 4
        hot_word = (spent["hot", 2, 8, 256] - spent["hot", 2, 2, 256]) / 6
        key = (spent["dgi16", 8, 2, 256] - spent["dgi16", 2, 2, 256]) / 6
        constants = {
            "LIN_HOT_ROUND": spent["hot", 2, 2, 256] - 2 * hot_word, "LIN_HOT_WORD": hot_word,
            "LIN_VOTES_ROUND": spent["votes", 8, 2, 256] - 3 * bit - 2 * word,
            "LIN_VOTES_BIT": bit, "LIN_VOTES_WORD": word,
            "LIN_DGI_ROUND": spent["dgi16", 2, 2, 256] - 2 * key - 2 * word, "LIN_DGI_KEY": key,
            "LIN_DGI_WORD": word}
    except KeyError as missing:
        print("constants: no result of %s" % missing)
        return
    print("constants of lib/gpu/rounds.h, in eighths of a cycle: "
          + ", ".join("%s %.0f" % (name, 8 * value) for name, value in constants.items()))
    far = max((abs(constants["LIN_VOTES_ROUND"] + bit * math.log2(keys) + word * words - taken) / taken,
               keys, words)
              for (how, keys, words, block), taken in spent.items() if how == "votes" and block == 256)
    print("votes in blocks of 256 are at most %.0f%% off that: %d keys, %d words"
          % (100 * far[0], far[1], far[2]))


def print_costs(results, gpu):
    print("\ncycles of a multiprocessor that a round takes a warp, less what the loop takes without it")
    print("%-14s%6s%6s%7s%9s%8s%9s  registers  local  shared  blocks"
          % ("", "keys", "words", "vector", "at once", "block", "cycles"))
    costs = [Cost(name) for group, name in results if group == "clang:costs"]
    empty = {cost.block: cycles(results["clang:costs", cost.name], gpu)
             for cost in costs if cost.how == "none"}
    spent = {}
    for cost in sorted(costs, key=lambda c: (c.how, c.keys, c.words, c.width, c.at_once, c.block)):
        row = results["clang:costs", cost.name]
        taken = cycles(row, gpu) - (empty.get(cost.block, math.nan) if cost.how != "none" else 0.0)
        print("%-14s%6d%6d%7d%9d%8d%9.1f%11d%7d%8d%8d"
              % (cost.how, cost.keys, cost.words, cost.width, cost.at_once, cost.block, taken,
                 row["registers"], row["local"], row["shared"], row["blocks"]))
        if cost.at_once == cost.words and cost.width == min(cost.words, 4):
            spent[cost.how, cost.keys, cost.words, cost.block] = taken
    print_constants(spent)


# ---- applications


def kind_of(name):
    """Of a variant of an application: by whom, and whether it is plain, with a point, with merged loops, by hand
    or a wavefront."""
    compiler, name = name.split(":")
    if compiler == MERGED:
        return compiler, MERGED
    for kind in ("wavefront", "plain", "point"):
        if "_%s_" % kind in name:
            return compiler, kind
    return compiler, "by hand"


def fastest(rows, compiler, *kinds):
    """Of an application's variants: (ms, name), or None. Without a compiler, by any."""
    found = [(row["ms"], name) for name, row in rows.items()
             if kind_of(name)[1] in kinds and (compiler or kind_of(name)[0]) == kind_of(name)[0]]
    return min(found, default=None)


def print_application(application, rows):
    base = fastest(rows, "clang", "plain")
    print("\n%s: ms, and times as fast as clang's plain kernel" % application)
    print("%-44s%10s%8s  registers  shared  blocks" % ("", "ms", ""))
    for name in sorted(rows, key=lambda name: (*kind_of(name)[::-1], name)):
        row = rows[name]
        print("%-44s%10.3f%s%11d%8d%8d" % (name, row["ms"], cell(base and base[0] / row["ms"]),
                                           row["registers"], row["shared"], row["blocks"]))


def application_figures(application, rows):
    """The best of the plugin, by a point or merged loops, beside what is written by hand, in thread blocks and
    at all, and clang."""
    rows = {name: row for name, row in rows.items()
            if kind_of(name)[1] != "point" or row["shared"] > OWN_SHARED}
    point, base = fastest(rows, None, "point", MERGED), fastest(rows, "clang", "plain")
    in_block, best = fastest(rows, None, "by hand"), fastest(rows, None, "by hand", "wavefront")
    if not fastest(rows, None, "point"):
        yield "%s: the plugin regroups no threads at points" % application, False
    if not point:
        return
    for what, other, aim in (("the best by hand in thread blocks", in_block, AS_BY_HAND),
                             ("the best by hand", best, AS_BY_HAND), ("clang's", base, OVER_CLANG)):
        if other:
            gain = other[0] / point[0]
            yield ("%s: x%.2f beside %s (%s, %.3f ms), by %s; at least %.2f"
                   % (application, gain, what, other[1], other[0], point[1], aim), gain >= aim)


def print_automatic(options, results):
    """Returns figures."""
    folder = os.path.join(options.folder, AUTOMATIC)

    def times(name, way):
        made = automatic.measured_as(options, name, way)
        row, plain = results.get(("automatic:" + name, made)), results.get(("automatic:" + name, "plain"))
        return plain["ms"] / row["ms"] if row and plain and made != "plain" else None

    rows = [automatic.Simulated(folder, name) for name in automatic.names_in(options)]
    print("\n%-22s%10s  registers and blocks: plain, by a profile, by guesses" % ("ms, plain", ""))
    for row in rows:
        ways = [results.get(("automatic:" + row.name, way)) for way in ("plain", *automatic.WAYS)]
        print("%-22s%10s  %s" % (row.name, cell(ways[0] and ways[0]["ms"], digits=3), "  ".join(
            "%d, %d" % (way["registers"], way["blocks"]) if way else "-" for way in ways)))
    return automatic.print_table("times as fast as clang's, regrouped by a profile and by guesses", rows, times)


# ---- building


def compile_source(options, name):
    """NAME.clang.cubin, NAME.nvcc.cubin, NAME.plugin.cubin, which has the kernels with points, and
    NAME.merged.cubin, in which the plugin has merged loops."""
    source, file = os.path.join(suite.ROOT, "bench", "regroup", name + ".cu"), os.path.join(options.folder, name)
    ways = {"clang": []}
    if name != "costs":
        ways["plugin"] = ["-DREGROUP_POINTS", *suite.plugin_flags(options)]
    if name not in ("costs", "paths"):
        ways[MERGED] = suite.plugin_flags(options, "-linearize-merge-loops")
    for way, flags in ways.items():
        made = "%s.%s" % (file, way)
        suite.run(options.clangxx, *options.flags, *flags, "-S", "-emit-llvm", source, "-o", made + ".ll")
        variants.assemble(options, made, options.flags)
        os.remove(made + ".ll")
        os.remove(made + ".ptx")
    suite.run(options.nvcc, "-std=c++17", "-cubin", *variants.nvcc_flags(options.flags), source, "-o", file + ".nvcc.cubin")


def link_references(options, folder, found):
    suite.run(options.clangxx, "-shared", *suite.references(options, found, folder), "-o", os.path.join(folder, "references.so"))


def build(options):
    suite.find_tools(options, "sm_90", toolkit=True)
    folder, names = os.path.join(options.folder, AUTOMATIC), automatic.names()
    os.makedirs(folder, exist_ok=True)
    suite.each("counting, compiling, simulating", lambda name: automatic.compile_ways(options, name), names)
    link_references(options, folder, {name: suite.source_of(name, ["threads"]) for name in names})
    program = os.path.join(options.folder, "reorder")
    suite.build_tool(options, program, "bench/device/reorder.cpp")
    shutil.copy(program, folder)
    if options.kernels != [AUTOMATIC]:
        found = suite.sources("regroup")
        suite.each("compiling", lambda name: compile_source(options, name), found)
        link_references(options, options.folder, found)
        suite.run(options.nvcc, "-arch=sm_90", "-std=c++20", "-O3", "-I" + suite.ROOT + "/bench/include", "-cudart", "static",
                  suite.ROOT + "/bench/device/wavefront.cu", "-o", os.path.join(options.folder, "wavefront"), "-ldl")
    suite.write_built(options)


# ---- running


def judge(options):
    """What is in options.folder; true if a figure is missed."""
    options.launches = os.path.join(suite.ROOT, "bench", "threads")
    options.parts = options.kernels or PARTS
    if not set(options.parts) <= set(PARTS):
        suite.die("parts are " + ", ".join(PARTS))
    gpu, results, faults = measure(options)
    if gpu:
        print("%s: %s multiprocessors, %s kHz" % tuple(gpu))
    with open(os.path.join(options.folder, "run.csv"), "w", newline="", encoding="ascii") as file:
        writer = csv.writer(file, lineterminator="\n")
        columns = ("ms", "least", "threads", "registers", "shared", "local", "blocks")
        writer.writerow(("group", "kernel", *columns))
        writer.writerows((*key, *(row[column] for column in columns))
                         for key, row in results.items())
    figures = [("all are right, and measured", not faults)]
    if "paths" in options.parts:
        groups = paths_of(results)
        best = print_paths(groups)
        print_sizes(groups)
        figures += path_figures(best, results)
    for application in COPIES:
        rows = {name: row for (group, name), row in results.items() if group == application}
        if rows:
            print_application(application, rows)
        if "applications" in options.parts:
            figures += application_figures(application, rows)
    if AUTOMATIC in options.parts:
        figures += print_automatic(options, results)
    if gpu and "costs" in options.parts:
        print_costs(results, gpu)
    print()
    for fault in faults:
        print("fault: " + fault)
    return suite.print_figures(figures) and options.check


def judge_simulated(options):
    names, folder = automatic.names_in(options), os.path.join(options.folder, AUTOMATIC)
    if not names:
        suite.die("nothing is built: scripts/bench reorder --build automatic first", 1)
    rows = {name: automatic.Simulated(folder, name) for name in names}
    return suite.print_figures(list(automatic.print_table(
        "in the simulator: times fewer warp instructions, by a profile and by guesses", list(rows.values()),
        lambda name, way: rows[name].gain.get(way)))) and options.check


def main(options):
    if options.build + options.simulated + options.run != 1:
        suite.die("reorder wants --build, --simulated or --run: see scripts/bench reorder --help")
    os.makedirs(os.path.join(suite.folder_of(options, "reorder"), AUTOMATIC), exist_ok=True)
    if options.build:
        return build(options)
    if options.simulated:
        return judge_simulated(options)
    suite.need_gpu(os.path.join(options.folder, AUTOMATIC), "reorder")
    with suite.kept(options.folder, "run.txt"):
        return judge(options)
