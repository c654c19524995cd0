#!/usr/bin/env python3
"""Checks the simulator's math and bit functions, by all of their names.

    math_functions.py --simt LINEARIZE-SIMT --clang CLANG --work FOLDER [--libdevice FILE.bc
                      --link LLVM-LINK]

A kernel calls every function with many operands. What is exact by CUDA's documentation, as rounding,
conversions and bits, is compared with integers and fractions of Python; what is approximated with
long doubles of the C library, within the errors that the CUDA C++ Programming Guide says, in units in
the last place. With libdevice the exact functions are compared with libdevice's own code, too, run by
the simulator, and the others within the same errors. Prints one line for each function that is
wrong, and how many there were."""

import argparse
import collections
import fractions
import math
import os
import random
import struct
import subprocess
import sys

THREADS = 512
Fraction = fractions.Fraction

# ---- what is called ----------------------------------------------------------------------------

# names: of functions and intrinsics that are the same. types: results, a colon, operands, as in
# math_functions.h. Either exact, a Python function of the operands' bits; or a C expression of long
# doubles x, y, z, w and ints i, with the error in ulp and an absolute one that does as well.
Row = collections.namedtuple("Row", "names types exact expression ulp absolute modulo")
rows = []


def exact(names, types, function, modulo=0):
    rows.append(Row(names.split(), types, function, None, 0, 0, modulo))


def near(names, types, expression, ulp, absolute=0.0, modulo=0):
    rows.append(Row(names.split(), types, None, expression, ulp, absolute, modulo))


def both(name, operands, expression, ulp_float, ulp_double, absolute=(0.0, 0.0), modulo=0, more=""):
    """A function of C and libdevice, for floats and doubles. more: other names of the float one."""
    near("%sf __nv_%sf %s" % (name, name, more), "f:" + operands.replace("d", "f"), expression,
         ulp_float, absolute[0], modulo)
    near("%s __nv_%s" % (name, name), "d:" + operands, expression, ulp_double, absolute[1], modulo)


# Errors: CUDA C++ Programming Guide, mathematical functions, tables of single and double precision.
both("acos", "d", "acosl(x)", 2, 2)
both("acosh", "d", "acoshl(x)", 4, 3)
both("asin", "d", "asinl(x)", 2, 2)
both("asinh", "d", "asinhl(x)", 3, 3)
both("atan", "d", "atanl(x)", 2, 2)
both("atanh", "d", "atanhl(x)", 3, 2)
both("atan2", "dd", "atan2l(x, y)", 3, 2)
both("cbrt", "d", "cbrtl(x)", 1, 1)
both("rcbrt", "d", "1 / cbrtl(x)", 1, 1)
both("cos", "d", "cosl(x)", 2, 2, more="llvm.cos.f32 llvm.nvvm.cos.approx.f llvm.nvvm.cos.approx.ftz.f "
     "__nv_fast_cosf __cosf")
both("cosh", "d", "coshl(x)", 2, 1, more="llvm.cosh.f32")
both("cospi", "d", "cospi(x)", 1, 2)
both("erf", "d", "erfl(x)", 2, 2)
both("erfc", "d", "erfcl(x)", 4, 5)
both("erfinv", "d", "inverse(x, r, fabsl(x) > 0.5L)", 2, 5)
both("erfcinv", "d", "complementary_inverse(x, r)", 4, 6)
both("erfcx", "d", "scaled_erfc(x)", 4, 4)
both("exp", "d", "expl(x)", 2, 1, more="llvm.exp.f32 __nv_fast_expf __expf")
both("exp2", "d", "exp2l(x)", 2, 1, more="llvm.exp2.f32 llvm.nvvm.ex2.approx.f")
both("exp10", "d", "powl(10, x)", 2, 1, more="llvm.exp10.f32 __nv_fast_exp10f")
both("expm1", "d", "expm1l(x)", 1, 1)
both("hypot", "dd", "hypotl(x, y)", 3, 2)
both("rhypot", "dd", "1 / hypotl(x, y)", 2, 1)
both("norm3d", "ddd", "norm(x, y, z, 0)", 3, 2)
both("norm4d", "dddd", "norm(x, y, z, w)", 3, 2)
both("rnorm3d", "ddd", "1 / norm(x, y, z, 0)", 2, 1)
both("rnorm4d", "dddd", "1 / norm(x, y, z, w)", 2, 1)
both("cyl_bessel_i0", "d", "bessel(x, 0)", 6, 6)
both("cyl_bessel_i1", "d", "bessel(x, 1)", 6, 6)
both("j0", "d", "j0l(x)", 9, 7, (2.2e-6, 5e-12))
both("j1", "d", "j1l(x)", 9, 7, (2.2e-6, 5e-12))
both("jn", "id", "i < 0 ? NAN : jnl(i, y)", 9, 7, (2.2e-6, 5e-12), 9)
both("y0", "d", "y0l(x)", 9, 7, (2.2e-6, 5e-12))
both("y1", "d", "y1l(x)", 9, 7, (2.2e-6, 5e-12))
both("yn", "id", "i < 0 ? NAN : ynl(i, y)", 9, 7, (2.2e-6, 5e-12), 9)
both("lgamma", "d", "lgammal(x)", 6, 4, (1e-5, 1e-13))
both("tgamma", "d", "tgammal(x)", 5, 10)
both("log", "d", "logl(x)", 1, 1, more="llvm.log.f32 __nv_fast_logf __logf")
both("log10", "d", "log10l(x)", 2, 1, more="llvm.log10.f32 __nv_fast_log10f")
both("log1p", "d", "log1pl(x)", 1, 1)
both("log2", "d", "log2l(x)", 1, 1, more="llvm.log2.f32 llvm.nvvm.lg2.approx.f __nv_fast_log2f")
both("normcdf", "d", "erfcl(-x / sqrtl(2)) / 2", 5, 5)
both("normcdfinv", "d", "normal_inverse(x, r)", 5, 8)
both("pow", "dd", "powl(x, y)", 4, 2, more="llvm.pow.f32 __nv_fast_powf __powf")
both("powi", "di", "powl(x, i)", 8, 8, modulo=20)  # not documented: what libdevice's is within
both("rsqrt", "d", "1 / sqrtl(x)", 2, 1, more="llvm.nvvm.rsqrt.approx.f __nv_frsqrt_rn __frsqrt_rn")
both("sin", "d", "sinl(x)", 2, 2, more="llvm.sin.f32 llvm.nvvm.sin.approx.f __nv_fast_sinf __sinf")
both("sinh", "d", "sinhl(x)", 3, 2)
both("sinpi", "d", "sinpi(x)", 1, 2)
both("tan", "d", "tanl(x)", 4, 2, more="llvm.tan.f32 __nv_fast_tanf")
both("tanh", "d", "tanhl(x)", 2, 2, more="llvm.tanh.f32")
near("sincosf __nv_sincosf __nv_fast_sincosf llvm.sincos.f32", "ff:f", "sinl(x), cosl(x)", 2)
near("sincos __nv_sincos llvm.sincos.f64", "dd:d", "sinl(x), cosl(x)", 2)
near("sincospif __nv_sincospif", "ff:f", "sinpi(x), cospi(x)", 1)
near("sincospi __nv_sincospi", "dd:d", "sinpi(x), cospi(x)", 2)
near("llvm.nvvm.div.approx.f __nv_fast_fdividef __fdividef", "f:ff", "x / y", 2)

