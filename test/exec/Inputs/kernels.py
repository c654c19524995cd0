"""Random kernels: do they do the same once linearize has been at them?

  kernels.py --print [--kind KIND] [--seed N] [--count N]
  kernels.py --clang CLANG++ --opt OPT --plugin SO --simt SIMT [--kind KIND] [--seed N] [--count N]
             [--options LIST]
  kernels.py ... --kind items|alike --emit FOLDER --ptxas FILE

Prints kernels in CUDA C++; or compiles them, runs each before and after `linearize<LIST>` in the simulator,
by launches of all sizes, looks for races in both (there are none before, or they don't count), and prints
what remarks say of what was changed and what refused. The last line is `N kernels, N changed, F failed`. A
kernel that fails is printed, with the command that runs it. --emit runs nothing, but makes SEED.cubin for sm_90
and SEED.launches, for versions_on_gpu.cpp: launches of many blocks, and versions.

  index    threads branch on their index, between barriers: -linearize-regroup. They only meet where barriers
           order them: between two of these an array is either read by all, or each thread reads and writes
           places of its own
  items    a loop that threads leave at different times: linearize-versions, each version's results against the
           plain kernel's
  alike    arms of branches and cases of switches that do similar work: linearize<meld>
  votes    jumps into and out of arms and loops, by data that are the same in some warps: -linearize-vote
"""

import argparse
import collections
import os
import random
import re
import subprocess
import sys
import tempfile

HEADER = """
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __syncthreads() __nvvm_bar_sync(0)
#define N_X __nvvm_read_ptx_sreg_ntid_x()
#define N_Y __nvvm_read_ptx_sreg_ntid_y()
"""
SIZES = [1, 2, 3, 7, 31, 32, 33, 48, 64, 65, 96, 100, 128, 160, 250, 256, 384, 512, 1000, 1024]
SIZES_2D = [(16, 16), (8, 8), (32, 8), (32, 4), (6, 4), (5, 7), (1, 9), (9, 1), (32, 32), (64, 3), (7, 2)]


