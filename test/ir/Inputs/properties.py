"""What must hold of every result, looked up in opt's text, without the plugin's own checkers.

  properties.py --tools DIR --plugin SO [--gpu] MODE;LEVEL FILE.ll ...

For each file, after `linearize<MODE;LEVEL>`:
- LLVM's verifier is content; in paper and all, verify<linearized> too;
- each call of a driver function (@effect, @value, @die, ...) stands there exactly as often as
  before: nothing was copied, nothing lost (calls in unreachable blocks may go);
- no thread comes to a guard that decides on poison or undef there;
- phis have neither in functions that were changed, but those of predicates;
- a function has at most 2n + r + 1 blocks, r being the edges inside its loops;
- in needed and paper, a second run changes nothing.
"""

import argparse
import collections
import re
import subprocess
import sys


def strip(text):
    return re.sub(r"\s*;.*", "", text or "")


def functions(text):
    """name -> lines of the body"""
    found, name = {}, None
    for line in text.split("\n"):
        m = re.match(r"define .*?@([\w.$]+)\(", line)
        if m:
            name = m.group(1)
            found[name] = []
        elif line == "}":
            name = None
        elif name:
            found[name].append(line.split(";")[0].rstrip())
    return found


def blocks(body):
    """label -> lines; the first block may have no label"""
    found, label = collections.OrderedDict(), "<entry>"
    joined = re.sub(r"\n\s*(i\d+ (?:-?\d+|true|false), label)", r" \1", "\n".join(body))
    joined = re.sub(r"\n\s*\]", " ]", joined)
    for line in joined.split("\n"):
        m = re.match(r'("[^"]+"|[\w.$-]+):$', line)
        if m:
            label = m.group(1)
            found.setdefault(label, [])
        elif line.strip():
            found.setdefault(label, []).append(line.strip())
    return found


def edges(blks):
    return {b: re.findall(r'label %("[^"]+"|[\w.$-]+)', lines[-1]) for b, lines in blks.items()}


def reachable(succ, start):
    seen, todo = {start}, [start]
    while todo:
        for e in succ[todo.pop()]:
            if e not in seen:
                seen.add(e)
                todo.append(e)
    return seen


def calls(blks):
    live = reachable(edges(blks), next(iter(blks)))
    found = collections.Counter()
    for b in live:
        for line in blks[b]:
            m = re.search(r"call .*?@((?:effect|value|die|bit|pick|leaf)\b[^,)]*)", line)
            if m:  # operands may have got other names; constants tell calls apart
                found[re.sub(r"%.*", "", m.group(1))] += 1
    return found


class Undecided(Exception):
    """A walk needs to know an atom: a value that the program computes."""

    def __init__(self, atom, choices):
        self.atom, self.choices = atom, choices


class Walk:
    """One way from a block of the program through guards, as far as the next block of the program.

    What guards test is evaluated exactly; what the program computes are atoms, which the caller
    assumes to be one thing or the other.
    """
    MOST_WAYS = 2000  # from one block

    def __init__(self, blks):
        self.blks = blks
        self.defs, self.constants = {}, collections.defaultdict(set)
        for lines in blks.values():
            for line in lines:
                line = re.sub(r", !.*", "", line)
                m = re.match(r"(%\S+) = (.*)", line)
                if m:
                    self.defs[m.group(1)] = m.group(2)
                m = re.search(r"icmp (?:samesign )?\w+ i\d+ (%\S+), (-?\d+)$", line)
                if m:
                    self.constants[m.group(1)].add(int(m.group(2)))
                m = re.match(r"switch i\d+ (%\S+),", line)
                if m:
                    self.constants[m.group(1)].update(map(int, re.findall(r"i\d+ (-?\d+), label", line)))

    def atom(self, name, choices):
        if name not in self.assumed:
            raise Undecided(name, choices)
        return self.assumed[name]

    def number(self, name):
        """An integer that the program computes: one of those that it is compared with, or another."""
        known = self.constants[name]
        return self.atom(name, sorted(known) + [max(known, default=0) + 1])

    def value(self, v):
        """An integer, or None: poison."""
        v = self.local.get(v, v)
        if v in ("true", "false"):
            return int(v == "true")
        if v in ("poison", "undef"):
            return None
        if re.match(r"-?\d+$", v):
            return int(v)
        d = self.defs.get(v, "")
        m = re.match(r"(xor|and|or) i1 (\S+), (\S+)$", d)
        if m:
            a, b = self.value(m.group(2)), self.value(m.group(3))
            return None if None in (a, b) else {"xor": a ^ b, "and": a & b, "or": a | b}[m.group(1)]
        m = re.match(r"select i1 (\S+), i\d+ (\S+), i\d+ (\S+)$", d)
        if m:
            c = self.value(m.group(1))
            return None if c is None else self.value(m.group(2 if c else 3))
        m = re.match(r"icmp (?:samesign )?(eq|ne|ult|ule|ugt) i\d+ (%\S+), (-?\d+)$", d)
        if m:
            a, b = self.value(m.group(2)), int(m.group(3))
            return None if a is None else int({"eq": a == b, "ne": a != b, "ult": a < b, "ule": a <= b,
                                               "ugt": a > b}[m.group(1)])
        m = re.match(r"sub i32 (\S+), (\d+)$", d)
        if m:
            a = self.value(m.group(1))
            return None if a is None else (a - int(m.group(2))) % 2 ** 32
        m = re.match(r"(?:zext|trunc)(?: \w+)* i\d+ (\S+) to i\d+$", d)
        if m:
            return self.value(m.group(1))
        if d.startswith(("icmp", "fcmp")) or v not in self.constants:
            return self.atom(v, [0, 1])
        return self.number(v)

    def step(self, b):
        """Where the block leads, None if that depends on poison."""
        end = self.blks[b][-1]
        labels = re.findall(r'label %("[^"]+"|[\w.$-]+)', end)
        m = re.match(r"(?:br i1|switch i\d+) (\S+),", end)
        if not m:
            return labels[0] if labels else ""
        v = self.value(m.group(1))
        if v is None:
            return None
        if end.startswith("br"):
            return labels[0 if v else 1]
        cases = list(map(int, re.findall(r"i\d+ (-?\d+), label", end)))
        return labels[cases.index(v) + 1] if v in cases else labels[0]

    def go(self, start, assumed):
        """The guard that decides on poison, or None."""
        self.local, self.assumed, at = {}, assumed, start
        while True:
            to = self.step(at)
            if to is None:
                return at if at != start else None
            if not to.startswith("linearize."):
                return None
            joined = {}
            for line in self.blks[to]:
                m = re.match(r"(%\S+) = phi ", line)
                if m:
                    for value, block in re.findall(r"\[ ([^,]+), %([^ ]+) \]", line):
                        if block == at:
                            joined[m.group(1)] = self.local.get(value, value)
            self.local.update(joined)
            at = to

    def find_poison(self, start):
        todo = [{}]
        for _ in range(self.MOST_WAYS):
            if not todo:
                return None
            assumed = todo.pop()
            try:
                where = self.go(start, assumed)
            except Undecided as u:
                todo += [dict(assumed, **{u.atom: choice}) for choice in u.choices]
                continue
            if where:
                return where
        return None


