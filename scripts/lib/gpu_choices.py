"""Compares mode needed on a GPU with the best choice of regions there is: `scripts/bench gpu --choices`.

FOLDER has KERNEL.clang.ll, KERNEL.clang.cubin and KERNEL.needed.cubin of each kernel. build leaves
FOLDER/choices/KERNEL/SUBSET.cubin for every subset of its regions that makes another program, if it has
up to 8, and choices.json, which says what there is. time runs these with bench/device/run, which checks each against
the CPU. Of many variants the fastest is always a little faster than it is: what is less than the noise says nothing.
"""
import json
import os
import shutil

import gpu
import suite
import variants
from subsets import MOST_REGIONS, Subsets, name_of


def build_kernel(options, name):
    folder = os.path.join(options.folder, "choices", name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    untouched = os.path.join(options.folder, name + ".clang.ll")
    choices = Subsets(options.opt, options.plugin, untouched, folder)
    os.remove(choices.path("needed"))
    different = sorted(set(choices.module_of.values()) - {untouched})
    for module in different:
        base = module.removesuffix(".ll")
        variants.assemble(options, base, options.flags)
        os.remove(module)
        os.remove(base + ".ptx")
    return {"regions": choices.regions, "taken": name_of(choices.taken),
            "subsets": [os.path.basename(module)[:-len(".ll")] for module in different]}


def build(options, kernels):
    made = suite.each("choices", lambda name: build_kernel(options, name), kernels)
    with open(os.path.join(options.folder, "choices", "choices.json"), "w", encoding="ascii") as file:
        json.dump(made, file, indent=1)


def measure(options, name, kernel, words):
    """{variant: Cell}: clang, again, needed and each subset."""
    cubins = {"clang": name + ".clang.cubin", "again": name + ".clang.cubin",
              "needed": name + ".needed.cubin",
              **{s: "choices/%s/%s.cubin" % (name, s) for s in kernel["subsets"]}}
    return gpu.run(options.program, name, words,
                   {v: os.path.join(options.cubins, path) for v, path in cubins.items()})


def time_table(options, kernels, words):
    print("\n%s words of input, %d KB" % (words, int(words) * 4 // 1024))
    print("%-20s %7s %7s %7s %7s %7s  %-12s %s" % ("kernel", "regions", "again", "needed", "best",
                                                   "", "needed takes", "best takes"))
    table, noise = {}, 0
    for name, kernel in kernels.items():
        cells = measure(options, name, kernel, words)
        sound = [v for v in cells if gpu.sound(cells, v)]
        if not gpu.sound(cells, "clang", "again", "needed"):
            print("!   %s: no result" % name)
            continue
        best = min([v for v in sound if v != "again"], key=lambda v: cells[v].ms)
        again, ours, most = (gpu.speed(cells, v, "clang") for v in ("again", "needed", best))
        takes = {"clang": "-", "needed": kernel["taken"]}.get(best, best)
        noise = max(noise, abs(again - 1))
        table[name] = ours, most
        print("%-20s %7d  x%.3f  x%.3f  x%.3f  %5.1f%%  %-12s %s" % (
            name, kernel["regions"], again, ours, most, 100 * ours / most, kernel["taken"], takes),
            flush=True)
    means = [table[name] for name in options.means if name in table]
    if means:
        ours, most = (suite.geometric_mean(column) for column in zip(*means))
        print("%-20s %7s %7s  x%.3f  x%.3f  %5.1f%%  (%d kernels)" % (
            "geometric mean", "", "", ours, most, 100 * ours / most, len(means)))
    limit = 1 + max(gpu.SLOWER, noise)
    print("the best choice is faster than needed by over %.1f%%: %s" % (
        100 * limit - 100, gpu.listed([(name, gpu.times(most / ours))
                                       for name, (ours, most) in table.items()
                                       if most / ours > limit])))
    return len(table) < len(kernels)


def time(options):
    with open(os.path.join(options.cubins, "choices", "choices.json")) as file:
        kernels = json.load(file)
    skipped = ["%s %d" % (name, kernel["regions"]) for name, kernel in kernels.items()
               if kernel["regions"] > MOST_REGIONS]
    kernels = {name: kernel for name, kernel in kernels.items() if kernel["subsets"]}
    print("how many times as fast as clang; best: of all choices of regions")
    failed = [time_table(options, kernels, words) for words in options.words]
    print("\nmore than %d regions: %s" % (MOST_REGIONS, ", ".join(skipped) or "none"))
    return any(failed)