class Kernel:
    def __init__(self, rng, name):
        self.rng, self.name, self.lines = rng, name, []
        self.flat = rng.random() < 0.75
        self.has_barriers = rng.random() < 0.85
        self.is_signed = rng.random() < 0.4
        self.depth = 0
        self.write()

    def say(self, text):
        self.lines.append("  " * (self.depth + 1) + text)

    def pick(self, *choices):
        return self.rng.choice(choices)

    # ---- expressions

    def axis(self):
        return "t" if self.flat else self.pick("tx", "ty", "t", "(tx + ty)", "(tx + ty)")

    def condition(self, stride=None):
        rng, t = self.rng, self.axis()
        period = self.pick(2, 2, 2, 3, 4, 4, 5, 8, 16, 32, 64)
        kinds = [
            lambda: "%s %% %d == %d" % (t, period, rng.randrange(period)),
            lambda: "%s %% %d == 0" % (t, period),
            lambda: "%s %% %d != %d" % (t, period, rng.randrange(period)),
            lambda: "%s %% %d < %d" % (t, period, rng.randrange(1, period + 1)),
            lambda: "(%s & %d) == %d" % (t, self.pick(1, 2, 4, 6, 12, 16, 5), self.pick(0, 0, 2, 4)),
            lambda: "(%s + %d) %% %d == 0" % (t, rng.randrange(4), period),
            lambda: "%s / %d %% 2" % (t, self.pick(2, 4, 3, 16)),
            lambda: "(t ^ %d) > t" % self.pick(1, 2, 4, 8, 16, 64, 3),
            lambda: "t %% a == %d" % self.pick(0, 0, 1, 2),
            lambda: "(t & (1u << (a & 7))) %s 0" % self.pick("==", "!="),
            lambda: "t < b",
            lambda: "t == %d" % self.pick(0, 0, 5),
        ]
        if not self.flat:
            kinds += [lambda: "(tx + ty) & 1", lambda: "((tx ^ ty) & 1) == (a & 1)"] * 4
        if stride:
            kinds += [lambda: "t %% (2 * %s) == 0" % stride, lambda: "(t & (2 * %s - 1)) == 0" % stride,
                      lambda: "(t & %s) == 0" % stride, lambda: "(t ^ %s) > t" % stride,
                      lambda: "(t + 1) %% (2 * %s) == 0" % stride] * 3
        text = rng.choice(kinds)()
        if rng.random() < 0.2:
            text = "(%s) && %s" % (text, self.pick("t < b", "t + 1 < n", "t > 2", "t % 3 != 1"))
        if rng.random() < 0.1:
            text = "!(%s)" % text
        return text

    def place(self):
        return self.pick("t", "t", "(t + 1) % n", "n - 1 - t", "t ^ (t + 1 < n)", "(t * 7 + a) % n", "0")

    def value(self, source):
        rng = self.rng
        parts = [self.pick("t", "w", "a", "3", "u", "v", "9", "t * 5")]
        if rng.random() < 0.75:
            parts = [self.pick("t", "w", "a", "3", "9", "t * 5", "tx")]
        for _ in range(rng.randrange(1, 3)):
            parts.append("%s[%s]" % (source, self.place()) if source else "in[(i + %d) & 4095]" % rng.randrange(9))
        return (" %s " % self.pick("+", "^", "*", "-")).join(parts)

    # ---- statements

    def work(self, source, target):
        """What one way of a branch does: to its own place, and to its own variables."""
        rng = self.rng
        if rng.random() < 0.4:
            name = "r%d" % len(self.lines)
            self.say("unsigned %s = %s;" % (name, self.value(source)))
            self.say("for (unsigned k = 0; k < %s; k++) %s = %s * 1664525u + k;" %
                     (self.pick("5", "a % 4", "(t & 3)", "23"), name, name))
            self.say("%s = %s;" % (target and target + "[t]" or "r", name))
        else:
            self.say("%s = %s;" % (target and target + "[t]" or "r", self.value(source)))
        if rng.random() < 0.12:
            self.say("u += %s;" % self.value(source))

    def arm(self, source, target, nested=True):
        self.depth += 1
        if nested and self.rng.random() < 0.25:
            self.say("if (%s) {" % (self.condition() if self.rng.random() < 0.6 else
                                    "%s[%s] & 1" % (source, self.place()) if source else "in[i] & 1"))
            self.arm(source, target, False)
            self.say("}")
        else:
            self.work(source, target)
        self.depth -= 1

    def branch(self, source, target, stride=None):
        if self.rng.random() < 0.2:
            ways = self.pick(2, 3, 4, 5)
            self.say("switch (%s %% %d) {" % (self.axis(), ways))
            for way in range(ways):
                self.say("case %d: {" % way)
                self.arm(source, target)
                self.say("} break;")
            self.say("}")
            return
        self.say("if (%s) {" % self.condition(stride))
        self.arm(source, target)
        if self.rng.random() < 0.35:
            self.say("} else {")
            self.arm(source, target)
        self.say("}")

    def barrier(self):
        self.say("__syncthreads();")

    def update(self, stride=None):
        source, target = self.pick(("x", "y"), ("y", "x"))
        if self.rng.random() < 0.12:  # no barrier in front of the branch, for the same thread
            self.say("%s[t] = %s;" % (target, self.value(source)))
        self.branch(source, target, stride)
        if self.rng.random() < 0.12:
            self.say("w ^= %s[t];" % target)
        if self.rng.random() < 0.3:
            self.branch(source, target, stride)
        if self.rng.random() < 0.1:
            self.say("if (%s == 0) w += %s[t];" % (self.pick("t", "tx"), target))
        self.barrier()

    def loop(self):
        stride = "s%d" % len(self.lines)
        kind = self.type
        self.say(self.pick("for (%s %s = 1; %s < n; %s *= 2) {" % ((kind,) + 3 * (stride,)),
                           "for (%s %s = n / 2; %s > 0; %s >>= 1) {" % ((kind,) + 3 * (stride,)),
                           "for (%s %s = 1; %s < 64; %s = 2 * %s) {" % ((kind,) + 4 * (stride,))))
        self.depth += 1
        style = self.rng.randrange(4)
        if style == 0:  # a tree
            first = self.rng.random() < 0.5
            if first:
                self.barrier()
            self.say("if (t %% (2 * %s) == 0 && t + %s < n)" % (stride, stride))
            self.say("  x[t] += x[t + %s]%s;" % (stride, self.pick("", " ^ t", " * w", " + v")))
            if not first:
                self.barrier()
        elif style == 1:  # exchanges of two
            self.say("{ %s o = t ^ %s;" % (kind, stride))
            self.say("if (o > t && o < n && (%s & (%s - 1)) == 0) {" % (stride, stride))
            self.say("  unsigned p = x[t], q = x[o]; if ((p > q) == ((t & 8) == 0)) { x[t] = q; x[o] = p; } } }")
            self.barrier()
        elif style == 2:  # up a tree, as scans do
            self.say("if ((t + 1) %% (2 * %s) == 0 && (%s & (%s - 1)) == 0) x[t] += x[t - %s];" % (4 * (stride,)))
            self.barrier()
        else:
            self.update(stride)
        self.depth -= 1
        self.say("}")
        if self.rng.random() < 0.4:
            self.say("if (t == 0) u += x[0];")
        self.barrier()

    def write(self):
        self.type = kind = "int" if self.is_signed else "unsigned"
        self.lines.append('extern "C" __global__ void %s(const unsigned *in, unsigned *out, unsigned a, unsigned b) {'
                          % self.name)
        if self.has_barriers:
            self.say("__shared__ unsigned x[1024], y[1024];")
        self.say("%s tx = __nvvm_read_ptx_sreg_tid_x(), ty = %s;" %
                 (kind, "0" if self.flat else "__nvvm_read_ptx_sreg_tid_y()"))
        self.say("%s n = N_X%s, t = tx%s;" % (kind, "" if self.flat else " * N_Y", "" if self.flat else " + ty * (int)N_X"))
        self.say("unsigned i = __nvvm_read_ptx_sreg_ctaid_x() * n + t;")
        if self.has_barriers:
            self.say("unsigned v = in[i], w = t * 3 + a, u = 1;")
            self.say("x[t] = v; y[t] = v ^ t;")
            self.barrier()
            for _ in range(self.rng.randrange(1, 4)):
                self.rng.choice([self.update, self.update, self.loop])()
            self.say("out[i] = u + 3 * w + x[t] + 5 * y[t];")
        else:
            self.say("unsigned v = in[i], w = t * 3 + a, u = 1;")
            if self.rng.random() < 0.5:
                self.say("if (i >= 8 * b) return;")
            self.say("unsigned r = v;")
            self.branch(None, None)
            self.say("out[i] = r + u;")
        self.lines.append("}")

    def text(self):
        return "\n".join(self.lines) + "\n"

    def launch(self):
        x, y = (self.rng.choice(SIZES), 1) if self.flat else self.rng.choice(SIZES_2D)
        return ["--kernel", self.name, "--grid", "2", "--block", "%d,%d" % (x, y),
                "--arg", "buf:u32:4096:random:seed=%d" % self.rng.randrange(1000), "--arg", "buf:u32:2048",
                "--arg", "u32:%d" % self.rng.choice([1, 2, 3, 4, 5, 8, 16, 17, 64]),
                "--arg", "u32:%d" % self.rng.choice([0, 1, 30, 64, 100, 5000])]


