"""What must hold of every result, looked up in opt's text, without the plugin's own checkers.

  properties.py --tools DIR --plugin SO [--gpu] MODE;LEVEL FILE.ll ...

For each file, after `linearize<MODE;LEVEL>`:
- LLVM's verifier is content; in paper and all, verify<linearized> too;
- each call of a driver function (@effect, @value, @die, ...) stands there exactly as often as
  before: nothing was copied, nothing lost (calls in unreachable blocks may go);
- no guard decides on poison or undef, straight or through its phis;
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


def decides_on_poison(blks):
    """The first guard whose condition can be poison or undef by the guard's phis, or None.

    Other branches stand behind guards: where their condition is poison they don't run.
    """
    defs = {}
    for lines in blks.values():
        for line in lines:
            m = re.match(r"(%\S+) = (.*)", line)
            if m:
                defs[m.group(1)] = m.group(2)
    live = reachable(edges(blks), next(iter(blks)))
    for b in live:
        if not b.startswith("linearize.guard"):
            continue
        m = re.match(r"(?:br i1|switch i\d+) ([^,]+),", blks[b][-1])
        if not m:
            continue
        todo, seen = [m.group(1)], set()
        comparison = re.match(r"icmp \w+ i32 (%\S+),", defs.get(m.group(1), ""))
        if comparison:
            todo.append(comparison.group(1))
        while todo:
            v = todo.pop()
            if v in ("poison", "undef"):
                return b
            # A guard's own phis are called %next. The program's conditions, which set it, are not
            # poison in the blocks that do, whatever they are elsewhere.
            if v in seen or not v.startswith("%next") or v not in defs:
                continue
            seen.add(v)
            for value, block in re.findall(r"\[ ([^,]+), %([^ ]+) \]", defs[v]):
                if block in live:
                    todo.append(value)
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
