"""Machine code of sm_90, as nvdisasm prints it, as C: each instruction is a loop over 32 lanes."""
import re
import struct


class Unknown(Exception):
    """An instruction that nobody has written down here."""


class Instruction:
    def __init__(self, function, address, text):
        self.function, self.address, self.text = function, address, text
        match = re.match(r"(?:@(!?)(U?P[0-9T]+)\s+)?(\S+)\s*(.*)$", text)
        self.guard = predicate((match[1] or "") + match[2]) if match[2] else None
        self.words = match[3].split(".")
        self.name = self.words[0]
        self.modifiers = set(self.words[1:])
        operands = re.sub(r"\.reuse", "", match[4])
        self.operands = [o.strip() for o in split_operands(operands)]
        self.index = None

    def has(self, modifier):
        return modifier in self.modifiers


def split_operands(text):
    """At commas outside of brackets and parentheses."""
    parts, depth, part = [], 0, ""
    for c in text:
        depth += (c in "[(") - (c in "])")
        if c == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += c
    return parts + [part] if part.strip() else parts


# ---- operands

def predicate(text):
    text = text.strip()
    if text.startswith("!"):
        return f"(1u ^ {predicate(text[1:])})"
    if text in ("PT", "UPT"):
        return "1u"
    if text.startswith("UP"):
        return f"w->UP[{text[2:]}]"
    return f"w->P[{text[1:]}][l]"


def is_predicate(text):
    return re.fullmatch(r"!?U?P[0-7T]", text.strip()) is not None


def float_bits(text):
    special = {"+INF": 0x7f800000, "-INF": 0xff800000, "INF": 0x7f800000, "+QNAN": 0x7fffffff,
               "-QNAN": 0xffffffff, "QNAN": 0x7fffffff, "+SNAN": 0x7fbfffff}
    if text in special:
        return special[text]
    return struct.unpack("<I", struct.pack("<f", float(text)))[0]


def register(name, part=0):
    name = re.sub(r"\.(reuse|64|H0_H0|X4|X8|X16|U32|NP)", "", name)
    if name in ("RZ", "URZ"):
        return "0u"
    kind, number = re.fullmatch(r"(U?R)(\d+)", name).groups()
    if kind == "UR":
        return f"w->UR[{int(number) + part}]"
    return f"w->R[{int(number) + part}][l]"


def plain(text, part=0, real=False):
    """An operand without signs, as an expression of 32 bits."""
    text = text.strip()
    if re.match(r"U?R(\d|Z)", text):
        return register(text, part)
    match = re.fullmatch(r"c\[0x0\]\[0x([0-9a-f]+)\]", text)
    if match:
        return f"constant({int(match[1], 16) + 4 * part})"
    if text == "c[0x0][RZ]":
        return "constant(0)"
    if re.fullmatch(r"0x[0-9a-f]+", text):
        value = int(text, 16)
        return f"{value >> 32 * part & 0xffffffff:#x}u"
    if real:
        return f"{float_bits(text):#x}u"
    raise Unknown(f"operand {text}")


def integer(text, part=0):
    text = text.strip()
    if text.startswith("-0x"):
        return f"{(-int(text[1:], 16) >> 32 * part) & 0xffffffff:#x}u"
    if text.startswith("-"):
        return f"(0u - {plain(text[1:], part)})"
    if text.startswith("~"):
        return f"(~{plain(text[1:], part)})"
    if text.startswith("|"):
        return f"({plain(text[1:-1])} & 0x80000000u ? 0u - {plain(text[1:-1])} : {plain(text[1:-1])})"
    return plain(text, part)


def long(text):
    """64 bits of a pair of registers."""
    sign = text.strip().startswith("-")
    inner = text.strip().lstrip("-")
    if inner.startswith("0x"):
        return f"{int(inner, 16) * (-1 if sign else 1) & (1 << 64) - 1:#x}ull"
    value = f"pair({plain(inner)}, {plain(inner, 1)})"
    return f"(0ull - {value})" if sign else value