class Jumps:
    """Conditions on data, with jumps forward and out of loops; every path ends."""

    def __init__(self, rng, name):
        self.rng, self.name, self.lines, self.labels = rng, name, [], 0
        self.write()

    def say(self, depth, text):
        self.lines.append("  " * (depth + 1) + text)

    def condition(self):
        return "%s >> %d & %d" % (self.rng.choice(["x", "y", "in[x & 1023]", "in[(x + y) & 1023]"]),
                                  self.rng.randrange(20), self.rng.choice([1, 1, 1, 3]))

    def step(self, depth):
        self.say(depth, self.rng.choice(["x = x * 1664525u + %d;", "y ^= x >> %d;", "y += in[(x >> %d) & 1023];",
                                         "x ^= y * 2654435761u + %d;"]) % self.rng.randrange(1, 20))

    def block(self, depth, ends):
        """Statements; `ends` are labels behind them, and what leaves the loop around."""
        for _ in range(self.rng.randrange(2, 5)):
            kind = self.rng.randrange(9)
            if depth > 3 or kind < 2:
                for _ in range(self.rng.choice([1, 2, 6])):
                    self.step(depth)
            elif kind < 4:
                self.say(depth, "if (%s) {" % self.condition())
                self.block(depth + 1, ends)
                if self.rng.random() < 0.5:
                    self.say(depth, "} else {")
                    self.block(depth + 1, ends)
                self.say(depth, "}")
            elif kind < 5:
                tests = " ".join("%s (%s)" % (self.rng.choice(["&&", "||"]), self.condition()) for _ in range(3))
                self.say(depth, "if (((%s) %s)) {" % (self.condition(), tests))
                self.block(depth + 1, ends)
                self.say(depth, "}")
            elif kind < 6 and ends:
                self.say(depth, "if (%s) %s;" % (self.condition(), self.rng.choice(ends)))
            elif kind < 7:
                label = "L%d" % self.labels
                self.labels += 1
                self.say(depth, "{")
                self.block(depth + 1, ends + ["goto " + label] * 2)
                self.say(depth, "}")
                self.say(depth, label + ":;")
            elif kind < 8 and depth < 2:
                cases, other = self.rng.randrange(2, 5), self.rng.randrange(2)
                self.say(depth, "switch ((x >> %d) %% %d) {" % (self.rng.randrange(20), cases + other))
                for case in range(cases):
                    self.say(depth, "case %d:" % case)
                    self.block(depth + 2, ends)
                    if case + 1 == cases or self.rng.random() < 0.5:
                        self.say(depth, "break;")
                self.say(depth, "default: %s }" % ("y ^= x;" if other else "__builtin_unreachable();"))
            else:
                counter = "n%d" % self.labels
                self.labels += 1
                self.say(depth, "for (unsigned %s = 0; %s < %d + (%s & 3); %s++) {" %
                         (counter, counter, self.rng.randrange(1, 4), self.rng.choice("yab"), counter))
                self.block(depth + 1, ends + ["break", "continue"])
                self.say(depth, "}")

    def on_gpu(self):
        """A launch of more blocks than a GPU holds, as its shapes."""
        return self.rng.choice([("9001", "96"), ("30000", "20"), ("5000", "128"), ("800", "1000")])

    def numbers(self):
        return self.rng.choice([1, 4, 32, 64]), self.rng.choice([0, 1, 64])

    def write(self):
        self.lines.append('extern "C" __global__ void %s(const unsigned *in, unsigned *out, unsigned a, unsigned b) {'
                          % self.name)
        self.say(0, "unsigned n = N_X, i = __nvvm_read_ptx_sreg_ctaid_x() * n + __nvvm_read_ptx_sreg_tid_x();")
        self.say(0, "unsigned x = in[i / a & 1023], y = in[(i / a + 7) & 1023] ^ b;")
        if self.rng.random() < 0.3:
            self.say(0, "if (i & b) return;")
        self.block(0, [])
        self.say(0, "out[i] = x ^ y;")
        self.lines.append("}")

    def text(self):
        return "\n".join(self.lines) + "\n"

    def launch(self):
        return ["--kernel", self.name, "--grid", "2", "--block", "%d" % self.rng.choice([1, 31, 32, 64, 70, 128]),
                "--model", self.rng.choice(["volta", "ipdom"]),
                "--arg", "buf:u32:1024:random:seed=%d" % self.rng.randrange(1000), "--arg", "buf:u32:2048",
                "--arg", "u32:%d" % self.rng.choice([1, 4, 32, 64]), "--arg", "u32:%d" % self.rng.choice([0, 1, 64])]


