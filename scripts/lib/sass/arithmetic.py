"""What instructions that compute do: each is (destination, expression in C) pairs for one lane."""
from operands import (
    Unknown, addend, half_bits, integer, is_predicate, long, predicate, real, register)


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
