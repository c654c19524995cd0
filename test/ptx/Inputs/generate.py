#!/usr/bin/env python3
"""Random PTX functions, for interpret.py.

  generate.py [--seed N] [--count N] [--blocks N]

Each is a kernel of so many blocks that end in branches of all kinds (bra, with and without a predicate,
pairs of them, brx.idx, ret and exit, under a predicate or not, falling through) to blocks of any
place, loops with several entries among them. A block stores its number and what a register holds.
Some registers are set on some ways only, and read where they were set for certain.
"""
import argparse
import random

HEAD = """.version 7.8
.target sm_90
.address_size 64
"""


def condition(r, number):
    """Lines that set %p<number> by what the state is."""
    return ["mad.lo.s32 %r0, %r0, 1664525, 1013904223;",
            "shr.u32 %%r9, %%r0, %d;" % r.randint(12, 24),
            "and.b32 %r9, %r9, 255;",
            "setp.lt.u32 %%p%d, %%r9, %d;" % (number, r.choice([64, 128, 192]))]


def work(r):
    """A line that changes a register."""
    to, a, b = (r.randint(1, 6) for _ in range(3))
    line = r.choice(["add.s32 %%r%d, %%r%d, %%r%d;", "xor.b32 %%r%d, %%r%d, %%r%d;",
                     "sub.s32 %%r%d, %%r%d, %%r%d;", "mul.lo.s32 %%r%d, %%r%d, %%r%d;"]) % (to, a, b)
    if r.random() < 0.15:
        line = "@%%p%d " % r.randint(1, 4) + line
    return line


def scope(r, number):
    """Inline assembly with a branch of its own."""
    return ["{", ".reg .pred q;", "setp.eq.s32 q, %%r%d, %%r%d;" % (r.randint(1, 6), r.randint(1, 6)),
            "@q bra SKIP;", "add.s32 %%r%d, %%r%d, %d;" % (r.randint(1, 6), r.randint(1, 6), number),
            "SKIP:", "}"]


def ending(r, block, blocks, lines):
    """Lines that a block ends with, and whether it goes on to the next."""
    def target():
        # Mostly near: regions that nest, and not one loop around everything.
        if r.random() < 0.7:
            return max(1, min(blocks - 1, block + r.randint(-3, 6)))
        return r.randint(1, blocks - 1)
    kind = r.random()
    negated = r.choice(["", "", "!"])
    p = r.randint(1, 4)
    if block == blocks - 1:
        lines.append("ret;")
    elif kind < 0.12:
        pass
    elif kind < 0.24:
        lines.append("bra%s $B%d;" % (r.choice([".uni", ""]), target()))
    elif kind < 0.62:
        lines += condition(r, p)
        lines.append("@%s%%p%d bra $B%d;" % (negated, p, target()))
    elif kind < 0.80:
        lines += condition(r, p)
        lines.append("@%s%%p%d bra $B%d;" % (negated, p, target()))
        lines.append("bra.uni $B%d;" % target())
    elif kind < 0.88:
        count = r.randint(1, 5)
        near = [target() for _ in range(count)]
        lines.append("$T%d: .branchtargets %s;" % (block, ", ".join("$B%d" % r.choice(near)
                                                                    for _ in range(count))))
        lines += condition(r, p)
        lines.append("rem.u32 %%r9, %%r9, %d;" % count)
        guard = "@%s%%p%d " % (negated, p) if r.random() < 0.3 else ""
        lines.append("%sbrx.idx %%r9, $T%d;" % (guard, block))
    elif kind < 0.95:
        lines += condition(r, p)
        lines.append("@%s%%p%d %s;" % (negated, p, r.choice(["ret", "exit"])))
    else:
        lines.append(r.choice(["ret;", "exit;", "trap;"]))


def function(seed, blocks):
    r = random.Random(seed)
    print(".visible .entry f%d(.param .u64 out)" % seed)
    print("{\n\t.reg .pred %p<5>;\n\t.reg .b32 %r<20>;\n\t.reg .b64 %rd<2>;")
    if r.random() < 0.3:
        print("\t.loc 1 7 0")
    print("\tld.param.u64 %rd1, [out];\n\tmov.u32 %r0, %tid.x;")
    for i in range(1, 7):
        print("\tmov.u32 %%r%d, %d;" % (i, r.getrandbits(20)))
    for i in range(1, 5):
        print("\tsetp.lt.u32 %%p%d, %%r%d, %d;" % (i, i, r.getrandbits(20)))
    for block in range(1, blocks):
        print("$B%d:%s" % (block, r.choice(["", "  // a block", ""])))
        if r.random() < 0.2:
            print("\t.loc 1 %d 0" % block)
        lines = ["st.global.u32 [%%rd1], %d;" % block]
        own = 10 + r.randint(0, 5)  # set and read in this block, perhaps in others, too
        lines.append("mov.u32 %%r%d, %%r%d;" % (own, r.randint(1, 6)))
        lines += [work(r) for _ in range(r.randint(0, 3))]
        lines.append("add.s32 %%r%d, %%r%d, %%r%d;" % (r.randint(1, 6), own, r.randint(1, 6)))
        if r.random() < 0.1:
            lines += scope(r, block)
        lines.append("st.global.u32 [%%rd1], %%r%d;" % r.randint(1, 6))
        ending(r, block, blocks, lines)
        for line in lines:
            print(r.choice(["\t", "\t", "\t", ""]) + line, end=r.choice(["\n", "\n", "\n", " // done\n"]))
    print("}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--blocks", type=int, default=12)
    options = parser.parse_args()
    print(HEAD)
    for seed in range(options.seed, options.seed + options.count):
        function(seed, options.blocks)


if __name__ == "__main__":
    main()
