#!/usr/bin/env python3
"""Do PTX functions store the same before and after?

  interpret.py BEFORE.ptx AFTER.ptx [--threads N] [--stores N]

Runs each kernel of both, thread by thread, and compares what is stored, in order, up to so many stores,
and how it ends. It knows what generate.py writes, and what LLVM makes of it; of a register that nothing
has set it holds a value of its own in each run, so that whoever reads it is found. Shares no code
with lib/ptx.
"""
import argparse
import functools
import re
import sys

MASK = 0xFFFFFFFF
ELSEWHERE = 0x100000  # where all arrays in shared memory begin that are declared elsewhere


def number_in(word):
    """32 of .u32 and of .f16x2."""
    numbers = [int(number) for number in re.findall(r"\d+", word)]
    return numbers[0] * (numbers[1] if len(numbers) > 1 else 1)


def bytes_of(opcode):
    """Of an element, and how many elements there are."""
    vector = re.search(r"\.v(\d)", opcode)
    return number_in(opcode.split(".")[-1]) // 8, int(vector[1]) if vector else 1


class Function:
    """Instructions as lists of words; labels by name, as a scope sees them."""

    def __init__(self, text):
        self.code, self.label, self.table, self.registers, self.address = [], {}, {}, {}, {}
        at = 0x1000
        text = re.sub(r"//[^\n]*", "", text)
        text = re.sub(r"\.loc\b[^\n]*", "", text)
        scope, serial, stack = 0, 0, []
        self.parent = {0: None}
        for piece in re.findall(r"\{|\}|[\w$]+\s*:(?!\s*\.)|[^;{}:]+(?::\s*\.(?:branchtargets|callprototype)[^;]*)?;", text):
            piece = piece.strip()
            if piece == "{":
                serial += 1
                self.parent[serial] = scope
                stack.append(scope)
                scope = serial
            elif piece == "}":
                scope = stack.pop()
            elif piece.endswith(":"):
                name = (piece[:-1].strip(), scope)
                assert name not in self.label, "two labels " + piece
                self.label[name] = len(self.code)
            elif ".branchtargets" in piece:
                name, labels = piece.split(":")
                self.table[name.strip()] = re.findall(r"[\w$]+", labels.split(".branchtargets")[1])
            elif ".callprototype" in piece:
                continue
            elif piece.startswith(".reg"):
                own = self.registers.setdefault(scope, set())
                for name, count in re.findall(r"(%?\b[a-zA-Z]\w*)(?:<(\d+)>)?(?=\s*[,;])", piece):
                    own.update([name] if not count else [name + str(i) for i in range(int(count))])
            elif piece.startswith((".shared", ".local")):
                given, elements, bits, name, count = re.fullmatch(
                    r"\.\w+\s+(?:\.align\s+(\d+)\s+)?(?:\.v(\d)\s+)?\.(\w+)\s+(\w+)(?:\[(\d+)\])?\s*;",
                    piece).groups()
                size = number_in(bits) // 8 * int(elements or 1)
                align = int(given or size)
                at += (align - at) % (2 * align)
                self.address[name] = at
                at += size * int(count or 1)
            elif not piece.startswith("."):
                place = re.search(r"\[\s*([%\w]+)\s*\+?\s*(-?\d+)?\s*\]", piece)
                place = place and (self.own(place[1], scope), int(place[2] or 0))
                words = re.findall(r"@?!?[%$\w.\-]+", re.sub(r"\[[^\]]*\]", "", piece))
                self.code.append(([self.own(word, scope) for word in words], scope, place))

    def own(self, word, scope):
        """A register of an inner scope has a name of its own."""
        while scope is not None:
            if scope > 0 and word.lstrip("@!") in self.registers.get(scope, ()):
                return "%s_%d" % (word, scope)
            scope = self.parent[scope]
        return word

    def find(self, name, scope):
        while (name, scope) not in self.label:
            scope = self.parent[scope]
        return self.label[name, scope]


def signed(value):
    return value - (1 << 32) if value >> 31 else value


@functools.cache
def number_of(word):
    """What it says, if it is a number."""
    return int(word) & MASK if re.fullmatch(r"-?\d+", word) else None


