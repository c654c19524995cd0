"""Random functions of two-sided branches with loads in their arms, for same.py; the same seed gives
the same text.

  diamonds.py --seed S --count N [--kernel]

writes a module like generate.py's. A function is a row of branches with two arms each, of loads,
arithmetic, some stores, short loops, loops in loops and branches inside; every value that reaches an
arm may be used in it, and what the arms compute meets in phis behind them. Nothing is called, so that
nothing keeps arms from being interleaved and loops from being merged. Nothing has undefined
behaviour.

With --kernel nothing is stored, and a kernel @all(ptr out) calls all functions with the number of its
thread and stores what they return, for linearize-simt.
"""

import argparse
import random
import sys

WORDS = {"@table": 64, "@scratch": 4}  # little to write to, so that stores and loads meet
HEADER = """@table = internal global [%d x i64] [%s]
@scratch = internal global [%d x i64] zeroinitializer
"""


class Function:
    def __init__(self, seed, stores):
        self.random = random.Random(seed)
        self.stores = stores
        self.seed = seed
        self.lines = []
        self.count = 0
        self.block = "entry"
        self.left = 60  # instructions' worth of arms, so that it ends

    def name(self):
        self.count += 1
        return "%%v%d" % self.count

    def label(self):
        self.count += 1
        return "b%d" % self.count

    def emit(self, text, *values):
        self.lines.append("  " + text % values)

    def value(self, text, *values):
        result = self.name()
        self.emit("%s = " + text, result, *values)
        return result

    def begin(self, label):
        self.lines.append(label + ":")
        self.block = label

    def address(self, memory, index):
        masked = self.value("and i64 %s, %d", index, WORDS[memory] - 1)
        return self.value("getelementptr inbounds [%d x i64], ptr %s, i64 0, i64 %s", WORDS[memory],
                          memory, masked)

    def condition(self, values):
        shifted = self.value("lshr i64 %s, %d", self.random.choice(values), self.random.randrange(20))
        bit = self.value("and i64 %s, 1", shifted)
        return self.value("icmp %s i64 %s, 0", self.random.choice(["eq", "ne"]), bit)

    def step(self, values):
        """One instruction or so; what it computes comes to `values`."""
        kind = self.random.randrange(10)
        one = self.random.choice(values)
        other = self.random.choice(values[-4:] if self.random.randrange(2) else values[:4])
        if kind < 4:
            memory = self.random.choice(["@table", "@scratch"])
            load = "load volatile i64, ptr %s" if self.random.randrange(20) == 0 else "load i64, ptr %s"
            values.append(self.value(load, self.address(memory, other)))
        elif kind < 6 and self.stores:
            self.emit("store i64 %s, ptr %s", one, self.address("@scratch", other))
        else:
            operation = self.random.choice(["add", "sub", "xor", "mul", "or"])
            values.append(self.value("%s i64 %s, %s", operation, one, other))

    def loop(self, values, most, body):
        """As many turns as a value says, 1 to `most`; what `body` makes of it goes around."""
        head, end, before = self.label(), self.label(), self.block
        turns = self.value("and i64 %s, %d", self.random.choice(values), most - 1)
        self.emit("br label %%%s", head)
        self.begin(head)
        count, value = self.name(), self.name()
        at = len(self.lines)
        self.lines += ["", ""]
        inside = values + [value]
        body(inside)
        again = self.value("add i64 %s, 1", count)
        done = self.value("icmp ugt i64 %s, %s", again, turns)
        phi = "  %s = phi i64 [ %s, %%%s ], [ %s, %%%s ]"
        self.lines[at] = phi % (count, 0, before, again, self.block)
        self.lines[at + 1] = phi % (value, values[-1], before, inside[-1], self.block)
        self.emit("br i1 %s, label %%%s, label %%%s", done, end, head)
        self.begin(end)
        values.append(inside[-1])

    def steps(self, values):
        for _ in range(self.random.randrange(1, 3)):
            self.step(values)

    def nest(self, values):
        def body(inside):
            self.steps(inside)
            self.loop(inside, 16, self.steps)
            self.steps(inside)
        self.loop(values, 8, body)

    def arm(self, values, depth):
        for _ in range(self.random.randrange(1, 7)):
            self.left -= 1
            kind = self.random.randrange(9)
            if kind == 0 and depth < 3 and self.left > 0:
                self.branch(values, depth + 1)
            elif kind == 1 and self.left > 0:
                self.loop(values, 4, self.steps)
            elif kind == 2 and self.left > 0 and self.random.randrange(3) == 0:
                self.nest(values)
            else:
                self.step(values)

    def branch(self, values, depth):
        arms, ends, results = [self.label(), self.label()], [], []
        meeting = self.label()
        self.emit("br i1 %s, label %%%s, label %%%s", self.condition(values), *arms)
        for label in arms:
            self.begin(label)
            inside = list(values)
            self.arm(inside, depth)
            self.emit("br label %%%s", meeting)
            ends.append(self.block)
            results.append(inside)
        self.begin(meeting)
        for _ in range(self.random.randrange(1, 4)):
            pick = [self.random.choice(inside[-6:]) for inside in results]
            values.append(self.value("phi i64 [ %s, %%%s ], [ %s, %%%s ]", pick[0], ends[0], pick[1],
                                     ends[1]))

    def write(self, out):
        out.write("\ndefine i64 @f%d(i64 %%s) {\nentry:\n" % self.seed)
        values = ["%s"]
        for _ in range(self.random.randrange(1, 4)):
            self.step(values)
        for _ in range(self.random.randrange(1, 4)):
            self.branch(values, 0)
        result = values[-1]
        for index in range(WORDS["@scratch"]):
            load = self.value("load i64, ptr getelementptr inbounds ([%d x i64], ptr @scratch, "
                              "i64 0, i64 %d)", WORDS["@scratch"], index)
            result = self.value("xor i64 %s, %s", result, load)
        self.emit("ret i64 %s", result)
        out.write("\n".join(self.lines) + "\n}\n")


def write_kernel(out, seeds):
    out.write("""
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @all(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %thread = zext i32 %tid to i64
  %s = mul i64 %thread, -7046029254386353131
  %sum0 = add i64 0, 0
""")
    for number, seed in enumerate(seeds):
        out.write("  %%got%d = call i64 @f%d(i64 %%s)\n  %%part%d = mul i64 %%sum%d, 31\n"
                  "  %%sum%d = add i64 %%part%d, %%got%d\n"
                  % (number, seed, number, number, number + 1, number, number))
    out.write("""  %%at = getelementptr i64, ptr %%out, i64 %%thread
  store i64 %%sum%d, ptr %%at
  ret void
}
""" % len(seeds))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--kernel", action="store_true")
    args = parser.parse_args()
    numbers = random.Random(0)
    if args.kernel:
        sys.stdout.write('target triple = "nvptx64-nvidia-cuda"\n')
    sys.stdout.write(HEADER % (WORDS["@table"], ", ".join("i64 %d" % numbers.randrange(1 << 40)
                                                          for _ in range(WORDS["@table"])),
                               WORDS["@scratch"]))
    seeds = range(args.seed, args.seed + args.count)
    for seed in seeds:
        Function(seed, not args.kernel).write(sys.stdout)
    if args.kernel:
        write_kernel(sys.stdout, seeds)
    else:
        sys.stdout.write("\n@tests = constant [%d x ptr] [%s]\n"
                         % (args.count, ", ".join("ptr @f%d" % seed for seed in seeds)))


main()
