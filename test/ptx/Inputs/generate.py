#!/usr/bin/env python3
"""Random PTX functions, for interpret.py.

  generate.py [--seed N] [--count N] [--blocks N] [--loops SHARE] [--names SHARE]

Each is a kernel of so many blocks that end in branches of all kinds (bra, with and without a predicate,
pairs of them, brx.idx, ret and exit, under a predicate or not, falling through) to blocks of any
place, loops with several entries among them. A block stores its number and what a register holds.
Some registers are set on some ways only, and read where they were set for certain. That share of the
blocks holds a loop that is made for edits: one that threads leave by a flag, or a short one with several
tests. --names is the share of those with variables and scopes: names that functions and scopes have in
common with each other, with the module and with LLVM, variables with and without .align, calls under
predicates and by address, prototypes, pragmas, vector registers.
"""
import argparse
import random

HEAD = """.version 7.8
.target sm_90
.address_size 64
"""

# What interpret.py knows of them: arrays elsewhere are one, and what twist gives.
NAMES = """.extern .shared .align 4 .b8 dyn0[];
.extern .shared .b32 dyn1[];
.global .u32 seen;
.global .u32 s;
.func (.param .b32 func_retval0) twist(.param .b32 twist_param_0)
{
	.reg .b32 %r<3>;
	ld.param.u32 %r1, [twist_param_0];
	st.volatile.global.u32 [seen], %r1;
	mad.lo.s32 %r2, %r1, 1664525, 12345;
	st.param.b32 [func_retval0], %r2;
	ret;
}
"""


def variables(r):
    """Declarations of s and pad, in shared memory, and l, in local memory."""
    lines = r.sample([".shared .b8 pad;", ".shared .u32 more;", ".shared .align 2 .b8 most[6];"], r.randint(0, 2))
    lines.append(".shared " + r.choice([".u32 s[4];", ".align 4 .b8 s[16];", ".align 8 .b8 s[16];",
                                        ".v2 .u32 s[2];", ".u64 s[2];", ".v4 .b32 s;", ".f16x2 s[4];"]))
    lines.append(".local " + r.choice([".u32 l[4];", ".align 4 .b8 l[16];", ".v2 .f32 l[2];", ".v4 .b32 l;",
                                       ".align 16 .b8 l[16];"]))
    r.shuffle(lines)
    return lines


def named(r, number, has_vector):
    """A block's lines about names."""
    a, b, c = (r.randint(4, 6) for _ in range(3))
    p, word = r.randint(2, 4), 4 * r.randint(0, 3)
    kind = r.randint(0, 9 if has_vector else 8)
    if kind == 0:  # two that one could be made of
        near = 4 * r.randint(0, 2)
        space, name = r.choice([("shared", "s"), ("local", "l")])
        return ["st.%s.u32 [%s+%d], %d;" % (space, name, near + more, r.choice([0, number])) for more in (0, 4)]
    if kind == 1:
        space, name = r.choice([("shared", "s"), ("local", "l")])
        return ["st.%s.u32 [%s+%d], %%r%d;" % (space, name, 4 * r.randint(0, 3), a),
                "ld.%s.u32 %%r%d, [%s+%d];" % (space, b, name, word)]
    if kind == 2:
        arrays = ["dyn0", "dyn1"]
        r.shuffle(arrays)
        return ["ld.shared.u32 %%r%d, [%s+%d];" % (a, arrays[0], word),
                "st.shared.u32 [%s+%d], %%r%d;" % (arrays[1], word, r.randint(1, 6)),
                "ld.shared.u32 %%r%d, [%s+%d];" % (b, arrays[0], word),
                "add.s32 %%r%d, %%r%d, %%r%d;" % (c, a, b)]
    if kind == 3:  # names that LLVM has, too
        return ["{", ".reg .b32 %r<4>, t;", ".reg .pred %p1, %q;", "mov.u32 %%r1, %d;" % r.randint(1, 4),
                "mov.u32 %%r3, %d;" % number, "LOOP:", "add.s32 %%r%d, %%r%d, %%r3;" % (a, b),
                "xor.b32 t, %%r%d, %%r1;" % a, "add.s32 %%r%d, %%r%d, t;" % (c, c), "sub.s32 %r1, %r1, 1;",
                "setp.ne.s32 %p1, %r1, 0;", "@%p1 bra LOOP;", "}"]
    if kind in (4, 5):
        guard = r.choice(["@%%p%d " % p, "@!%%p%d " % p, ""])
        call = ["{", ".param .b32 param0;", ".param .b32 retval0;", "st.param.b32 [param0], %%r%d;" % a,
                guard + "call%s (retval0), twist, (param0);" % ("" if guard else ".uni"),
                "ld.param.b32 %r7, [retval0];", "}"]
        order = ("%r7", "%%r%d" % b) if "!" not in guard else ("%%r%d" % b, "%r7")
        return call + (["selp.b32 %%r%d, %s, %s, %%p%d;" % ((c,) + order + (p,))] if guard else
                       ["add.s32 %%r%d, %%r%d, %%r7;" % (c, b)])
    if kind == 6:  # the name of a variable, and of a register
        return ["{", ".reg .b32 s, %r4;", ".reg .pred q;", "mov.u32 %%r4, %d;" % number, "add.s32 s, %r5, %r4;",
                "setp.lt.u32 q, s, %d;" % r.getrandbits(20), "@q bra OUT;", "xor.b32 %r6, %r6, s;", "OUT:", "}",
                "add.s32 %r4, %r4, %r6;"]
    if kind == 7:  # a function by its address, and a prototype in the body
        return ["{", ".reg .b64 f;", ".param .b32 param0;", ".param .b32 retval0;", "mov.u64 f, twist;",
                "st.param.b32 [param0], %%r%d;" % a, "P: .callprototype (.param .b32 _) _ (.param .b32 _);",
                "call (retval0), f, (param0), P;", "ld.param.b32 %%r%d, [retval0];" % b, "}"]
    if kind == 8:
        return ['.pragma "nounroll";', "add.s32 %%r%d, %%r%d, %%r%d;" % (a, b, c)]
    return ["mov.u32 %%v.x, %%r%d;" % a, "add.s32 %%v.y, %%v.x, %d;" % number, "add.s32 %%r%d, %%v.x, %%v.y;" % b]


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


