"""Blocks that nothing reaches, in the text of a module.

  dead.py < FILE.ll

adds some to every second function: alone, in cycles, with edges to each other and to blocks that are
reached, once or several times, whose phis get values from them, values of blocks that are reached too.
LLVM's verifier has nothing against that. The same text gives the same text.
"""

import random
import re
import sys

LABEL = re.compile(r'(?m)^([-\w.$]+|"[^"]*"):')
PHI = re.compile(r"^\s*(%\S+) = phi (?:(?:fast|n\w+|arcp|contract|afn|reassoc) )*(.*?) \[ .*$")
FUNCTION = re.compile(r"(?ms)^define [^\n]*?@([\w.$]+)\(.*?^\}\n")


def bodies(text):
    """The functions of a module by name, without comments, numbers of attributes and metadata."""
    text = re.sub(r" +;.*| #\d+(?=[ \n])|, ![\w.]+ !\d+", "", text)
    return {match.group(1): match.group(0) for match in FUNCTION.finditer(text)}


def blocks_of(body):
    """The blocks of a function without its braces: lists of a label, None if there is none, and lines."""
    blocks = [[None, []]]
    for line in body.split("\n"):
        label = LABEL.match(line)
        if label and blocks[-1] == [None, []]:
            blocks.pop()
        if label:
            blocks.append([label.group(1), []])
        elif line.strip():
            blocks[-1][1].append(line)
    return blocks


def inside(function):
    """What is between the braces of a function, and where it begins."""
    start = re.search(r"\{\n", function).end()
    return function[start:function.rindex("}")], start


def unreached(function):
    """The labels of a function's blocks that nothing reaches."""
    blocks = blocks_of(inside(function)[0])
    to = {label: re.findall(r'label %([-\w.$]+|"[^"]*")', "\n".join(
        line for line in lines if " = phi " not in line)) for label, lines in blocks}
    seen, todo = {blocks[0][0]}, [blocks[0][0]]
    while todo:
        for label in to.get(todo.pop(), []):
            if label not in seen:
                seen.add(label)
                todo.append(label)
    return [label for label, _ in blocks if label not in seen]


def value_of(rng, values, ty):
    """A value of that type: a phi of the function, or poison."""
    found = [name for name, other in values if other == ty]
    return rng.choice(found) if found and rng.random() < 0.7 else "poison"


def terminator(rng, targets):
    """Some edges to some of them, as text and as a list."""
    to = [rng.choice(targets) for _ in range(rng.choice([1, 2, 2, 3, 4]))]
    if len(to) == 1:
        return "  br label %%%s" % to[0], to
    if len(to) == 2:
        return "  br i1 %s, label %%%s, label %%%s" % (rng.choice(["true", "poison"]), *to), to
    cases = " ".join("i32 %d, label %%%s" % pair for pair in enumerate(to[1:]))
    return "  switch i32 %d, label %%%s [ %s ]" % (rng.randrange(4), to[0], cases), to


def add_to(rng, body):
    """A function's text between its braces, with some more blocks."""
    blocks = blocks_of(body)
    values = [PHI.match(line).group(1, 2) for _, lines in blocks for line in lines if PHI.match(line)]
    names = ["dead.%d" % i for i in range(rng.randrange(1, 4))]
    targets = [label for label, _ in blocks[1:]] + names
    added = [(name, *terminator(rng, targets)) for name in names]
    into = {}
    for name, _, to in added:
        for label in to:
            into.setdefault(label, []).append(name)
    for label, lines in blocks:
        for i, line in enumerate(lines):
            if label in into and PHI.match(line):
                value = {name: value_of(rng, values, PHI.match(line).group(2)) for name in names}
                ways = "".join(", [ %s, %%%s ]" % (value[name], name) for name in into[label])
                lines[i] = re.sub(r"\](?=[^\]]*$)", "]" + ways, line, count=1)
    for name, end, _ in added:
        lines = []
        if name in into and values and rng.random() < 0.7:
            _, ty = rng.choice(values)
            value = {other: value_of(rng, values, ty) for other in names}
            lines.append("  %%%s.phi = phi %s %s" % (name, ty, ", ".join(
                "[ %s, %%%s ]" % (value[other], other) for other in into[name])))
        blocks.append([name, lines + [end]])
    return "".join(("%s:\n" % label if label else "") + "".join(line + "\n" for line in lines)
                   for label, lines in blocks)


def add_dead(text):
    rng, parts, last = random.Random(len(text)), [], 0
    for number, match in enumerate(FUNCTION.finditer(text)):
        if number % 2 == 0:
            continue
        body, start = inside(match.group(0))
        start += match.start()
        parts += [text[last:start], add_to(rng, body)]
        last = start + len(body)
    return "".join(parts) + text[last:]


if __name__ == "__main__":
    sys.stdout.write(add_dead(sys.stdin.read()))
