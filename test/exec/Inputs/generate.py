"""Random functions with random control flow, for same.py; the same seed gives the same text.

  generate.py --seed S --count N [--blocks MAX] [--nests | --flags] [--floats] [--own-memory]

writes a module with N functions @f<S> .. @f<S+N-1> and the table @tests. A function depends on
its own seed alone, so a failing one can be had alone with --count 1.

How a function is made:
1. A graph of 5 to MAX blocks: a shape (forward with a few back edges, local, wild, or a
   structured skeleton with extra edges), branches, switches with parallel edges, returns,
   traps, unreachable blocks. Irreducible loops come by themselves.
2. Dominators by the simple iterative method, so that each use can pick from all values that
   dominate it: most picks go to old values, which makes them live across whole regions.
3. Phis of every type where a block has predecessors, their inputs any value that is there at
   the end of the predecessor: phis of the same block too, hence swaps and rotations.
4. Every block that an edge may go back to calls something that spends the driver's budget, so
   each run ends.
With --nests the graph is that of loops in loops (class Nests), and what a thread calls waits for no
other thread (`nosync`), for nests in which threads might are never merged.
With --flags it is such a graph, too, in which many blocks test what they join, mostly constants, as
front ends leave a loop; half of the others do little and call nothing; and few poll.
With --floats most branches ask how two floats compare, which are NaNs, infinities, zeros of either
sign and sums and products of such; comparisons and functions have fast-math flags, which then say
what isn't so; sums and products have none that say anything of values, for what is computed then may
differ. For same.py --nans. These floats are seen by comparisons alone.
With --own-memory threads of a GPU can run the functions side by side: none uses memory of others,
and none takes stack, of which a thread has little, and which isn't global memory.
Nothing generated has undefined behaviour, but for that; floats only grow by adding positive ones, for a
NaN's payload may change with the order of operands.
"""

import argparse
import random
import re
import sys

TYPES = ["i64", "i32", "i1", "i8", "i128", "float", "double", "<4 x i32>", "{ i32, float }",
         "ptr", "ptr addrspace(1)", "<2 x i1>"]
CONSTANTS = {
    "i64": ["0", "1", "-1", "12345", "-9223372036854775808"], "i32": ["0", "7", "-3"],
    "i1": ["true", "false"], "i8": ["0", "127", "-128"], "i128": ["5", "-170141183460469231"],
    "float": ["1.0", "0.5"], "double": ["3.0", "0.25"],
    "<4 x i32>": ["<i32 1, i32 2, i32 3, i32 4>", "zeroinitializer"],
    "{ i32, float }": ["{ i32 4, float 2.0 }", "zeroinitializer"],
    "<2 x i1>": ["<i1 true, i1 false>"],
}

SPECIAL = "float that may be a NaN"
PREDICATES = ["oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule",
              "une", "uno"]
COMPARED = ["", "", "fast ", "nnan ", "ninf ", "nnan ninf ", "nnan nsz ", "reassoc nsz "]

HEADER = """declare zeroext i1 @bit()
declare i32 @pick(i32)
declare i64 @value(i32)
declare void @effect(i32, i64)
declare void @die(i32) noreturn
declare ptr @memory()
declare void @llvm.trap() cold noreturn nounwind

define internal i64 @leaf(i64 %x, i1 %way) {
entry:
  br i1 %way, label %a, label %b
a:
  %xa = add i64 %x, 3
  %c = call zeroext i1 @bit()
  br i1 %c, label %b, label %done
b:
  %p = phi i64 [ %x, %entry ], [ %xa, %a ]
  call void @effect(i32 1000, i64 %p)
  %d = call zeroext i1 @bit()
  br i1 %d, label %a2, label %done
a2:
  call void @effect(i32 1001, i64 %x)
  br label %done
done:
  %r = phi i64 [ %xa, %a ], [ %p, %b ], [ 4, %a2 ]
  ret i64 %r
}
"""


