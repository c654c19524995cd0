"""Regroups the applications of bench/threads, whose threads take any order, by each algorithm of lib/threads, and prints
how much of the time that saves on a GPU, in percent, beside what is predicted by

    weighted   BBV-weighted
    one a SM   BBV-weighted-scheduled, with one thread block at a time on a multiprocessor
    scheduled  the same, with as many as fit
    corrected  `one a SM`, of (2) corrected by what the simulator counts of the threads as they are
    warps, branches   divergent ones
    counted    the blocks' latencies, by how often warps enter them in linearize-simt, where BBV-weighted
               takes the most that a thread of the warp does
    sectors    that, and the sectors of memory that warps ask for, each as long as one simple instruction:
               a multiprocessor issues four instructions a cycle, and its first-level cache has 128 bytes
               ready, four sectors (CUDA's programming and profiling guides)

The figures, of applications that compute: `corrected` is within 6.2 points in the mean, and tells orders right that
differ by over 5%; `counted` is within 4.

  --build        runs them in the simulator, makes sm_90's code, leaves all in build/threads (20 MB). It needs a
                 CUDA toolkit
  --copies N     grids of N times as many threads, chunk by chunk in the same order (64): with 1, most fit
                 onto an H200 at once, and take as long as their slowest warps
  --predict      prints what is predicted, of the H200's 132 multiprocessors
  --measured CSV with --predict: beside what an earlier run measured
  --run          runs what was built
"""
import csv
import itertools
import lzma
import os
import re
import subprocess
import sys
import tempfile

import simulate
import suite
import variants

METRICS = ("weighted", "one a SM", "scheduled", "corrected", "warps", "branches", "counted", "sectors")
PREDICTION = "corrected"  # by one run of the threads as they are
SIMULATION = "counted"    # by one of each order
SECTORS = ["%s_%s_sectors" % pair for pair in itertools.product(("global", "local", "shared"),
                                                                ("load", "store"))]
ORDERS = {"none": "none", "Sorting": "0", "Greedy": "1", "Greedy-Max": "2"}  # files' names
NEAR, AIM = 6.2, 4.0   # points that the two are off, in the mean; issue 27
DIFFER = 5.0           # percent of the time by which orders differ that have to be told apart
# An application computes, rather than waits for memory, if sectors are at most such a share of `sectors`
# in each order; others are apart from the means.
COMPUTES = 0.5
PATIENCE = 100         # seconds


def read_loops(text):
    """{block: the header of the loop around it, or around the one that it heads}."""
    around = {}
    form = r"^loop (\S+)(?:.*? in loop (\S+))?.*?: (.*)$"
    for header, outer, blocks in re.findall(form, text, re.MULTILINE):
        around.update({block: header for block in blocks.split()})  # inner loops come last
        around[header] = outer or None
    return around


def print_blocks(text, file):
    """NAME LATENCY BRANCH AROUND of each block; see ordered.cpp."""
    blocks = [re.match(r"(\S+)\.(\d+)(?: \[([^]]*)\])?:(.*)", line).groups()
              for line in text.splitlines() if re.match(r"\S+\.\d+[ :]", line)]
    loops = read_loops(text)
    names = [re.sub("^_", "%", name) for name, _, _, _ in blocks]
    ways_in = {number: set() for _, number, _, _ in blocks}
    ways_out = {}
    for _, number, _, targets in blocks:
        ways_out[number] = {target.rsplit(".", 1)[1] for target in targets.split()
                            if re.search(r"\.\d+$", target)}
        for target in ways_out[number]:
            ways_in[target].add(number)
    for index, (_, number, notes, _) in enumerate(blocks):
        cost = re.search(r"cost (\d+)", notes or "")
        before = next(iter(ways_in[number])) if len(ways_in[number]) == 1 else None
        branch = before if before is not None and len(ways_out[before]) > 1 else -1
        header = loops.get(names[index])
        around = names.index(header) if header else 0 if index > 0 else -1
        print(names[index], cost[1] if cost else 0, branch, around, file=file)


def counted(base, order):
    """The blocks' latencies by how often warps entered them; and with the sectors."""
    with open(base + ".blocks", encoding="ascii") as file:
        latency = {name: float(cost) for name, cost, *_ in map(str.split, file)}
    with open("%s.%s.counts" % (base, ORDERS[order]), newline="", encoding="ascii") as file:
        rows = [row for row in csv.DictReader(file) if row["block"]]
    entered = sum(latency[row["block"]] * int(row["block_entries"]) for row in rows)
    return [entered, entered + sum(int(row[column]) for row in rows for column in SECTORS)]


