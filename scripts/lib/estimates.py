"""Compares what remarks say is saved with what the simulator counts (model volta, sm_90): each region of bench/kernels,
bench/costs and bench/exits of which a remark of mode needed says it, whether it is linearized or not, is linearized
alone. What is compared is the part of the region's instructions that is saved, guards taken off:

    said      (saved - guards) / all that a warp runs in it, by the remark
    counted   (warp instructions without it - with it) / those of the region's blocks without it

The figures: nine of ten signs are right (within 2% of nothing, either is), and of the regions of which
either says that over 10% are saved, nine of ten are said within a factor of two. Half of the kernels
(halves.py) are marked 'held'. All of both halves were seen while the estimate was written: of code
that it wasn't made from, neither says how good it is.
"""
import collections
import concurrent.futures
import csv
import os
import re
import subprocess

import remarks
import simulate
import suite
from halves import is_held_out

MODEL = "volta"
NOTHING = 0.02      # of a region: about nothing
WORTH = 0.1         # of a region, to be within the factor
FACTOR = 2
WANTED = 0.9        # of the regions
NOBODY = "only=99999"  # exits are settled, and no region is linearized

Said = collections.namedtuple("Said", "function region block blocks taken saved guards executed")


class Kernel:
    def __init__(self, options, name):
        self.options, self.name = options, name
        self.folder = os.path.join(options.folder, name)
        self.untouched = os.path.join(self.folder, "untouched.ll")
        self.launch = simulate.Launch(simulate.launch_file(options.repository, name))
        self.expected = simulate.expected_output(self.folder, name, self.launch)

    def linearize(self, parameters, name):
        """Leaves a module; its path, and the remarks."""
        path = os.path.join(self.folder, name + ".ll")
        return path, remarks.linearize(self.options.opt, self.options.plugin, parameters,
                                       self.untouched, path)

    def read_remarks(self):
        for passed, value, *_ in self.linearize("needed", "needed")[1]:
            if {"Gain", "Executed", "Cost", "Region"} <= value.keys():
                yield Said(value["Function"], int(value["Region"]), value["Block"], int(value["Blocks"]),
                           passed, int(value["Gain"]), int(value["Cost"]), int(value["Executed"]))

    def read_regions(self, path, function):
        """Of each minimal region the blocks, those of inner ones included."""
        done = subprocess.run([self.options.graph, "--step", "regions", "--mode", "paper",
                               "--function", function, path],
                              capture_output=True, text=True, check=True)
        blocks, parent = {}, {}
        for line in done.stdout.splitlines():
            found = re.match(r"region (\d+) .*?(?: in region (\d+))?: (.*)", line)
            if found:
                blocks[found[1]], parent[found[1]] = set(found[3].split()), found[2]
        for region in blocks:
            around = parent[region]
            while around is not None:
                blocks[around] |= blocks[region]
                around = parent[around]
        return blocks.values()

    def count(self, path):
        return simulate.Run(self.options.simt, self.launch, path, MODEL, self.expected)

    def count_blocks(self, path):
        done = subprocess.run([self.options.simt, "--launch", self.launch.path, "--model", MODEL,
                               "--csv", "--blocks", path], capture_output=True, text=True)
        return {(row["function"], row["block"]): int(row["warp_instructions"])
                for row in csv.DictReader(done.stdout.splitlines()) if row["block"]}

    def measure(self):
        """Rows, and what was wrong."""
        all_said = list(self.read_remarks())
        if not all_said:
            return [], []
        base_path, _ = self.linearize(NOBODY, "settled")
        base, of_block = self.count(base_path), self.count_blocks(base_path)
        rows, faults = [], []
        for said in all_said:
            name = "only%d" % said.region
            run = self.count(self.linearize("only=%d" % said.region, name)[0])
            if base.fault or run.fault:
                faults.append("%s, region %d: %s" % (self.name, said.region,
                                                     base.fault or run.fault))
                continue
            plain = said.function.split("(")[0]  # remarks say names as in the source
            function = min((f for f, _ in of_block if plain in f), key=len)
            blocks = min((b for b in self.read_regions(base_path, function)
                          if said.block in b and len(b) >= said.blocks), key=len)
            here = sum(of_block.get((function, block), 0) for block in blocks)
            saved = base.numbers["warp_instructions"] - run.numbers["warp_instructions"]
            rows.append(Row(self.name, said, saved, here))
        return rows, faults


class Row:
    def __init__(self, kernel, said, saved, here):
        self.kernel, self.region, self.taken = kernel, said.region, said.taken
        self.held = is_held_out(kernel)
        self.said = (said.saved - said.guards) / max(said.executed, 1)
        self.ran = here > 0
        self.counted = saved / max(here, 1)

    @property
    def has_right_sign(self):
        return (self.said > 0) == (self.counted > 0) or min(abs(self.said),
                                                            abs(self.counted)) < NOTHING

    @property
    def is_large(self):
        return max(self.said, self.counted) > WORTH

    @property
    def is_near(self):
        low, high = sorted((self.said, self.counted))
        return low > 0 and high <= FACTOR * low


def print_row(row):
    faults = [] if row.ran else ["never run"]
    if row.ran and not row.has_right_sign:
        faults.append("sign")
    if row.ran and row.is_large and not row.is_near:
        faults.append("factor")
    print("%-22s %6d %5s %5s %7.1f%% %7.1f%%  %s" % (
        row.kernel, row.region, "yes" if row.taken else "no", "held" if row.held else "",
        100 * row.said, 100 * row.counted, ", ".join(faults)), flush=True)


def judge(what, good):
    return "%s: %d of %d" % (what, sum(good), len(good)), sum(good) >= WANTED * len(good)


def compare(options):
    """Of options.kernels, in options.folder."""
    print("%-22s %6s %5s %5s %8s %8s" % ("kernel", "region", "taken", "", "said", "counted"))
    rows, faults = [], []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        kernels = [Kernel(options, name) for name in options.kernels]
        for found, wrong in pool.map(Kernel.measure, kernels):
            for row in found:
                print_row(row)
            rows += found
            faults += wrong
    for fault in faults:
        print("! " + fault)
    if options.csv:
        with open(options.csv, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["kernel", "region", "taken", "held", "said", "counted", "ran"])
            writer.writerows([r.kernel, r.region, r.taken, r.held, r.said, r.counted, r.ran]
                             for r in rows)
    rows, figures = [row for row in rows if row.ran], []
    for which, some in (("all", rows), ("held", [row for row in rows if row.held])):
        figures += [judge("signs, " + which, [row.has_right_sign for row in some]),
                    judge("within a factor of two, " + which, [row.is_near for row in some if row.is_large])]
    missed = suite.print_figures(figures)
    return bool(faults) or (options.check and missed)


def main(options):
    suite.choose(options, "kernels", "costs", "exits")
    simulate.prepare(options, "estimates", ["untouched"], sm="sm_90")
    suite.describe(options, "mode needed")
    return compare(options)
