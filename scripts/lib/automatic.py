"""Applications of bench/threads whose threads the plugin regroups where it finds that it pays:
scripts/bench reorder, its part `automatic`.

A figure of Lin, Wang and others (ACM TACO 15(3), 2018, 4.2): of warps that had 32 threads active in each
instruction, an application would run 32 / (threads active) times as fast. What it gains beyond 1, of
what it could, is the part that is reached.
"""
import array
import json
import os

import halves
import simulate
import suite
import variants

FOLDER, WAYS = "automatic", ("profile", "guess")
WARP = 32
# Those that Lin, Wang and others measured, or the likes of them.
NAMED = ("back_projection", "bin_counts", "block_differences", "daily_tree", "lattice_boltzmann", "multigrid",
         "pooling_backward", "queens", "random_forest", "tax_policy")
OF_BLOCKS = ("bin_counts",)  # their threads have places, and take no order
SAMPLE = 16  # every so many-th thread block is counted, and simulated
LEAST_PART, LEAST_TIMES = 0.71, 0.98  # issue 28


def sample(path, share, folder):
    """FOLDER/NAME.order and FOLDER/NAME.launch: a launch of every SHARE-th thread block, by their order."""
    launch = simulate.Launch(path)
    name = os.path.basename(path)[:-len(".launch")]
    blocks = max(1, launch.grid // share)
    places = array.array("I", (block * (launch.grid // blocks) * launch.block + thread
                               for block in range(blocks) for thread in range(launch.block)))
    order = os.path.join(folder, name + ".order")
    with open(order, "wb") as file:
        places.tofile(file)
    with open(path, encoding="ascii") as file:
        text = file.read()
    text = text.replace("--grid %d" % launch.grid, "--grid %d" % blocks)
    if name not in OF_BLOCKS:
        text = text.replace("--arg u64:0 ", "--arg buf:u32:file=%s " % order)
        text = text.replace("--arg u32:%d " % launch.threads, "--arg u32:%d " % len(places))
    with open(os.path.join(folder, name + ".launch"), "w", encoding="ascii") as file:
        file.write(text)


class Simulated:
    """One application in the simulator: threads active as it is, and how many times fewer instructions warps
    run, by the way to decide; None: it was left as it is."""

    def __init__(self, folder, name):
        self.name, self.gain = name, {}
        for way in WAYS:
            path = os.path.join(folder, "%s.%s.json" % (name, way))
            with open(path, encoding="ascii") as file:
                before, after = json.load(file)["runs"]
            self.active = before["threads_active"]
            if before["warp_instructions"] != after["warp_instructions"]:
                self.gain[way] = before["warp_instructions"] / after["warp_instructions"]

    @property
    def potential(self):
        return WARP / self.active

    def part(self, times):
        """Of the potential, what so many times as fast is; None if there is hardly any."""
        return (times - 1) / (self.potential - 1) if self.potential > 1.01 else None


def cell(number, form="%.2f", width=9):
    return "%*s" % (width, "-" if number is None else form % number)


def print_table(title, rows, times_of):
    """`times_of(name, way)`: how many times as fast, or None. Yields the figures of issue 28."""
    print("\n" + title)
    print("%-22s%-10s%9s%10s" % ("", "half", "active", "potential")
          + "".join("%9s%9s" % (way, "part") for way in WAYS))
    parts, least = {}, {way: (9e9, "") for way in WAYS}
    for row in rows:
        cells = ""
        for way in WAYS:
            times = times_of(row.name, way)
            cells += cell(times) + cell(None if times is None else row.part(times))
            least[way] = min(least[way], (1.0 if times is None else times, row.name))
            part = row.part(1.0 if times is None else times)
            if part is not None and row.name in NAMED:
                parts.setdefault(way, {})[row.name] = part
        print("%-22s%-10s%9.2f%10.2f%s" % (row.name, "held out" if halves.is_held_out(row.name) else "open",
                                           row.active, row.potential, cells))
    means = {way: {half: mean_of(parts.get(way, {}), half) for half in ("all", "held out")} for way in WAYS}
    print("by guesses: %s of the potential of those named by the paper, held out %s; the least is x%.2f, %s"
          % (means["guess"]["all"][1], means["guess"]["held out"][1], *least["guess"]))
    for half, (mean, text) in means["profile"].items():
        if text:
            yield ("by a profile: %s of the potential of those named by the paper (%s); at least %.0f%%"
                   % (text, half, 100 * LEAST_PART), mean >= LEAST_PART)
    yield ("by a profile: %s is x%.2f; none under %.2f" % (*least["profile"][::-1], LEAST_TIMES),
           least["profile"][0] >= LEAST_TIMES)


def mean_of(parts, half):
    """The mean, and as text; of none: ""."""
    some = [part for name, part in parts.items() if half == "all" or halves.is_held_out(name)]
    mean = sum(some) / len(some) if some else 0.0
    return mean, "%.0f%%" % (100 * mean) if some else ""


def names_in(options):
    ending = ".plain.cubin"
    return sorted(name[:-len(ending)] for name in os.listdir(os.path.join(options.folder, FOLDER))
                  if name.endswith(ending))


def cubin(options, name, way):
    return os.path.join(options.folder, FOLDER, "%s.%s.cubin" % (name, way))


def measured_as(options, name, way):
    """The first way by which the same code was made."""
    def code(other):
        with open(cubin(options, name, other), "rb") as file:
            return file.read()

    return next(other for other in ("plain", *WAYS) if code(other) == code(way))


def names():
    """Those whose threads take any order, and one with barriers."""
    return [*suite.applications(), *OF_BLOCKS]


def compile_ways(options, name):
    """Leaves NAME.counts, counted in the simulator; NAME.WAY.cubin, plain, by these counts, and by guesses; and
    NAME.WAY.json, what warps run of the sample, plain and that way."""
    source, folder = suite.source_of(name, ["threads"]), os.path.join(options.folder, FOLDER)
    file = os.path.join(folder, name)
    if suite.is_new(file + ".guess.json", source, source[:-3] + ".launch", options.plugin):
        return
    sample(source[:-3] + ".launch", SAMPLE, folder)
    simt = [options.simt, "--launch", file + ".launch"]
    merging, regroup = "-linearize-merge-loops", ["-linearize-regroup", "-linearize-mode=none"]

    def compile_one(way, *flags):
        return suite.run(options.clangxx, *options.flags, *flags, "-S", "-emit-llvm", source, "-o", "%s.%s.ll" % (file, way))

    compile_one("plain")
    compile_one("counted", *suite.plugin_flags(options, "-linearize-count-passes", merging))
    suite.run(*simt, file + ".counted.ll", "--counters", file + ".counts")
    for way, more in (("guess", []), ("profile", ["-linearize-profile=%s.counts" % file])):
        said = compile_one(way, *suite.plugin_flags(options, merging, *regroup, *more), "-Rpass=linearize",
                           "-Rpass-missed=linearize", "-fno-caret-diagnostics")
        with open("%s.%s.remarks" % (file, way), "w", encoding="utf-8") as remarks:
            remarks.write(said)
    for way in ("plain", *WAYS):
        variants.assemble(options, "%s.%s" % (file, way), options.flags)
    for way in WAYS:
        with open("%s.%s.json" % (file, way), "w", encoding="ascii") as numbers:
            numbers.write(suite.run(*simt, file + ".plain.ll", "--compare", "%s.%s.ll" % (file, way), "--json"))
    for left in os.listdir(folder):
        if left.startswith(name + ".") and left.endswith((".ll", ".ptx", ".order")):
            os.remove(os.path.join(folder, left))