def addend(text):
    """For sums whose carry counts: -x is what carries when x is 0."""
    text = text.strip()
    if text.startswith("-") and not text.startswith("-0x"):
        return f"((uint64_t)~{plain(text[1:])} + 1)"
    return f"(uint64_t){integer(text)}"


def real(text, flush=False):
    text = text.strip()
    if re.fullmatch(r"[-+]?(\d.*|INF|QNAN|SNAN)", text) and not text.startswith("0x"):
        value = f"{float_bits(text):#x}u"
    elif text.startswith("-|"):
        value = f"(0x80000000u | {plain(text[2:-1])})"
    elif text.startswith("-"):
        value = f"(0x80000000u ^ {plain(text[1:])})"
    elif text.startswith("|"):
        value = f"(0x7fffffffu & {plain(text[1:-1])})"
    else:
        value = plain(text)
    return f"as_float(ftz({value}))" if flush else f"as_float({value})"


def half_bits(text):
    return struct.unpack("<H", struct.pack("<e", float(text)))[0]


# ---- instructions: (destination, expression) pairs, for one lane

def split_results(operands):
    """[predicates before the first other operand behind the register], the rest."""
    results, rest = [operands[0]], operands[1:]
    while rest and is_predicate(rest[0]):
        results.append(rest.pop(0))
    return results, rest


def take_predicates(operands):
    """The operands, and the predicates that end them."""
    operands = list(operands)
    last = []
    while operands and is_predicate(operands[-1]):
        last.insert(0, operands.pop())
    return operands, last


def iadd3(i):
    results, rest = split_results(i.operands)
    rest, carries = take_predicates(rest)
    total = " + ".join([addend(o) for o in rest] +
                       [f"(uint64_t){predicate(c)}" for c in carries if i.has("X")])
    out = [(results[0], f"(uint32_t)({total})")]
    return out + [(p, f"(uint32_t)((({total}) >> 32) > {n})") for n, p in enumerate(results[1:])]


def imad(i):
    results, rest = split_results(i.operands)
    rest, carries = take_predicates(rest)
    a, b, c = rest
    signed = not i.has("U32")
    if i.has("WIDE"):
        kind = "(int64_t)(int32_t)" if signed else "(uint64_t)"
        product = f"((uint64_t)({kind}{integer(a)} * {kind}{integer(b)}))"
        out = [((results[0], 64), f"{product} + {long(c)}")]
        if len(results) > 1:
            out.append((results[1],
                        f"(uint32_t)((unsigned __int128)({product}) + {long(c)} >> 64 & 1)"))
        return out
    if i.has("HI"):
        kind = "(int64_t)(int32_t)" if signed else "(uint64_t)"
        product = f"(uint64_t)({kind}{integer(a)} * {kind}{integer(b)})"
        return [(results[0], f"(uint32_t)({product} + {long(c)} >> 32)")]
    extra = "".join(f" + {predicate(p)}" for p in carries if i.has("X"))
    return [(results[0], f"{integer(a)} * {integer(b)} + {integer(c)}{extra}")]


def lop3(i):
    rest, last = take_predicates(i.operands)
    out = None
    operands = list(rest)
    if is_predicate(operands[0]):
        out = operands.pop(0)
    d, a, b, c, table = operands
    value = f"lop3({integer(a)}, {integer(b)}, {integer(c)}, {table})"
    results = [(d, value)]
    if out:
        results.append((out, f"(uint32_t)({value} != 0) | {predicate(last[-1])}"))
    return results


def plop3(i):
    p, q, a, b, c, first, second = i.operands
    bits = [f"(0u - {predicate(x)})" for x in (a, b, c)]
    return [(d, f"1u & lop3({', '.join(bits)}, {table})") for d, table in ((p, first), (q, second))]


