"""Times kernels whose threads branch on their index (bench/indices), as clang makes them, with -linearize-regroup and
regrouped by hand; and kernels of which warps have equal data or not (bench/votes), in mode needed without and with
-linearize-vote. `voted` votes whatever that gains. Each line of a table is a kernel: for each variant its milliseconds,
how many times as fast as clang's it is, and registers.

The figures, for each size: all right; the tree within 3% of the contiguous one by hand; none under 0.98 of clang's
speed; with votes 0.98 of that where data are equal, and no more than 3% of the gain lost where they aren't.

  --build        makes sm_90's code, in build/indices (4 MB). It needs a CUDA toolkit
  --run          runs what was built
  --words LIST   the sizes, in words of four bytes, powers of two (16384,1048576,67108864)
  --only KIND    indices, or votes
"""
import collections
import csv
import os
import re
import shutil
import subprocess
import sys

import suite
import variants

PLACES = ("indices", "votes", "kernels")
WIDTHS = {"board": 16}  # of blocks that aren't one row
SLOW = {"heartwall", "mcx"}  # on the CPU: with the smallest input alone
PATIENCE = 300          # seconds
BY_HAND, SLOWER = 1.03, 0.98     # issue 28: within 3% of the one by hand; never slower than that
ALIKE, LOST = 0.98, 0.03         # issue 28: warps with equal data; the part of the gain that may be lost
LEAST_GAIN = 0.02                # of the time, for there to be something to lose

Row = collections.namedtuple("Row", "words kernel variant rounds ms registers fault note")


def variants_of(folder, kernel):
    order = ["clang", "again", "regrouped", "needed", "vote", "voted", "hand1", "hand2", "hand3"]
    return [name for name in order if os.path.exists(os.path.join(folder, "%s.%s.cubin" % (kernel, name)))]


def measure(folder, kernel, words):
    """`kernel` may end in .alike."""
    name, _, alike = kernel.partition(".")
    command = [os.path.join(folder, "run" + (alike and "." + alike)), name, str(words)]
    if kernel in WIDTHS:
        command.append("--width=%d" % WIDTHS[kernel])
    command += ["%s=%s" % (variant, os.path.join(folder, "%s.%s.cubin" % (kernel, variant)))
                for variant in variants_of(folder, kernel)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE,
                          check=False)
    rows = []
    for line in done.stdout.splitlines():
        variant, rounds, ms, registers, _, _, fault, note = line.split("\t")
        rows.append(Row(words, kernel, variant, int(rounds), float(ms), int(registers), fault, note))
    if not rows:
        sys.exit("indices.py: %s: %s" % (kernel, done.stderr.strip() or "no output"))
    return rows


def sizes_of(kernel, sizes):
    return sizes[:1] if kernel in SLOW else sizes


def print_rows(rows):
    base = rows[0].ms
    cells = ["%s %.4f x%.3f %d" % (row.variant, row.ms, base / row.ms if row.ms else 0, row.registers)
             if not row.fault else "%s %s" % (row.variant, row.fault) for row in rows]
    print("%-24s %6d rounds   %s" % (rows[0].kernel, rows[0].rounds, "   ".join(cells)), flush=True)


class Figures:
    def __init__(self, rows):
        self.ms = {(row.kernel, row.words, row.variant): row.ms for row in rows if not row.fault}
        self.missed = False

    def say(self, met, text):
        self.missed |= suite.print_figures([(text, met)])

    def ratio(self, kernel, words, above, below):
        """How many times as long one variant takes as another; 0 if either isn't there."""
        one, other = (self.ms.get((kernel, words, name)) for name in (above, below))
        return one / other if one and other else 0


def votes_in(folder, kernel):
    """Whether the pass thought that it pays there."""
    code = []
    for variant in ("needed", "vote"):
        with open(os.path.join(folder, "%s.%s.cubin" % (kernel, variant)), "rb") as file:
            code.append(file.read())
    return code[0] != code[1]


def judge_votes(figures, kernel, sizes, votes):
    """`vote` is judged if it does, `voted` shown."""
    alike, none = kernel + ".alike", "%.3f without votes, %.3f with more"
    for words in sizes_of(kernel, sizes):
        speed = figures.ratio(alike, words, "clang", "vote")
        others = none % tuple(figures.ratio(alike, words, "clang", name) for name in ("needed", "voted"))
        if not votes:
            print("       %s, %d words, equal data, no votes: %.3f of clang's speed (%s)"
                  % (kernel, words, speed, others))
            continue
        figures.say(speed >= ALIKE, "%s, %d words, equal data: %.3f of clang's speed, at least %.2f (%s)"
                    % (kernel, words, speed, ALIKE, others))
        gain = 1 - figures.ratio(kernel, words, "needed", "clang")
        if gain < LEAST_GAIN:
            continue
        lost = [100 * (figures.ratio(kernel, words, name, "clang") - 1 + gain) / gain for name in ("vote", "voted")]
        figures.say(lost[0] <= 100 * LOST, "%s, %d words, random data: %.1f%% of the gain is lost, at most %.0f%% "
                    "(x%.3f without votes; with more %.1f%%)"
                    % (kernel, words, lost[0], 100 * LOST, 1 / (1 - gain), lost[1]))


