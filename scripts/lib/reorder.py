#!/usr/bin/env python3
"""What regrouping by hand gains on a GPU: scripts/bench reorder --run.

    reorder.py [--check] --folder FOLDER --launches FOLDER --csv FILE [PART...]

FOLDER holds what scripts/bench reorder --build leaves: cubins, of which the names of kernels say
what they are, and the programs of bench/device. Prints tables, and which figures are met:

    paths     bench/regroup/paths.cu: how many times as fast as the plain kernel each way to regroup is,
              by the instructions of a path
              and by how many threads there are; by clang and by nvcc, and with one chain of dependent
              instructions
    costs     bench/regroup/costs.cu: cycles of a multiprocessor that a round takes a warp
    applications   of bench/threads, by hand in bench/regroup: ms, and times as fast as clang's plain kernel
    wavefronts     the same as several kernels, by bench/device/wavefront.cu

Without PART, all of them.
"""
import argparse
import csv
import os
import re
import subprocess
import sys

import simulate

WORDS = 65536
LENGTHS = (24, 96, 384, 1536, 6144)   # instructions of a path; all turns together have the longest
TURN = 24                             # of one iteration
WAVES = 8                             # so many times as many threads as there is room for at once;
SIZES = (2, 8, 32)                    # the longest paths with these, too
ROUNDS = 64                           # of costs.cu
SLOW = ("dgi4", "dgi8")               # of which the shorter paths take too long with many threads
STANDING = ("pure", "border", "spread")   # in order from the beginning
LONGEST = ("placed", "first_chance", "last") + STANDING   # of interest with the longest paths alone
SIZED = ("plain", "votes", "rotated", "hot", "first", "ordered", "ordered_first") + STANDING
# Applications, and how often the threads of their launch files are there.
COPIES = {"path_tracer": 16, "layered_tracer": 4, "particle_transport": 16, "nuclide_transport": 2}
PATIENCE = 300                        # seconds
# (paths, threads of a block): how many times as fast as plain by hand; issue 28
AIMS = {("flat2", 256): 1.7, ("flat4", 256): 2.8, ("flat8", 256): 4.0,
        ("flat2", 1024): 1.9, ("flat4", 1024): 3.6, ("flat8", 1024): 6.0,
        ("nested4", 1024): 3.5}


PARTS = ("paths", "costs", "applications", "wavefronts")


