"""Compares what linearize/threads.h estimates with what warps run in the simulator (models volta and ipdom), of the second
half of the thread blocks: equation (2), and (2) corrected by what was counted of the first half; in the sum, and of a
warp on average (of the absolute values). And what linearizing is predicted to give, from the entries of the untouched
kernel that aren't again in one pass, beside what it gives at O4, with its guards and without.

The figures: corrected, no sum is off by more than 5%; the prediction of linearizing, guards aside, by no more than 10%
in the geometric mean.
"""
import csv
import ctypes
import math
import os
import subprocess

import simulate
import suite

MODELS = ("volta", "ipdom")
VARIANTS = ("untouched", "O4")
MOST_ERROR = 0.05  # of a corrected sum
MOST_OFF = 0.10    # of the prediction of linearizing, without guards, in the geometric mean
WARP = 32
NONE = 0xffffffff


class Counts:
    """What the simulator counts of a module: by warp, thread and block."""

    def __init__(self, simt, launch, module, model):
        vectors, warps, counts = (module + end for end in (".vectors", ".warps", ".file"))
        done = subprocess.run([simt, "--launch", launch.path, "--model", model, "--csv", "--blocks",
                               "--vectors", vectors, "--warps", warps, "--counts", counts, module],
                              stdout=subprocess.PIPE, text=True, check=True)
        self.names, self.latency, self.entries, self.again = [], [], [], []
        self.instructions = self.guards = 0
        for row in csv.DictReader(done.stdout.splitlines()):
            if row["function"] == "":
                self.instructions = int(row["warp_instructions"])
                self.guards = int(row["guard_instructions"])
            elif row["block"] != "":
                entries = int(row["block_entries"])
                self.names.append((row["function"], row["block"]))
                self.entries.append(entries)
                self.again.append(int(row["reentries"]))
                self.latency.append(int(row["warp_instructions"]) / entries if entries else 0)
        number = {name: index for index, name in enumerate(self.names)}
        threads = launch.grid * launch.block
        self.launch = launch
        self.vectors = self.read(vectors, threads, number)
        self.warps = self.read(warps, -(-launch.block // WARP) * launch.grid, number)
        self.around = self.read_around(counts, number)

    def read(self, path, rows, number):
        """[row][block] of a file of --vectors or --warps."""
        table = [[0] * len(number) for _ in range(rows)]
        with open(path, newline="") as file:
            for row, function, block, entries in list(csv.reader(file))[1:]:
                if (function, block) in number:  # not what the simulator made of a block
                    table[int(row)][number[function, block]] += int(entries)
        return table

    def read_around(self, path, number):
        """[block] of a file of counts, for linearize_bbv_passes."""
        with open(path, newline="") as file:
            lines = file.read().splitlines()
        first = next(i for i, line in enumerate(lines) if line.startswith("# blocks ")) + 1
        rows = list(csv.reader(line[2:] for line in lines[first:first + int(lines[first - 1][9:])]))
        around = [NONE] * len(number)
        for function, block, _, _, outer in rows:
            if (function, block) in number and outer != "":
                around[number[function, block]] = number.get(tuple(rows[int(outer)][:2]), NONE)
        return around


class Library:
    """liblinearize-threads.so."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)

    def call(self, name, vectors, threads_per_block, around, given, *results):
        """`given` stands before the order, NULL, or is NULL."""
        threads, blocks = len(vectors), len(around)
        flat = (ctypes.c_uint32 * (threads * blocks))(*(count for row in vectors for count in row))
        status = getattr(self.library, name)(
            flat, ctypes.c_size_t(threads), ctypes.c_size_t(blocks), (ctypes.c_uint32 * blocks)(*around),
            given and (ctypes.c_double * blocks)(*given), None, ctypes.c_size_t(threads_per_block), *results)
        assert status == 0

    def passes(self, vectors, threads_per_block, around, correction=None):
        """Of each block, corrected."""
        mean, most, passes = ((ctypes.c_double * len(around))() for _ in range(3))
        self.call("linearize_bbv_passes", vectors, threads_per_block, around, correction, mean, most,
                  passes)
        return passes

    def correction(self, vectors, threads_per_block, around, counted):
        correction = (ctypes.c_double * len(around))()
        self.call("linearize_bbv_correction", vectors, threads_per_block, around, counted, correction)
        return correction


def total(latency, passes):
    return sum(cycles * count for cycles, count in zip(latency, passes))


def errors(library, counts):
    """[(of the sum, of a warp on average)] of (2) and of (2) corrected."""
    launch = counts.launch
    half = launch.grid // 2
    threads, warps = half * launch.block, half * -(-launch.block // WARP)
    correction = library.correction(counts.vectors[:threads], launch.block, counts.around,
                                    [sum(column) for column in zip(*counts.warps[:warps])])
    sums, real, absolute = [0, 0], 0, [0, 0]
    for number, warp in enumerate(counts.warps[warps:]):
        first = threads + WARP * number
        actual = total(counts.latency, warp)
        real += actual
        for index, by in enumerate((None, correction)):
            passes = library.passes(counts.vectors[first:first + WARP], WARP, counts.around, by)
            cycles = total(counts.latency, passes)
            sums[index] += cycles
            absolute[index] += abs(cycles / actual - 1)
    return [(sums[i] / real - 1, absolute[i] / (number + 1)) for i in range(2)]


def main(options):
    suite.choose(options, "kernels", first=suite.SEVEN + suite.SMALL)
    simulate.prepare(options, "metrics", VARIANTS, sm="sm_90")
    suite.describe(options)
    library = Library(options.library)
    wrong, off = [], []
    print("                                      equation (2)     corrected      linearizing gives\n"
          "kernel               model code         sum    warp     sum  warp   predicted  real  without guards")
    for kernel in options.kernels:
        launch = simulate.Launch(simulate.launch_file(options.repository, kernel))
        for model in MODELS:
            counts = [Counts(options.simt, launch,
                             os.path.join(options.folder, kernel, variant + ".ll"), model)
                      for variant in VARIANTS]
            before, after = counts
            again = total(before.latency, before.again)
            predicted = before.instructions / (before.instructions - again)
            real = before.instructions / after.instructions
            bare = before.instructions / (after.instructions - after.guards)
            off.append(math.exp(abs(math.log(predicted / bare))))
            for variant, c in zip(VARIANTS, counts):
                plain, corrected = errors(library, c)
                print("%-20s %-5s %-9s %+6.1f%% %6.1f%% %+6.1f%% %4.1f%%"
                      % (kernel, model, variant, *(100 * x for x in plain + corrected))
                      + ("   %6.2f %6.2f %9.2f" % (predicted, real, bare)
                         if c is before else ""), flush=True)
                if abs(corrected[0]) > MOST_ERROR:
                    wrong.append("%s, %s, %s %+.1f%%" % (kernel, model, variant, 100 * corrected[0]))
    mean = suite.geometric_mean(off) - 1
    return suite.print_figures([
        ("corrected, no sum is off by more than %.0f%%%s" % (100 * MOST_ERROR, suite.listed(wrong)), not wrong),
        ("the prediction of linearizing, without guards, is off by %.1f%% in the geometric mean, at most %.0f%%"
         % (100 * mean, 100 * MOST_OFF), mean <= MOST_OFF)]) and options.check
