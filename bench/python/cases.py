"""What the kernels of triton_kernels.py and numba_kernels.py are run with, and what has to come out,
by numpy.

A case is a list of arguments, as the kernel's source has them, and a grid. Arguments are numbers,
and buffers: given, or to be filled. A buffer is `times` copies of an array, so that much data is
little to carry.
"""
import math

import numpy as np

I32, F32 = np.int32, np.float32
random = np.random.default_rng(31)


class Given:
    def __init__(self, array, times=1):
        self.array, self.times = array, times


class Wanted(Given):
    """What has to come out; by how much of the largest it may be off, and how many by more."""

    def __init__(self, array, times=1, tolerance=0.0, share=0.0):
        super().__init__(array, times)
        self.tolerance, self.share = tolerance, share


def normal(*shape, kind=F32):
    return random.standard_normal(shape).astype(kind)


def softmax():
    x = normal(64, 1024)
    e = np.exp(x[:, :1008] - x[:, :1008].max(1, keepdims=True))
    y = np.zeros_like(x)
    y[:, :1008] = e / e.sum(1, keepdims=True)
    return [Wanted(y, 256, 1e-5), Given(x, 256), I32(1024), I32(1008)], (64 * 256, 1, 1)


def layer_norm():
    x, weight, bias = normal(64, 1024, kind=np.float16), normal(1024), normal(1024)
    v = x.astype(F32)
    y = (v - v.mean(1, keepdims=True)) / np.sqrt(v.var(1, keepdims=True) + 1e-5) * weight + bias
    return [Wanted(y.astype(np.float16), 256, 3e-3), Given(x, 256), Given(weight), Given(bias),
            I32(1024)], (64 * 256, 1, 1)


def matmul():
    a, b = normal(256, 512, kind=np.float16), normal(512, 512, kind=np.float16)
    c = a.astype(F32) @ b.astype(F32)
    return [Wanted(c, 32, 1e-3), Given(a, 32), Given(b), I32(256 * 32), I32(512),
            I32(512)], (64 * 4, 1, 1)


