"""Runs machine code of sm_90 on the CPU, warp by warp: how many instructions warps execute, and how
many of their threads are active, of what ptxas really made of a kernel.

Kernels are those of bench/kernels and bench/exits (words, mask, rounds, out, threads), without
barriers and shared memory. How near it comes to what Nsight Compute counted on an H200:
`scripts/bench machine --check bench/results/h200-2026-11-23-profile.csv`.
"""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "sass"))
from translate import Program, as_c  # noqa: E402  (the folder has to be known first)

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sass")


def disassemble(nvdisasm, cubin):
    """All of a cubin, for machines of its kernels."""
    return Program(subprocess.run([nvdisasm, cubin], stdout=subprocess.PIPE, text=True, check=True).stdout)


def translate(program, kernel):
    """A kernel as C. Raises RuntimeError, with what the machine doesn't know."""
    with open(os.path.join(HERE, "main.c"), encoding="ascii") as file:
        return as_c(program, kernel) + file.read()


class Machine:
    """A kernel of a cubin, ready to run. Files go beside the cubin. `text`: of translate, where that
    is known; `level`: of optimisation, for what runs short, clang takes longer than the kernel."""

    def __init__(self, nvdisasm, clang, cubin, kernel, text=None, level="-O1"):
        self.base = cubin.removesuffix(".cubin")
        text = text or translate(disassemble(nvdisasm, cubin), kernel)
        with open(self.base + ".machine.c", "w", encoding="ascii") as file:
            file.write(text)
        subprocess.run([clang, level, "-w", "-march=native", "-ffp-contract=off",
                        "-fno-strict-aliasing", "-I" + HERE, self.base + ".machine.c", "-o",
                        self.base + ".machine", "-lm"], check=True)

    def run(self, launch, seconds=300):
        """(warp instructions, threads active, the bytes that threads wrote). Raises RuntimeError,
        with what the machine doesn't know."""
        out = self.base + ".machine.out"
        arguments = (launch.grid, launch.block, launch.words, launch.rounds, launch.threads, out)
        done = subprocess.run([self.base + ".machine", *map(str, arguments)],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=seconds, check=False)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip() or f"status {done.returncode}")
        instructions, active = done.stdout.split()[:2]
        with open(out, "rb") as file:
            return int(instructions), float(active), file.read()