def shape(rng, n):
    """succ[b]: the destinations of b's edges, parallel ones repeated; [] ends the function."""
    kind = rng.choice(["forward", "forward", "local", "wild", "skeleton"])
    back = rng.choice([0.05, 0.15, 0.3])

    def target(b):
        if kind == "wild" or rng.random() < 0.05:
            return rng.randrange(1, n)
        if kind == "local":
            return min(n - 1, max(1, b + rng.choice([-3, -2, -1, 0, 1, 1, 1, 2, 2, 3, 4])))
        if rng.random() < back:
            return rng.randrange(max(1, b - 8), b + 1) if b else 1
        return min(n - 1, b + 1 + int(rng.expovariate(0.5)))

    succ = []
    for b in range(n):
        if b == n - 1:
            succ.append([])
            continue
        follow = b + 1 if kind == "skeleton" or rng.random() < 0.6 else target(b)
        what = rng.random()
        if b and what < 0.05:
            succ.append([])
        elif what < 0.25:
            succ.append([follow])
        elif what < 0.85:
            other = follow if rng.random() < 0.04 else target(b)
            succ.append([follow, other] if rng.random() < 0.5 else [other, follow])
        else:
            ends = [follow] + [target(b) for _ in range(rng.randrange(1, 6))]
            if rng.random() < 0.5:
                ends.append(rng.choice(ends))
            rng.shuffle(ends)
            succ.append(ends)
    return succ


class Nests:
    """A graph of nested loops: while and do-while forms, loops that may be passed by, loops of one
    block, latches that are switches, ways out of one loop and of several, and in some graphs an
    edge that fits nowhere. A piece of code is made from its end, `after`, to its first block; `outs`
    is where it may jump to: headers and ends of the loops around it. With `flags`, some of these
    jumps are what a block finds out that is reached in several ways."""

    def __init__(self, rng, n, flags=False):
        self.rng = rng
        self.left = n
        self.flags = flags
        self.succ = []
        end = self.new([])
        self.entry = self.loop(end, [], 0)
        for _ in range(rng.randrange(3)):
            if self.left > 0:
                self.entry = self.piece(self.entry, [end], 0)
        self.entry = self.new([self.entry])
        if rng.random() < 0.15:
            self.add_edge()
        self.succ = self.renumbered()

    def new(self, ends):
        self.left -= 1
        self.succ.append(ends)
        return len(self.succ) - 1

    def ways(self, ends):
        """A branch or a switch to `ends`, in any order, some of them twice."""
        if self.rng.random() < 0.1:
            ends = ends + [self.rng.choice(ends)]
        self.rng.shuffle(ends)
        return ends

    def piece(self, after, outs, depth):
        if self.flags and outs and self.left > 0 and self.rng.random() < 0.3:
            return self.flag(after, outs)
        what = self.rng.random()
        if self.left <= 0 or what < 0.2:
            return self.new([after])
        if what < 0.35 and outs:
            return self.new(self.ways([after] + self.rng.sample(outs, self.rng.randrange(1, min(3, len(outs)) + 1))))
        if what < 0.55:
            sides = [self.sequence(after, outs, depth), after]
            if self.rng.random() < 0.5:
                sides[1] = self.sequence(after, outs, depth)
            return self.new(self.ways(sides))
        if what < 0.58:
            return self.new(self.ways([after, self.new([])]))
        return self.loop(after, outs, depth) if depth < 4 else self.new([after])

    def flag(self, after, outs):
        ways = [after, self.rng.choice(outs)]
        if self.rng.random() < 0.2:
            ways.append(self.rng.choice(outs + [after]))
        test = self.new(self.ways(ways))
        first = self.new([test])
        for _ in range(self.rng.randrange(1, 3)):
            first = self.new(self.ways([test, first]))
        return first

    def sequence(self, after, outs, depth):
        for _ in range(self.rng.choice([1, 1, 2, 3])):
            after = self.piece(after, outs, depth)
        return after

    def loop(self, after, outs, depth):
        what = self.rng.random()
        if what < 0.25:  # of one block
            head = self.new([])
            self.succ[head] = self.ways([head, after])
        elif what < 0.6:  # while
            head = self.new([])
            self.succ[head] = self.ways([self.sequence(head, outs + [head, after], depth + 1), after])
        else:  # do-while; its header may be that of a loop in it
            latch = self.new([])
            head = self.sequence(latch, outs + [latch, after], depth + 1)
            self.succ[latch] = self.ways([head, after])
        if self.rng.random() < 0.3:  # may be passed by
            return self.new(self.ways([head, after]))
        return head

    def add_edge(self):
        inner = [b for b, ends in enumerate(self.succ) if len(ends) > 1 and b != self.entry]
        if inner:
            self.succ[self.rng.choice(inner)].append(self.rng.choice(inner))

    def renumbered(self):
        """In preorder, block 0 the entry, the last one the end."""
        number, todo = {}, [self.entry]
        while todo:
            b = todo.pop()
            if b in number or b == 0:
                continue
            number[b] = len(number)
            todo += reversed(self.succ[b])
        number[0] = len(number)
        succ = [None] * len(number)
        for b, to in number.items():
            succ[to] = [number[e] for e in self.succ[b]]
        return succ