def leave(r, block, predicate, to, on):
    """A branch out of a loop, to `to`, or else on to `on`, which follows where `on` is None."""
    negated = r.random() < 0.3
    if on is None:
        return ["@%s%%p%d bra %s;" % ("!" if negated else "", predicate, to)]
    if negated:  # `on` is the one under the predicate
        return ["@!%%p%d bra %s;" % (predicate, on), "bra.uni %s;" % to]
    return ["@%%p%d bra %s;" % (predicate, to), "bra.uni %s;" % on]


def short_loop(r, block, targets):
    """Tests, with cheap instructions between them; who leaves needs what they set, or what it was."""
    head, behind = "$H%d" % block, "$X%d" % block
    exits = [r.choice([behind, behind, targets()]) for _ in range(4)]
    lines = ["mov.u32 %r16, 0;", "mov.u32 %r17, 9;", head + ":"]
    if r.random() < 0.3:
        lines.append("st.volatile.global.u32 [%rd1], %r16;")
    tests = r.randint(2, 4)
    for test in range(tests):
        if test > 0 or r.random() < 0.5:
            for _ in range(r.randint(0, 3)):
                lines.append(r.choice([
                    "add.s32 %r16, %r16, {n};", "add.s32 %r{a}, %r{a}, -{n};",
                    "add.s32 %r18, %r17, {n};", "mov.u32 %r17, %r18;", "mov.u32 %r{a}, %r{b};",
                    "mov.u32 %r{a}, {n};", "xor.b32 %r{a}, %r{b}, %r16;", "mov.u32 %r19, {n};",
                    "selp.b32 %r{a}, %r{b}, {n}, %p{p};", "mov.pred %p5, {f};",
                ]).format(a=r.randint(1, 6), b=r.randint(1, 6), n=r.randint(1, 99), p=r.randint(1, 5),
                          f=r.choice([0, -1])))
        predicate = r.randint(1, 5)
        lines += condition(r, predicate)
        last = test == tests - 1
        lines += leave(r, block, predicate, exits[test], head if last else None)
    lines += [behind + ":", "st.volatile.global.u32 [%rd1], %r16;", "st.volatile.global.u32 [%rd1], %r17;",
              "selp.b32 %r19, %r16, %r17, %p5;", "st.volatile.global.u32 [%rd1], %r19;"]
    return lines