def shf(i):
    d, low, by, high = i.operands
    wide = int(i.has("S64") or i.has("U64"))
    signed = int(i.has("S32") or i.has("S64"))
    value = (f"shift(pair({integer(low)}, {integer(high)}), {integer(by)}, {int(i.has('L'))}, "
             f"{signed}, {wide}, {int(i.has('W'))})")
    return [(d, f"(uint32_t)({value}{' >> 32' if i.has('HI') else ''})")]


SHIFTS = {"LT": "<", "GT": ">", "LE": "<=", "GE": ">=", "EQ": "==", "NE": "!="}


def combined(i, p, q, test, last):
    how = next(w for w in i.words if w in ("AND", "OR", "XOR"))
    operator = {"AND": "&", "OR": "|", "XOR": "^"}[how]
    return [(p, f"(uint32_t)({test}) {operator} {predicate(last)}"),
            (q, f"(uint32_t)!({test}) {operator} {predicate(last)}")]


def isetp(i):
    p, q, a, b, last = i.operands[:5]
    operator = SHIFTS[i.words[1]]
    kind = "" if i.has("U32") else "(int32_t)"
    x, y = f"{kind}{integer(a)}", f"{kind}{integer(b)}"
    test = f"{x} {operator} {y}"
    if i.has("EX"):
        low = predicate(i.operands[5])
        if operator in ("!=",):
            test = f"({x} != {y}) | {low}"
        elif operator == "==":
            test = f"({x} == {y}) & {low}"
        else:
            test = f"({x} {operator[0]} {y}) | (({x} == {y}) & {low})"
        test = f"({test}) != 0"
    return combined(i, p, q, test, last)


def fsetp(i):
    p, q, a, b, last = i.operands
    word = i.words[1]
    x, y = real(a, i.has("FTZ")), real(b, i.has("FTZ"))
    base = word[:2]
    if word == "NUM":
        test = f"{x} == {x} && {y} == {y}"
    elif word == "NAN":
        test = f"{x} != {x} || {y} != {y}"
    else:
        test = f"{x} {SHIFTS[base]} {y}"
        unordered = f"{x} != {x} || {y} != {y}"
        if word.endswith("U"):
            test = f"{test} || {unordered}"
        elif base == "NE":
            test = f"{test} && !({unordered})"
    return combined(i, p, q, test, last)


def lea(i):
    results, rest = split_results(i.operands)
    rest, carries = take_predicates(rest)
    extra = f" + {predicate(carries[0])}" if i.has("X") and carries else ""
    if i.has("HI"):
        if i.has("SX32"):
            a, b, by = rest
            high = f"(uint32_t)((int32_t){integer(a)} >> 31)"
        else:
            a, b, c, by = rest if len(rest) == 4 else rest[:2] + ["RZ"] + rest[2:]
            high = integer(c)
        value = f"(uint32_t)(pair({integer(a)}, {high}) << {integer(by)} >> 32)"
    else:
        a, b, by = rest if len(rest) == 3 else rest + ["0x0"]
        value = f"({integer(a)} << {integer(by)})"
    total = f"(uint64_t){value} + {addend(b)}{extra}"
    out = [(results[0], f"(uint32_t)({total})")]
    return out + [(p, f"(uint32_t)(({total}) >> 32 != 0)") for p in results[1:]]


def rounded(i, exact, nearest):
    mode = next((m for m in ("RP", "RM", "RZ") if i.has(m)), None)
    value = f"directed({exact}, '{mode[1]}')" if mode else nearest
    if i.has("SAT"):
        value = f"fminf(fmaxf({value}, 0.0f), 1.0f)"
    value = f"bits({value})"
    return [(i.operands[0], f"ftz({value})" if i.has("FTZ") else value)]


def fadd(i):
    x, y = (real(o, i.has("FTZ")) for o in i.operands[1:3])
    return rounded(i, f"(double){x} + (double){y}", f"{x} + {y}")


def fmul(i):
    x, y = (real(o, i.has("FTZ")) for o in i.operands[1:3])
    return rounded(i, f"(double){x} * (double){y}", f"{x} * {y}")


