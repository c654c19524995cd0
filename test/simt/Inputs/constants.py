"""Makes a kernel of operations on constants: opt folds them, which is the simulator's oracle.

    constants.py > constants.ll; opt -passes='default<O1>' ...; linearize-simt --compare

Each result is one 64-bit word of the output. Operands that are undefined (division by zero, shifts
by the width) are left out; a NaN's digits are not compared.
"""

import struct

lines, declared, results = [], set(), 0


def emit(text):
    lines.append("  " + text)


def store(value, kind, width):
    """Stores a result; integers are extended, floats cast."""
    global results
    n = results
    results += 1
    if kind == "float":
        small = "double" if width == 64 else "float"
        emit("%%nan%d = fcmp uno %s %s, %s" % (n, small, value, value))
        emit("%%sel%d = select i1 %%nan%d, %s 1.0, %s %s" % (n, n, small, small, value))
        emit("%%bits%d = bitcast %s %%sel%d to i%d" % (n, small, n, width))
        value = "%%bits%d" % n
    if width < 64:
        emit("%%wide%d = zext i%d %s to i64" % (n, width, value))
        value = "%%wide%d" % n
    emit("%%at%d = getelementptr i64, ptr %%out, i64 %d" % (n, n))
    emit("store i64 %s, ptr %%at%d" % (value, n))


def operation(text, kind, width):
    name = "%%r%d" % results
    emit("%s = %s" % (name, text))
    store(name, kind, width)


def call(name, result, *operands):
    """The text of a call; operands are (type, value)."""
    declared.add("declare %s @%s(%s)" % (result, name, ", ".join(t for t, _ in operands)))
    return "call %s @%s(%s)" % (result, name, ", ".join("%s %s" % o for o in operands))


def signed(value, width):
    return value - (1 << width) if value >> (width - 1) else value


def integers(width):
    t, top = "i%d" % width, 1 << (width - 1)
    values = [0, 1, 2, 7, top - 1, top, top + 1, 2 * top - 1, 2 * top - 7, 0x5A39C6E1B7D42F08 % (2 * top)]
    for a in values:
        for op in ["ctpop", "bitreverse"] + (["bswap"] if width > 8 else []):
            operation(call("llvm.%s.%s" % (op, t), t, (t, a)), "int", width)
        for op in ["ctlz", "cttz", "abs"]:
            operation(call("llvm.%s.%s" % (op, t), t, (t, a), ("i1", "false")), "int", width)
        for to in [1, 8, 16, 32, 64]:
            if to < width:
                operation("trunc %s %d to i%d" % (t, a, to), "int", to)
            if to > width:
                operation("sext %s %d to i%d" % (t, a, to), "int", to)
                operation("zext %s %d to i%d" % (t, a, to), "int", to)
        for f, size in [("float", 32), ("double", 64)]:
            operation("uitofp %s %d to %s" % (t, a, f), "float", size)
            operation("sitofp %s %d to %s" % (t, a, f), "float", size)
        for b in values:
            for op in ["add", "sub", "mul", "and", "or", "xor"]:
                operation("%s %s %d, %d" % (op, t, a, b), "int", width)
            if b:
                operation("udiv %s %d, %d" % (t, a, b), "int", width)
                operation("urem %s %d, %d" % (t, a, b), "int", width)
            if b and not (a == top and b == 2 * top - 1):
                operation("sdiv %s %d, %d" % (t, a, b), "int", width)
                operation("srem %s %d, %d" % (t, a, b), "int", width)
            for op in ["shl", "lshr", "ashr"]:
                operation("%s %s %d, %d" % (op, t, a, b % width), "int", width)
            for op in ["eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"]:
                operation("icmp %s %s %d, %d" % (op, t, a, b), "int", 1)
            for op in ["umin", "umax", "smin", "smax", "uadd.sat", "usub.sat"]:
                operation(call("llvm.%s.%s" % (op, t), t, (t, a), (t, b)), "int", width)
            for op in ["fshl", "fshr"]:
                operation(call("llvm.%s.%s" % (op, t), t, (t, a), (t, b), (t, (a ^ b) % 91)),
                          "int", width)
            for op in ["sadd", "uadd", "ssub", "usub", "smul", "umul"]:
                pair = "{ %s, i1 }" % t
                text = call("llvm.%s.with.overflow.%s" % (op, t), pair, (t, a), (t, b))
                n = results
                emit("%%pair%d = %s" % (n, text))
                operation("extractvalue %s %%pair%d, 0" % (pair, n), "int", width)
                operation("extractvalue %s %%pair%d, 1" % (pair, n), "int", 1)


