"""Random CUDA kernels whose threads may be regrouped, for same_in_simulator.py; the same seed gives the same
text.

  reorder.py --seed S --count N [--statements MAX] [--no-points | --few-keys]

writes N kernels k<S> .. k<S+N-1>. A kernel depends on its own seed alone, so a failing one can be had alone
with --count 1. --no-points leaves it to the compiler where threads are regrouped; with
--few-keys they vote on four keys, in blocks of as many threads as it may be: warps with several keys come first. A line in front of each says how it is launched: blocks of several sizes and shapes.

What a thread computes depends on its number, its input and, by shared memory between barriers, on others; so
whoever does its work, its result is the same, or something is wrong. Points stand wherever a statement may:
behind conditions, in loops in loops that threads leave by break, continue, return and goto at different
times, in functions that are inlined. Barriers stand where all threads come by that haven't returned. A
thread's shared memory is used by itself without barriers; arrays of a thread are indexed by what it computes,
and handed to a function; values of all widths live across. Nothing has undefined behaviour, and every loop
ends: what is asked changes with each question, and after some of them the answer is no.
"""

import argparse
import random

HEADER = """#include "linearize_device.h"
#include "linearize/reorder.h"
typedef unsigned u32;
typedef unsigned long u64;
// A number, and 0 once there have been enough.
#define STEP (x = x * 1664525u + 1013904223u, fuel -= fuel != 0, fuel != 0 ? x >> 16 : 0)
static __device__ __attribute__((noinline)) void poke(u32 *at, u32 by) { *at += by; }
"""

MOST_THREADS = 1024