class Items(Jumps):
    """The same around a loop that threads leave at different times, in launches of one to three dimensions, with
    floats, 64 bits, calls, arrays of the thread, variables that are only set at times, stores and atomic operations."""

    def step(self, depth):
        rng = self.rng
        if rng.random() < 0.7:
            return super().step(depth)
        self.say(depth, rng.choice(
            ["f = f * 0.5f + (float)(x & 15); y ^= (unsigned)f;",
             "if (f > %d.5f) { x += 3; f = f - (float)(y & 7); }" % rng.randrange(20),
             "w = w * 6364136223846793005ull + x; y ^= (unsigned)(w >> 33);",
             "x ^= (unsigned)((long long)w >> %d);" % rng.randrange(1, 40),
             "y = mix_%s(x, y);" % self.name,
             "if (y & %d) out[i] = x + %d;" % (rng.choice([1, 4, 6]), rng.randrange(9)),
             "y ^= out[i];",
             "__atomic_fetch_add(&out[total + i], x & 7, __ATOMIC_RELAXED);",
             "if (x & 2) __atomic_fetch_add(&out[2 * total + (y & 63)], 1, __ATOMIC_RELAXED);",
             "is_set = x & %d; if (is_set) late = y * 3 + %d;" % (rng.choice([1, 2, 12]), rng.randrange(9)),
             "if (is_set) x ^= late;"]))

    def index(self):
        names = "xyz"[:self.axes]
        for name in names:
            self.say(0, "unsigned t%s = TID(%s), n%s = NTID(%s), b%s = CTAID(%s), g%s = NCTAID(%s);" % ((name,) * 8))
        block, thread, size = "b" + names[-1], "t" + names[-1], "n" + names[-1]
        for name in reversed(names[:-1]):
            block = "(%s * g%s + b%s)" % (block, name, name)
            thread = "(%s * n%s + t%s)" % (thread, name, name)
            size = "(%s * n%s)" % (size, name)
        # The launch may have more axes than the kernel asks for.
        blocks = " * ".join("NCTAID(%s)" % name for name in names)
        self.say(0, "unsigned n = nx, total = %s * %s, i = %s * %s + %s;" % (size, blocks, block, size, thread))

    def loop(self, variable):
        """The head and the foot of a loop around a block."""
        trips = "(in[(i + %d) & 1023] & %d)" % (self.rng.randrange(9), self.rng.choice([3, 15, 15, 63]))
        return self.rng.choice([
            ("for (unsigned %s = 0; %s < %s; %s++) {" % (variable, variable, trips, variable), "}"),
            ("for (unsigned %s = 0, end%s = %s; %s < end%s; %s++) {" % (variable, variable, trips, variable, variable,
                                                                     variable), "}"),
            ("unsigned %s = %s; do {" % (variable, trips), "} while (%s-- > 0);" % variable),
            ("for (unsigned %s = 0;; %s++) { if (%s > 70 || in[(x + %s) & 1023] %% 9 == 0) break;" % (4 * (variable,)),
             "}"),
            ("if (x & 1) return; for (unsigned %s = 0; %s < (b & 7) + 3; %s++) {" % (3 * (variable,)), "}")])

    def write(self):
        rng, self.axes = self.rng, self.rng.choice([1, 1, 2, 3])
        self.lines.append('static __attribute__((noinline, device)) unsigned mix_%s(unsigned x, unsigned y) {'
                          % self.name)
        self.say(0, "for (unsigned k = 0; k < (x & 3); k++) y = y * 69069u + k;")
        self.say(0, "return x & %d ? y ^ x : y;" % rng.choice([1, 8]))
        self.lines.append("}")
        self.lines.append('extern "C" __global__ void %s(const unsigned *in, unsigned *out, unsigned a, unsigned b) {'
                          % self.name)
        self.index()
        self.say(0, "unsigned x = in[i / a & 1023], y = in[(i / a + 7) & 1023] ^ b, late, is_set = 0;")
        self.say(0, "float f = (float)(x & 255); unsigned long long w = (unsigned long long)y << 20 ^ x;")
        if rng.random() < 0.3:
            self.say(0, "if (i >= n * %d + 3) return;" % rng.randrange(1, 9))
        has_array = rng.random() < 0.4
        if has_array:
            self.say(0, "unsigned s[8]; for (unsigned k = 0; k < 8; k++) s[k] = x >> k;")
        for _ in range(rng.randrange(2)):
            self.block(2, ["return"])
        if rng.random() < 0.4:
            self.say(0, "if (x %% %d == 0) { out[i] = y; return; }" % rng.choice([2, 3, 8]))
        if rng.random() < 0.3:
            self.say(0, "if (y %% %d == 1) goto last;" % rng.choice([2, 5]))
        self.say(0, "{")
        head, foot = self.loop("m")
        self.say(0, head)
        self.block(rng.choice([1, 2, 2]), ["break", "continue", "return", "goto last"])
        if has_array:
            self.say(1, "s[x & 7] += y; y ^= s[m & 7];")
        if rng.random() < 0.3:
            self.say(1, "{ unsigned old = x; x = y; y = old; }")
        self.say(0, foot)
        self.say(0, "}")
        for _ in range(rng.randrange(2)):
            self.block(2, ["goto last"])
        self.say(0, "last:;")
        self.say(0, "out[i] = x ^ y ^ (unsigned)w%s;" % (" ^ s[y & 7]" if has_array else ""))
        self.lines.append("}")

    def text(self):
        read = "".join("#define %s(axis) __nvvm_read_ptx_sreg_%s_##axis()\n" % (name.upper(), name)
                       for name in ("tid", "ntid", "ctaid", "nctaid"))
        return read + super().text()

    def shape(self):
        return {1: [("9", "96"), ("30", "20"), ("300", "1"), ("5", "128"), ("8", "100")],
                2: [("4,3", "16,8"), ("7,3", "5,7"), ("20", "48")],
                3: [("3,2,2", "5,3,4"), ("2,2,3", "8,4,2"), ("9", "96")]}[self.axes][self.rng.randrange(3)]

    def on_gpu(self):
        """A launch of more blocks than a GPU holds, as its shapes."""
        return {1: [("9001", "96"), ("30000", "20"), ("5000", "128"), ("800", "1000")],
                2: [("400,30", "16,8"), ("70,90", "5,7"), ("20000", "48")],
                3: [("30,20,20", "5,3,4"), ("20,20,30", "8,4,2"), ("9000", "96")]}[self.axes][self.rng.randrange(3)]

    def launch(self):
        grid, block = self.shape()
        a, b = self.numbers()
        return ["--grid", grid, "--block", block, "--model", self.rng.choice(["volta", "ipdom"]),
                "--arg", "buf:u32:1024:random:seed=%d" % self.rng.randrange(1000), "--arg", "buf:u32:4096",
                "--arg", "u32:%d" % a, "--arg", "u32:%d" % b]