def literal(value, width):
    """LLVM writes floats as the bits of a double."""
    if width == 32:
        value = struct.unpack("<f", struct.pack("<f", value))[0]
    return "0x%016X" % struct.unpack("<Q", struct.pack("<d", value))[0]


def floats(width):
    t, values = "double" if width == 64 else "float", [
        0.0, -0.0, 1.0, -1.5, 2.5, 3.5, 0.1, -7.25, 1e10, 1e-30, 3e38, -1e-40, 8388609.5,
        float("inf"), float("-inf"), float("nan")]
    suffix = "f%d" % width
    for a in values:
        x = literal(a, width)
        operation("fneg %s %s" % (t, x), "float", width)
        for op in ["fabs", "floor", "ceil", "trunc", "rint", "nearbyint", "round", "roundeven"]:
            operation(call("llvm.%s.%s" % (op, suffix), t, (t, x)), "float", width)
        for mask in [3, 4, 8, 16, 32, 64, 128, 256, 512]:
            operation(call("llvm.is.fpclass." + suffix, "i1", (t, x), ("i32", mask)), "int", 1)
        if width == 64:
            operation("fptrunc double %s to float" % x, "float", 32)
        else:
            operation("fpext float %s to double" % x, "float", 64)
        for to in [8, 16, 32, 64]:
            for sign in "us":
                operation(call("llvm.fpto%si.sat.i%d.%s" % (sign, to, suffix), "i%d" % to, (t, x)),
                          "int", to)
        for b in values:
            y = literal(b, width)
            for op in ["fadd", "fsub", "fmul", "fdiv", "frem"]:
                operation("%s %s %s, %s" % (op, t, x, y), "float", width)
            for op in ["oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult",
                       "ule", "une", "uno"]:
                operation("fcmp %s %s %s, %s" % (op, t, x, y), "int", 1)
            for op in ["minimum", "maximum", "copysign"]:
                operation(call("llvm.%s.%s" % (op, suffix), t, (t, x), (t, y)), "float", width)
            for op in ["minnum", "maxnum"]:
                operation(call("llvm.%s.%s" % (op, suffix), t, (t, x), (t, y)), "float", width)
            operation(call("llvm.fma." + suffix, t, (t, x), (t, y), (t, literal(0.7, width))),
                      "float", width)


def halves(name):
    """Narrow floats, through float: 0.1 and numbers around the limits of a half."""
    for a in [0.0, 1.0, -1.5, 0.1, 65504.0, 65519.0, 65520.0, 1e-7, 6e-8, 2.9e-8, 3.1e-8, 0.00006, 1e6]:
        n = results
        emit("%%narrow%d = fptrunc float %s to %s" % (n, literal(a, 32), name))
        operation("bitcast %s %%narrow%d to i16" % (name, n), "int", 16)
        operation("fpext %s %%narrow%d to float" % (name, n), "float", 32)
        emit("%%sum%d = fadd %s %%narrow%d, %%narrow%d" % (n, name, n, n))
        emit("%%product%d = fmul %s %%sum%d, %%narrow%d" % (n, name, n, n))
        operation("fpext %s %%product%d to float" % (name, n), "float", 32)


def main():
    for width in [8, 16, 32, 64]:
        integers(width)
    for width in [32, 64]:
        floats(width)
    halves("half")
    halves("bfloat")
    print('target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"')
    print('target triple = "nvptx64-nvidia-cuda"')
    for line in sorted(declared):
        print(line)
    print("; RESULTS: %d" % results)
    print("define void @constants(ptr %out) {")
    print("\n".join(lines))
    print("  ret void\n}")


main()
