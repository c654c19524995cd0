"""Kernels in Numba, and PTX of them, for bench/device/python_kernels. No GPU is needed to compile.

    numba_kernels.py FOLDER [KERNEL...]

leaves KERNEL.ptx and KERNEL.json (entry, threads, shared memory) in FOLDER.
"""
import argparse
import json
import math
import os
import re
import types as records

from numba import cuda, float32, int32, types, uint32, void
from numba.cuda import dispatcher

GPU = (9, 0)
# Whom a device function is compiled for, Numba asks the GPU.
dispatcher.get_current_device = lambda: records.SimpleNamespace(compute_capability=GPU)

TILE, WIDER, BINS, LEFT = 16, 17, 256, 4


def saxpy(out, x, y, a):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a * x[i] + y[i]


def stencil(out, x):
    i = cuda.grid(1)
    if 0 < i < out.size - 1:
        out[i] = float32(0.25) * x[i - 1] + float32(0.5) * x[i] + float32(0.25) * x[i + 1]


def block_sums(out, x):
    """A sum for each thread block, by halves."""
    part = cuda.shared.array(256, float32)
    i, t = cuda.grid(1), cuda.threadIdx.x
    part[t] = x[i] if i < x.size else float32(0)
    cuda.syncthreads()
    width = 128
    while width > 0:
        if t < width:
            part[t] += part[t + width]
        cuda.syncthreads()
        width //= 2
    if t == 0:
        out[cuda.blockIdx.x] = part[0]


def tiled_product(c, a, b):
    left = cuda.shared.array((TILE, TILE), float32)
    right = cuda.shared.array((TILE, TILE), float32)
    column, row = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0)
    for at in range(0, a.shape[1], TILE):
        left[ty, tx] = a[row, at + tx]
        right[ty, tx] = b[at + ty, column]
        cuda.syncthreads()
        for k in range(TILE):
            total += left[ty, k] * right[k, tx]
        cuda.syncthreads()
    c[row, column] = total


def histogram(out, x):
    counts = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    counts[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        cuda.atomic.add(counts, x[i] % BINS, 1)
    cuda.syncthreads()
    cuda.atomic.add(out, t, counts[t])


def black_scholes(out, price, strike, years):
    i = cuda.grid(1)
    if i >= out.size:
        return
    spread = float32(0.3) * math.sqrt(years[i])
    d = (math.log(price[i] / strike[i]) + float32(0.065) * years[i]) / spread
    likely = float32(0.5) + float32(0.5) * math.erf(d * float32(0.70710678))
    unlikely = float32(0.5) + float32(0.5) * math.erf((d - spread) * float32(0.70710678))
    out[i] = price[i] * likely - strike[i] * math.exp(float32(-0.02) * years[i]) * unlikely


def mandelbrot(out, width, most):
    i = cuda.grid(1)
    if i >= out.size:
        return
    cx = float32(-2) + float32(i % width) * float32(2.5) / float32(width)
    cy = float32(-1.25) + float32(i // width) * float32(2.5) / float32(width)
    x, y, steps = float32(0), float32(0), int32(0)
    while steps < most and x * x + y * y <= float32(4):
        x, y = x * x - y * y + cx, float32(2) * x * y + cy
        steps += int32(1)
    out[i] = steps


def bodies(out, x, y, mass):
    i = cuda.grid(1)
    if i >= out.size:
        return
    force = float32(0)
    for k in range(x.size):
        dx, dy = x[k] - x[i], y[k] - y[i]
        away = dx * dx + dy * dy + float32(0.01)
        force += mass[k] * dx / (away * math.sqrt(away))
    out[i] = force


def transpose(out, x):
    tile = cuda.shared.array((TILE, WIDER), float32)
    column, row = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    tile[ty, tx] = x[row, column]
    cuda.syncthreads()
    out[cuda.blockIdx.x * TILE + ty, cuda.blockIdx.y * TILE + tx] = tile[tx, ty]


def convolution(out, x, weight):
    i = cuda.grid(1)
    total = float32(0)
    for k in range(-LEFT, LEFT + 1):
        if 0 <= i + k < x.size:
            total += x[i + k] * weight[k + LEFT]
    if i < out.size:
        out[i] = total


@cuda.jit(device=True)
def mix(x):
    x = uint32((x ^ x >> uint32(16)) * uint32(0x7feb352d))
    return uint32(x ^ x >> uint32(15))


@cuda.jit(device=True)
def holds(data, x, bit):
    return (data[uint32(x + bit) & uint32(16383)] >> bit) & uint32(1) != 0


def checks(out, data, turns):
    """What elements.cu does: eight tests decide between two long ways."""
    i = cuda.grid(1)
    x = mix(uint32(i))
    for turn in range(turns):
        if ((((holds(data, x, uint32(1)) or holds(data, x, uint32(2)))
              and holds(data, x, uint32(3)) or holds(data, x, uint32(4)))
             and holds(data, x, uint32(5)) or holds(data, x, uint32(6)))
                and holds(data, x, uint32(7)) or holds(data, x, uint32(8))):
            for k in range(8):
                x = mix(uint32(x + data[(x >> uint32(7)) & uint32(16383)]))
        else:
            for k in range(8):
                x = mix(uint32(x * uint32(3) ^ data[uint32(x + turn) & uint32(16383)]))
    out[i] = x


FLOATS, INTS, BITS = (types.Array(kind, 1, "C")
                      for kind in (types.float32, types.int32, types.uint32))
PLANE = types.Array(types.float32, 2, "C")
SQUARE = (TILE, TILE, 1)
# kernel: types of its arguments, threads of a block.
FORMS = {
    "saxpy": (saxpy, (FLOATS, FLOATS, FLOATS, float32), (128, 1, 1)),
    "stencil": (stencil, (FLOATS, FLOATS), (128, 1, 1)),
    "block_sums": (block_sums, (FLOATS, FLOATS), (256, 1, 1)),
    "tiled_product": (tiled_product, (PLANE, PLANE, PLANE), SQUARE),
    "histogram": (histogram, (INTS, INTS), (BINS, 1, 1)),
    "black_scholes": (black_scholes, (FLOATS, FLOATS, FLOATS, FLOATS), (128, 1, 1)),
    "mandelbrot": (mandelbrot, (INTS, int32, int32), (128, 1, 1)),
    "bodies": (bodies, (FLOATS, FLOATS, FLOATS, FLOATS), (128, 1, 1)),
    "transpose": (transpose, (PLANE, PLANE), SQUARE),
    "convolution": (convolution, (FLOATS, FLOATS, FLOATS), (128, 1, 1)),
    "checks": (checks, (BITS, BITS, int32), (128, 1, 1)),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="the kernels alone")
    parser.add_argument("folder", nargs="?", default=".")
    parser.add_argument("names", nargs="*", metavar="KERNEL")
    options = parser.parse_args()
    if options.list:
        print("\n".join(FORMS))
        return
    for name in options.names or FORMS:
        kernel, arguments, threads = FORMS[name]
        ptx, _ = cuda.compile_ptx(kernel, void(*arguments), device=False, cc=GPU)
        base = os.path.join(options.folder, name)
        with open(base + ".ptx", "w", encoding="utf-8") as file:
            file.write(ptx)
        with open(base + ".json", "w", encoding="utf-8") as file:
            entry = re.search(r"\.entry (\w+)", ptx)[1]
            json.dump({"entry": entry, "threads": threads, "shared": 0}, file)


if __name__ == "__main__":
    main()