def ffma(i):
    x, y, z = (real(o, i.has("FTZ")) for o in i.operands[1:4])
    return rounded(i, f"fma({x}, {y}, {z})", f"fmaf({x}, {y}, {z})")


def mufu(i):
    x = real(i.operands[1], True)
    value = {"RCP": f"1.0f / {x}", "RSQ": f"(float)(1.0 / sqrt({x}))", "SQRT": f"sqrtf({x})",
             "EX2": f"exp2f({x})", "LG2": f"log2f({x})", "SIN": f"sinf({x})",
             "COS": f"cosf({x})"}.get(i.words[1])
    if value is None:
        raise Unknown(i.text)
    return [(i.operands[0], f"bits({value})")]


def minimum(i, value, other, chooses, kind):
    return (f"({predicate(chooses)} == ({kind}{value} < {kind}{other}) ? {value} : {other})")


def vimnmx(i):
    d, a, b = i.operands[:3]
    return [(d, minimum(i, integer(a), integer(b), i.operands[-1],
                        "" if i.has("U32") else "(int32_t)"))]


def viaddmnmx(i):
    d, a, b, c, p = i.operands
    return [(d, minimum(i, f"({integer(a)} + {integer(b)})", integer(c), p,
                        "" if i.has("U32") else "(int32_t)"))]


def fmnmx(i):
    d, a, b, p = i.operands
    x, y = real(a, i.has("FTZ")), real(b, i.has("FTZ"))
    if i.has("NAN"):
        return [(d, f"{x} != {x} || {y} != {y} ? 0x7fffffffu : "
                    f"bits({predicate(p)} ? fminf({x}, {y}) : fmaxf({x}, {y}))")]
    return [(d, f"bits({predicate(p)} ? fminf({x}, {y}) : fmaxf({x}, {y}))")]


def hfma2(i):
    d, a, b, high, low = i.operands
    if "RZ" not in a or "RZ" not in b:
        raise Unknown(i.text)
    return [(d, f"{half_bits(high) << 16 | half_bits(low):#x}u")]


def i2f(i):
    d, a = i.operands
    kind = "" if i.has("U32") else "(int32_t)"
    if i.has("RP"):
        return [(d, f"bits(directed((double){kind}{integer(a)}, 'P'))")]
    return [(d, f"bits((float){kind}{integer(a)})")]


def i2fp(i):
    d, a = i.operands
    return [(d, f"bits((float){'' if i.has('U32') else '(int32_t)'}{integer(a)})")]


def f2i(i):
    d, a = i.operands
    value = real(a, i.has("FTZ"))
    how = "truncf" if i.has("TRUNC") else "floorf" if i.has("FLOOR") else \
          "ceilf" if i.has("CEIL") else "rintf"
    return [(d, f"{'to_u32' if i.has('U32') else 'to_s32'}({how}({value}))")]


def special(i):
    name = i.operands[1]
    values = {"SR_TID.X": "w->thread + (uint32_t)l", "SR_CTAID.X": "w->block",
              "SR_LANEID": "(uint32_t)l", "SR_TID.Y": "0u", "SR_TID.Z": "0u", "SR_CTAID.Y": "0u",
              "SR_CTAID.Z": "0u", "SRZ": "0u", "SR_NTID.X": "block_size",
              "SR_LTMASK": "(1u << l) - 1", "SR_EQMASK": "1u << l"}
    if name not in values:
        raise Unknown(i.text)
    if i.name == "CS2R" and not i.has("32"):
        return [((i.operands[0], 64), values[name])]
    return [(i.operands[0], values[name])]


def sel(i):
    d, a, b, p = i.operands
    return [(d, f"{predicate(p)} ? {integer(a)} : {integer(b)}")]


def fsel(i):
    d, a, b, p = i.operands
    return [(d, f"{predicate(p)} ? bits({real(a)}) : bits({real(b)})")]


def r2p(i):
    _, a, mask = i.operands
    return [(f"P{n}", f"{integer(a)} >> {n} & 1") for n in range(7) if int(mask, 16) >> n & 1]


