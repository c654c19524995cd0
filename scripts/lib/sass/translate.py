"""Machine code of sm_90, as nvdisasm prints it, as C: each instruction is a loop over 32 lanes."""
import re

from arithmetic import arithmetic
from operands import Instruction, Unknown, integer, is_predicate, plain, predicate, register

# ---- memory

SIZES = {"U8": (1, False), "S8": (1, True), "U16": (2, False), "S16": (2, True), "64": (8, False),
         "128": (16, False)}


def address(text):
    """The address in brackets, and whether it is one of 64 bits."""
    inner = re.search(r"\[([^\[\]]*)\]$", text)[1]
    wide = "desc" in text or ".64" in inner
    total = []
    for sign, part in re.findall(r"(^|[+-])(-?[^+-]+)", inner):
        if part.startswith("0x") or part.startswith("-0x"):
            total.append(f"(uint64_t){'-' if sign == '-' else ''}({int(part, 16)})")
        elif wide and part.startswith("R") and part != "RZ":
            total.append(f"pair({plain(part)}, {plain(part, 1)})")
        elif wide and part.startswith("UR") and not part.startswith("URZ"):
            total.append(f"pair({plain(part)}, {plain(part, 1)})")
        else:
            scale = re.search(r"\.X(\d+)", part)
            total.append(f"(uint64_t){plain(part)}" + (f" * {scale[1]}" if scale else ""))
    return " + ".join(total) or "0"


