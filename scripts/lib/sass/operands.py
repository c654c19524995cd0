"""Instructions of sm_90 as nvdisasm prints them, taken apart, and their operands as C."""
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