class Alike(Jumps):
    """Arms that one text was changed a little for: other numbers and variables, a statement more or less, another
    order, conditions turned around, in loops, in arms of arms, with stores, atomic operations and volatile loads."""

    def step(self, depth):
        rng = self.rng
        self.say(depth, rng.choice([
            "x = x * 1664525u + %d;" % rng.randrange(1, 20), "y ^= x >> %d;" % rng.randrange(1, 20),
            "y += in[(x >> %d) & 1023];" % rng.randrange(1, 20), "x = (x | 1) / (y %% %d + 1);" % rng.randrange(2, 90),
            "f = f * %d.5f + (float)(x & 15);" % rng.randrange(9), "y ^= (unsigned)(int)f;",
            "w = w * 6364136223846793005ull + x; y ^= (unsigned)(w >> 33);",
            "out[i] = x + %d;" % rng.randrange(9), "y ^= out[i];", "f = f / ((float)(y & 7) + 1.25f);",
            "x ^= y * 2654435761u + %d;" % rng.randrange(1, 20)]))
        if rng.random() < 0.03:
            self.say(depth, rng.choice(["__atomic_fetch_add(&out[total + i], x & 7, __ATOMIC_RELAXED);",
                                        "x += *(volatile unsigned *)&out[i];"]))

    def loop(self, depth):
        counter = "n%d" % self.labels
        self.labels += 1
        self.say(depth, "for (unsigned %s = 0; %s < %d + (%s & 3); %s++) {" %
                 (counter, counter, self.rng.randrange(1, 4), self.rng.choice("xyab"), counter))
        for _ in range(self.rng.randrange(2, 9)):
            self.step(depth + 1)
        if self.rng.random() < 0.3:
            self.say(depth + 1, "if (%s) %s;" % (self.condition(), self.rng.choice(["break", "continue"])))
        self.say(depth, "}")

    def arm(self, depth):
        """The lines of a text that others are like."""
        outer, self.lines = self.lines, []
        for _ in range(self.rng.randrange(1, 4)):
            if self.rng.random() < 0.5:
                self.loop(depth)
            for _ in range(self.rng.randrange(2, 9)):
                self.step(depth)
            if self.rng.random() < 0.3:
                self.say(depth, "if (%s) {" % self.condition())
                for _ in range(self.rng.randrange(1, 5)):
                    self.step(depth + 1)
                self.say(depth, "}")
        if self.rng.random() < 0.3 and depth < 3:
            self.alike(depth)
        made, self.lines = self.lines, outer
        return made

    def change(self, lines):
        rng, changed = self.rng, []
        number, rate = "n%d" % self.labels, rng.choice([0, 0.05, 0.2])
        self.labels += 1
        for line in lines:
            is_flat = line.endswith(";") and "for" not in line and " if " not in line and "break" not in line
            if is_flat and rng.random() < rate / 2:
                continue
            if rng.random() < rate:
                line = re.sub(r"\b(\d+)\b(?=;)", lambda _: str(rng.randrange(1, 20)), line)
            if rng.random() < rate / 2:
                line = re.sub(r">> (\d+)", lambda _: ">> %d" % rng.randrange(1, 20), line)
            if is_flat and changed and changed[-1].endswith(";") and "for" not in changed[-1] and rng.random() < rate / 2:
                changed.insert(len(changed) - 1, line)
            else:
                changed.append(line)
        return [re.sub(r"\bn(\d+)\b", number + r"_\1", line) for line in changed]

    def alike(self, depth):
        arm = self.arm(depth + 1)
        if self.rng.random() < 0.4:
            count = self.rng.randrange(3, 8)
            self.say(depth, "switch ((x >> %d) & 7) {" % self.rng.randrange(20))
            for case in range(count):
                self.say(depth, "case %d: {" % case)
                self.lines += self.change(arm) if self.rng.random() < 0.8 else ["y += x * 3;"]
                self.say(depth, "}" if self.rng.random() < 0.1 else "} break;")
            self.say(depth, "default: y ^= x; }")
        else:
            self.say(depth, "if (%s) {" % self.condition())
            self.lines += self.change(arm)
            self.say(depth, "} else {")
            self.lines += self.change(arm)
            self.say(depth, "}")

    def write(self):
        self.lines.append('extern "C" __global__ void %s(const unsigned *in, unsigned *out, unsigned a, unsigned b) {'
                          % self.name)
        self.say(0, "unsigned n = N_X, i = __nvvm_read_ptx_sreg_ctaid_x() * n + __nvvm_read_ptx_sreg_tid_x();")
        self.say(0, "unsigned x = in[i / a & 1023], y = in[(i / a + 7) & 1023] ^ b, total = __nvvm_read_ptx_sreg_nctaid_x() * n;")
        self.say(0, "unsigned long long w = x; float f = (float)(y & 255);")
        if self.rng.random() < 0.3:
            self.say(0, "for (unsigned m = 0; m < 1 + (b & 1); m++) {")
            self.alike(1)
            self.say(0, "}")
        else:
            self.alike(0)
        self.say(0, "out[i] = x ^ y ^ (unsigned)w ^ (unsigned)(int)f;")
        self.lines.append("}")