def run(function, thread, stores, unset):
    """The values stored, and how the thread ended."""
    registers, out, at, steps, memory, passed = {}, [], 0, 0, {}, {}

    def read(word):
        number = number_of(word)
        if number is not None:
            return number
        if word == "%tid.x":
            return thread
        if word in function.address:
            return function.address[word]
        if re.fullmatch(r"dyn\d", word):
            return ELSEWHERE
        if word not in registers:
            registers[word] = hash((word, unset)) & (1 if "p" in word else MASK)
        return registers[word]

    operations = {
        "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
        "xor": lambda a, b: a ^ b, "and": lambda a, b: a & b, "or": lambda a, b: a | b,
        "shr": lambda a, b: a >> b, "rem": lambda a, b: a % b, "shl": lambda a, b: a << b,
    }
    compare = {"lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "eq": lambda a, b: a == b,
               "ne": lambda a, b: a != b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b}
    while len(out) < stores:
        steps += 1
        if steps > 1000 * stores:
            return out, "spins"
        if at >= len(function.code):
            return out, "returned"
        words, scope, place = function.code[at]
        at += 1
        if words[0].startswith("@"):
            taken = read(words[0].lstrip("@!")) != 0
            words = words[1:] if taken != ("!" in words[0]) else None
            if words is None:
                continue
        opcode, *operands = words
        name = opcode.split(".")[0]
        if name == "bra":
            at = function.find(operands[0], scope)
        elif name == "brx":
            at = function.find(function.table[operands[1]][read(operands[0])], scope)
        elif name in ("ret", "exit"):
            return out, "returned"
        elif name == "trap":
            return out, "trapped"
        elif opcode.startswith("st.param"):
            passed[place[0]] = read(operands[0])
        elif opcode.startswith("ld.param") and place[0].startswith("retval"):
            registers[operands[0]] = passed.get(place[0], hash((place[0], unset)) & MASK)
        elif name == "call":
            out.append(passed[operands[2]])
            passed[operands[0]] = (passed[operands[2]] * 1664525 + 12345) & MASK
        elif name in ("st", "ld") and re.search(r"\.(shared|local)\b", opcode):
            size, elements = bytes_of(opcode)
            first = read(place[0]) + place[1]
            if first % (size * elements) != 0:
                return out, "misaligned"
            for element, operand in enumerate(operands):
                near = range(first + size * element, first + size * (element + 1))
                if name == "ld":
                    registers[operand] = sum(memory.get(byte, 0) << 8 * i for i, byte in enumerate(near))
                    continue
                value = int(operand) if number_of(operand) is not None else read(operand)
                for i, byte in enumerate(near):
                    memory[byte] = value >> 8 * i & 255
        elif name == "st":
            out.append(read(operands[-1]))
        elif name == "ld":
            registers[operands[0]] = 0
        elif opcode == "not.pred":
            registers[operands[0]] = 1 - read(operands[1])
        elif opcode == "mov.pred":
            registers[operands[0]] = int(read(operands[1]) != 0)
        elif name in ("mov", "cvta"):
            registers[operands[0]] = read(operands[1])
        elif name == "setp":
            a, b = read(operands[1]) & MASK, read(operands[2]) & MASK
            if opcode.endswith(".s32"):
                a, b = (n - (n >> 31 << 32) for n in (a, b))
            registers[operands[0]] = int(compare[opcode.split(".")[1]](a, b))
        elif name == "selp":
            registers[operands[0]] = read(operands[1 if read(operands[3]) else 2])
        elif name == "bfe":  # unsigned
            value, first, width = map(read, operands[1:])
            registers[operands[0]] = value >> first & (1 << width) - 1
        elif name == "cvt":
            registers[operands[0]] = read(operands[1]) & (1 << int(opcode.split(".")[-2][1:])) - 1
        elif opcode == "mul.hi.u32":
            registers[operands[0]] = read(operands[1]) * read(operands[2]) >> 32
        elif name in ("min", "max"):
            a, b = read(operands[1]) & MASK, read(operands[2]) & MASK
            key = (lambda n: n - (n >> 31 << 32)) if opcode.endswith(".s32") else None
            registers[operands[0]] = (min if name == "min" else max)(a, b, key=key)
        elif name == "neg":
            registers[operands[0]] = -read(operands[1]) & MASK
        elif name == "not":
            registers[operands[0]] = ~read(operands[1]) & MASK
        elif name == "mad":
            registers[operands[0]] = (read(operands[1]) * read(operands[2]) + read(operands[3])) & MASK
        else:
            registers[operands[0]] = operations[name](read(operands[1]), read(operands[2])) & MASK
    return out, "cut off"


def functions(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    found = {}
    for match in re.finditer(r"\.entry\s+(\w+)\s*\([^)]*\)\s*\{", text):
        depth, at = 1, match.end()
        while depth > 0:
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
        found[match[1]] = Function(text[match.end():at - 1])
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--stores", type=int, default=100)
    options = parser.parse_args()
    before, after = functions(options.before), functions(options.after)
    assert before.keys() == after.keys() and before
    status = 0
    for name in before:
        for thread in range(options.threads):
            # Both sides see the same where nothing is set, and the new one something else once more.
            expected = run(before[name], thread, options.stores, 0)
            for unset in (0, 1):
                if expected[0] != run(before[name], thread, options.stores, unset)[0]:
                    continue  # the function itself reads what is not set
                found = run(after[name], thread, options.stores, unset)
                if found != expected:
                    print("%s, thread %d: %s\nis now %s" % (name, thread, expected, found))
                    status = 1
                    break
    return status


if __name__ == "__main__":
    sys.exit(main())