# ---- numbers -----------------------------------------------------------------------------------

FORMATS = {"f": (24, -126, 127, "<f", "<I"), "d": (53, -1022, 1023, "<d", "<Q")}
NAN = object()
ANY = object()  # CUDA doesn't say
SIGNED_BITS = {"h": 16, "i": 32, "l": 64}


def value(bits, letter):
    digits, _, _, as_float, as_bits = FORMATS[letter]
    del digits
    return struct.unpack(as_float, struct.pack(as_bits, bits))[0]


def special(bits):
    """Whether a float is no number, as its value."""
    return math.isnan(bits) or math.isinf(bits)


def rounded(exact_value, letter, mode, zero_is_negative=False):
    """The bits of a fraction as a float. mode: n, z, d, u."""
    digits, least, most, as_float, as_bits = FORMATS[letter]
    sign = 1 << (digits + (8 if letter == "f" else 11) - 1)
    if exact_value == 0:
        return sign if zero_is_negative else 0
    negative = exact_value < 0
    size = abs(exact_value)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if Fraction(2) ** exponent > size:
        exponent -= 1
    last = max(exponent, least) - digits + 1
    scaled = size / Fraction(2) ** last
    whole = scaled.numerator // scaled.denominator
    rest = scaled - whole
    away = {"n": rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole % 2 == 1), "z": False,
            "d": negative and rest > 0, "u": not negative and rest > 0}[mode]
    whole += away
    result = Fraction(whole) * Fraction(2) ** last
    if result >= Fraction(2) ** (most + 1):
        to_infinity = mode == "n" or (mode == "d" and negative) or (mode == "u" and not negative)
        bits = (sign - (1 << (digits - 1))) - (0 if to_infinity else 1)
    else:
        bits = struct.unpack(as_bits, struct.pack(as_float, float(result)))[0]
    return bits | (sign if negative else 0)


def is_negative(number):
    return math.copysign(1.0, number) < 0


def operate(operator, letter, mode):
    """An operation of floats, rounded: exact with fractions, and IEEE 754 for what is no number."""
    def apply(*bits):
        numbers = [value(b, letter) for b in bits]
        down = mode == "d"
        if operator in ("add", "sub"):
            a, b = numbers[0], numbers[1] if operator == "add" else -numbers[1]
            if special(a) or special(b):
                return ieee(a + b, letter)
            both_negative = is_negative(a) and is_negative(b)
            opposite = is_negative(a) != is_negative(b)
            exactly = Fraction(a) + Fraction(b)
            negative_zero = both_negative or (down and (opposite or a != 0))
            return rounded(exactly, letter, mode, negative_zero)
        if operator == "mul":
            a, b = numbers
            if special(a) or special(b):
                return ieee(a * b, letter)
            return rounded(Fraction(a) * Fraction(b), letter, mode, is_negative(a) != is_negative(b))
        if operator in ("div", "rcp"):
            a, b = numbers if operator == "div" else (1.0, numbers[0])
            negative = is_negative(a) != is_negative(b)
            if math.isnan(a) or math.isnan(b) or (math.isinf(a) and math.isinf(b)) or a == b == 0:
                return NAN
            if math.isinf(a) or b == 0:
                return ieee(-math.inf if negative else math.inf, letter)
            if math.isinf(b):
                return ieee(-0.0 if negative else 0.0, letter)
            return rounded(Fraction(a) / Fraction(b), letter, mode, negative)
        if operator == "sqrt":
            return root(numbers[0], letter, mode)
        a, b, c = numbers
        if any(special(n) for n in numbers):
            if math.isnan(a) or math.isnan(b) or math.isnan(c):
                return NAN
            return ieee(a * b + c, letter) if special(a) or special(b) else ieee(c, letter)
        product = Fraction(a) * Fraction(b)
        negative = is_negative(a) != is_negative(b)
        zero = negative and is_negative(c)
        if down and (product != 0 or c != 0 or negative != is_negative(c)):
            zero = True
        return rounded(product + Fraction(c), letter, mode, zero)
    return apply


def ieee(number, letter):
    if math.isnan(number):
        return NAN
    _, _, _, as_float, as_bits = FORMATS[letter]
    return struct.unpack(as_bits, struct.pack(as_float, number))[0]