KINDS = {"index": (Kernel, "none;regroup;regardless", r"gave the threads"),
         "alike": (Alike, "none;meld;regardless", r"both arms of this branch"),
         "votes": (Jumps, "needed;vote;regardless", r"kept the plain form"),
         "items": (Items, "refilled:refilled.refill-at.1.refill-every.1.regardless:needed.refilled.regardless",
                   r"versions? beside the plain one")}


def kernels(kind, seed, count):
    rng = random.Random(seed)
    return [KINDS[kind][0](random.Random(rng.randrange(1 << 60)), "k%d" % number) for number in range(count)]


def run(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def compile_all(arguments, made, level, folder):
    # llc contracts floats of one version otherwise than those of another.
    flags = ["-ffp-contract=off"] * bool(arguments.emit)
    source, before, after = (os.path.join(folder, name) for name in ("k.cu", "before.ll", "after.ll"))
    with open(source, "w") as out:
        out.write(HEADER + "".join(kernel.text() for kernel in made))
    done = run([arguments.clang, "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "-Wno-everything",
                "--cuda-feature=+ptx80", "--cuda-gpu-arch=sm_90", *level, *flags, "-S", "-emit-llvm", source, "-o", before])
    if done.returncode != 0:
        sys.exit(done.stderr)
    done = run([arguments.opt, "-load-pass-plugin=" + arguments.plugin,
                "-passes=linearize%s<%s>,verify" % ("-versions" * bool(arguments.emit or arguments.kind == "items"),
                                                    arguments.options or KINDS[arguments.kind][1]), "-pass-remarks=linearize",
                "-pass-remarks-missed=linearize", "-S", before, "-o", after])
    if done.returncode != 0:
        sys.exit(done.stderr)
    return before, after, done.stderr


def versions_of(kernel, module):
    """The symbol of each version of a kernel, and whether it takes a counter."""
    with open(module) as file:
        text = re.search(r'^@__linearize_versions_%s = .*? c"(.*)"$' % kernel.name, file.read(), re.MULTILINE)
    lines = text[1].split("\\0A")[1:-1] if text else []
    return [(line.split("\\09")[1], len(line.split("\\09")) > 2) for line in lines]


def emit(arguments, made, module):
    """For a GPU."""
    base = os.path.join(arguments.emit, str(arguments.seed))
    with open(base + ".launches", "w") as file:
        for kernel in made:
            symbols = [symbol for symbol, takes in versions_of(kernel, module)
                       if takes or arguments.kind != "items"]
            words = [kernel.name, *kernel.on_gpu(), *map(str, kernel.numbers()), *symbols]
            file.write(" ".join(words) + "\n" if symbols else "")
    for command in ([os.path.join(os.path.dirname(arguments.opt), "llc"), "-O3", "-mcpu=sm_90", module, "-o", base + ".ptx"],
                    [arguments.ptxas, "-arch=sm_90", base + ".ptx", "-o", base + ".cubin"]):
        done = run(command)
        if done.returncode != 0:
            sys.exit(done.stderr)
    os.remove(base + ".ptx")


def differ(arguments, kernel, launch, module, folder):
    """What is wrong with a version of the kernel in that module, or None."""
    plain, other = os.path.join(folder, "plain"), os.path.join(folder, "other")
    done = run([arguments.simt, module, "--kernel", kernel.name, *launch, "--dump", "1=" + plain])
    if done.returncode != 0:
        return "%s: %s\n" % (kernel.name, done.stderr)
    for symbol, takes in versions_of(kernel, module):
        done = run([arguments.simt, module, "--kernel", symbol, *launch, *["--arg", "buf:u32:1"] * takes,
                    "--dump", "1=" + other])
        if done.returncode != 0 or open(plain, "rb").read() != open(other, "rb").read():
            return "%s: %s\n" % (symbol, done.stderr or "not the plain kernel's result")
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--print", action="store_true")
    for name in ("clang", "opt", "plugin", "simt", "emit", "ptxas"):
        parser.add_argument("--" + name)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=25)
    parser.add_argument("--launches", type=int, default=3)
    parser.add_argument("--only")
    parser.add_argument("--kind", choices=KINDS, default="index")
    parser.add_argument("--options")
    arguments = parser.parse_args()
    made = kernels(arguments.kind, arguments.seed, arguments.count)
    if arguments.print:
        print(HEADER + "".join(kernel.text() for kernel in made))
        return
    level = [["-O1"], ["-O2"], ["-O3"], ["-O3", "-fno-unroll-loops"]][arguments.seed % 4]
    failed = changes = 0
    reasons = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        before, after, remarks = compile_all(arguments, made, level, folder)
        if arguments.emit:
            return emit(arguments, made, after)
        changed = set(re.findall(r"function '(\w+)'(?:, block '[^']*')?: [0-9 ]*" + KINDS[arguments.kind][2], remarks))
        for reason in re.findall(r"but what is in block '[^']*' (.{30})", remarks):
            reasons[reason] += 1
        for kernel in made:
            if arguments.only and kernel.name != arguments.only:
                continue
            changes += kernel.name in changed
            for _ in range(arguments.launches):
                launch = kernel.launch()
                if kernel.name not in changed:
                    break
                if arguments.kind == "items":
                    wrong = differ(arguments, kernel, launch, after, folder)
                    if wrong:
                        failed += 1
                        print(kernel.text() + wrong)
                        print("seed %d: linearize-simt %s" % (arguments.seed, " ".join(launch)))
                        break
                    continue
                done = run([arguments.simt, "--races", *launch, "--compare", after, before])
                if done.returncode == 0:
                    continue
                if "race" in run([arguments.simt, "--races", *launch, before]).stderr:
                    break  # clang loads what only some threads asked for
                failed += 1
                print(kernel.text() + done.stderr)
                print("seed %d: linearize-simt %s" % (arguments.seed, " ".join(launch)))
                break
    for reason, count in reasons.most_common():
        print("refused: %s...: %d" % (reason, count))
    print("%d kernels, %d changed, %d failed" % (len(made), changes, failed))
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
