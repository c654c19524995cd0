#!/usr/bin/env python3
"""Is a uniform loop counter updated by a diverged warp? Reads one kernel's SASS (nvdisasm -c).

    nvdisasm -c kernel.cubin | uniform_counter.py FUNCTION

prints `ok` or `MISCOMPILES` with the instruction that shows it; exit status 2 if it can't tell.

 1. Instructions and branches give a graph; its largest strongly connected part is the outer loop.
 2. The counters are the uniform registers that the loop computes from themselves.
 3. One turn of the loop is followed from its head, where the warp is together:
      a branch on a predicate       parts the warp
      BSSY Bn, together             remembers the warp in Bn
      BSYNC Bn                      brings that warp together, if nobody left Bn by BREAK
      WARPSYNC                      brings it together
    A uniform instruction runs once for each part of a warp, so a counter updated, or the loop gone
    round, while the warp is apart, is wrong.

Branches on a predicate are taken to be divergent unless it is a uniform one, so the answer for
kernels at large would be too dark; it is exact for the two kernels of bench/check-ptxas.cu, whose
only uniform branches are those around the outer loop.
"""
import re
import sys
from collections import namedtuple

Instruction = namedtuple("Instruction", "address guard opcode operands")


class Undecided(Exception):
    pass


def read(lines, function):
    """The function's instructions, and the index of the instruction after each label."""
    code, labels, inside = [], {}, False
    for line in lines:
        if re.match(r"\s*\.section\s", line) or line.startswith("//-----"):
            inside = False
        if re.match(rf"\.text\.{re.escape(function)}:", line):
            inside = True
        if not inside:
            continue
        if label := re.match(r"(\.L_\w+):", line):
            labels[label[1]] = len(code)
        elif text := re.match(r"\s*/\*([0-9a-f]+)\*/\s+(@!?\w+\s+)?([\w.]+)\s*(.*?)\s*;", line):
            code.append(Instruction(int(text[1], 16), (text[2] or "").strip(), text[3], text[4]))
    if not code:
        raise Undecided(f"no code of {function}")
    return code, labels


def is_branch(instruction):
    return instruction.opcode.split(".")[0] == "BRA"


def is_conditional(instruction):
    """Guarded, or with a predicate among the operands, as in `BRA.U UP0, target`."""
    return instruction.guard not in ("", "@PT") or "," in instruction.operands


def parts_warp(instruction):
    predicates = re.findall(r"\bU?P\d\b", instruction.guard + " " + instruction.operands)
    return is_branch(instruction) and any(p[0] == "P" for p in predicates)


def successors(code, labels):
    result = []
    for i, instruction in enumerate(code):
        after = [i + 1] if i + 1 < len(code) else []
        name = instruction.opcode.split(".")[0]
        if is_branch(instruction):
            target = re.search(r"\.L_\w+", instruction.operands)
            if not target:
                raise Undecided(f"branch without a label at {instruction.address:#06x}")
            result.append([labels[target[0]]] + (after if is_conditional(instruction) else []))
        elif name in ("EXIT", "RET"):
            result.append(after if instruction.guard else [])
        elif name in ("BRX", "JMX", "JMP", "CALL"):
            raise Undecided(f"{name} at {instruction.address:#06x}")
        else:
            result.append(after)
    return result


def reachable(start, follow):
    seen, work = set(), list(start)
    while work:
        i = work.pop()
        if i not in seen:
            seen.add(i)
            work += follow[i]
    return seen


def outer_loop(follow):
    """The largest set of instructions that all reach one another, and its only entry."""
    live = reachable([0], follow)
    back = [[] for _ in follow]
    for i in live:
        for j in follow[i]:
            back[j].append(i)
    best, left = set(), set(live)
    while left:
        i = min(left)
        component = reachable(follow[i], follow) & reachable(back[i], back) | {i}
        if len(component) > 1:
            best = max(best, component, key=len)
        left -= component
    heads = {j for i in live - best for j in follow[i] if j in best}
    if len(heads) != 1:
        raise Undecided("no outer loop with one entry")
    head = heads.pop()
    inner = best - {head}
    if not any(i in reachable([j for j in follow[i] if j in inner],
                              [[k for k in f if k in inner] for f in follow]) for i in inner):
        raise Undecided("no loop inside the outer loop")
    return best, head


def counter_updates(code, loop):
    """Instructions that compute a uniform register from itself, in one step or several."""
    feeds = {}
    writes = {}
    for i in loop:
        registers = re.findall(r"\bUR\d+\b", code[i].operands)
        if code[i].opcode.startswith("U") and len(registers) > 1:
            writes[i] = registers[0], set(registers[1:])
            for source in registers[1:]:
                feeds.setdefault(source, set()).add(registers[0])

    def from_itself(register):
        seen, work = set(), list(feeds.get(register, ()))
        while work:
            r = work.pop()
            if r not in seen:
                seen.add(r)
                work += feeds.get(r, ())
        return register in seen

    return {i for i, (target, sources) in writes.items()
            if from_itself(target) and any(from_itself(s) for s in sources)}


def one_turn(code, follow, loop, head):
    """For each instruction, whether the warp is together before it, in a turn begun together.

    A state is (together, barriers): the barriers that hold the whole warp. States meet by `and`;
    both only ever shrink, so the work list ends.
    """
    deserted = {code[i].operands.split(",")[0] for i in loop if code[i].opcode == "BREAK"}

    def after(i, together, barriers):
        name = code[i].opcode.split(".")[0]
        barrier = code[i].operands.split(",")[0]
        if name == "BSSY":
            barriers = barriers | {barrier} if together and barrier not in deserted \
                else barriers - {barrier}
        elif name == "BSYNC" and barrier in barriers or name == "WARPSYNC":
            together = True
        elif parts_warp(code[i]):
            together = False
        return together, barriers

    before, work = {head: (True, frozenset())}, [head]
    while work:
        i = work.pop()
        state = after(i, *before[i])
        for j in follow[i]:
            if j not in loop or j == head:
                continue
            met = state if j not in before else (before[j][0] and state[0], before[j][1] & state[1])
            if before.get(j) != met:
                before[j] = met
                work.append(j)
    return {i: together for i, (together, _) in before.items()}


def judge(lines, function):
    code, labels = read(lines, function)
    follow = successors(code, labels)
    loop, head = outer_loop(follow)
    updates = counter_updates(code, loop)
    together = one_turn(code, follow, loop, head)
    latches = {i for i in loop if head in follow[i]}
    for i in sorted(updates):
        if not together[i] or not all(together[latch] for latch in latches):
            return f"MISCOMPILES ({code[i].opcode} {code[i].operands} at {code[i].address:#06x})"
    return "ok"


def main():
    try:
        print(judge(sys.stdin, sys.argv[1]))
    except Undecided as reason:
        print(f"uniform_counter.py: {sys.argv[1]}: {reason}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