def run(options, name):
    """[[order, ms, metrics..., fault]], or what is wrong."""
    launch = simulate.Launch(os.path.join(options.launches, name + ".launch"))
    base = os.path.join(options.folder, name)
    with tempfile.NamedTemporaryFile(dir=options.folder) as profile:
        with lzma.open(base + ".profile.xz") as file:
            profile.write(file.read())
        profile.flush()
        command = [os.path.join(options.folder, "ordered"), name, str(launch.words),
                   str(launch.rounds), options.copies, profile.name, base + ".none.counts",
                   base + ".cubin"]
        if options.command == "predict":
            command.insert(1, "--predict")
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            return [], "did not end within %d s" % PATIENCE
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    return [[row[0], *map(float, row[1:8]), *counted(base, row[0]), row[8]] for row in rows], \
        done.stderr.strip()


def saved(before, after):
    """In percent of before."""
    return 100 * (1 - after / before) if before else 0.0


def mean(values):
    return sum(values) / len(values) if values else 0.0


class Application:
    """What the orders of one save: measured[order], predicted[metric][order]."""

    def __init__(self, options, name):
        self.name = name
        rows, error = run(options, name)
        self.faults = ["%s: %s" % (name, error or "no result")] if error or not rows else []
        self.faults += ["%s, %s: %s" % (name, row[0], row[-1]) for row in rows if row[-1]]
        if not rows:
            return
        base, again, *others = rows
        self.ms = {row[0]: row[1] for row in rows[1:]}
        self.noise = abs(saved(base[1], again[1]))
        # The last two numbers are `counted` and `sectors`.
        self.waits = max(1 - row[-3] / row[-2] if row[-2] else 0.0 for row in rows) > COMPUTES
        self.measured = {row[0]: saved(base[1], row[1]) for row in others}
        self.measured.update(options.measured.get(name, {}))
        self.predicted = {metric: {row[0]: saved(base[i], row[i]) for row in others}
                          for i, metric in enumerate(METRICS, 2)}

    def print(self):
        print("%-20s %-10s %9.4f" % (self.name, "none", self.ms["none"]))
        for order, measured in self.measured.items():
            print("%-20s %-10s %9.4f %9.1f" % ("", order, self.ms[order], measured)
                  + "".join("%10.1f" % self.predicted[metric][order] for metric in METRICS))
        sys.stdout.flush()

    def rows(self):
        return [[self.name, order, self.ms[order], round(measured, 3),
                 *(round(self.predicted[metric][order], 3) for metric in METRICS)]
                for order, measured in self.measured.items()]

    def off(self, metric):
        return [abs(self.predicted[metric][order] - measured)
                for order, measured in self.measured.items()]

    def misordered(self, metric):
        """Pairs of orders, `none` too, that differ by over DIFFER on the GPU, and by nothing or the
        other way in the prediction."""
        measured = {"none": 0.0, **self.measured}
        predicted = {"none": 0.0, **self.predicted[metric]}
        return ["%s: %s, %s" % (self.name, *pair) for pair in itertools.combinations(measured, 2)
                if abs(measured[pair[0]] - measured[pair[1]]) > DIFFER
                and ((measured[pair[0]] - measured[pair[1]])
                     * (predicted[pair[0]] - predicted[pair[1]]) <= 0)]


def print_figures(applications, faults):
    """Whether one is missed."""
    judged = [a for a in applications if not a.waits]
    print("noise: %.1f%% at most" % max((a.noise for a in applications), default=0))
    print("waiting for memory, and not in the means: %s"
          % (", ".join(a.name for a in applications if a.waits) or "none"))
    print("points that predictions are off, in the mean; pairs of orders over %g%% apart that are told "
          "wrong:" % DIFFER)
    off = {metric: mean([points for a in judged for points in a.off(metric)]) for metric in METRICS}
    wrong = {metric: [pair for a in judged for pair in a.misordered(metric)] for metric in METRICS}
    for metric in METRICS:
        print("  %-10s %6.1f %3d" % (metric, off[metric], len(wrong[metric])))
    print("told wrong by %s: %s" % (PREDICTION, "; ".join(wrong[PREDICTION]) or "none"))
    return suite.print_figures([
        ("all are right", not faults),
        ("%s is within %.1f points in the mean" % (PREDICTION, NEAR), off[PREDICTION] <= NEAR),
        ("%s is within %.1f" % (SIMULATION, AIM), off[SIMULATION] <= AIM),
        ("all orders over %g%% apart are told right" % DIFFER, not wrong[PREDICTION])])