def flag_loop(r, block, targets):
    """A block that joins a flag, a predicate or a number, and tests it; some ways say what it is."""
    head, join, behind = "$H%d" % block, "$M%d" % block, "$X%d" % block
    number = r.random() < 0.4
    leaves = r.choice([0, 1])

    def set_flag(value):
        if number:
            return "mov.u32 %%r16, %d;" % value
        return "mov.pred %%p5, %d;" % -value
    out = r.choice([behind, behind, targets()])
    lines = [set_flag(r.choice([0, 1])), "mov.u32 %r17, 1;", head + ":", "add.s32 %r17, %r17, 3;"]
    for way in range(r.randint(1, 3)):
        predicate = r.randint(1, 4)
        if not number and r.random() < 0.4:  # the edge says what the flag is
            lines += condition(r, 5) + ["@%s%%p5 bra %s;" % (r.choice(["", "!"]), join)]
            continue
        lines += condition(r, predicate)
        lines.append(set_flag(leaves if r.random() < 0.8 else 1 - leaves))
        lines.append("@%s%%p%d bra %s;" % (r.choice(["", "!"]), predicate, join))
        lines.append("st.volatile.global.u32 [%%rd1], %d;" % (1000 + way))
        if r.random() < 0.15:  # which nobody knows from then on
            lines.append("@%%p%d %s" % (r.randint(1, 4), set_flag(r.choice([0, 1]))))
    lines.append(set_flag(1 - leaves) if r.random() < 0.8 else "mov.u32 %r16, 1;")
    lines.append(join + ":")
    if r.random() < 0.5:
        lines.append("add.s32 %%r%d, %%r17, %%r%d;" % (r.randint(1, 6), r.randint(1, 6)))
    if number:
        lines.append("setp.%s.u32 %%p5, %%r16, 0;" % r.choice(["ne", "eq", "gt"]))
    kind = r.random()
    if kind < 0.2:
        lines += condition(r, 4) + ["%s.pred %%p5, %%p5, %%p4;" % r.choice(["and", "or"])]
    elif kind < 0.3:
        lines.append("not.pred %p5, %p5;")
    lines += leave(r, block, 5, out, head)
    return lines + [behind + ":", "st.volatile.global.u32 [%rd1], %r17;"]


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


def function(seed, blocks, loops, names=0):
    r, own_r = random.Random(seed), random.Random(-seed)
    print(".visible .entry f%d(.param .u64 out)" % seed)
    print("{\n\t.reg .pred %p<6>;\n\t.reg .b32 %r<20>;\n\t.reg .b64 %rd<2>;")
    has_vector = own_r.random() < 0.05
    if names > 0:
        print("\t" + "\n\t".join(variables(own_r) + [".reg .v2 .u32 %v;"] * has_vector))
    if r.random() < 0.3:
        print("\t.loc 1 7 0")
    print("\tld.param.u64 %rd1, [out];\n\tmov.u32 %r0, %tid.x;")
    for i in range(1, 7):
        print("\tmov.u32 %%r%d, %d;" % (i, r.getrandbits(20)))
    if loops > 0:
        print("\tsetp.lt.u32 %p5, %r1, 77777;\n\tmov.u32 %r18, %r2;\n\tmov.u32 %r16, 5;\n\tmov.u32 %r17, 3;")
    for i in range(1, 5):
        print("\tsetp.lt.u32 %%p%d, %%r%d, %d;" % (i, i, r.getrandbits(20)))
    if names > 0:
        print("\tmov.u32 %r7, 0;")
        for word in range(4):
            print("\tst.shared.u32 [s+%d], 0;\n\tst.local.u32 [l+%d], 0;" % (4 * word, 4 * word))
    for block in range(1, blocks):
        print("$B%d:%s" % (block, r.choice(["", "  // a block", ""])))
        if r.random() < 0.2:
            print("\t.loc 1 %d 0" % block)
        lines = ["st.volatile.global.u32 [%%rd1], %d;" % block]
        own = 10 + r.randint(0, 5)  # set and read in this block, perhaps in others, too
        lines.append("mov.u32 %%r%d, %%r%d;" % (own, r.randint(1, 6)))
        lines += [work(r) for _ in range(r.randint(0, 3))]
        lines.append("add.s32 %%r%d, %%r%d, %%r%d;" % (r.randint(1, 6), own, r.randint(1, 6)))
        if r.random() < 0.1:
            lines += scope(r, block)
        if own_r.random() < names:
            lines += named(own_r, block, has_vector)
        lines.append("st.volatile.global.u32 [%%rd1], %%r%d;" % r.randint(1, 6))
        if loops > 0 and r.random() < loops:
            lines += r.choice([short_loop, flag_loop])(
                r, block, lambda: "$B%d" % r.randint(max(1, block - 2), min(blocks - 1, block + 5)))
        ending(r, block, blocks, lines)
        for line in lines:
            print(r.choice(["\t", "\t", "\t", ""]) + line, end=r.choice(["\n", "\n", "\n", " // done\n"]))
    print("}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--blocks", type=int, default=12)
    parser.add_argument("--loops", type=float, default=0)
    parser.add_argument("--names", type=float, default=0)
    options = parser.parse_args()
    print(HEAD + (NAMES if options.names > 0 else ""))
    for seed in range(options.seed, options.seed + options.count):
        function(seed, options.blocks, options.loops, options.names)


if __name__ == "__main__":
    main()