def decides_on_poison(blks):
    """The first guard that a thread comes to which tests poison or undef there, or None."""
    walk = Walk(blks)
    for b in reachable(edges(blks), next(iter(blks))):
        if not b.startswith("linearize."):
            where = walk.find_poison(b)
            if where:
                return where
    return None


def undefined_phi(body):
    """One that has poison or undef, and is no predicate, or None."""
    for line in body:
        m = re.match(r"\s+(%\S+) = phi (?!i1 ).*\[ (?:poison|undef), ", line)
        if m:
            return m.group(1)
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tools", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--gpu", action="store_true")
    parser.add_argument("config")
    parser.add_argument("files", nargs="+")
    args = parser.parse_intermixed_args()
    mode = args.config.split(";")[0]
    gpu = ["-mtriple=nvptx64-nvidia-cuda", "-mcpu=sm_75"] if args.gpu else []
    bad = 0

    def opt(passes, text):
        command = [args.tools + "/opt", "-S"] + gpu
        if "linearize" in passes:
            command += ["-load-pass-plugin=" + args.plugin]
        done = subprocess.run(command + ["-passes=" + passes, "-"], input=text,
                              capture_output=True, text=True)
        if done.returncode:
            sys.stdout.write("%s: opt -passes='%s' ended with %d\n%s\n"
                             % (path, passes, done.returncode, done.stderr[-3000:]))
            return None
        return done.stdout

    for path in args.files:
        with open(path) as f:
            source = opt("verify", f.read())
        passes = "linearize<%s;any-target>,verify" % args.config
        if mode in ("paper", "all"):
            passes += ",verify<linearized>"
        after = opt(passes, source)
        if after is None:
            bad += 1
            continue

        def complain(name, what):
            nonlocal bad
            bad += 1
            sys.stdout.write("%s: @%s: %s\n" % (path, name, what))

        old = functions(source)
        for name, body in functions(after).items():
            was, now = blocks(old[name]), blocks(body)
            undefined = undefined_phi(body) if body != old[name] else None
            if undefined:
                complain(name, "phi %s is undefined on some ways" % undefined)
            if calls(was) != calls(now):
                complain(name, "calls before only %s, after only %s"
                         % (dict(calls(was) - calls(now)), dict(calls(now) - calls(was))))
            where = decides_on_poison(now)
            if where and not decides_on_poison(was):
                complain(name, "block %s decides on poison" % where)
            succ = edges(was)
            live = reachable(succ, next(iter(was)))
            inner = sum(1 for b in live for e in set(succ[b]) if b in reachable(succ, e))
            after_live = len(reachable(edges(now), next(iter(now))))
            if after_live > 2 * len(live) + inner + 1:
                complain(name, "%d blocks made of %d" % (after_live, len(live)))
        if mode in ("paper", "needed"):
            again = opt("linearize<%s;any-target>" % args.config, after)
            # Both read from the same text, without the comments, whose order hangs on use lists.
            once = opt("verify", after)
            if strip(again) != strip(once):
                complain("*", "a second run changes something")
    sys.exit(1 if bad else 0)


main()