class Kernel:
    def __init__(self, seed, statements, points=True, few_keys=False):
        self.rng = random.Random("reorder %d" % seed)
        self.seed = seed
        self.points = points
        self.few_keys = few_keys
        self.left = self.rng.randrange(4, statements + 1)
        self.lines = []
        self.loops = 0
        self.wants_out = False
        self.functions = []
        self.array = self.rng.choice([0, 0, 0, 2, 3, 5, 16])
        self.pokes = self.rng.random() < 0.3
        self.uses_shared = self.rng.random() < 0.6
        self.barriers = self.rng.random() < 0.5
        self.words = [name for name in ["a", "b", "c", "d"] if self.rng.random() < 0.8] or ["a"]
        self.others = [name for name in ["f", "w", "s", "flag", "g", "p"] if self.rng.random() < 0.4]

    def put(self, depth, text):
        self.lines.append("  " * depth + text)

    def variable(self):
        return self.rng.choice(self.words)

    def value(self):
        rng = self.rng
        choices = [self.variable(), self.variable(), "STEP", "tid", "threadIdx.x", "blockDim.x", "n",
                   str(rng.randrange(100))]
        choices += {"f": ["(u32)f"], "w": ["(u32)(w >> 7)"], "s": ["s"], "g": ["(u32)(int)g"],
                    "p": ["*p"], "flag": ["(flag ? 3 : 5)"]}.get(rng.choice(self.others or ["x"]), [])
        return rng.choice(choices)

    def condition(self):
        rng = self.rng
        one = ["STEP & %d" % rng.choice([1, 2, 3, 4, 12]), "STEP %% %d == 1" % rng.randrange(2, 6),
               "(%s ^ STEP) & 8" % self.variable(), "(tid ^ STEP) & 1"]
        if "flag" in self.others:
            one += ["flag", "!flag"]
        text = "(" + rng.choice(one[:2]) + ")"
        while rng.random() < 0.3:
            text = "%s %s (%s)" % (text, rng.choice(["&&", "||"]), rng.choice(one))
        return text

    def simple(self, depth):
        rng = self.rng
        choices = ["%s += %s * 3 + 1;" % (self.variable(), self.value()),
                   "%s ^= %s >> 3;" % (self.variable(), self.value()),
                   "%s = %s;" % (self.variable(), self.value()),
                   "%s = in[(%s + %s) & mask];" % (self.variable(), self.variable(), self.value()),
                   "%s += i + %s;" % (self.variable(), self.value()),
                   "atomicAdd(&counts[%s & 7], %s & 15);" % (self.variable(), self.value())]
        if self.array:
            choices += ["r[%s %% %d] += %s;" % (self.value(), self.array, self.value()),
                        "%s ^= r[%s %% %d];" % (self.variable(), self.value(), self.array)]
            if self.pokes:
                choices.append("poke(r + %s %% %d, %s);" % (self.variable(), self.array, self.value()))
        if self.uses_shared:
            choices += ["own[tid] += %s;" % self.value(), "%s += own[tid];" % self.variable()]
        choices += {"f": ["f = f * 0.5f + (float)(%s & 255);" % self.value()],
                    "w": ["w = w * 6364136223846793005u + %s;" % self.value()],
                    "s": ["s = (unsigned char)(s + %s);" % self.value()],
                    "flag": ["flag = %s;" % self.condition()],
                    "g": ["g = g * 0.25 + (double)(%s & 1023);" % self.value()],
                    "p": ["p = out + (blockIdx.x * n + tid) * 2 + (%s & 1);" % self.value(),
                          "*p += %s;" % self.value()]}.get(rng.choice(self.others or ["x"]), [])
        self.put(depth, rng.choice(choices))

    def key(self):
        rng = self.rng
        return rng.choice([self.variable(), "%s %% 5" % self.variable(), "%s ^ tid" % self.variable(),
                           "STEP", "tid", "x >> 8"])

    def point(self, depth):
        rng = self.rng
        if not self.points:
            return self.simple(depth)
        bits = rng.choice([0, 1, 1, 2, 2, 3, 3, 4, 5, 5] + ([6, 8, 11, 32] if rng.random() < 0.3 else []))
        what = rng.random()
        if self.few_keys:
            self.put(depth, "linearize_reorder_by(%s, 2, LINEARIZE_REORDER_VOTES, 0);" % self.key())
        elif what < 0.8:
            self.put(depth, "linearize_reorder(%s, %d);" % (self.key(), bits))
        elif what < 0.87:
            self.put(depth, "linearize_reorder_by(%s, %d, LINEARIZE_REORDER_HOT, 0);"
                     % (self.key(), rng.choice([0, 1])))
        elif what < 0.95:
            self.put(depth, "linearize_reorder_by(%s, %d, LINEARIZE_REORDER_DGI, %d);"
                     % (self.key(), min(bits, 5), rng.choice([4, 8, 16, 32, 64])))
        else:
            self.put(depth, "linearize_reorder_by(%s, %d, LINEARIZE_REORDER_VOTES, 0);" % (self.key(), bits))

    def end(self, depth):
        """A return that leaves something of the thread behind."""
        self.put(depth, "{ out[(blockIdx.x * n + tid) * 2] += %s; return; }" % self.variable())

    def jump(self, depth, inside):
        what = self.rng.random()
        if what < 0.25:
            self.end(depth)
        elif what < 0.9 and inside:
            self.put(depth, self.rng.choice(inside) + ";")
        else:
            self.wants_out = True
            self.put(depth, "goto out;")

    def block(self, depth, inside, together):
        for _ in range(self.rng.randrange(1, 4)):
            self.statement(depth, inside, together)

    def exchange(self, depth):
        """Threads read what others wrote, between barriers."""
        by = self.rng.randrange(1, 40)
        self.put(depth, "all[tid] = %s;" % self.variable())
        self.put(depth, "__syncthreads();")
        self.put(depth, "%s += all[(tid + %d) %% n];" % (self.variable(), by))
        self.put(depth, "__syncthreads();")

    def condition_of_all(self):
        return self.rng.choice(["mask & 1", "blockIdx.x & 1", "n > 40"])

    def loop(self, depth, together):
        rng = self.rng
        self.loops += 1
        name = "i%d" % self.loops
        kind = rng.random()
        if kind < 0.25:  # as often for all threads
            self.put(depth, "#pragma unroll 1")
            self.put(depth, "for (u32 %s = 0; %s < %s; %s++) {"
                     % (name, name, rng.choice(["2", "3", "(mask & 1) + 1"]), name))
            self.block(depth + 1, [] if together and self.barriers else ["break", "continue"], together)
        elif kind < 0.6 and not self.points and rng.random() < 0.6:  # as is known in front of it
            self.put(depth, "#pragma unroll 1")
            self.put(depth, rng.choice(["for (u32 # = 0, most = %s & 15; # < most; #++) {",
                                        "for (u32 # = %s & 15; # > 0; #--) {",
                                        "for (u32 # = 4, most = 4 + (%s & 31); # != most; #++) {",
                                        "for (int # = -3, most = (int)(%s & 15) - 7; # < most; # += 2) {",
                                        "for (u64 # = %s & 255; # < 256; # += 17) {"])
                     .replace("#", name) % self.value())
            self.block(depth + 1, rng.choice([[], ["break", "continue"]]), False)
        elif kind < 0.6:
            self.put(depth, "#pragma unroll 1")
            self.put(depth, "for (u32 %s = 0; %s < (STEP & 7); %s++) {" % (name, name, name))
            self.put(depth + 1, "%s += %s;" % (self.variable(), name))
            self.block(depth + 1, ["break", "continue"], False)
        elif kind < 0.85:
            self.put(depth, "while (fuel != 0 && (%s)) {" % self.condition())
            self.block(depth + 1, ["break", "continue"], False)
        else:
            self.put(depth, "do {")
            self.block(depth + 1, ["break", "continue"], False)
            self.put(depth, "} while (fuel != 0 && (%s));" % self.condition())
            return
        self.put(depth, "}")

    def switch(self, depth, inside):
        rng = self.rng
        self.put(depth, "switch (%s %% 4) {" % rng.choice(["STEP", self.variable()]))
        for case in range(rng.randrange(2, 5)):
            self.put(depth, "case %d:" % case)
            self.block(depth + 1, [j for j in inside if j != "break"], False)
            if rng.random() < 0.8:
                self.put(depth + 1, "break;")
        self.put(depth, "}")

    def function(self, depth):
        """A point in a function of its own."""
        name = "f%d_%d" % (self.seed, len(self.functions))
        self.functions.append(
            "static __device__ __forceinline__ u32 %s(u32 v, u32 k) {\n"
            "  if (v & 1)\n    v += k;\n  %s\n  return v * 3 + k;\n}\n"
            % (name, "linearize_reorder(%s, %d);" % (self.rng.choice(["v", "k", "v ^ k"]), self.rng.randrange(4))
               if self.points else "v ^= k;"))
        self.put(depth, "%s = %s(%s, %s);" % (self.variable(), name, self.variable(), self.value()))

    def statement(self, depth, inside, together):
        rng = self.rng
        self.left -= 1
        what = rng.random()
        if self.left < 0 or depth > 6 or what < 0.3:
            self.simple(depth)
        elif what < 0.45:
            self.point(depth)
        elif what < 0.48:
            self.function(depth)
        elif what < 0.6:
            self.put(depth, "if (%s) {" % self.condition())
            self.block(depth + 1, inside, False)
            if rng.random() < 0.5:
                self.put(depth, "} else {")
                self.block(depth + 1, inside, False)
            self.put(depth, "}")
        elif what < 0.65 and together:
            self.put(depth, "if (%s) {" % self.condition_of_all())
            self.block(depth + 1, inside, True)
            self.put(depth, "}")
        elif what < 0.75:
            self.put(depth, "if (%s)" % self.condition())
            self.jump(depth + 1, inside)
        elif what < 0.8:
            self.switch(depth, inside)
        elif what < 0.88 and together and self.barriers:
            self.exchange(depth)
        else:
            self.loop(depth, together)

    def shape(self):
        """A launch: grid, block."""
        rng = self.rng
        most = rng.choice([8, 32, 33, 64, 64, 100, 128, 200, 256] + [MOST_THREADS] * (rng.random() < 0.05))
        threads = rng.choice([most, most, rng.randrange(1, most + 1)])
        kind = rng.random()
        if kind < 0.7:
            return threads, 1, 1
        y = rng.randrange(1, min(threads, 16) + 1)
        if kind < 0.85:
            return max(1, threads // y), y, 1
        z = rng.randrange(1, max(1, min(threads // y, 8)) + 1)
        return max(1, threads // y // z), y, z

    def text(self):
        rng = self.rng
        for _ in range(rng.randrange(2, 5)):
            self.statement(1, [], True)
        if self.points and not any("linearize_reorder" in line for line in self.lines + self.functions):
            self.lines.insert(rng.randrange(1) if rng.random() < 0.5 else 0,
                              "  linearize_reorder(%s, 2);" % self.variable())
        launches = [self.shape() for _ in range(2)]
        most = max(x * y * z for x, y, z in launches)
        bounds = "" if self.few_keys else rng.choice(["", "__launch_bounds__(%d) " % most])
        head = ["extern \"C\" __global__ void %sk%d(const u32 *in, u32 mask, u32 *out, u32 *counts) {"
                % (bounds, self.seed),
                "  const u32 n = blockDim.x * blockDim.y * blockDim.z;",
                "  const u32 tid = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;",
                "  const u32 i = blockIdx.x * n + tid;",
                "  u32 x = in[i & mask] + i, fuel = %d;" % rng.randrange(8, 40)]
        for name in self.words:
            head.append("  u32 %s = x * %d + tid;" % (name, rng.randrange(1, 50)))
        head += [{"f": "  float f = (float)(x & 15);", "w": "  u64 w = x;", "s": "  unsigned char s = 7;",
                  "flag": "  bool flag = x & 1;", "g": "  double g = 1.0;",
                  "p": "  u32 *p = out + (blockIdx.x * n + tid) * 2;"}[name] for name in self.others]
        if self.array:
            head.append("  u32 r[%d];" % self.array)
            head.append("  for (u32 j = 0; j < %d; j++) r[j] = x + j;" % self.array)
        if self.uses_shared:
            head.append("  __shared__ u32 own[%d];" % most)
            head.append("  own[tid] = x;")
        if self.barriers:
            head.append("  __shared__ u32 all[%d];" % most)
            head.append("  all[tid] = 1;")
            head.append("  __syncthreads();")
        sums = self.words + [{"f": "(u32)f", "w": "(u32)(w ^ w >> 32)", "s": "s", "flag": "flag",
                              "g": "(u32)(int)g", "p": "*p"}[name] for name in self.others]
        if self.array:
            sums.append("r[x %% %d]" % self.array)
        tail = (["out:"] if self.wants_out else []) + \
            ["  out[(blockIdx.x * n + tid) * 2 + 1] += x + %s;" % " + ".join(sums), "}"]
        text = "".join(self.functions) + "\n".join(head + self.lines + tail) + "\n"
        if self.wants_out:  # no jump past what is set first: C++ forbids it for what is declared there
            text = text.replace("out:\n", "out:;\n")
        shapes = " ".join("%d,%d,%d" % shape for shape in launches)
        return "// launch k%d %s\n%s\n" % (self.seed, shapes, text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--statements", type=int, default=30)
    parser.add_argument("--no-points", action="store_true")
    parser.add_argument("--few-keys", action="store_true")
    options = parser.parse_args()
    print(HEADER)
    for seed in range(options.seed, options.seed + options.count):
        print(Kernel(seed, options.statements, not options.no_points, options.few_keys).text())


if __name__ == "__main__":
    main()
