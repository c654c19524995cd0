"""Random kernels whose threads wait for each other, for a warp in lock step (sm_60): of those that
end as they are, none may hang when it is linearized unless it had to be forced. Flags that are
polled are only ever set, so that whoever has been released stays so.

    spinning.py --opt OPT --simt SIMT --plugin PLUGIN --work FOLDER [--seed N] [--kernels N]

Prints what was found, and a line for each kernel that hangs, which stays in FOLDER.
"""

import argparse
import os
import random
import subprocess
import sys

HEAD = """target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.bar.warp.sync(i32) convergent nounwind
define void @until_set(ptr %f) convergent noinline {
  br label %again
again:
  %v = load volatile i32, ptr %f
  %c = icmp eq i32 %v, 0
  br i1 %c, label %again, label %out
out:
  ret void
}
define void @set(ptr %f) noinline {
  store volatile i32 1, ptr %f
  ret void
}
"""
FLAGS = 2
MODES = ["paper", "all", "irreducible", "needed"]
LEVELS = ["O0", "O1", "O2", "O3", "O4"]
COMMANDS = ["--block", "8", "--arg", "buf:u32:2:zero", "--arg", "u32:1", "--limit", "20000"]


class Kernel:
    """One kernel: a graph of blocks, each with some operations and a branch."""

    def __init__(self, r):
        self.r = r
        self.count = r.randint(4, 11)
        # Who comes to a barrier must not depend on how far others are: no polls beside one.
        kinds = ["", "release", "sync", "poll", "spin", "set"]
        weights = r.choice([[8, 2, 2, 0, 0, 0], [8, 5, 0, 6, 1, 1]])
        self.kind = [r.choices(kinds, weights)[0] for _ in range(self.count)]
        self.next = [self.successors(b) for b in range(self.count)]
        self.tests = [r.choices(["thread", "uniform", "turns"], [6, 1, 2])[0]
                      for _ in range(self.count)]

    def successors(self, block):
        if block == self.count - 1:
            return []
        ahead = list(range(block + 1, min(self.count, block + 5)))
        behind = list(range(max(1, block - 3), block + 1))
        if self.kind[block] == "poll" and block > 0:
            return [self.r.choice(ahead), self.r.choice(behind)]  # on if it is set, else back
        degree = self.r.choices([1, 2, 3], [3, 8, 1])[0]
        result = []
        for _ in range(degree):
            back = behind and self.r.random() < 0.25 and result
            result.append(self.r.choice(behind if back else ahead))
        self.r.shuffle(result)
        return result

    def operation(self, b):
        kind, flag = self.kind[b], self.r.randrange(FLAGS)
        at = "  %%f%d = getelementptr i32, ptr %%flags, i32 %d\n" % (b, flag)
        if kind == "poll":
            return at + "  %%p%d = load volatile i32, ptr %%f%d\n" % (b, b)
        if kind == "release":
            return at + "  store volatile i32 1, ptr %%f%d\n" % b
        if kind == "spin":
            return at + "  call void @until_set(ptr %%f%d)\n" % b
        if kind == "set":
            return at + "  call void @set(ptr %%f%d)\n" % b
        if kind == "sync":
            return "  call void @llvm.nvvm.bar.warp.sync(i32 -1)\n"
        return ""

    def terminator(self, b):
        to = self.next[b]
        if not to:
            return "  ret void\n"
        if len(to) == 1:
            return "  br label %%b%d\n" % to[0]
        if self.kind[b] == "poll":
            value = "%%p%d" % b
        elif self.tests[b] == "uniform":
            value = "%u"
        else:
            shift = self.r.randrange(3)
            source = "%%m%d" % b if self.tests[b] == "thread" else "%%t%d" % b
            text = "  %%h%d = lshr i32 %s, %d\n  %%g%d = and i32 %%h%d, %d\n" % (
                b, source, shift, b, b, len(to) - 1)
            return text + self.switch(b, "%%g%d" % b)
        return self.switch(b, value)

    def switch(self, b, value):
        to = self.next[b]
        if len(to) == 2:
            return ("  %%c%d = icmp ne i32 %s, 0\n  br i1 %%c%d, label %%b%d, label %%b%d\n"
                    % (b, value, b, to[0], to[1]))
        return "  switch i32 %s, label %%b%d [ i32 1, label %%b%d i32 2, label %%b%d ]\n" % (
            value, to[0], to[1], to[2])

    def text(self, name):
        before = [[] for _ in range(self.count)]
        for b in range(self.count):
            for to in self.next[b]:
                before[to].append(b)
        lines = ["define ptx_kernel void @%s(ptr %%flags, i32 %%u) \"target-cpu\"=\"sm_60\" {\n"
                 "b0:\n  %%tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                 "  %%t0 = add i32 0, 0\n" % name]
        for b in range(self.count):
            if b > 0:
                ways = ", ".join("[ %%t%d, %%b%d ]" % (p, p) for p in before[b])
                lines.append("b%d:\n  %%s%d = phi i32 %s\n  %%t%d = add i32 %%s%d, 1\n"
                             % (b, b, ways or "", b, b))
            lines.append("  %%k%d = mul i32 %%t%d, %d\n  %%a%d = add i32 %%tid, %%k%d\n"
                         "  %%m%d = add i32 %%a%d, %d\n" % (b, b, self.r.randrange(0, 6), b, b, b,
                                                       b, self.r.randrange(8)))
            lines.append(self.operation(b))
            lines.append(self.terminator(b))
        return "".join(lines) + "}\n"

    def is_whole(self):
        reached = {0}
        work = [0]
        while work:
            for to in self.next[work.pop()]:
                if to not in reached:
                    reached.add(to)
                    work.append(to)
        return len(reached) == self.count


def ends(options, file, kernel):
    done = subprocess.run([options.simt, file, "--kernel", kernel] + COMMANDS,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    return done.returncode == 0


def linearize(options, mode, level, force, source, result):
    subprocess.run([options.opt, "-load-pass-plugin=" + options.plugin, "-S", source, "-o", result,
                    "-passes=linearize<%s;%s%s>,verify" % (mode, level, ";force" if force else "")],
                   check=True, stderr=subprocess.DEVNULL)


def functions(file):
    """The text of each kernel of a module."""
    with open(file, encoding="utf-8") as f:
        parts = f.read().split("\ndefine ")
    return {part.split("@")[1].split("(")[0]: part for part in parts[1:]}


def make_modules(options, r, path, size):
    """A module of kernels that end as they are; returns their names."""
    kernels = {}
    while len(kernels) < size:
        kernel = Kernel(r)
        if not kernel.is_whole():
            continue
        name = "k%d" % len(kernels)
        single = path + ".one.ll"
        text = kernel.text(name)
        with open(single, "w", encoding="utf-8") as f:
            f.write(HEAD + text)
        if ends(options, single, name):
            kernels[name] = text
    with open(path, "w", encoding="utf-8") as f:
        f.write(HEAD + "".join(kernels.values()))
    return list(kernels)


def main():
    parser = argparse.ArgumentParser()
    for name in ("opt", "simt", "plugin", "work"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kernels", type=int, default=100)
    parser.add_argument("--forced", action="store_true", help="also count what force does")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    r = random.Random(options.seed)
    count = dict.fromkeys(["kernels", "linearized", "hang", "forced", "forced_hang", "needless"], 0)
    for number in range((options.kernels + 19) // 20):
        path = os.path.join(options.work, "spinning-%d-%d.ll" % (options.seed, number))
        names = make_modules(options, r, path, 20)
        mode, level = r.choice(MODES), r.choice(LEVELS)
        after, forced = path + ".after.ll", path + ".forced.ll"
        linearize(options, mode, level, False, path, after)
        linearize(options, mode, level, True, path, forced)
        new, by_force = functions(after), functions(forced)
        count["kernels"] += len(names)
        for name in names:
            changed, forcible = "guard" in new[name], "guard" in by_force[name]
            count["linearized"] += changed
            count["forced"] += forcible
            if changed and not ends(options, after, name):
                count["hang"] += 1
                print("%s of %s hangs, linearized by %s;%s" % (name, path, mode, level))
            if options.forced and forcible:
                hangs = not ends(options, forced, name)
                count["forced_hang"] += hangs
                count["needless"] += not hangs and not changed
    print(", ".join("%s %d" % item for item in count.items()))
    return 1 if count["hang"] else 0


if __name__ == "__main__":
    sys.exit(main())