def p2r(i):
    d, _, a, mask = i.operands
    value = " | ".join(f"w->P[{n}][l] << {n}" for n in range(7))
    return [(d, f"({integer(a)} & ~{mask}u) | (({value}) & {mask}u)")]


def one(expression):
    """An instruction whose one result is an expression of its operands."""
    return lambda i: [(i.operands[0], expression(i, *i.operands[1:]))]


SIMPLE = {
    "IADD3": iadd3, "IMAD": imad, "LOP3": lop3, "PLOP3": plop3, "SHF": shf, "ISETP": isetp,
    "FSETP": fsetp, "LEA": lea, "FADD": fadd, "FMUL": fmul, "FFMA": ffma, "MUFU": mufu,
    "VIMNMX": vimnmx, "IMNMX": vimnmx, "VIADDMNMX": viaddmnmx, "FMNMX": fmnmx, "HFMA2": hfma2,
    "I2F": i2f, "I2FP": i2fp, "F2I": f2i, "S2R": special, "S2UR": special, "CS2R": special,
    "SEL": sel, "FSEL": fsel, "R2P": r2p, "P2R": p2r,
    "MOV": one(lambda i, a, *_: integer(a)),
    "VIADD": one(lambda i, a, b: f"{integer(a)} + {integer(b)}"),
    "IABS": one(lambda i, a: integer(f"|{a}|")),
    "POPC": one(lambda i, a: f"popc({integer(a)})"),
    "BREV": one(lambda i, a: f"brev({integer(a)})"),
    "FLO": one(lambda i, a: f"{'31 - ' if i.has('SH') else ''}flo({integer(a)})"),
    "PRMT": one(lambda i, a, s, b: f"prmt({integer(a)}, {integer(s)}, {integer(b)})"),
    "SGXT": one(lambda i, a, b: f"sgxt({integer(a)}, {integer(b)}, {int(not i.has('U32'))})"),
    "BMSK": one(lambda i, a, b: f"bmsk({integer(a)}, {integer(b)})"),
    "FCHK": one(lambda i, a, b: f"fchk(bits({real(a)}), bits({real(b)}))"),
}


def is_uniform(i):
    return i.name in ("S2UR", "R2UR") or i.name.startswith("U") and i.name[1:] in SIMPLE


def results_of(i):
    name = i.name if i.name in SIMPLE else i.name[1:] if i.name.startswith("U") else i.name
    if name not in SIMPLE:
        raise Unknown(i.text)
    if i.name == "UMOV" and i.operands[0].endswith(".64"):
        return [((i.operands[0], 64), long(i.operands[1]))]
    return SIMPLE[name](i)


def store(destination, value, number):
    """Statements: the value first, into the destination when all values are known."""
    wide = isinstance(destination, tuple)
    name = destination[0] if wide else destination
    before = f"{'uint64_t' if wide else 'uint32_t'} v{number} = {value};"
    if is_predicate(name):
        if name in ("PT", "UPT"):
            return before, f"(void)v{number};"
        return before, f"{predicate(name)} = on ? v{number} : {predicate(name)};"
    if register(name) == "0u":
        return before, f"(void)v{number};"
    after = f"{register(name)} = on ? (uint32_t)v{number} : {register(name)};"
    if wide:
        high = register(name, 1)
        after += f" {high} = on ? (uint32_t)(v{number} >> 32) : {high};"
    return before, after


def arithmetic(i):
    pairs = [store(d, v, n) for n, (d, v) in enumerate(results_of(i))]
    body = " ".join(p[0] for p in pairs) + " " + " ".join(p[1] for p in pairs)
    if is_uniform(i):
        first = "int l = __builtin_ctz(w->mask); (void)l;"
        return f"{{ {first} uint32_t on = {i.guard or '1u'}; {body} }}"
    return f"FOR {{ uint32_t on = w->A[l] & {i.guard or '1u'}; {body} }}"


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