def memory(i):
    space = {"G": "", "L": "w->local[l] + (uint32_t)", "S": "w->shared + (uint32_t)"}[i.name[-1]] \
        if len(i.name) == 3 else ""
    size, signed = next((SIZES[m] for m in i.words if m in SIZES), (4, False))
    is_load = i.name.startswith("LD")
    place, value = (i.operands[1], i.operands[0]) if is_load else (i.operands[0], i.operands[1])
    at = f"{space}({address(place)})" if space else f"(uint8_t *)({address(place)})"
    lines = [f"FOR if (w->A[l] & {i.guard or '1u'}) {{ uint8_t *at = {at}; (void)at;"]
    if is_load and size < 4:
        kind = f"{'' if signed else 'u'}int{8 * size}_t"
        lines.append(f"{kind} x; memcpy(&x, at, {size});")
        if register(value) != "0u":
            lines.append(f"{register(value)} = (uint32_t)(int32_t)x;")
    elif is_load:
        for part in range(size // 4):
            if register(value) != "0u":
                lines.append(f"uint32_t x{part}; memcpy(&x{part}, at + {4 * part}, 4);")
        if register(value) != "0u":
            lines += [f"{register(value, part)} = x{part};" for part in range(size // 4)]
    else:
        for part in range(max(size // 4, 1)):
            lines.append(f"uint32_t x{part} = {plain(value, part)}; "
                         f"memcpy(at + {4 * part}, &x{part}, {min(size, 4)});")
    return " ".join(lines) + " }"


def load_constant(i):
    """LDC, ULDC."""
    match = re.fullmatch(r"c\[0x([0-9a-f]+)\]\[(.*)\]", i.operands[1])
    bank, inner = match.groups()
    size, signed = next((SIZES[m] for m in i.words if m in SIZES), (4, False))
    at = " + ".join(plain(p) if not p.startswith("-") else integer(p)
                    for p in re.findall(r"-?[^+-]+", inner))
    at = f"on ? {at} : 0u"  # lanes that are off have any number there
    base = "bank0" if bank == "0" else f"bank{int(bank, 16)}_{i.function.replace('$', '_')}"
    results = []
    for part in range(max(size // 4, 1)):
        kind = "uint32_t" if size >= 4 else f"{'' if signed else 'u'}int{8 * size}_t"
        results.append((part, f"({{ {kind} x; memcpy(&x, {base} + ({at}) + {4 * part}, sizeof x); "
                              f"(uint32_t)x; }})"))
    body = " ".join(f"uint32_t v{part} = {value};" for part, value in results)
    body += " ".join(f" {register(i.operands[0], part)} = on ? v{part} : "
                     f"{register(i.operands[0], part)};" for part, _ in results)
    if i.name == "ULDC":
        return f"{{ int l = 0; (void)l; uint32_t on = {i.guard or '1u'}; {body} }}"
    return f"FOR {{ uint32_t on = w->A[l] & {i.guard or '1u'}; {body} }}"


# ---- control flow

CONTROL = {"BRA", "BRX", "EXIT", "BSYNC", "CALL", "RET", "WARPSYNC", "JMP", "KILL", "YIELD"}


def condition(i):
    parts = [i.guard or "1u"] + [predicate(o) for o in i.operands if is_predicate(o)]
    return " & ".join(parts)


def label_of(i):
    match = re.search(r"`\((.*?)\)", " ".join(i.operands))
    return match[1]


def control(i, program):
    taken = f"uint32_t t = 0; FOR t |= (w->A[l] & {condition(i)}) << l;"
    after = i.index + 1
    if i.name == "EXIT":
        return (f"{{ {taken} w->live &= ~t; if (t == w->mask) GO(next(w)); if (t != 0) "
                f"{{ activate(w, w->mask & ~t); }} }}")
    if i.name in ("BRA", "CALL", "JMP"):
        target = program.labels[label_of(i)]
        if i.has("DIV"):
            return f"{{ if (w->mask != w->live) GO({target}); }}"
        return (f"{{ {taken} if (t == w->mask) GO({target}); if (t != 0) {{ "
                f"push(w, t, {target}, NOBODY); activate(w, w->mask & ~t); }} }}")
    if i.name in ("RET", "BRX"):
        if i.name == "RET":
            base, text = program.bases[label_of(i)], i.operands[0]
        else:
            base, text = program.address_of(i) + 16, i.operands[0]
        match = re.match(r"(R\d+)\s*(-?0x[0-9a-f]+)?", text)
        offset = int(match[2] or "0", 16)
        again = f"if (rest != all) {{ issued[{i.index}]++; lanes[{i.index}] += popc(rest); }}"
        stays = f"FOR if (!({i.guard})) rest &= ~(1u << l); push(w, w->mask & ~rest, {after}, NOBODY);" \
            if i.guard else ""
        return (f"{{ uint32_t rest = w->mask, all; {stays} for (all = rest; rest != 0;) {{ {again} "
                f"uint32_t to = w->R[{match[1][1:]}][__builtin_ctz(rest)], t = 0; "
                f"FOR t |= (rest >> l & 1 & (w->R[{match[1][1:]}][l] == to)) << l; rest &= ~t; "
                f"push(w, t, (uint32_t)(to + {base + offset}) / 16, NOBODY); }} GO(next(w)); }}")
    if i.name == "BSYNC":
        barrier = next(o for o in i.operands if re.fullmatch(r"B\d+", o))[1:]
        return (f"{{ {taken} push(w, t, {i.index}, {barrier}); "
                f"push(w, w->mask & ~t, {after}, NOBODY); GO(next(w)); }}")
    if i.name == "WARPSYNC":
        return f"{{ push(w, w->mask, {i.index}, EVERYBODY); GO(next(w)); }}"
    if i.name == "YIELD":
        return f"{{ if (w->num_others > 0) {{ rotate(w, {after}); GO(next(w)); }} }}"
    raise Unknown(i.text)


def barrier(i):
    on = f"w->A[l] & {i.guard or '1u'}"
    if i.name == "BSSY":
        return f"{{ FOR if ({on}) w->B[{i.operands[0][1:]}][l] = w->mask; }}"
    if i.name == "BREAK":
        number = next(o for o in i.operands if re.fullmatch(r"B\d+", o))[1:]
        return (f"{{ uint32_t t = 0; FOR t |= (w->A[l] & {condition(i)}) << l; "
                f"FOR w->B[{number}][l] &= ~t; if (t) release(w, 0); }}")
    if i.name == "BMOV":
        to, source = i.operands
        if to.startswith("B"):
            return f"{{ FOR if ({on}) w->B[{to[1:]}][l] = {plain(source)}; }}"
        clear = f" w->B[{source[1:]}][l] = 0;" if i.has("CLEAR") else ""
        return f"{{ FOR if ({on}) {{ {register(to)} = w->B[{source[1:]}][l];{clear} }} }}"
    raise Unknown(i.text)


def vote(i):
    mode = i.words[1]
    rest = list(i.operands)
    outputs = [o for o in rest[:-1]]
    value = rest[-1]
    test = f"uint32_t ballot = 0; FOR ballot |= (w->A[l] & {predicate(value)}) << l;"
    flag = {"ANY": "ballot != 0", "ALL": "ballot == w->mask",
            "EQ": "ballot == 0 || ballot == w->mask"}[mode]
    sets = []
    for o in outputs:
        expression = f"(uint32_t)({flag})" if is_predicate(o) else "ballot"
        if o in ("PT", "UPT", "RZ", "URZ"):
            continue
        if is_predicate(o):
            target = predicate(o)
        else:
            target = register(o)
        if o.startswith("U"):
            sets.append(f"{target} = {expression};")
        else:
            sets.append(f"FOR {target} = w->A[l] ? {expression} : {target};")
    return f"{{ {test} {' '.join(sets)} }}"


def match_all(i):
    """MATCH.ALL flag, lanes, value: of a lane's own value, whether all have it, and who has."""
    flag, lanes, value = i.operands
    test = (f"uint32_t one = 0, same = 1; {{ int l = __builtin_ctz(w->mask); one = {plain(value)}; }} "
            f"FOR same &= !w->A[l] | ({plain(value)} == one);")
    sets = [f"FOR {predicate(flag)} = w->A[l] ? same : {predicate(flag)};"] if flag != "PT" else []
    if lanes != "RZ":
        sets.append(f"FOR {register(lanes)} = w->A[l] ? same * w->mask : {register(lanes)};")
    return f"{{ {test} {' '.join(sets)} }}"


def statement(i, program):
    if i.name in ("NOP", "DEPBAR", "CCTL", "ERRBAR", "MEMBAR", "NANOSLEEP"):
        return ";"
    if i.name in CONTROL:
        return control(i, program)
    if i.name in ("BSSY", "BREAK", "BMOV"):
        return barrier(i)
    if i.name in ("LDC", "ULDC"):
        return load_constant(i)
    if i.name in ("LDG", "STG", "LDL", "STL", "LDS", "STS", "LD", "ST"):
        return memory(i)
    if i.name in ("VOTE", "VOTEU"):
        return vote(i)
    if i.name == "MATCH" and i.words[1] == "ALL":
        return match_all(i)
    if i.name == "R2UR":
        return f"{{ int l = __builtin_ctz(w->mask); {register(i.operands[0])} = " \
               f"{plain(i.operands[1])}; }}"
    return arithmetic(i)


# ---- programs

class Program:
    """All functions of a cubin, their instructions numbered as one."""

    def __init__(self, assembly):
        self.instructions, self.labels, self.bases, self.banks = [], {}, {}, {}
        section, name = None, None
        for line in assembly.splitlines():
            match = re.match(r'\s*\.section\s+(\S+?),', line)
            if match:
                section = match[1]
                if section.startswith(".text."):
                    name = section[6:]
                    self.bases[name] = 16 * len(self.instructions)
                continue
            if section is None:
                continue
            if section.startswith(".text."):
                self.read_code(line, name)
            elif section.startswith(".nv.constant"):
                self.read_data(line, section[12:])
        for number, instruction in enumerate(self.instructions):
            instruction.index = number

    def address_of(self, instruction):
        return 16 * instruction.index

    def read_code(self, line, name):
        match = re.match(r"([.$\w]+):", line)
        if match:
            self.labels[match[1]] = len(self.instructions)
            if not match[1].startswith(".L"):
                self.bases.setdefault(match[1], 16 * len(self.instructions))
            return
        match = re.search(r"/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;", line)
        if match:
            text = re.sub(r"\s*\(\*.*?\*\)", "", match[2])
            self.instructions.append(Instruction(name, int(match[1], 16), text))

    def read_data(self, line, which):
        number, _, function = which.partition(".")
        data = self.banks.setdefault((int(number), function), bytearray())
        match = re.search(r"\.(byte|short|word|dword|zero)\s+(.*)", line)
        if not match:
            return
        if match[1] == "zero":
            data.extend(bytes(int(match[2], 0)))
            return
        size = {"byte": 1, "short": 2, "word": 4, "dword": 8}[match[1]]
        for value in match[2].split(","):
            data.extend((int(value, 0) & (1 << 8 * size) - 1).to_bytes(size, "little"))


def ends_block(i):
    return i.name in CONTROL


def as_c(program, kernel):
    """The C text: banks, and `run`, which runs a warp from the kernel's first instruction."""
    count = len(program.instructions)
    text = [f"#define NUM_INSTRUCTIONS {count}", '#include "warp.h"',
            "#define FOR for (int l = 0; l < LANES; l++)",
            "#define GO(to) do { pc = (to); goto again; } while (0)"]
    for (number, function), data in program.banks.items():
        if number != 0:
            name = f"bank{number}_{function.replace('$', '_')}"
            text.append(f"static const uint8_t {name}[] = {{{', '.join(map(str, data))}}};")
    text.append("static void run(warp *w) { uint32_t pc = START;\nagain: switch (pc) {".replace(
        "START", str(program.labels[kernel])))
    starts = set(program.labels.values()) | {0}
    starts |= {i.index + 1 for i in program.instructions if ends_block(i)}
    offsets = {base // 16 for base in program.bases.values()}
    starts |= offsets
    # Where a RET or a BRX may go: anything that a MOV or a table of offsets says; behind a CALL.
    for (number, _), data in program.banks.items():
        if number == 2:
            for k in range(0, len(data) - 3, 4):
                value = int.from_bytes(data[k:k + 4], "little")
                if value % 16 == 0:
                    starts |= {(base + value) // 16 for base in program.bases.values()}
    for i in program.instructions:
        if i.name == "MOV" and re.fullmatch(r"0x[0-9a-f]+0", i.operands[-1]):
            starts |= {program.bases[i.function] // 16 + int(i.operands[-1], 16) // 16}
    block = []

    def flush():
        if block:
            first, last = block[0].index, block[-1].index
            before = program.instructions[first - 1].name if first > 0 else ""
            if before == "BRA":  # for who comes straight on
                text.append(f"join_last(w, {first});")
            text.append(f"case {first}: issued[{first}]++; lanes[{first}] += popc(w->mask);")
            for i in block:
                text.append(f"  // {i.text}")
                try:
                    text.append("  " + statement(i, program))
                except (Unknown, ValueError, KeyError, TypeError, AttributeError, IndexError,
                        StopIteration) as error:
                    text.append(f'  fprintf(stderr, "not known here: {i.text}\\n"); exit(3);')
            block.clear()
            return last
        return None

    sizes = {}
    starts |= {i.index for i in program.instructions if i.name in ("BRX", "RET")}
    for i in program.instructions:
        if i.index in starts:
            flush()
        block.append(i)
        sizes[block[0].index] = len(block)
    flush()
    text.append("default: if (pc == UINT32_MAX) return; fprintf(stderr, \"at %u\\n\", pc); exit(4); } }")
    table = ", ".join(str(sizes.get(n, 0)) for n in range(count))
    text.append(f"static const uint32_t block_length[] = {{{table}}};")
    return "\n".join(text) + "\n"