def attention():
    heads, n, d = 4, 512, 64
    q, k, v = (normal(heads, n, d, kind=np.float16) for _ in range(3))
    score = np.einsum("hid,hjd->hij", q.astype(F32), k.astype(F32)) * 0.125
    p = np.exp2(score - score.max(2, keepdims=True))
    y = np.einsum("hij,hjd->hid", p / p.sum(2, keepdims=True), v.astype(F32))
    return [Wanted(y.astype(np.float16), 16, 5e-3), *(Given(x, 16) for x in (q, k, v)), I32(n),
            F32(0.125)], (n // 128, heads * 16, 1)


def sort():
    x = random.integers(-2 ** 31, 2 ** 31, (64, 1024)).astype(I32)
    return [Wanted(np.sort(x, 1), 32), Given(x, 32)], (64 * 32, 1, 1)


def ragged():
    lengths = random.integers(0, 400, 4096) ** 2 // 300
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(I32)
    x = normal(int(starts[-1]))
    y = np.array([x[a:b].sum(dtype=np.float64) for a, b in zip(starts, starts[1:])]).astype(F32)
    return [Wanted(y, 1, 1e-4), Given(x), Given(starts)], (len(lengths), 1, 1)


def histogram_of(threads, programs):
    x = random.integers(0, 2 ** 20, 65536).astype(I32)
    return Wanted((64 * np.bincount(x & 255, minlength=256)).astype(I32)), Given(x, 64)


def triton_histogram():
    out, x = histogram_of(1024, 4096)
    return [out, x, I32(64 * 65536)], (4096, 1, 1)


def scan():
    x = random.integers(-1000, 1000, (64, 1024)).astype(I32)
    return [Wanted(np.cumsum(x, 1).astype(I32), 64), Given(x, 64), I32(1024)], (64 * 64, 1, 1)


def collatz():
    x = random.integers(1, 5000, 65536).astype(I32)
    steps, v = np.zeros_like(x), x.astype(np.int64)
    while (v > 1).any():
        steps += v > 1
        v = np.where(v > 1, np.where(v % 2 == 0, v // 2, 3 * v + 1), v)
    return [Wanted(steps, 8), Given(x, 8), I32(8 * 65536)], (8 * 256, 1, 1)


def gelu():
    x = normal(65536)
    y = 0.5 * x * (1 + np.array([math.erf(v * 0.7071067811865476) for v in x.tolist()]))
    return [Wanted(y.astype(F32), 256, 3e-6), Given(x, 256), I32(256 * 65536)], (256 * 64, 1, 1)


THREADS, TURNS = 1 << 18, 32


def checked_data():
    data = random.integers(0, 2 ** 25, 16384).astype(np.uint32)
    return data, checked_result(data)


def mix(x):
    x = (x ^ x >> np.uint32(16)) * np.uint32(0x7feb352d)
    return x ^ x >> np.uint32(15)


def checked_result(data):
    x = mix(np.arange(THREADS, dtype=np.uint32))
    for turn in range(TURNS):
        c = [None] + [(data[x + np.uint32(bit) & 16383] >> np.uint32(bit) & 1) != 0
                      for bit in range(1, 9)]
        one = (((c[1] | c[2]) & c[3] | c[4]) & c[5] | c[6]) & c[7] | c[8]
        way = other = x
        for _ in range(8):
            way = mix(way + data[way >> np.uint32(7) & 16383])
            other = mix(other * np.uint32(3) ^ data[other + np.uint32(turn) & 16383])
        x = np.where(one, way, other)
    return x


def checked():
    data, result = checked_data()
    return [Wanted(result), Given(data), I32(THREADS)], (THREADS // 128, 1, 1)


def checks():
    data, result = checked_data()
    return [Wanted(result), Given(data), I32(TURNS)], (THREADS // 128, 1, 1)


def saxpy():
    x, y = normal(65536), normal(65536)
    return [Wanted(F32(2.5) * x + y, 128, 1e-6), Given(x, 128), Given(y, 128),
            F32(2.5)], (128 * 512, 1, 1)


def stencil():
    x = normal(1 << 19)
    y = np.zeros_like(x)
    y[1:-1] = 0.25 * x[:-2] + 0.5 * x[1:-1] + 0.25 * x[2:]
    return [Wanted(y, 1, 1e-6), Given(x)], (1 << 12, 1, 1)


def block_sums():
    x = normal(65536)
    return [Wanted(x.reshape(-1, 256).sum(1), 128, 1e-5), Given(x, 128)], (128 * 256, 1, 1)


def tiled_product():
    a, b = normal(64, 512), normal(512, 512)
    return [Wanted(a @ b, 16, 1e-4), Given(a, 16), Given(b)], (32, 64, 1)


def numba_histogram():
    out, x = histogram_of(256, 528)
    return [out, x], (528, 1, 1)


def black_scholes():
    price, strike, years = (random.uniform(*range_, 65536).astype(F32)
                            for range_ in ((5, 30), (1, 100), (0.25, 10)))
    spread = 0.3 * np.sqrt(years)
    d = (np.log(price / strike) + 0.065 * years) / spread

    def likely(v):
        return 0.5 + 0.5 * np.array([math.erf(x * 0.70710678) for x in v.tolist()])
    y = price * likely(d) - strike * np.exp(-0.02 * years) * likely(d - spread)
    return [Wanted(y.astype(F32), 64, 1e-4), Given(price, 64), Given(strike, 64),
            Given(years, 64)], (64 * 512, 1, 1)


def mandelbrot():
    width, most = 512, 200
    i = np.arange(width * width)
    cx = F32(-2) + (i % width).astype(F32) * F32(2.5) / F32(width)
    cy = F32(-1.25) + (i // width).astype(F32) * F32(2.5) / F32(width)
    x, y, steps = np.zeros_like(cx), np.zeros_like(cx), np.zeros(len(i), I32)
    for _ in range(most):
        inside = x * x + y * y <= 4
        steps += inside
        x, y = np.where(inside, x * x - y * y + cx, x), np.where(inside, 2 * x * y + cy, y)
    # Near the edge of the set it matters how sums of products are rounded.
    return [Wanted(steps, share=0.03), I32(width), I32(most)], (width * width // 128, 1, 1)


def bodies():
    x, y, mass = normal(8192), normal(8192), np.abs(normal(8192))
    force = np.empty_like(x)
    for i in range(0, len(x), 256):
        dx, dy = x - x[i:i + 256, None], y - y[i:i + 256, None]
        away = dx * dx + dy * dy + F32(0.01)
        force[i:i + 256] = (mass * dx / (away * np.sqrt(away))).sum(1)
    return [Wanted(force, 1, 1e-3), Given(x), Given(y), Given(mass)], (64, 1, 1)


def transpose():
    x = normal(1024, 1024)
    return [Wanted(np.ascontiguousarray(x.T)), Given(x)], (64, 64, 1)


def convolution():
    x, weight = normal(1 << 19), normal(9)
    y = np.convolve(x, weight[::-1], "same")
    return [Wanted(y, 1, 1e-5), Given(x), Given(weight)], (1 << 12, 1, 1)


# By package; the first is the one whose threads part.
TRITON = {"checked": checked, "softmax": softmax, "layer_norm": layer_norm, "matmul": matmul,
          "attention": attention, "sort": sort, "ragged": ragged, "histogram": triton_histogram,
          "scan": scan, "collatz": collatz, "gelu": gelu}
NUMBA = {"checks": checks, "saxpy": saxpy, "stencil": stencil, "block_sums": block_sums,
         "tiled_product": tiled_product, "histogram": numba_histogram,
         "black_scholes": black_scholes, "mandelbrot": mandelbrot, "bodies": bodies,
         "transpose": transpose, "convolution": convolution}