def dominators(succ):
    """dom[b]: the set of blocks that dominate b; None where b is unreachable."""
    n = len(succ)
    pred = [[] for _ in range(n)]
    for b, ends in enumerate(succ):
        for e in dict.fromkeys(ends):
            pred[e].append(b)
    seen, todo = {0}, [0]
    while todo:
        for e in succ[todo.pop()]:
            if e not in seen:
                seen.add(e)
                todo.append(e)
    dom = [set(seen) if b in seen else None for b in range(n)]
    dom[0] = {0}
    changed = True
    while changed:
        changed = False
        for b in range(1, n):
            if dom[b] is None:
                continue
            new = set.intersection(*[dom[p] for p in pred[b] if dom[p] is not None]) | {b}
            if new != dom[b]:
                dom[b], changed = new, True
    return dom


def reached(succ):
    """A graph without the blocks that nothing reaches."""
    number, todo = {0}, [0]
    while todo:
        todo += [e for e in succ[todo.pop()] if e not in number and not number.add(e)]
    number = {b: i for i, b in enumerate(sorted(number))}
    return [[number[e] for e in succ[b]] for b in number]


class Function:
    def __init__(self, seed, blocks, nests=False, own_memory=False, flags=False, floats=False):
        self.floats = floats
        self.own_memory = own_memory
        self.flags = flags
        self.flag_of = {}                         # blocks that test a flag: (type, name)
        self.rng = random.Random(seed)
        self.seed = seed
        self.nests = nests
        self.n = self.rng.randrange(5, blocks + 1)
        self.succ = Nests(self.rng, self.n, flags).succ if nests or flags else shape(self.rng, self.n)
        if floats:  # what the pass leaves alone is as it was, then
            self.succ = reached(self.succ)
        self.n = len(self.succ)
        self.dom = dominators(self.succ)
        self.edges = [[] for _ in range(self.n)]  # predecessors, once for each edge
        for b, ends in enumerate(self.succ):
            for e in ends:
                self.edges[e].append(b)
        self.defs = [[] for _ in range(self.n)]   # (type, name) in order
        self.text = [[] for _ in range(self.n)]
        self.phis = []                            # (block, type, name), filled in at the end
        self.count = 0
        self.ids = self.rng.randrange(100, 200) * 5

    def name(self):
        self.count += 1
        return "%%v%d" % self.count

    def emit(self, b, ty, code):
        name = self.name()
        self.text[b].append("%s = %s" % (name, code))
        self.defs[b].append((ty, name))
        return name

    def known(self, b, ty):
        """Values of a type that may be used in b, behind what b holds so far."""
        found = ["%s"] if ty == "i64" else []
        for d in sorted(self.dom[b] or ()):
            if d != b:
                found += [name for t, name in self.defs[d] if t == ty]
        return found + [name for t, name in self.defs[b] if t == ty]

    def get(self, b, ty):
        """Any value of that type, old ones rather than new ones; made if there is none."""
        found = self.known(b, ty)
        if found and self.rng.random() < 0.92:
            return self.rng.choice(found)
        if ty in CONSTANTS and self.rng.random() < 0.5:
            return self.rng.choice(CONSTANTS[ty])
        return self.make(b, ty)

    def make(self, b, ty):
        rng = self.rng
        x = rng.choice(self.known(b, "i64"))
        if ty == "i64":
            kind = rng.randrange(9)
            y = self.rng.choice(self.known(b, "i64"))
            if kind < 4:
                return self.emit(b, ty, "%s i64 %s, %s" % (rng.choice(["add", "mul", "xor", "sub"]), x, y))
            if kind == 4:
                odd = self.emit(b, ty, "or i64 %s, 1" % y)
                return self.emit(b, ty, "udiv i64 %s, %s" % (x, odd))
            if kind == 5:
                return self.emit(b, ty, "select i1 %s, i64 %s, i64 %s" % (self.get(b, "i1"), x, y))
            if kind == 6:
                return self.emit(b, ty, "%s i64, ptr %s" % (rng.choice(self.loads()), self.get(b, "ptr")))
            if kind == 7:
                return self.emit(b, ty, "load i64, ptr addrspace(1) %s" % self.get(b, "ptr addrspace(1)"))
            return self.widen(b, rng.choice(TYPES[1:]))
        if ty == SPECIAL:
            return self.special(b)
        if ty == "i1" and self.floats and rng.random() < 0.7:
            return self.comparison(b)
        if ty in ("i32", "i8", "i1"):
            if ty == "i1" and rng.random() < 0.7:
                return self.emit(b, ty, "icmp %s i64 %s, %s" % (
                    rng.choice(["slt", "ult", "eq", "sge"]), x, self.get(b, "i64")))
            return self.emit(b, ty, "trunc i64 %s to %s" % (x, ty))
        if ty == "i128":
            wide = self.emit(b, ty, "zext i64 %s to i128" % x)
            return self.emit(b, ty, "mul i128 %s, 18446744073709551629" % wide)
        if ty in ("float", "double"):
            small = self.emit(b, "i8", "trunc i64 %s to i8" % x)
            f = self.emit(b, ty, "uitofp i8 %s to %s" % (small, ty))
            return self.emit(b, ty, "fadd %s %s, %s" % (ty, f, rng.choice(self.known(b, ty))))
        if ty == "<4 x i32>":
            low = self.emit(b, "i32", "trunc i64 %s to i32" % x)
            old = rng.choice(self.known(b, ty) + CONSTANTS[ty])
            return self.emit(b, ty, "insertelement <4 x i32> %s, i32 %s, i32 %d" % (old, low, rng.randrange(4)))
        if ty == "<2 x i1>":
            old = rng.choice(self.known(b, ty) + CONSTANTS[ty])
            return self.emit(b, ty, "insertelement <2 x i1> %s, i1 %s, i32 %d"
                             % (old, self.get(b, "i1"), rng.randrange(2)))
        if ty == "{ i32, float }":
            low = self.emit(b, "i32", "trunc i64 %s to i32" % x)
            old = rng.choice(self.known(b, ty) + CONSTANTS[ty])
            return self.emit(b, ty, "insertvalue { i32, float } %s, i32 %s, 0" % (old, low))
        if ty == "ptr":
            slot = self.emit(b, "i64", "and i64 %s, 63" % x)
            return self.emit(b, ty, "getelementptr i64, ptr %%m, i64 %s" % slot)
        if ty == "ptr addrspace(1)":
            return self.emit(b, ty, "addrspacecast ptr %s to ptr addrspace(1)" % self.get(b, "ptr"))
        raise AssertionError(ty)

    def comparison(self, b):
        rng = self.rng
        return self.emit(b, "i1", "fcmp %s%s float %s, %s" % (
            rng.choice(COMPARED), rng.choice(PREDICATES), self.get(b, SPECIAL), self.get(b, SPECIAL)))

    def special(self, b):
        rng, what = self.rng, self.rng.random()
        old = self.known(b, SPECIAL)
        if old and what < 0.3:
            return self.emit(b, SPECIAL, "%s %sfloat %s, %s" % (
                rng.choice(["fadd", "fsub", "fmul"]), rng.choice(["", "", "nsz ", "nsz "]),
                rng.choice(old), rng.choice(old)))
        if old and what < 0.4:
            return self.emit(b, SPECIAL, "fneg float %s" % rng.choice(old))
        if old and what < 0.55:  # a comparison for one select alone keeps what it says
            c = self.name()
            a, z = rng.choice(old), rng.choice(old)
            self.text[b].append("%s = fcmp %s%s float %s, %s" % (
                c, rng.choice(["", "nsz "]), rng.choice(PREDICATES), a, z))
            return self.emit(b, SPECIAL, "select i1 %s, float %s, float %s" % (c, a, z))
        low = self.emit(b, "i32", "trunc i64 %s to i32" % rng.choice(self.known(b, "i64")))
        if what < 0.7:
            return self.emit(b, SPECIAL, "sitofp i32 %s to float" % low)
        if what < 0.85:  # a zero or 2
            bits = self.emit(b, "i32", "and i32 %s, -1073741824" % low)
        else:            # 1.7e38, 2.5e38, an infinity or a NaN
            part = self.emit(b, "i32", "and i32 %s, -2134900736" % low)
            bits = self.emit(b, "i32", "or i32 %s, 2130706432" % part)
        return self.emit(b, SPECIAL, "bitcast i32 %s to float" % bits)

    def loads(self):
        """In a nest few loads poll."""
        return ["load"] * (12 if self.nests or self.flags else 1) + ["load volatile"]

    def widen(self, b, ty):
        """An i64 that tells values of the type apart."""
        v = self.get(b, ty)
        if ty == "i64":
            return v
        if ty in ("i32", "i8", "i1"):
            return self.emit(b, "i64", "%s %s %s to i64" % (self.rng.choice(["zext", "sext"]), ty, v))
        if ty == "i128":
            high = self.emit(b, "i128", "lshr i128 %s, %d" % (v, self.rng.choice([0, 40, 64])))
            return self.emit(b, "i64", "trunc i128 %s to i64" % high)
        if ty == "float":
            bits = self.emit(b, "i32", "bitcast float %s to i32" % v)
            return self.emit(b, "i64", "zext i32 %s to i64" % bits)
        if ty == "double":
            return self.emit(b, "i64", "bitcast double %s to i64" % v)
        if ty == "<4 x i32>":
            lane = self.emit(b, "i32", "extractelement <4 x i32> %s, i32 %d" % (v, self.rng.randrange(4)))
            return self.emit(b, "i64", "zext i32 %s to i64" % lane)
        if ty == "<2 x i1>":
            lane = self.emit(b, "i1", "extractelement <2 x i1> %s, i32 %d" % (v, self.rng.randrange(2)))
            return self.emit(b, "i64", "zext i1 %s to i64" % lane)
        if ty == "{ i32, float }":
            part = self.emit(b, "i32", "extractvalue { i32, float } %s, 0" % v)
            return self.emit(b, "i64", "zext i32 %s to i64" % part)
        # Not the address, that changes from run to run: what stands there.
        return self.emit(b, "i64", "load i64, %s %s" % (ty, v))

    def body(self, b):
        rng, text = self.rng, self.text[b]
        if b == 0:
            text.append("%m = call ptr @memory()")
            self.defs[0].append(("ptr", "%m"))
            if self.own_memory:
                text.append("%home = addrspacecast ptr %m to ptr addrspace(1)")
            self.emit(0, "float", "uitofp i1 true to float")
            self.emit(0, "double", "uitofp i1 true to double")
        must = any(p >= b for p in self.edges[b])
        if self.flags and b > 0 and not must and rng.random() < (0.9 if b in self.flag_of else 0.5):
            for _ in range(rng.randrange(3) if b not in self.flag_of else 0):
                self.make(b, rng.choice(["i1", "i32", "i8"]))
            return
        if must or rng.random() < 0.7:
            v = self.widen(b, rng.choice(TYPES))
            text.append("call void @effect(i32 %d, i64 %s)" % (self.ids + b % 60, v))
        for _ in range(rng.randrange(0, 6)):
            what = rng.random()
            if what < 0.6:
                self.make(b, rng.choice(TYPES))
            elif what < 0.7:
                self.emit(b, "i64", "call i64 @value(i32 %d)" % rng.randrange(10))
            elif what < 0.8:
                text.append("store i64 %s, ptr %s" % (self.widen(b, rng.choice(TYPES)), self.get(b, "ptr")))
            elif what < 0.85:
                code = "atomicrmw %s ptr %s, i64 %s seq_cst" % (
                    rng.choice(["add", "xor", "umax", "xchg"]), self.get(b, "ptr"), self.get(b, "i64"))
                if self.nests or self.flags:  # who doesn't look at what was there doesn't poll
                    text.append("%s = %s" % (self.name(), code))
                else:
                    self.emit(b, "i64", code)
            elif what < 0.9:
                self.emit(b, "i64", "call i64 @leaf(i64 %s, i1 %s)" % (self.get(b, "i64"), self.get(b, "i1")))
            elif what < 0.93:
                few = self.emit(b, "i32", "and i32 %s, 7" % self.get(b, "i32"))
                size = self.emit(b, "i32", "add i32 %s, 1" % few)
                first = self.get(b, "i64")  # chosen before the slot could be read for it
                if self.own_memory:
                    continue
                slot = self.emit(b, "ptr", "alloca i64, i32 %s" % size)
                text.append("store i64 %s, ptr %s" % (first, slot))
            else:
                text.append("call void @effect(i32 %d, i64 %s)" % (rng.randrange(10, 20), self.get(b, "i64")))

    def end(self, b):
        rng, text, ends = self.rng, self.text[b], self.succ[b]
        if not ends:
            what = rng.random() if b < self.n - 1 else 1
            if what < 0.2:
                text.append("call void @die(i32 %d)" % rng.randrange(20, 30))
                text.append("unreachable")
            elif what < 0.35:
                text.append("call void @llvm.trap()")
                text.append("unreachable")
            else:
                text.append("ret i64 %s" % self.widen(b, rng.choice(TYPES)))
        elif b in self.flag_of and (len(ends) == 2 or len(ends) == 3 and self.flag_of[b][0] == "i32"):
            self.test_flag(b)
        elif len(ends) == 1:
            text.append("br label %%b%d" % ends[0])
        elif len(ends) == 2 and rng.random() < 0.95:
            if self.floats and rng.random() < 0.7:
                c = self.comparison(b)
            elif rng.random() < 0.6:
                c = self.emit(b, "i1", "call zeroext i1 @bit()")
            else:
                c = self.get(b, "i1")
            text.append("br i1 %s, label %%b%d, label %%b%d" % (c, ends[0], ends[1]))
        else:
            if rng.random() < 0.7:
                k = self.emit(b, "i32", "call i32 @pick(i32 %d)" % (len(ends) + 1))
            else:
                k = self.emit(b, "i32", "and i32 %s, 7" % self.get(b, "i32"))
            cases = rng.sample(range(8), len(ends) - 1)
            text.append("switch i32 %s, label %%b%d [%s]" % (k, ends[0], " ".join(
                " i32 %d, label %%b%d" % pair for pair in zip(cases, ends[1:]))))

    def test_flag(self, b):
        rng, (ty, flag) = self.rng, self.flag_of[b]
        if ty == "i32" and (len(self.succ[b]) == 3 or rng.random() < 0.5):
            cases = zip(rng.sample(range(3), 2), self.succ[b][1:])
            self.text[b].append("switch i32 %s, label %%b%d [ %s ]" % (
                flag, self.succ[b][0], " ".join("i32 %d, label %%b%d" % case for case in cases)))
            return
        if ty == "i32":
            flag = self.emit(b, "i1", "icmp %s i32 %s, %d" % (rng.choice(["eq", "ne"]), flag,
                                                            rng.randrange(3)))
        what = rng.random()
        if what < 0.2:
            flag = self.emit(b, "i1", "xor i1 %s, true" % flag)
        elif what < 0.5:
            code = rng.choice(["and i1 %s, %s", "or i1 %s, %s", "select i1 %s, i1 true, i1 %s",
                               "select i1 %s, i1 %s, i1 false"])
            flag = self.emit(b, "i1", code % (flag, self.get(b, "i1")))
        self.text[b].append("br i1 %s, label %%b%d, label %%b%d" % (flag, *self.succ[b]))

    def operand(self, p, b, ty, name):
        """Of the phi, from p."""
        found = self.known(p, ty)
        if (ty, name) == self.flag_of.get(b) and self.rng.random() < 0.8:
            return str(self.rng.randrange(3)) if ty == "i32" else self.rng.choice(["true", "false"])
        if found and self.rng.random() < 0.9:
            return self.rng.choice(found)
        if ty == SPECIAL:
            return self.rng.choice(["0x7FF8000000000000", "0xFFF0000000000000", "-0.0", "1.0"])
        return self.rng.choice(CONSTANTS[ty]) if ty in CONSTANTS else self.home(p, ty)

    def write(self, out):
        order = list(range(self.n))
        # Phis are named first, so that blocks above can see them through back edges.
        for b in order:
            if self.edges[b]:
                many = 2 if len(self.edges[b]) > 1 else 0.2
                many = 0.6 if self.flags else many
                for _ in range(int(self.rng.expovariate(1 / many))):
                    ty = self.rng.choice(TYPES)
                    name = self.name()
                    self.phis.append((b, ty, name))
                    self.defs[b].append((ty, name))
            if self.floats and self.edges[b] and self.rng.random() < 0.6:
                self.phis.append((b, SPECIAL, self.name()))
                self.defs[b].append((SPECIAL, self.phis[-1][2]))
            if self.flags and len(set(self.edges[b])) > 1 and self.rng.random() < 0.8:
                self.flag_of[b] = (self.rng.choice(["i1", "i32"]), self.name())
                self.phis.append((b, *self.flag_of[b]))
        # A dominator comes before what it dominates, or a value would be used before it is made.
        depth = {b: len(self.dom[b]) if self.dom[b] else 0 for b in order}
        for b in sorted(order, key=lambda b: (depth[b], b)):
            self.body(b)
            self.end(b)
        phis = {b: [] for b in order}
        for b, ty, name in self.phis:
            into = {}
            for p in self.edges[b]:
                if p not in into:
                    into[p] = self.operand(p, b, ty, name)
            phis[b].append("%s = phi %s %s" % (name, "float" if ty == SPECIAL else ty, ", ".join(
                "[ %s, %%b%d ]" % (into[p], p) for p in self.edges[b])))
        out.write("\n; %d blocks\ndefine i64 @f%d(i64 %%s)%s {\n" % (
            self.n, self.seed, self.attributes()))
        for b in order:
            out.write("b%d:\n" % b)
            for line in phis[b] + self.text[b]:
                out.write("  %s\n" % line)
        out.write("}\n")

    def attributes(self):
        return ' "no-nans-fp-math"="true"' if self.floats and self.rng.random() < 0.3 else ""

    def home(self, p, ty):
        """A pointer for a predecessor that has none: @home, a word of the module's own."""
        if self.own_memory:
            return "%m" if ty == "ptr" else "%home"
        return "@home" if ty == "ptr" else "addrspacecast (ptr @home to ptr addrspace(1))"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--blocks", type=int, default=60)
    parser.add_argument("--nests", action="store_true")
    parser.add_argument("--flags", action="store_true")
    parser.add_argument("--floats", action="store_true")
    parser.add_argument("--nosync", action="store_true",
                        help="what is called doesn't wait for other threads; so in nests")
    parser.add_argument("--own-memory", action="store_true")
    args = parser.parse_args()
    out = sys.stdout
    out.write(re.sub(r"(?m)^(declare .*\))( noreturn)?$", r"\1 nosync\2", HEADER)
              if args.nests or args.flags or args.nosync else HEADER)
    out.write("@home = internal global i64 7\n")
    seeds = range(args.seed, args.seed + args.count)
    for seed in seeds:
        Function(seed, args.blocks, args.nests, args.own_memory, args.flags, args.floats).write(out)
    out.write("\n@tests = constant [%d x ptr] [%s]\n"
              % (args.count, ", ".join("ptr @f%d" % s for s in seeds)))


main()