def judge(folder, rows, sizes, indices, votes):
    figures = Figures(rows)
    wrong = ["%s, %s, %d words: %s" % (row.kernel, row.variant, row.words, row.note) for row in rows if row.fault]
    figures.say(not wrong, "all are right%s" % "".join("\n  " + line for line in wrong))
    if "tree" in indices:
        worst = max(figures.ratio("tree", words, "regrouped", "hand1") for words in sizes)
        figures.say(0 < worst <= BY_HAND, "the tree, regrouped, takes %.3f times as long as the contiguous one "
                    "by hand, at most %.2f" % (worst, BY_HAND))
    if indices:
        say_slowest(figures, indices, sizes)
    for kernel in votes:
        judge_votes(figures, kernel, sizes, votes_in(folder, kernel))
    return figures.missed


def say_slowest(figures, indices, sizes):
    slowest = min((figures.ratio(kernel, words, "clang", "regrouped"), kernel, words)
                  for kernel in indices for words in sizes)
    figures.say(slowest[0] >= SLOWER, "regrouped, none is under %.2f of clang's speed: %s, %d words, %.3f"
                % (SLOWER, slowest[1], slowest[2], slowest[0]))


# ---- building

WORDS = ["16384", "1048576", "67108864"]  # 64 KB fit into an L1 cache, 4 MB into an L2 cache, 256 MB into none
# Those that mode needed makes faster by most; the last ones take long on the CPU.
VOTING = ("short_circuit short_circuit_8 shared_tails switch_fallthrough early_returns search_two_exits "
          "heartwall mcx").split()


def compile_variant(options, kernel, name, variant, *flags, made_as=None):
    """NAME.VARIANT.cubin; of clang's code that votes NAME.voted.cubin, too: opt alone knows that option."""
    source, base = suite.source_of(kernel, PLACES), os.path.join(options.folder, name)
    flags = [*options.flags, *flags]
    variants.build(options, source, made_as or variant, base + "." + variant, flags)
    if variant == "clang" and kernel not in suite.sources("indices"):
        variants.opt(options.opt, options.plugin, "voted", base + ".clang.ll", base + ".voted")
        variants.assemble(options, base + ".voted", flags)


def compile_kernel(options, kernel):
    if kernel not in suite.sources("indices"):
        for variant in ("clang", "again", "needed", "vote"):
            compile_variant(options, kernel, kernel, variant)
            compile_variant(options, kernel, kernel + ".alike", variant, "-DLIN_ALIKE")
        return
    for variant in ("clang", "again", "regrouped"):
        compile_variant(options, kernel, kernel, variant)
    with open(suite.source_of(kernel, PLACES), encoding="utf-8") as file:
        for hand in sorted(set(re.findall(r"BY_HAND (\d) ", file.read()))):
            compile_variant(options, kernel, kernel, "hand" + hand, "-DBY_HAND=" + hand, made_as="clang")


def build(options, kernels):
    suite.find_tools(options, "sm_90", toolkit=True)
    shutil.rmtree(options.folder)
    os.makedirs(options.folder)
    found = {kernel: suite.source_of(kernel, PLACES) for kernel in kernels}
    for name, *flags in (["run"], ["run.alike", "-DLIN_ALIKE"]):
        objects = suite.references(options, found, options.folder, *flags)
        suite.build_tool(options, os.path.join(options.folder, name), "bench/device/run.cpp", *objects, "-rdynamic")
    suite.each("compiling", lambda kernel: compile_kernel(options, kernel), kernels)
    for name in os.listdir(options.folder):
        if name.endswith((".o", ".ll", ".ptx", ".yaml")):
            os.remove(os.path.join(options.folder, name))
    suite.write_built(options)


# ---- running


def measure_all(options, indices, votes):
    sizes, rows = [int(word) for word in options.words or WORDS], []
    for words in sizes:
        print("\n%d KB of input: ms, times as fast as clang's, registers" % (words // 256))
        for kernel in indices + [name + data for name in votes for data in ("", ".alike")
                                 if words in sizes_of(name, sizes)]:
            rows += measure(options.folder, kernel, words)
            print_rows([row for row in rows if (row.kernel, row.words) == (kernel, words)])
    print()
    with open(os.path.join(options.folder, "results.csv"), "w", newline="", encoding="ascii") as file:
        writer = csv.writer(file)
        writer.writerow(Row._fields)
        writer.writerows(rows)
    return judge(options.folder, rows, sizes, indices, votes) and options.check


def main(options):
    if options.build == options.run or options.only not in (None, "indices", "votes"):
        suite.die("indices wants --build or --run, and --only indices or votes: see scripts/bench indices --help")
    indices = list(suite.sources("indices")) if options.only != "votes" else []
    votes = [*suite.sources("votes"), *VOTING] if options.only != "indices" else []
    suite.folder_of(options, "indices")
    if options.build:
        return build(options, indices + votes)
    suite.need_gpu(options.folder, "run")
    with suite.kept(options.folder, "results.txt"):
        return measure_all(options, indices, votes)
