"""Random C functions, for same.py; the same seed gives the same text.

  programs.py --seed S --count N [--statements MAX]

writes N functions f<S> .. f<S+N-1> and the table `tests`, for a compiler to make of them what it does
of people's programs: variables that become phis, flags that it threads jumps through, loops that it
rotates and unrolls, scopes that end in several ways. generate.py makes control flow that no compiler
would; here it is what people write: loops in loops with break, continue and return, `goto` out of
loops, back, and into others, flags that are set and tested, switches that fall through, && and ||.

What is asked changes with each question, and after some of them the answer is no: any loop ends soon.
Arithmetic is unsigned, and every index is masked: nothing has undefined behaviour. Nothing is called but `memory`, once, so that
nothing keeps the pass from anything.
"""

import argparse
import random

HEADER = """typedef unsigned long u64;
typedef unsigned u32;
u64 *memory(void);
// A number, and 0 once there have been enough.
#define STEP                                                                                       \\
  (x = x * 6364136223846793005u + 1442695040888963407u, fuel -= fuel != 0,                          \\
   fuel != 0 ? (u32)(x >> 33) : 0)
"""


class Function:
    def __init__(self, seed, statements):
        self.rng = random.Random(seed)
        self.seed = seed
        self.left = self.rng.randrange(6, statements + 1)
        self.lines = []
        self.labels = 0   # that stand somewhere
        self.wanted = set()
        self.loops = 0

    def put(self, depth, text):
        self.lines.append("  " * depth + text)

    def variable(self):
        return self.rng.choice(["a", "b", "c"])

    def condition(self):
        rng = self.rng
        one = ["STEP & %d" % rng.choice([1, 2, 3, 4, 12]), "STEP % 5 == 1", "flag", "!flag",
               "(%s ^ STEP) & 8" % self.variable(), "done", "m[STEP & 63] & 1"]
        text = "(" + rng.choice(one[:2]) + ")"
        while rng.random() < 0.3:
            text = "%s %s (%s)" % (text, rng.choice(["&&", "||"]), rng.choice(one))
        return text

    def simple(self, depth):
        rng = self.rng
        self.put(depth, rng.choice([
            "%s += %s * 3 + 1;" % (self.variable(), self.variable()),
            "%s ^= %s >> 3;" % (self.variable(), self.variable()),
            "%s = STEP;" % self.variable(),
            "m[%s & 63] += %s;" % (self.variable(), self.variable()),
            "%s = m[%s & 63];" % (self.variable(), self.variable()),
            "flag = %s;" % rng.choice(["0", "1", "STEP & 1"]),
            "done = %s;" % rng.choice(["0", "1", "flag"])]))

    def jump(self, depth, inside):
        """Away from here: `inside` says which of `break` and `continue` there is."""
        rng = self.rng
        what = rng.random()
        if what < 0.3:
            self.put(depth, "return %s;" % rng.choice(["a + b", "c", "x", "7"]))
        elif what < 0.65 and inside:
            self.put(depth, rng.choice(inside) + ";")
        else:
            label = rng.randrange(6)
            self.wanted.add(label)
            self.put(depth, "x += 3; if (STEP & 4) goto l%d;" % label)

    def block(self, depth, inside):
        for _ in range(self.rng.randrange(1, 4)):
            self.statement(depth, inside)

    def label(self, depth):
        if self.labels < 6 and self.rng.random() < 0.25:
            self.put(depth, "l%d:;" % self.labels)
            self.labels += 1

    def statement(self, depth, inside):
        rng = self.rng
        self.left -= 1
        self.label(depth)
        what = rng.random()
        if self.left < 0 or depth > 6 or what < 0.3:
            self.simple(depth)
        elif what < 0.45:
            self.put(depth, "if (%s) {" % self.condition())
            if rng.random() < 0.5:
                self.simple(depth + 1)
            self.jump(depth + 1, inside)
            self.put(depth, "}")
        elif what < 0.65:
            self.put(depth, "if (%s) {" % self.condition())
            self.block(depth + 1, inside)
            if rng.random() < 0.6:
                self.put(depth, "} else {")
                self.block(depth + 1, inside)
            self.put(depth, "}")
        elif what < 0.88:
            self.loop(depth)
        elif what < 0.94:
            self.switch(depth, inside)
        else:
            self.put(depth, "{")
            self.put(depth + 1, "u64 t[2];")  # its scope ends with each jump out of here
            self.block(depth + 1, inside)
            self.put(depth + 1, "t[0] = a, t[1] = b, c += t[STEP & 1];")
            self.put(depth, "}")

    def loop(self, depth):
        rng, inside = self.rng, ["break", "continue"]
        self.loops += 1
        name = "i%d" % self.loops
        what = rng.random()
        if what < 0.4:
            self.put(depth, "for (%s = 0; %s < (%s & 7) + 1; %s++) {" % (
                name, name, rng.choice(["a", "s", "3", "STEP"]), name))
            self.put(depth + 1, "c += %s;" % name)
        elif what < 0.7:
            self.put(depth, "while ((%s) && STEP & 15) {" % self.condition())
        else:
            self.put(depth, "do {")
        self.block(depth + 1, inside)
        self.put(depth, "}" + (" while ((%s) && STEP & 15);" % self.condition() if what >= 0.7 else ""))

    def switch(self, depth, inside):
        rng, inside = self.rng, [to for to in inside if to != "break"]
        self.put(depth, "switch (STEP & 7) {")
        for value in rng.sample(range(8), rng.randrange(2, 6)):
            self.put(depth, "case %d:" % value)
            self.statement(depth + 1, ["break"] + inside)
            if rng.random() < 0.6:
                self.put(depth + 1, "break;")
        if rng.random() < 0.5:
            self.put(depth, "default:")
            self.simple(depth + 1)
        self.put(depth, "}")

    def text(self):
        while self.left > 0:
            self.statement(1, [])
        missing = [number for number in sorted(self.wanted) if number >= self.labels]
        for number in missing:
            self.put(1, "l%d: a += %d;" % (number, number))
        head = ["u64 f%d(u64 s) {" % self.seed,
                "  u64 *m = memory(), x = s, a = s >> 7, b = 1, c = 0;",
                "  u32 fuel = 400;",
                "  int flag = 0, done = 0;"]
        head += ["  u32 i%d = 0;" % (i + 1) for i in range(self.loops)]  # jumps may pass a loop's head by
        tail = ["  return a ^ b ^ c ^ x + flag + done;", "}"]
        return "\n".join(head + self.lines + tail) + "\n\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--statements", type=int, default=40)
    args = parser.parse_args()
    seeds = range(args.seed, args.seed + args.count)
    print(HEADER)
    for seed in seeds:
        print(Function(seed, args.statements).text(), end="")
    print("u64 (*const tests[])(u64) = {%s};" % ", ".join("f%d" % seed for seed in seeds))


main()
