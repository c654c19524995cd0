"""Kernels in Triton, and PTX of them: for scripts/check-ptx, which reads it, and
bench/device/python_kernels, which runs it. No GPU is needed to compile.

    triton_kernels.py FOLDER [--elements FILE.bc] [--gpus 80,90,100] [FORM...]

leaves FORM.sm_90.ptx and FORM.sm_90.json (entry, threads, shared memory) in FOLDER for each kernel
in each of its forms, and for each GPU. elements: the function of one element that `checked` calls,
compiled by clang from elements.cu; without it that kernel is left out.
"""
import argparse
import json
import os
import warnings

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.language import core


@triton.jit
def softmax(out, x, stride, n, B: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, B)
    v = tl.load(x + row * stride + at, mask=at < n, other=-float("inf"))
    v = tl.exp(v - tl.max(v, 0))
    tl.store(out + row * stride + at, v / tl.sum(v, 0), mask=at < n)


@triton.jit
def layer_norm(out, x, weight, bias, n, B: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros([B], tl.float32)
    squares = tl.zeros([B], tl.float32)
    for start in range(0, n, B):
        at = start + tl.arange(0, B)
        v = tl.load(x + row * n + at, mask=at < n, other=0.0).to(tl.float32)
        total += v
        squares += v * v
    mean = tl.sum(total, 0) / n
    scale = tl.rsqrt(tl.sum(squares, 0) / n - mean * mean + 1e-5)
    for start in range(0, n, B):
        at = start + tl.arange(0, B)
        v = tl.load(x + row * n + at, mask=at < n, other=0.0).to(tl.float32)
        w = tl.load(weight + at, mask=at < n)
        b = tl.load(bias + at, mask=at < n)
        tl.store(out + row * n + at, (v - mean) * scale * w + b, mask=at < n)


@triton.jit
def matmul(c, a, b, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr,
           GROUP: tl.constexpr):
    program = tl.program_id(0)
    rows, columns = tl.cdiv(m, M), tl.cdiv(n, N)
    group = program // (GROUP * columns)
    height = min(rows - group * GROUP, GROUP)
    row = group * GROUP + program % (GROUP * columns) % height
    column = program % (GROUP * columns) // height
    ms = (row * M + tl.arange(0, M)) % m
    ns = (column * N + tl.arange(0, N)) % n
    ks = tl.arange(0, K)
    total = tl.zeros([M, N], tl.float32)
    for at in range(0, k, K):
        left = tl.load(a + ms[:, None] * k + (at + ks)[None, :],
                       mask=(at + ks)[None, :] < k, other=0.0)
        right = tl.load(b + (at + ks)[:, None] * n + ns[None, :],
                        mask=(at + ks)[:, None] < k, other=0.0)
        total = tl.dot(left, right, total)
    ms = row * M + tl.arange(0, M)
    ns = column * N + tl.arange(0, N)
    tl.store(c + ms[:, None] * n + ns[None, :], total, mask=(ms[:, None] < m) & (ns[None, :] < n))


@triton.jit
def matmul_tma(c, a, b, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr,
               WARPS: tl.constexpr):
    """Persistent, by descriptors, its loads in warps of their own where the GPU can."""
    left = tl.make_tensor_descriptor(a, [m, k], [k, 1], [M, K])
    right = tl.make_tensor_descriptor(b, [k, n], [n, 1], [K, N])
    out = tl.make_tensor_descriptor(c, [m, n], [n, 1], [M, N])
    columns = tl.cdiv(n, N)
    for tile in tl.range(tl.program_id(0), tl.cdiv(m, M) * columns, tl.num_programs(0),
                         warp_specialize=WARPS):
        row, column = tile // columns * M, tile % columns * N
        total = tl.zeros([M, N], tl.float32)
        for at in range(0, k, K):
            total = tl.dot(left.load([row, at]), right.load([at, column]), total)
        out.store([row, column], total.to(tl.float16))


@triton.jit
def attention(out, q, k, v, n, scale, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr,
              CAUSAL: tl.constexpr):
    """Flash attention, forward."""
    start, head = tl.program_id(0) * M, tl.program_id(1) * n * D
    ms, ds = start + tl.arange(0, M), tl.arange(0, D)
    query = tl.load(q + head + ms[:, None] * D + ds[None, :])
    total = tl.zeros([M, D], tl.float32)
    most = tl.full([M], -float("inf"), tl.float32)
    weight = tl.zeros([M], tl.float32)
    end = start + M if CAUSAL else n
    for at in range(0, end, N):
        ns = at + tl.arange(0, N)
        keys = tl.load(k + head + ns[None, :] * D + ds[:, None])
        score = tl.dot(query, keys) * scale
        if CAUSAL:
            score = tl.where(ms[:, None] >= ns[None, :], score, -1e30)
        more = tl.maximum(most, tl.max(score, 1))
        p = tl.exp2(score - more[:, None])
        shrink = tl.exp2(most - more)
        weight = weight * shrink + tl.sum(p, 1)
        values = tl.load(v + head + ns[:, None] * D + ds[None, :])
        total = tl.dot(p.to(tl.float16), values, total * shrink[:, None])
        most = more
    tl.store(out + head + ms[:, None] * D + ds[None, :], (total / weight[:, None]).to(tl.float16))


@triton.jit
def sort(out, x, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + at, tl.sort(tl.load(x + at)))


@triton.jit
def ragged(out, x, starts, B: tl.constexpr):
    """Rows of different lengths: what a program takes is its own."""
    row = tl.program_id(0)
    start, end = tl.load(starts + row), tl.load(starts + row + 1)
    total = tl.zeros([B], tl.float32)
    while start < end:
        at = start + tl.arange(0, B)
        total += tl.load(x + at, mask=at < end, other=0.0)
        start += B
    tl.store(out + row, tl.sum(total, 0))


@triton.jit
def ragged_matmul(c, a, b, starts, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    """Groups of different numbers of rows, each times a matrix of its own."""
    group, column = tl.program_id(0), tl.program_id(1) * N
    start, end = tl.load(starts + group), tl.load(starts + group + 1)
    ns, ks = column + tl.arange(0, N), tl.arange(0, K)
    for row in range(start, end, M):
        ms = row + tl.arange(0, M)
        total = tl.zeros([M, N], tl.float32)
        for at in range(0, k, K):
            left = tl.load(a + ms[:, None] * k + (at + ks)[None, :],
                           mask=ms[:, None] < end, other=0.0)
            right = tl.load(b + group * k * n + (at + ks)[:, None] * n + ns[None, :])
            total = tl.dot(left, right, total)
        tl.store(c + ms[:, None] * n + ns[None, :], total, mask=ms[:, None] < end)


@triton.jit
def histogram(out, x, n, B: tl.constexpr, BINS: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    counts = tl.histogram(tl.load(x + at, mask=at < n, other=0) & (BINS - 1), BINS)
    tl.atomic_add(out + tl.arange(0, BINS), counts)


@triton.jit
def scan(out, x, n, B: tl.constexpr):
    """Sums of all before, row by row; a part of the row's sum comes over from part to part."""
    row, before = tl.program_id(0), 0
    for start in range(0, n, B):
        at = start + tl.arange(0, B)
        v = tl.load(x + row * n + at, mask=at < n, other=0)
        tl.store(out + row * n + at, before + tl.cumsum(v, 0), mask=at < n)
        before += tl.sum(v, 0)


@triton.jit
def collatz(out, x, n, B: tl.constexpr):
    """As long as any element of the program has steps to make."""
    at = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + at, mask=at < n, other=1)
    steps = tl.zeros([B], tl.int32)
    while tl.max(v, 0) > 1:
        steps += (v > 1).to(tl.int32)
        v = tl.where(v > 1, tl.where(v % 2 == 0, v // 2, 3 * v + 1), v)
    tl.store(out + at, steps, mask=at < n)


@triton.jit
def gelu(out, x, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + at, mask=at < n)
    tl.store(out + at, 0.5 * v * (1 + tl.erf(v * 0.7071067811865476)), mask=at < n)


@triton.jit
def dropout(out, x, n, seed, p, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + at, mask=at < n)
    tl.store(out + at, tl.where(tl.rand(seed, at) > p, v / (1 - p), 0.0), mask=at < n)


@core.extern
def check(address, x, _semantic=None):
    types = (core.dtype("uint64"), core.dtype("uint32"))
    symbols = {types: ("check", core.dtype("uint32"))}
    return core.extern_elementwise("elements", "", [address, x], symbols, is_pure=False,
                                   _semantic=_semantic)


@triton.jit
def checked(out, data, n, B: tl.constexpr):
    """A function of one element, from a library of bitcode: a warp's elements part in it."""
    at = tl.program_id(0) * B + tl.arange(0, B)
    v = check(data.to(tl.uint64), at.to(tl.uint32))
    tl.store(out + at, v, mask=at < n)


FP32, FP16, I32, U32 = "*fp32", "*fp16", "*i32", "*u32"
SQUARE = {"c": FP16, "a": FP16, "b": FP16, "m": "i32", "n": "i32", "k": "i32"}
HEADS = {"out": FP16, "q": FP16, "k": FP16, "v": FP16, "n": "i32", "scale": "fp32"}
# name of a form: kernel, types, constants, options. Pointers and sizes are multiples of 16.
FORMS = {
    "softmax": (softmax, {"out": FP32, "x": FP32, "stride": "i32", "n": "i32"}, {"B": 1024}, {}),
    "softmax_wide": (softmax, {"out": FP16, "x": FP16, "stride": "i32", "n": "i32"}, {"B": 8192},
                     {"num_warps": 8}),
    "layer_norm": (layer_norm, {"out": FP16, "x": FP16, "weight": FP32, "bias": FP32, "n": "i32"},
                   {"B": 1024}, {}),
    "matmul": (matmul, {**SQUARE, "c": FP32}, {"M": 128, "N": 128, "K": 64, "GROUP": 8},
               {"num_warps": 8}),
    "matmul_small": (matmul, {**SQUARE, "c": FP32}, {"M": 32, "N": 32, "K": 32, "GROUP": 4},
                     {"num_warps": 2, "num_stages": 2}),
    "matmul_tf32": (matmul, {**SQUARE, "c": FP32, "a": FP32, "b": FP32},
                    {"M": 64, "N": 128, "K": 32, "GROUP": 8}, {"num_stages": 4}),
    "matmul_tma": (matmul_tma, SQUARE, {"M": 128, "N": 128, "K": 64, "WARPS": False},
                   {"num_warps": 8}),
    "matmul_warps": (matmul_tma, SQUARE, {"M": 128, "N": 128, "K": 64, "WARPS": True}, {}),
    "attention": (attention, HEADS, {"M": 128, "N": 64, "D": 64, "CAUSAL": False},
                  {"num_warps": 8}),
    "attention_causal": (attention, HEADS, {"M": 64, "N": 64, "D": 128, "CAUSAL": True},
                         {"num_stages": 2}),
    "sort": (sort, {"out": I32, "x": I32}, {"B": 1024}, {}),
    "sort_floats": (sort, {"out": FP32, "x": FP32}, {"B": 256}, {"num_warps": 1}),
    "ragged": (ragged, {"out": FP32, "x": FP32, "starts": I32}, {"B": 256}, {}),
    "ragged_one_warp": (ragged, {"out": FP32, "x": FP32, "starts": I32}, {"B": 32},
                        {"num_warps": 1}),
    "ragged_matmul": (ragged_matmul, {"c": FP32, "a": FP16, "b": FP16, "starts": I32, "n": "i32",
                                      "k": "i32"}, {"M": 64, "N": 64, "K": 32}, {}),
    "histogram": (histogram, {"out": I32, "x": I32, "n": "i32"}, {"B": 1024, "BINS": 256}, {}),
    "scan": (scan, {"out": I32, "x": I32, "n": "i32"}, {"B": 512}, {}),
    "collatz": (collatz, {"out": I32, "x": I32, "n": "i32"}, {"B": 256}, {}),
    "gelu": (gelu, {"out": FP32, "x": FP32, "n": "i32"}, {"B": 1024}, {}),
    "dropout": (dropout, {"out": FP32, "x": FP32, "n": "i32", "seed": "i32", "p": "fp32"},
                {"B": 1024}, {}),
    "checked": (checked, {"out": U32, "data": U32, "n": "i32"}, {"B": 128}, {}),
}


def compile_form(name, sm, elements):
    kernel, types, constants, options = FORMS[name]
    attributes = {(at,): [["tt.divisibility", 16]] for at, kind in enumerate(types.values())
                  if kind.startswith("*") or kind == "i32"}
    source = ASTSource(fn=kernel, signature={**types, **dict.fromkeys(constants, "constexpr")},
                       constexprs=constants, attrs=attributes)
    options = dict(options, ptx_version=88)  # which the ptxas of CUDA 12.9 takes
    if elements:
        options["extern_libs"] = {"elements": elements}
    return triton.compile(source, target=GPUTarget("cuda", sm, 32), options=options)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="the forms alone")
    parser.add_argument("folder", nargs="?", default=".")
    parser.add_argument("--elements", metavar="FILE.bc")
    parser.add_argument("--gpus", default="80,90,100")
    parser.add_argument("names", nargs="*", metavar="FORM")
    options = parser.parse_intermixed_args()
    if options.list:
        print("\n".join(FORMS))
        return
    warnings.simplefilter("ignore")
    for name in options.names or FORMS:
        if name == "checked" and not options.elements:
            continue
        for sm in options.gpus.split(","):
            made = compile_form(name, int(sm), options.elements if name == "checked" else None)
            base = os.path.join(options.folder, "%s.sm_%s" % (name, sm))
            with open(base + ".ptx", "w", encoding="utf-8") as file:
                file.write(made.asm["ptx"])
            with open(base + ".json", "w", encoding="utf-8") as file:
                json.dump({"entry": made.metadata.name, "threads": 32 * made.metadata.num_warps,
                           "shared": made.metadata.shared}, file)


if __name__ == "__main__":
    main()