def root(number, letter, mode):
    if math.isnan(number) or number < 0:
        return NAN
    if number == 0 or math.isinf(number):
        return ieee(number, letter)
    # A root to 1200 bits behind the point, and a bit more if it isn't exact, rounds as the root.
    shift = 1200
    size = Fraction(number)
    whole = math.isqrt((size.numerator << (2 * shift)) // size.denominator)
    near_root = Fraction(whole, 1 << shift)
    if near_root * near_root != size:
        near_root += Fraction(1, 1 << (shift + 1))
    return rounded(near_root, letter, mode)


def flushed(bits):
    return bits & 0x80000000 if bits & 0x7f800000 == 0 else bits


def with_flush(function):
    def apply(*bits):
        result = function(*[flushed(b) for b in bits])
        return result if result is NAN else flushed(result)
    return apply


def with_saturation(function, letter):
    def apply(*bits):
        result = function(*bits)
        if result is NAN or not value(result, letter) > 0:
            return 0
        return result if value(result, letter) < 1 else ieee(1.0, letter)
    return apply


MODES = [("rn", "rn", "n"), ("rz", "rz", "z"), ("rm", "rd", "d"), ("rp", "ru", "u")]
for of_ptx, of_cuda, mode in MODES:
    for operator, count in (("add", 2), ("mul", 2), ("div", 2), ("fma", 3), ("rcp", 1), ("sqrt", 1),
                            ("sub", 2)):
        for letter in "fd":
            names = ["llvm.nvvm.%s.%s.%s" % (operator, of_ptx, letter)] if operator != "sub" else []
            if operator == "fma":
                names.append("__nv_fma%s_%s" % ("f" if letter == "f" else "", of_cuda))
            elif operator != "sub" or letter == "f":
                names.append("__nv_%s%s_%s" % (letter, operator, of_cuda))
                names.append("__%s%s_%s" % (letter, operator, of_cuda))
            else:
                names.append("__nv_dsub_%s" % of_cuda)
            function = operate(operator, letter, mode)
            exact(" ".join(names), "%s:%s" % (letter, letter * count), function)
            if letter == "d" or operator == "sub":
                continue
            exact("llvm.nvvm.%s.%s.ftz.f" % (operator, of_ptx), "f:" + "f" * count,
                  with_flush(function))
            if operator == "fma" or operator == "add":
                exact("llvm.nvvm.%s.%s.ftz.sat.f" % (operator, of_ptx), "f:" + "f" * count,
                      with_saturation(with_flush(function), "f"))


# ---- conversions -------------------------------------------------------------------------------

def to_integer(letter, bits_to, is_signed, mode):
    def apply(bits):
        number = value(bits, letter)
        if math.isnan(number):
            return 1 << (bits_to - 1) if letter == "d" or bits_to == 64 else 0
        low = -(1 << (bits_to - 1)) if is_signed else 0
        high = (1 << (bits_to - is_signed)) - 1
        if math.isinf(number):
            whole = high if number > 0 else low
        else:
            size = Fraction(number)
            whole = {"n": round, "z": math.trunc, "d": math.floor, "u": math.ceil}[mode](size)
        return min(max(whole, low), high) & ((1 << bits_to) - 1)
    return apply


def signed(bits, width):
    return bits - (1 << width) if bits >> (width - 1) & 1 else bits


def to_float(letter, width, is_signed, mode):
    return lambda bits: rounded(Fraction(signed(bits, width) if is_signed else bits), letter, mode)


def narrow(mode):
    def apply(bits):
        number = value(bits, "d")
        if math.isnan(number):
            return NAN
        if math.isinf(number):
            return ieee(number, "f")
        return rounded(Fraction(number), "f", mode, is_negative(number))
    return apply


INTEGERS = [("int", "i", 32, True, "i"), ("uint", "ui", 32, False, "i"), ("ll", "ll", 64, True, "l"),
            ("ull", "ull", 64, False, "l")]
for of_ptx, of_cuda, mode in MODES:
    for long_name, short_name, width, is_signed, letter in INTEGERS:
        for source, long_source in (("f", "float"), ("d", "double")):
            exact("llvm.nvvm.%s2%s.%s __nv_%s2%s_%s __%s2%s_%s"
                  % (source, short_name, of_ptx, long_source, long_name, of_cuda, long_source,
                     long_name, of_cuda), "%s:%s" % (letter, source),
                  to_integer(source, width, is_signed, mode))
            names = "llvm.nvvm.%s2%s.%s" % (short_name, source, of_ptx)
            if source == "f" or width == 64 or mode == "n":
                names += " __nv_%s2%s_%s" % (long_name, long_source, of_cuda)
            exact(names, "%s:%s" % (source, letter), to_float(source, width, is_signed, mode))
    exact("llvm.nvvm.d2f.%s __nv_double2float_%s" % (of_ptx, of_cuda), "f:d", narrow(mode))


def half_of(bits):
    try:
        return struct.unpack("<H", struct.pack("<e", value(bits, "f")))[0]
    except OverflowError:
        return 0xfc00 if value(bits, "f") < 0 else 0x7c00


def word_of_half(bits):
    number = struct.unpack("<e", struct.pack("<H", bits & 0xffff))[0]
    return ieee(number, "f")


exact("__nv_half2float", "f:h", word_of_half)
exact("llvm.nvvm.f2h.rn __nv_float2half_rn", "h:f",
      lambda a: NAN if math.isnan(value(a, "f")) else half_of(a))

for letter, long_name in (("f", "f"), ("d", "")):
    def whole(function, letter=letter):
        def apply(bits):
            number = value(bits, letter)
            if special(number):
                return ieee(number, letter)
            return rounded(Fraction(function(Fraction(number))), letter, "n", is_negative(number))
        return apply

    def away(number):
        return math.copysign(1, number) * math.floor(abs(number) + Fraction(1, 2))

    for name, function in (("floor", math.floor), ("ceil", math.ceil), ("trunc", math.trunc),
                           ("rint", round), ("nearbyint", round)):
        intrinsic = " llvm.nvvm.%s.%s" % (name, letter) if name in ("floor", "ceil", "trunc") else ""
        exact("%s%s __nv_%s%s%s" % (name, long_name, name, long_name, intrinsic),
              "%s:%s" % (letter, letter), whole(function))
    exact("round%s __nv_round%s" % (long_name, long_name), "%s:%s" % (letter, letter), whole(away))
    exact("llvm.nvvm.round.%s" % letter, "%s:%s" % (letter, letter), whole(round))
    for name, mode in (("llrint", "n"), ("llround", "away")):
        def to_long(bits, letter=letter, mode=mode):
            number = value(bits, letter)
            if mode == "away" and math.isnan(number):
                return ANY
            if mode == "away" and not special(number):
                bits = rounded(Fraction(away(Fraction(number))), letter, "n")
            return to_integer(letter, 64, True, "n")(bits)
        exact("%s%s __nv_%s%s" % (name, long_name, name, long_name), "l:" + letter, to_long)


# ---- floats, taken apart -----------------------------------------------------------------------

def of_numbers(letter, function):
    """A function of values that Python computes exactly."""
    def apply(*bits):
        return ieee(function(*[value(b, letter) for b in bits]), letter)
    return apply


def lesser(a, b):
    if math.isnan(a) or math.isnan(b):
        return b if math.isnan(a) else a
    return (a if is_negative(a) else b) if a == b else min(a, b)


def greater(a, b):
    if math.isnan(a) or math.isnan(b):
        return b if math.isnan(a) else a
    return (b if is_negative(a) else a) if a == b else max(a, b)


def positive_difference(a, b):
    if math.isnan(a) or math.isnan(b):
        return math.nan
    return a - b if a > b else 0.0


def remainder(a, b):
    if math.isnan(a) or math.isnan(b) or math.isinf(a) or b == 0:
        return math.nan
    return math.remainder(a, b)


def modulo(a, b):
    if math.isnan(a) or math.isnan(b) or math.isinf(a) or b == 0:
        return math.nan
    return math.fmod(a, b)


def clamp(a):
    return 0.0 if not a > 0 else min(a, 1.0)


def exponent_of(a):
    if a == 0 or math.isnan(a):
        return 0x80000000
    return 0x7fffffff if math.isinf(a) else (math.frexp(a)[1] - 1) & 0xffffffff


def logb(a):
    if special(a):
        return a if math.isnan(a) else math.inf
    return -math.inf if a == 0 else float(math.frexp(a)[1] - 1)


def take_exponent(letter):
    def apply(bits):
        number = value(bits, letter)
        fraction, exponent = (number, 0) if special(number) else math.frexp(number)
        return ieee(fraction, letter), exponent & 0xffffffff
    return apply


def take_fraction(letter):
    def apply(bits):
        number = value(bits, letter)
        if math.isnan(number):
            return NAN, NAN
        fraction, whole = (math.copysign(0.0, number), number) if math.isinf(number) else math.modf(number)
        return ieee(fraction, letter), ieee(whole, letter)
    return apply


def scale(letter):
    def apply(bits, by):
        number = value(bits, letter)
        if special(number):
            return ieee(number, letter)
        return rounded(Fraction(number) * Fraction(2) ** signed(by, 32), letter, "n", is_negative(number))
    return apply


for letter, end in (("f", "f"), ("d", "")):
    one, two = "%s:%s" % (letter, letter), "%s:%s%s" % (letter, letter, letter)
    exact("fmin%s __nv_fmin%s llvm.nvvm.fmin.%s" % (end, end, letter), two, of_numbers(letter, lesser))
    exact("fmax%s __nv_fmax%s llvm.nvvm.fmax.%s" % (end, end, letter), two, of_numbers(letter, greater))
    exact("fabs%s __nv_fabs%s llvm.nvvm.fabs.%s" % (end, end, letter), one, of_numbers(letter, abs))
    exact("fmod%s __nv_fmod%s" % (end, end), two, of_numbers(letter, modulo))
    exact("remainder%s __nv_remainder%s" % (end, end), two, of_numbers(letter, remainder))
    exact("copysign%s __nv_copysign%s" % (end, end), two, of_numbers(letter, math.copysign))
    exact("logb%s __nv_logb%s" % (end, end), one, of_numbers(letter, logb))
    exact("ilogb%s __nv_ilogb%s" % (end, end), "i:" + letter,
          lambda a, letter=letter: exponent_of(value(a, letter)))
    exact("frexp%s __nv_frexp%s" % (end, end), "%si:%s" % (letter, letter), take_exponent(letter))
    exact("modf%s __nv_modf%s" % (end, end), "%s%s:%s" % (letter, letter, letter), take_fraction(letter))
    exact("ldexp%s scalbn%s __nv_ldexp%s __nv_scalbn%s" % (end, end, end, end),
          "%s:%si" % (letter, letter), scale(letter), 300)
    exact("llvm.nvvm.saturate.%s" % letter, one, of_numbers(letter, clamp))
    exact("__nv_isnan%s" % (end or "d"), "i:" + letter, lambda a, letter=letter: +math.isnan(value(a, letter)))
    exact("__nv_isinf%s" % (end or "d"), "i:" + letter, lambda a, letter=letter: +math.isinf(value(a, letter)))
    exact("__nv_%s" % ("finitef" if end else "isfinited"), "i:" + letter,
          lambda a, letter=letter: +math.isfinite(value(a, letter)))
    exact("__nv_signbit%s" % (end or "d"), "i:" + letter,
          lambda a, letter=letter: +is_negative(value(a, letter)))
    exact("fdim%s __nv_fdim%s" % (end, end), two,
          lambda a, b, letter=letter: (NAN if math.isnan(value(a, letter)) or math.isnan(value(b, letter))
                                       else operate("sub", letter, "n")(a, b)
                                       if value(a, letter) > value(b, letter) else 0))
exact("__nv_saturatef", "f:f", of_numbers("f", clamp))
exact("__nv_float_as_int __float_as_uint", "i:f", lambda a: a)
exact("__nv_int_as_float __nv_uint_as_float", "f:i", lambda a: a)
exact("__nv_double_as_longlong", "l:d", lambda a: a)
exact("__nv_longlong_as_double", "d:l", lambda a: a)
exact("__nv_double2hiint llvm.nvvm.d2i.hi", "i:d", lambda a: a >> 32)
exact("__nv_double2loint llvm.nvvm.d2i.lo", "i:d", lambda a: a & 0xffffffff)
exact("__nv_hiloint2double", "d:ii", lambda a, b: a << 32 | b)
exact("llvm.nvvm.lohi.i2d", "d:ii", lambda a, b: b << 32 | a)


# ---- integers ----------------------------------------------------------------------------------

WORD, LONG = (1 << 32) - 1, (1 << 64) - 1


def of_signed(function, width=32):
    mask = (1 << width) - 1
    return lambda *bits: function(*[signed(b, width) for b in bits]) & mask


def reversed_bits(width):
    return lambda a: int(format(a, "0%db" % width)[::-1], 2)


def permuted(a, b, selectors):
    data = struct.pack("<II", a, b)
    result = 0
    for i in range(4):
        selector = selectors >> 4 * i & 15
        byte = data[selector & 7]
        if selector & 8:
            byte = 255 if byte & 128 else 0
        result |= byte << 8 * i
    return result


def first_set(a):
    return (a & -a).bit_length()


def parts(word, width, is_signed):
    cut = [word >> at & ((1 << width) - 1) for at in range(0, 32, width)]
    return [signed(part, width) for part in cut] if is_signed else cut


def dot(a_signed, b_signed):
    def apply(a, b, c):
        products = zip(parts(a, 8, a_signed), parts(b, 8, b_signed))
        return (sum(x * y for x, y in products) + c) & WORD
    return apply


def dot_halves(a_signed, b_signed):
    def apply(a, b, upper, c):
        taken = parts(b, 8, b_signed)[2:] if upper & 1 else parts(b, 8, b_signed)[:2]
        return (sum(x * y for x, y in zip(parts(a, 16, a_signed), taken)) + c) & WORD
    return apply


exact("__nv_abs", "i:i", of_signed(abs))
exact("__nv_llabs", "l:l", of_signed(abs, 64))
exact("__nv_max", "i:ii", of_signed(max))
exact("__nv_min", "i:ii", of_signed(min))
exact("__nv_umax", "i:ii", max)
exact("__nv_umin", "i:ii", min)
exact("__nv_llmax", "l:ll", of_signed(max, 64))
exact("__nv_llmin", "l:ll", of_signed(min, 64))
exact("__nv_ullmax", "l:ll", max)
exact("__nv_ullmin", "l:ll", min)
exact("__nv_mul24 __mul24", "i:ii", lambda a, b: signed(a & 0xffffff, 24) * signed(b & 0xffffff, 24) & WORD)
exact("__nv_umul24 __umul24", "i:ii", lambda a, b: (a & 0xffffff) * (b & 0xffffff) & WORD)
exact("__nv_mulhi llvm.nvvm.mulhi.i __mulhi", "i:ii", of_signed(lambda a, b: a * b >> 32))
exact("__nv_umulhi llvm.nvvm.mulhi.ui __umulhi", "i:ii", lambda a, b: a * b >> 32)
exact("__nv_mul64hi llvm.nvvm.mulhi.ll __mul64hi", "l:ll", of_signed(lambda a, b: a * b >> 64, 64))
exact("__nv_umul64hi llvm.nvvm.mulhi.ull __umul64hi", "l:ll", lambda a, b: a * b >> 64)
exact("__nv_brev __brev", "i:i", reversed_bits(32))
exact("__nv_brevll __brevll", "l:l", reversed_bits(64))
exact("__nv_popc __popc", "i:i", lambda a: bin(a).count("1"))
exact("__nv_popcll __popcll", "i:l", lambda a: bin(a).count("1"))
exact("__nv_clz __clz", "i:i", lambda a: 32 - a.bit_length())
exact("__nv_clzll __clzll", "i:l", lambda a: 64 - a.bit_length())
exact("__nv_ffs __ffs _Z5__ffsi", "i:i", first_set)
exact("__nv_ffsll __ffsll", "i:l", first_set)
exact("llvm.nvvm.prmt", "i:iii", permuted)
exact("__nv_byte_perm __byte_perm", "i:iii", lambda a, b, c: permuted(a, b, c & 0x7777))
exact("__nv_sad __sad llvm.nvvm.sad.i", "i:iii",
      lambda a, b, c: (abs(signed(a, 32) - signed(b, 32)) + c) & WORD)
exact("__nv_usad __usad llvm.nvvm.sad.ui", "i:iii", lambda a, b, c: (abs(a - b) + c) & WORD)
exact("llvm.nvvm.sad.ll", "l:lll", lambda a, b, c: (abs(signed(a, 64) - signed(b, 64)) + c) & LONG)
exact("llvm.nvvm.sad.ull", "l:lll", lambda a, b, c: (abs(a - b) + c) & LONG)
exact("__nv_hadd __hadd", "i:ii", of_signed(lambda a, b: (a + b) >> 1))
exact("__nv_rhadd __rhadd", "i:ii", of_signed(lambda a, b: (a + b + 1) >> 1))
exact("__nv_uhadd __uhadd", "i:ii", lambda a, b: (a + b) >> 1)
exact("__nv_urhadd __urhadd", "i:ii", lambda a, b: (a + b + 1) >> 1)
exact("__funnelshift_l", "i:iii", lambda low, high, by: ((high << 32 | low) << (by & 31)) >> 32 & WORD)
exact("__funnelshift_r", "i:iii", lambda low, high, by: (high << 32 | low) >> (by & 31) & WORD)
exact("__funnelshift_lc", "i:iii", lambda low, high, by: ((high << 32 | low) << min(by, 32)) >> 32 & WORD)
exact("__funnelshift_rc", "i:iii", lambda low, high, by: (high << 32 | low) >> min(by, 32) & WORD)
for a_kind, b_kind in ("ss", "su", "us", "uu"):
    exact("llvm.nvvm.idp4a.%s.%s" % (a_kind, b_kind), "i:iii", dot(a_kind == "s", b_kind == "s"))
    exact("llvm.nvvm.idp2a.%s.%s" % (a_kind, b_kind), "i:iipi", dot_halves(a_kind == "s", b_kind == "s"))


def video(function, width, is_signed, fit):
    def apply(a, b=0):
        result = 0
        low = -(1 << (width - 1)) if is_signed else 0
        high = (1 << (width - is_signed)) - 1
        for i, (x, y) in enumerate(zip(parts(a, width, is_signed), parts(b, width, is_signed))):
            part = function(x, y)
            if fit == "clamp":
                part = min(max(part, low), high)
            elif fit == "fill":
                part = -1 if part else 0
            result |= (int(part) & ((1 << width) - 1)) << width * i
        return result
    return apply


def video_sum(width, is_signed):
    return lambda a, b: sum(abs(x - y) for x, y in zip(parts(a, width, is_signed),
                                                       parts(b, width, is_signed))) & WORD


for many, width in (("2", 16), ("4", 8)):
    for name, types, is_signed, fit, function in (
            ("vabs", "i:i", True, "", lambda x, y: abs(x)),
            ("vabsss", "i:i", True, "clamp", lambda x, y: abs(x)),
            ("vneg", "i:i", True, "", lambda x, y: -x),
            ("vnegss", "i:i", True, "clamp", lambda x, y: -x),
            ("vabsdiffs", "i:ii", True, "", lambda x, y: abs(x - y)),
            ("vabsdiffu", "i:ii", False, "", lambda x, y: abs(x - y)),
            ("vadd", "i:ii", False, "", lambda x, y: x + y),
            ("vaddss", "i:ii", True, "clamp", lambda x, y: x + y),
            ("vaddus", "i:ii", False, "clamp", lambda x, y: x + y),
            ("vsub", "i:ii", False, "", lambda x, y: x - y),
            ("vsubss", "i:ii", True, "clamp", lambda x, y: x - y),
            ("vsubus", "i:ii", False, "clamp", lambda x, y: x - y),
            ("vavgs", "i:ii", True, "", lambda x, y: math.floor(Fraction(x + y + (x + y >= 0), 2))),
            ("vavgu", "i:ii", False, "", lambda x, y: (x + y + 1) // 2),
            ("vhaddu", "i:ii", False, "", lambda x, y: (x + y) // 2),
            ("vmaxs", "i:ii", True, "", max), ("vmaxu", "i:ii", False, "", max),
            ("vmins", "i:ii", True, "", min), ("vminu", "i:ii", False, "", min)):
        exact("__nv_%s%s __%s%s" % (name, many, name, many), types, video(function, width, is_signed, fit))
    exact("__nv_vsads" + many, "i:ii", video_sum(width, True))
    exact("__nv_vsadu" + many, "i:ii", video_sum(width, False))
    for name, function in (("eq", lambda x, y: x == y), ("ne", lambda x, y: x != y),
                           ("ge", lambda x, y: x >= y), ("gt", lambda x, y: x > y),
                           ("le", lambda x, y: x <= y), ("lt", lambda x, y: x < y)):
        for end, is_signed in (("", False),) if name in ("eq", "ne") else (("s", True), ("u", False)):
            exact("__nv_vcmp%s%s%s" % (name, end, many), "i:ii", video(function, width, is_signed, "fill"))
            exact("__nv_vset%s%s%s" % (name, end, many), "i:ii", video(function, width, is_signed, ""))

# ---- the module --------------------------------------------------------------------------------

LLVM_TYPES = {"f": "float", "d": "double", "h": "i16", "i": "i32", "l": "i64", "p": "i1"}
BYTES = {"f": 4, "d": 8, "h": 2, "i": 4, "l": 8}
calls = []  # (name, row), in the order of the results


def text_of_call(name, row, number):
    """Lines of a kernel: operands from in, results to out."""
    results, operands = row.types.split(":")
    lines, given = [], []
    for j, letter in enumerate(operands):
        if letter == "p":  # has to be a number
            given.append("i1 %s" % ("true" if number % 2 else "false"))
            continue
        v = "%%v%d.%d" % (number, j)
        lines += ["%s.a = getelementptr i64, ptr %%in.%s, i32 %%at.%d" % (v, letter, j),
                  "%s.w = load i64, ptr %s.a" % (v, v)]
        if letter in "fi":
            lines.append("%s.n = trunc i64 %s.w to i32" % (v, v))
            if letter == "i" and row.modulo:
                lines.append("%s.m = srem i32 %s.n, %d" % (v, v, row.modulo))
        elif letter == "h":
            lines.append("%s.n = trunc i64 %s.w to i16" % (v, v))
        kind = LLVM_TYPES[letter]
        if letter in "fd":
            lines.append("%s = bitcast i%d %s.%s to %s"
                         % (v, 8 * BYTES[letter], v, "n" if letter == "f" else "w", kind))
        else:
            end = "m" if letter == "i" and row.modulo else "w" if letter == "l" else "n"
            lines.append("%s = add %s %s.%s, 0" % (v, kind, v, end))
        given.append("%s %s" % (kind, v))
    r = "%%r%d" % number
    kinds = [LLVM_TYPES[letter] for letter in results]
    pointers = []
    if len(results) == 1:
        lines.append("%s.0 = call %s @%s(%s)" % (r, kinds[0], name, ", ".join(given)))
    elif name.startswith("llvm."):
        kind = "{ %s }" % ", ".join(kinds)
        lines.append("%s = call %s @%s(%s)" % (r, kind, name, ", ".join(given)))
        lines += ["%s.%d = extractvalue %s %s, %d" % (r, i, kind, r, i) for i in range(2)]
    else:  # through pointers: all, or all but the first
        first = 0 if "sincos" in name else 1
        pointers = ["%%slot.%s%d" % (results[i], i) for i in range(first, 2)]
        lines.append("%scall %s @%s(%s)" % ("%s.0 = " % r if first else "", kinds[0] if first else "void",
                                            name, ", ".join(given + ["ptr " + p for p in pointers])))
        lines += ["%s.%d = load %s, ptr %s" % (r, i, kinds[i], p)
                  for i, p in zip(range(first, 2), pointers)]
    for i, letter in enumerate(results):
        to = "%%o%d.%d" % (number, i)
        bits = 8 * BYTES[letter]
        lines.append("%s.b = bitcast %s %s.%d to i%d" % (to, kinds[i], r, i, bits))
        lines.append("%s.w = %s i%d %s.b to i64" % (to, "zext" if bits < 64 else "bitcast", bits, to))
        lines.append("%s.a = getelementptr i64, ptr %%out.t, i64 %d"
                     % (to, THREADS * (2 * number + i)))
        lines.append("store i64 %s.w, ptr %s.a" % (to, to))
    return lines


def declaration(name, row):
    results, operands = row.types.split(":")
    kinds = [LLVM_TYPES[letter] for letter in results]
    given = [LLVM_TYPES[letter] for letter in operands]
    if len(results) == 1:
        kind = kinds[0]
    elif name.startswith("llvm."):
        kind = "{ %s }" % ", ".join(kinds)
    else:
        first = 0 if "sincos" in name else 1
        kind = kinds[0] if first else "void"
        given += ["ptr"] * (2 - first)
    return "declare %s @%s(%s)" % (kind, name, ", ".join(given))


def module():
    lines = ['target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"',
             'target triple = "nvptx64-nvidia-cuda"',
             "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
             "define void @all(%s, ptr %%out) {"
             % ", ".join("ptr %%in.%s" % letter for letter in "fdhil")]
    lines += ["%%slot.%s%d = alloca i64" % (letter, i) for letter in "fdi" for i in range(2)]
    lines += ["%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
              "%out.t = getelementptr i64, ptr %out, i32 %t"]
    for j in range(4):  # thread t's operand j is number (2j + 1) t + 37 j
        lines += ["%%at.%d.m = mul i32 %%t, %d" % (j, 2 * j + 1), "%%at.%d.p = add i32 %%at.%d.m, %d" % (j, j, 37 * j),
                  "%%at.%d = urem i32 %%at.%d.p, %d" % (j, j, THREADS)]
    declared = {}
    for number, (name, row) in enumerate(calls):
        lines += text_of_call(name, row, number)
        declared[name] = declaration(name, row)
    return "\n".join(lines + ["ret void", "}"] + sorted(declared.values())) + "\n"


# ---- operands ----------------------------------------------------------------------------------

def operands_of(letter, source):
    if letter in "fd":
        wanted = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 1.5, 2.5, 3.5, -2.5, math.inf, -math.inf,
                  math.nan, 1e-40, -1e-40, 1e-310, 3.25, 10.0, 100.0, 1e10, 3e38, -3e38, 1.1754944e-38, 0.1, 0.9,
                  1.9, 26.0, 27.0, -26.0, 88.0, -88.0, 170.0, 708.0, 2147483648.0, -2147483648.5,
                  4294967296.0, 9223372036854775808.0, 18446744073709551616.0, 65504.0, 65520.0, 6e-8, 0.49999997]
        while len(wanted) < THREADS:
            kind = len(wanted) % 4
            number = source.uniform(-1, 1) if kind == 0 else source.uniform(0, 2) if kind == 1 else \
                source.uniform(-30, 30) if kind == 2 else \
                source.choice((-1, 1)) * 2.0 ** source.uniform(-60, 60)
            wanted.append(number)
        as_float, as_bits = FORMATS[letter][3:]
        return [struct.unpack(as_bits, struct.pack(as_float, number))[0] for number in wanted]
    width = 8 * BYTES[letter]
    wanted = [0, 1, 2, 3, 31, 32, 33, 63, 64, (1 << width) - 1, 1 << (width - 1), (1 << (width - 1)) - 1,
              0x80, 0x7f, 0x8080, 0x7f7f, 0x80007fff, 0x7f80ff01]
    while len(wanted) < THREADS:
        wanted.append(source.getrandbits(source.randrange(1, width + 1)))
    return [number & ((1 << width) - 1) for number in wanted]


def operand(number, row, j, letter, values, thread):
    if letter == "p":
        return number % 2
    bits = values[letter][((2 * j + 1) * thread + 37 * j) % THREADS]
    if letter == "i" and row.modulo:
        bits = int(math.fmod(signed(bits, 32), row.modulo)) & WORD
    return bits


# ---- the checks --------------------------------------------------------------------------------

def same(got, wanted, letter):
    if wanted is ANY:
        return True
    if wanted is NAN:
        if letter == "h":
            return got & 0x7c00 == 0x7c00 and got & 0x3ff != 0
        return math.isnan(value(got, letter))
    if letter in "fd" and math.isnan(value(got, letter)) and math.isnan(value(wanted, letter)):
        return True
    return got == wanted


def check_exact(number, name, row, values, out):
    results, operands = row.types.split(":")
    for thread in range(THREADS):
        given = [operand(number, row, j, letter, values, thread) for j, letter in enumerate(operands)]
        wanted = row.exact(*given)
        wanted = wanted if isinstance(wanted, tuple) else (wanted,)
        for i, letter in enumerate(results):
            got = out[THREADS * (2 * number + i) + thread]
            if not same(got, wanted[i], letter):
                return "%s(%s) is 0x%x and should be %s" % (
                    name, ", ".join("0x%x" % bits for bits in given), got,
                    "NaN" if wanted[i] is NAN else "0x%x" % wanted[i])
    return None


REFERENCE = r"""
#define _DEFAULT_SOURCE
#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static const long double pi = 3.14159265358979323846264338327950288L;
static const long double root_of_pi = 1.77245385090551602729816748334114518L;
static long double cospi(long double x) {
  long double turn = fabsl(fmodl(x, 2));
  turn = turn > 1 ? 2 - turn : turn;
  return isfinite(x) ? sinl(pi * (0.5L - turn)) : NAN;
}
static long double sinpi(long double x) {
  long double turn = fmodl(x, 2);
  if (turn > 1 || turn < -1) turn -= copysignl(2, turn);
  if (turn > 0.5L || turn < -0.5L) turn = copysignl(1, turn) - turn;
  return isfinite(x) ? sinl(pi * turn) : NAN;
}
static long double norm(long double x, long double y, long double z, long double w) {
  return hypotl(hypotl(x, y), hypotl(z, w));
}
/* The Bessel function's integral: the trapezoidal rule is exact but for e^-n. */
static long double bessel(long double x, int order) {
  long double sum = 0;
  enum { N = 4000 };
  if (isnan(x) || fabsl(x) > 11000) return isnan(x) ? x : order && x < 0 ? -INFINITY : INFINITY;
  for (int k = 0; k < N; k++) {
    long double c = cosl(2 * pi * k / N);
    sum += expl(x * c) * (order ? c : 1);
  }
  if (order && fabsl(x) < 0.01L) return x / 2 * (1 + x * x / 8 * (1 + x * x / 24));
  return sum / N;
}
static long double scaled_erfc(long double x) {
  if (x < 100) return expl(x * x) * erfcl(x);
  return 1 / (root_of_pi * (x + 0.5L / (x + 1 / (x + 1.5L / x))));
}
/* One step of Newton's method from the result r. */
static long double inverse(long double x, long double r, int by_complement) {
  if (isnan(x) || fabsl(x) > 1) return NAN;
  if (x == 0 || fabsl(x) == 1) return x == 0 ? x : copysignl(INFINITY, x);
  if (!isfinite(r)) return NAN;
  long double wrong = by_complement ? (1 - fabsl(x)) - erfcl(fabsl(r)) : erfl(r) - x;
  if (by_complement) wrong = copysignl(1, x) * wrong;
  return r - wrong * expl(r * r) * root_of_pi / 2;
}
static long double complementary_inverse(long double x, long double r) {
  if (isnan(x) || x < 0 || x > 2) return NAN;
  if (x == 0 || x == 2) return x == 0 ? INFINITY : -INFINITY;
  if (!isfinite(r)) return NAN;
  return r + (erfcl(r) - x) * expl(r * r) * root_of_pi / 2;
}
static long double normal_inverse(long double x, long double r) {
  return -sqrtl(2) * complementary_inverse(2 * x, -r / sqrtl(2));
}
static long double as(uint64_t bits, char type) {
  float f; double d; uint32_t word = (uint32_t)bits;
  memcpy(&f, &word, 4); memcpy(&d, &bits, 8);
  return type == 'f' ? f : d;
}
/* The error of `got` in units in the last place of `wanted`, rounded: as CUDA's documentation counts. */
static long double error(long double got, long double wanted, char type) {
  if (type == 'f' ? isfinite((float)wanted) : isfinite((double)wanted))
    wanted = type == 'f' ? (float)wanted : (double)wanted;
  int digits = type == 'f' ? 23 : 52, least = type == 'f' ? -126 : -1022, exponent;
  long double most = type == 'f' ? 3.40282346638528859812e38L : 1.7976931348623157e308L;
  if (isnan(wanted)) return isnan(got) ? 0 : 1e9L;
  if (fabsl(wanted) > most) return isinf(got) && signbit(got) == signbit(wanted) ? 0 :
    fabsl(wanted) < most * 1.0000001L && fabsl(got) == most ? 0 : 1e9L;
  if (isnan(got) || isinf(got)) return 1e9L;
  if (got == wanted) return 0;
  exponent = wanted == 0 ? least : ilogbl(wanted);
  return fabsl(got - wanted) / ldexpl(1, (exponent < least ? least : exponent) - digits);
}
static uint64_t *read_words(const char *name, size_t *count) {
  FILE *file = fopen(name, "rb");
  fseek(file, 0, SEEK_END);
  *count = (size_t)ftell(file) / 8;
  rewind(file);
  uint64_t *words = malloc(*count * 8);
  if (fread(words, 8, *count, file) != *count) exit(2);
  fclose(file);
  return words;
}
static uint64_t *values[256], *out;
static uint64_t at(char letter, int j, int t) { return values[(int)letter][((2 * j + 1) * t + 37 * j) % THREADS]; }
static long double operand(const char *operands, int j, int t) {
  return (int)strlen(operands) <= j || !strchr("fd", operands[j]) ? 0 : as(at(operands[j], j, t), operands[j]);
}
static int check(const char *name, const char *types, int number, long double ulp, long double absolute,
                 int modulo, void (*compute)(long double, long double, long double, long double, int, long double, long double *)) {
  const char *operands = strchr(types, ':') + 1;
  for (int t = 0; t < THREADS; t++) {
    long double x[4], wanted[2];
    int i = 0;
    for (int j = 0; j < 4; j++) x[j] = operand(operands, j, t);
    for (int j = 0; operands[j]; j++) if (operands[j] == 'i') i = (int32_t)at('i', j, t) % (modulo ? modulo : 1 << 30);
    for (int k = 0; types[k] != ':'; k++) {
      long double got = as(out[THREADS * (2 * number + k) + t], types[k]);
      compute(x[0], x[1], x[2], x[3], i, got, wanted);
      long double wrong = error(got, wanted[k], types[k]);
      if (wrong > ulp && !(fabsl(got - wanted[k]) <= absolute)) {
        printf("%s(%.20Lg, %.20Lg, %d) is %.20Lg and should be %.20Lg: wrong by %.1Lf ulp\n", name, x[0], x[1], i, got, wanted[k], wrong);
        return 1;
      }
    }
  }
  return 0;
}
"""


def reference():
    lines = ["#define THREADS %d" % THREADS, REFERENCE]
    main = ["int main(int argc, char **argv) { size_t count; (void)argc; int wrong = 0;",
            "for (int i = 0; i < 5; i++) values[(int)\"fdhil\"[i]] = read_words(argv[1 + i], &count);",
            "out = read_words(argv[6], &count);"]
    for number, (name, row) in enumerate(calls):
        if row.exact is not None:
            continue
        parts_of = [row.expression]
        if row.types.index(":") > 1:
            parts_of = row.expression.split(", ")
        lines.append("static void c%d(long double x, long double y, long double z, long double w, int i, long double r, long double *to) {"
                     "(void)x; (void)y; (void)z; (void)w; (void)i; (void)r; %s }"
                     % (number, " ".join("to[%d] = %s;" % (k, e) for k, e in enumerate(parts_of))))
        main.append("wrong += check(\"%s\", \"%s\", %d, %gL, %gL, %d, c%d);"
                    % (name, row.types, number, row.ulp, row.absolute, row.modulo, number))
    return "\n".join(lines + main + ["return wrong != 0; }"]) + "\n"


def main():
    parser = argparse.ArgumentParser()
    for option in ("--simt", "--clang", "--work"):
        parser.add_argument(option, required=True)
    parser.add_argument("--libdevice")
    parser.add_argument("--link")
    parser.add_argument("--only", help="functions whose names contain it")
    arguments = parser.parse_args()
    for row in rows:
        for name in row.names:
            # libdevice's fast ones have other errors; it has no operations on parts of words; and its
            # jn and yn are NaN, or of the other sign, next to 0.
            of_libdevice = name.startswith("__nv_") and \
                not name.startswith(("__nv_fast", "__nv_v", "__nv_jn", "__nv_yn"))
            if (not arguments.libdevice or of_libdevice) and (arguments.only or "") in name:
                calls.append((name, row))
    os.makedirs(arguments.work, exist_ok=True)

    def path(name):
        return os.path.join(arguments.work, name)

    source = random.Random(24)
    values = {letter: operands_of(letter, source) for letter in "fdhil"}
    for letter, words in values.items():
        with open(path("in." + letter), "wb") as file:
            file.write(struct.pack("<%dQ" % THREADS, *words))
    with open(path("all.ll"), "w") as file:
        file.write(module())
    to_run = path("all.ll")
    if arguments.libdevice:
        to_run = path("linked.bc")
        subprocess.run([arguments.link, path("all.ll"), arguments.libdevice, "--only-needed", "-o", to_run],
                       check=True, stderr=subprocess.DEVNULL)
    command = [arguments.simt, to_run, "--kernel", "all", "--block", str(THREADS)]
    for letter in "fdhil":
        command += ["--arg", "buf:u64:file=" + path("in." + letter)]
    command += ["--arg", "buf:u64:%d" % (2 * THREADS * len(calls)), "--dump", "5=" + path("out")]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr.strip())
    with open(path("out"), "rb") as file:
        out = struct.unpack("<%dQ" % (2 * THREADS * len(calls)), file.read())
    wrong = [check_exact(number, name, row, values, out)
             for number, (name, row) in enumerate(calls) if row.exact is not None]
    wrong = [line for line in wrong if line]
    with open(path("reference.c"), "w") as file:
        file.write(reference())
    subprocess.run([arguments.clang, "-O1", path("reference.c"), "-o", path("reference"), "-lm"], check=True)
    checked = subprocess.run([path("reference")] + [path("in." + letter) for letter in "fdhil"] + [path("out")],
                             stdout=subprocess.PIPE, text=True)
    wrong += checked.stdout.splitlines()
    for line in wrong:
        print(line)
    print("%d functions, %d wrong" % (len(calls), len(wrong)))
    if wrong or checked.returncode not in (0, 1):
        sys.exit(1)


main()