def print_table(options, writer):
    """Whether a figure is missed."""
    applications, faults = [], []
    print("percent of the time that each order saves, of grids %s times as large as a launch file's: "
          "measured, then predicted" % options.copies)
    print("%-20s %-10s %9s %9s" % ("application", "order", "ms", "measured")
          + "".join("%10s" % metric for metric in METRICS))
    for name in options.kernels:
        application = Application(options, name)
        faults += application.faults
        if hasattr(application, "ms"):
            application.print()
            writer.writerows(application.rows())
            applications.append(application)
    print("not right: %s" % ("; ".join(faults) or "none"))
    if options.command == "predict" and not options.measured:
        return bool(faults)
    return print_figures(applications, faults)


def read_measured(path):
    """{application: {order: percent of the time that it saves}}."""
    measured = {}
    with open(path, newline="", encoding="ascii") as file:
        for row in csv.DictReader(file):
            measured.setdefault(row["application"], {})[row["order"]] = float(row["measured"])
    return measured


# ---- building


def simulate_order(options, file, order, *more):
    """Leaves FILE.ORDER.counts, by block."""
    with open("%s.%s.counts" % (file, order), "w", encoding="ascii") as counts:
        counts.write(suite.run(options.simt, "--csv", "--blocks", *more, file + ".ll"))


def compile_application(options, name):
    """The cubin, and what each thread does."""
    source, file = suite.source_of(name, ["threads"]), os.path.join(options.folder, name)
    launch, ordered = source[:-3] + ".launch", os.path.join(options.folder, "ordered")
    if suite.is_new(file + ".profile.xz", source, launch, os.path.dirname(source) + "/thread.cuh", options.simt,
                    suite.ROOT + "/bench/include/linearize_device.h", options.threads_library):
        return
    suite.run(options.clangxx, *options.flags, "-S", "-emit-llvm", source, "-o", file + ".ll")
    variants.assemble(options, file, options.flags)
    steps = [suite.run(options.graph, "--step", step, "--function", name, file + ".ll") for step in ("order", "loops")]
    with open(file + ".blocks", "w", encoding="ascii") as blocks:
        print_blocks("".join(steps), blocks)
    simulate_order(options, file, "none", "--launch", launch, "--vectors", file + ".csv")
    suite.run(ordered, "pack", file + ".blocks", file + ".csv", file + ".profile")
    for how in ("0", "1", "2"):
        suite.run(ordered, "order", how, file + ".profile", file + ".order")
        with open(launch, encoding="ascii") as text, open(file + ".launch", "w", encoding="ascii") as other:
            other.write(text.read().replace("u64:0", "buf:u32:file=%s.order" % file))
        simulate_order(options, file, how, "--launch", file + ".launch")
    suite.run("xz", "-f", "-T1", "-3", file + ".profile")
    for end in ("csv", "ptx", "ll", "order", "launch"):
        os.remove(file + "." + end)


def build(options):
    suite.find_tools(options, "sm_90", toolkit=True)
    options.threads_library = suite.BUILD + "/lib/liblinearize_threads.a"
    found = {name: suite.source_of(name, ["threads"]) for name in options.kernels}
    objects = suite.references(options, found, options.folder)
    suite.build_tool(options, os.path.join(options.folder, "ordered"), "bench/device/ordered.cpp", *objects,
                     "-I" + suite.ROOT + "/include", options.threads_library, "-rdynamic")
    suite.each("counting", lambda name: compile_application(options, name), options.kernels)
    suite.write_built(options)


# ---- running


def measure(options):
    """Of options.kernels, in options.folder; options.command is run or predict."""
    with open(os.path.join(options.folder, options.command + ".csv"), "w", newline="", encoding="ascii") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["application", "order", "ms", "measured", *METRICS])
        return print_table(options, writer) and options.check


def main(options):
    if options.build + options.run + options.predict != 1:
        suite.die("threads wants --build, --predict or --run: see scripts/bench threads --help")
    options.kernels = options.kernels or suite.applications()
    options.launches = os.path.join(suite.ROOT, "bench", "threads")
    options.copies, options.measured = options.copies or "64", options.measured and read_measured(options.measured) or {}
    suite.folder_of(options, "threads")
    if options.build:
        return build(options)
    options.command = "run" if options.run else "predict"
    if options.predict:
        return measure(options)
    suite.need_gpu(options.folder, "ordered")
    with suite.kept(options.folder, "run.txt"):
        return measure(options)


def judge(options):
    """What is there already, for tests."""
    options.command, options.copies, options.measured = "run", "64", {}
    return measure(options)


def blocks(_):
    """What print_blocks makes of standard input, for tests."""
    print_blocks(sys.stdin.read(), sys.stdout)