class Path:
    """A kernel of paths.cu."""

    def __init__(self, name):
        self.shape, chains, block, self.variant = re.match(
            r"([a-z]+\d)_(\d)_(\d+)_(\w+)$", name).groups()
        self.name = self.kernel = name
        self.chains, self.block = int(chains), int(block)
        self.keys = int(self.shape[-1])

    @property
    def family(self):
        return "%s_%d_%d" % (self.shape, self.chains, self.block)

    @property
    def reference(self):
        return self.name if self.variant in STANDING else "%s_%d" % (self.shape, self.chains)

    share, small_rounds = 1, 2 << 16 | 3

    def line(self, compiler, cubin, length, waves):
        """For reorder.cpp. All kernels of a group are compared."""
        turns = LENGTHS[-1] // length
        group = "%s:%s:%d:%d" % (compiler, self.family, length, waves)
        return (group, self.name, cubin, self.name, self.block, 1, self.reference, WORDS,
                turns << 16 | length // TURN, WORDS, "x%d" % waves)

    def lines(self, compiler, cubin):
        main = compiler == "clang" and self.chains == 4
        for length in LENGTHS:
            short_too = main and self.variant not in SLOW + LONGEST
            if length == LENGTHS[-1] or short_too:
                yield self.line(compiler, cubin, length, WAVES)
        if main and self.variant in SIZED:
            for waves in SIZES:
                if waves != WAVES:
                    yield self.line(compiler, cubin, LENGTHS[-1], waves)


class Cost:
    """A kernel of costs.cu."""

    def __init__(self, name):
        words, self.how, keys, width, at_once, block = re.match(
            r"words(\d+)_(\w+?)_(\d+)_(\d+)_(\d+)_(\d+)$", name).groups()
        self.name = self.kernel = name
        self.words, self.keys, self.width, self.at_once, self.block = map(
            int, (words, keys, width, at_once, block))

    share, small_rounds = 1, 3

    @property
    def reference(self):
        return "words%d" % self.words

    def line(self, compiler, cubin):
        return ("%s:costs" % compiler, self.name, cubin, self.name, self.block, 1, self.reference,
                WORDS, ROUNDS, WORDS, "x%d" % WAVES)


class Application:
    """A kernel of an application: the plain one, with or without a point, in blocks of a size, or one by
    hand."""

    small_rounds = 2

    def __init__(self, application, name, block=128):
        self.application, self.reference, self.kernel = application, application, name
        sizes = re.search(r"_(\d+)_(\d+)$", name)
        if sizes:
            self.share, self.block, self.name = int(sizes[1]), int(sizes[2]), name
        else:
            self.share, self.block = 1, block
            self.name = "%s_%d" % (name if name != application else name + "_plain", block)

    def line(self, compiler, cubin, launch):
        return (self.application, "%s:%s" % (compiler, self.name), cubin, self.kernel, self.block,
                self.share, self.reference, launch.words, launch.rounds, launch.threads,
                launch.threads * COPIES[self.application])


def kernel_of(source, name):
    """What is known of a kernel of bench/regroup by its name."""
    kinds = {"paths": Path, "costs": Cost}
    return kinds[source](name) if source in kinds else Application(source, name)


def kernels_of(path):
    """The names of a cubin's kernels: its sections."""
    with open(path, "rb") as file:
        return sorted({name.decode() for name in re.findall(rb"\.text\.(\w+)\0", file.read())})


def plan(options):
    """Lines for reorder.cpp."""
    folder = options.folder
    lines = []
    for compiler in ("clang", "nvcc"):
        cubin = os.path.join(folder, "paths.%s.cubin" % compiler)
        if "paths" in options.parts:
            for path in sorted(map(Path, kernels_of(cubin)), key=lambda p: (p.family, p.name)):
                lines += path.lines(compiler, cubin)
        cubin = os.path.join(folder, "costs.%s.cubin" % compiler)
        if "costs" in options.parts:
            lines += [Cost(name).line(compiler, cubin) for name in kernels_of(cubin)]
        for application in COPIES if "applications" in options.parts else ():
            cubin = os.path.join(folder, "%s.%s.cubin" % (application, compiler))
            for name in kernels_of(cubin):
                for block in (128, 256) if name == application else (128,):
                    lines.append(Application(application, name, block)
                                 .line(compiler, cubin, launch_of(options, application)))
    return sorted(lines, key=lambda line: line[0])


def launch_of(options, application):
    return simulate.Launch(os.path.join(options.launches, application + ".launch"))


def plan_wavefronts(options):
    """Lines for wavefront.cu."""
    for application in COPIES if "wavefronts" in options.parts else ():
        launch = launch_of(options, application)
        yield (application, launch.words, launch.rounds, launch.threads,
               launch.threads * COPIES[application])


def run(folder, program, lines):
    """The rows that it prints, and what went wrong."""
    text = "".join("%s\n" % " ".join(map(str, line)) for line in lines)
    command = [os.path.join(folder, program), os.path.join(folder, "references.so")]
    raw, faults = os.path.join(folder, program + ".txt"), []
    try:
        with open(raw, "w", encoding="ascii") as file:  # what was measured stays, whatever comes after it
            done = subprocess.run(command, input=text, stdout=file, stderr=subprocess.PIPE, text=True,
                                  timeout=PATIENCE)
        if done.returncode not in (0, 2):
            faults.append(done.stderr.strip() or "%s: status %d" % (program, done.returncode))
    except subprocess.TimeoutExpired:
        faults.append("%s did not end within %d s" % (program, PATIENCE))
    with open(raw, encoding="ascii") as file:
        return [line.rstrip("\n").split("\t") for line in file], faults


def measure(options):
    """Of the GPU, {(group, name): row}, and what went wrong."""
    lines, gpu, results = plan(options), None, {}
    rows, faults = run(options.folder, "reorder", lines)
    if rows:
        gpu = rows.pop(0)
    wavefronts = list(plan_wavefronts(options))
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
    faults += ["%s, %s: no result" % line[:2] for line in lines if line[:2] not in results]
    return gpu, results, faults


def possible(path):
    """How many times as fast: by the pairs of a warp and a key in plain and in sorted order."""
    warps = path.block // 32
    held = path.keys * (1 - (1 - 1 / path.keys) ** 32)
    return held * warps / (warps + path.keys - 1)


def in_step(path):
    """The same, if all blocks of a multiprocessor begin and end together: its busiest sub-partition, of
    four, decides."""
    warps, blocks = path.block // 32, 2048 // path.block
    busiest = blocks * warps // 4 + -(-blocks * (path.keys - 1) // 4)
    return possible(path) * blocks * (warps + path.keys - 1) / 4 / busiest


def paths_of(results):
    """{(compiler, family, length, waves): {variant: row}}."""
    groups = {}
    for (group, name), row in results.items():
        if group.count(":") == 3:
            compiler, family, length, waves = group.split(":")
            variant = Path(name).variant
            groups.setdefault((compiler, family, int(length), int(waves)), {})[variant] = row
    return groups


def gain_of(group, variant):
    """How many times as fast as plain; None if one of them is missing."""
    row, plain = group.get(variant), group.get("plain")
    return plain["ms"] / row["ms"] if row and plain else None


def cell(number, width=8, digits=2):
    return "%*s" % (width, "-" if number is None else "%.*f" % (digits, number))


def in_order(families):
    return sorted(families, key=lambda f: (int(f.split("_")[2]), f))


def print_paths(results):
    """By the length of a path. Returns {(shape, block): (best, its name)} of the longest."""
    groups, best = paths_of(results), {}
    print("times as fast as plain, by instructions of a path; clang")
    print("%-30s" % "" + "".join("%8d" % length for length in LENGTHS)
          + "  registers  shared  blocks")
    for family in in_order({key[1] for key in groups if "_4_" in key[1]}):
        lengths = [groups.get(("clang", family, length, WAVES), {}) for length in LENGTHS]
        longest = lengths[-1]
        for variant in sorted(longest, key=lambda v: (v != "plain", v in STANDING, v)):
            row = longest[variant]
            if variant == "plain":
                cells = [cell(group.get("plain", {}).get("ms"), digits=3) for group in lengths]
            else:
                cells = [cell(gain_of(group, variant)) for group in lengths]
            print("%-30s" % (family + "_" + variant + (", ms" if variant == "plain" else ""))
                  + "".join(cells) + "%11d%8d%8d" % (row["registers"], row["shared"], row["blocks"]))
            shape, _, block = family.split("_")
            gain = gain_of(longest, variant) or 0.0
            if variant not in STANDING + ("plain",) and gain > best.get((shape, int(block)), (0,))[0]:
                best[shape, int(block)] = gain, variant
        if not family.startswith("dependent"):
            path = Path(family + "_plain")
            print("%-30s%40.2f" % ("  possible, sorted", possible(path)))
            print("%-30s%40.2f" % ("  ... blocks begin together", in_step(path)))
    return best


def print_sizes(results):
    """By how many threads there are."""
    groups = paths_of(results)
    print("\n%d instructions a path: times as fast as plain, by threads, as many times as there is room"
          " for; clang" % LENGTHS[-1])
    print("%-30s" % "" + "".join("%8s" % ("x%d" % waves) for waves in SIZES))
    for family in in_order({key[1] for key in groups if key[3] != WAVES}):
        sizes = [groups.get(("clang", family, LENGTHS[-1], waves), {}) for waves in SIZES]
        for variant in SIZED[1:]:
            cells = [cell(gain_of(group, variant)) for group in sizes]
            if any(variant in group for group in sizes):
                print("%-30s" % (family + "_" + variant) + "".join(cells))


def print_turns(results):
    groups = paths_of(results)
    print("\n%d instructions a path: ms, and times as fast as that compiler's plain" % LENGTHS[-1])
    print("%-30s%10s%8s%10s%8s" % ("", "clang", "", "nvcc", ""))
    for family in in_order({key[1] for key in groups}):
        by = [groups.get((compiler, family, LENGTHS[-1], WAVES), {}) for compiler in ("clang", "nvcc")]
        for variant in ("plain", "votes", "rotated", "rounds", "skips", "first", "ordered_first"):
            if any(variant in group for group in by):
                print("%-30s" % (family + "_" + variant)
                      + "".join(cell(group.get(variant, {}).get("ms"), 10, 3)
                                + cell(gain_of(group, variant)) for group in by))


def cycles(row, gpu):
    """Of a multiprocessor, of a warp and round."""
    _, multiprocessors, khz = gpu
    return row["ms"] * float(khz) * int(multiprocessors) / (row["threads"] / 32 * ROUNDS)


def print_costs(results, gpu):
    print("\ncycles of a multiprocessor that a round takes a warp, less what the loop takes without it")
    print("%-14s%6s%6s%7s%9s%8s" % ("", "keys", "words", "vector", "at once", "block")
          + "%9s%9s  registers  shared  blocks" % ("clang", "nvcc"))
    names = {name for group, name in results if group.endswith(":costs")}
    order = sorted(map(Cost, names),
                   key=lambda c: (c.how, c.keys, c.words, c.width, c.at_once, c.block))
    for cost in order:
        cells = []
        for compiler in ("clang", "nvcc"):
            row = results.get(("%s:costs" % compiler, cost.name))
            empty = results.get(("%s:costs" % compiler, "words2_none_8_1_2_%d" % cost.block))
            spent = cycles(row, gpu) if row else float("nan")
            if cost.how != "none":
                spent -= cycles(empty, gpu) if empty else float("nan")
            cells.append("%9.1f" % spent)
        row = results.get(("clang:costs", cost.name)) or results["nvcc:costs", cost.name]
        print("%-14s%6d%6d%7d%9d%8d" % (cost.how, cost.keys, cost.words, cost.width, cost.at_once,
                                       cost.block)
              + "".join(cells) + "%11d%8d%8d" % (row["registers"], row["shared"], row["blocks"]))


def print_application(application, results):
    print("\n%s: ms, and times as fast as clang's plain kernel in blocks of 128" % application)
    plain = results.get((application, "clang:%s_plain_128" % application))
    names = sorted({name.split(":")[1] for group, name in results if group == application},
                   key=lambda name: ("wavefront" in name, name))
    print("%-34s%10s%8s%10s%8s  registers  shared  blocks" % ("", "clang", "", "nvcc", ""))
    for name in names:
        cells = []
        for compiler in ("clang", "nvcc"):
            row = results.get((application, "%s:%s" % (compiler, name)))
            cells.append("%10.3f%8.2f" % (row["ms"], plain["ms"] / row["ms"]) if row and plain
                         else "%10s%8s" % ("-", "-"))
        row = results.get((application, "clang:" + name)) or results[application, "nvcc:" + name]
        print("%-34s" % name + "".join(cells)
              + "%11d%8d%8d" % (row["registers"], row["shared"], row["blocks"]))


def print_figures(options, best, results, faults):
    """Whether one is missed."""
    missed = False
    print()
    figures = [("all are right", not faults)]
    for key, aim in AIMS.items() if "paths" in options.parts else ():
        gain, variant = best.get(key, (0.0, "none"))
        figures.append(("%s, blocks of %d: x%.2f, by %s; at least %.1f"
                        % (*key, gain, variant, aim), gain >= aim))
    fewer = []
    for (group, name), row in results.items():
        if group.count(":") == 3:
            plain = results.get((group, Path(name).family + "_plain"))
            if plain and row["blocks"] < plain["blocks"]:
                fewer.append(name)
    figures.append(("no fewer blocks on a multiprocessor than plain: %s"
                    % (", ".join(sorted(set(fewer))) or "all"), not fewer))
    for what, met in figures:
        print("%s %s" % ("met" if met else "missed", what))
        missed |= not met
    return missed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    for option in ("--folder", "--launches", "--csv"):
        parser.add_argument(option, required=True)
    parser.add_argument("parts", nargs="*", metavar="PART")
    options = parser.parse_args()
    options.parts = options.parts or PARTS
    if not set(options.parts) <= set(PARTS):
        parser.error("parts are " + ", ".join(PARTS))
    gpu, results, faults = measure(options)
    if gpu:
        print("%s: %s multiprocessors, %s kHz" % tuple(gpu))
    with open(options.csv, "w", newline="", encoding="ascii") as file:
        writer = csv.writer(file, lineterminator="\n")
        columns = ("ms", "least", "threads", "registers", "shared", "local", "blocks")
        writer.writerow(("group", "kernel", *columns))
        writer.writerows((*key, *(row[column] for column in columns))
                         for key, row in results.items())
    best = {}
    if "paths" in options.parts:
        best = print_paths(results)
        print_sizes(results)
        print_turns(results)
    if gpu and "costs" in options.parts:
        print_costs(results, gpu)
    for application in COPIES:
        if any(group == application for group, _ in results):
            print_application(application, results)
    for fault in faults:
        print("fault: " + fault)
    missed = print_figures(options, best, results, faults)
    sys.exit(1 if options.check and missed else 0)


if __name__ == "__main__":
    main()
