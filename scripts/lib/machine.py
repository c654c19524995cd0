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


class Machine:
    """A kernel of a cubin, ready to run. Files go beside the cubin."""

    def __init__(self, nvdisasm, clang, cubin, kernel):
        self.base = cubin.removesuffix(".cubin")
        assembly = subprocess.run([nvdisasm, cubin], stdout=subprocess.PIPE, text=True,
                                  check=True).stdout
        with open(os.path.join(HERE, "main.c"), encoding="ascii") as file:
            text = as_c(Program(assembly), kernel) + file.read()
        with open(self.base + ".machine.c", "w", encoding="ascii") as file:
            file.write(text)
        subprocess.run([clang, "-O1", "-w", "-march=native", "-ffp-contract=off",
                        "-fno-strict-aliasing", "-I" + HERE, self.base + ".machine.c", "-o",
                        self.base + ".machine", "-lm"], check=True)

    def run(self, launch):
        """(warp instructions, threads active, the bytes that threads wrote). Raises RuntimeError,
        with what the machine doesn't know."""
        out = self.base + ".machine.out"
        arguments = (launch.grid, launch.block, launch.words, launch.rounds, launch.threads, out)
        done = subprocess.run([self.base + ".machine", *map(str, arguments)],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=300, check=False)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip() or f"status {done.returncode}")
        instructions, active = done.stdout.split()[:2]
        with open(out, "rb") as file:
            return int(instructions), float(active), file.read()
