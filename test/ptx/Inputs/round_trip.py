#!/usr/bin/env python3
"""Are bench's kernels read and written back as they were, and does ptxas take what is made of them?

  round_trip.py --tool LINEARIZE_PTX --source REPOSITORY --out FOLDER [--clang CLANG++] [--nvcc NVCC]
                [--ptxas PTXAS] [KERNEL...]

Each kernel of bench/kernels (or those named) is compiled to PTX by the compilers that are given. With
mode none it has to come out byte for byte. In modes all and paper it has to come out, and ptxas has to
accept it.
"""
import argparse
import glob
import os
import subprocess
import sys


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


def compilers(options):
    include = "-I" + os.path.join(options.source, "bench", "include")
    if options.clang:
        for sm, ptx in (("sm_90", "ptx78"), ("sm_60", "ptx64")):
            yield "clang." + sm, sm, [options.clang, "-x", "cuda", "--cuda-device-only", "-nocudainc",
                                      "--cuda-path=/nonexistent", "-nocudalib", "-O3", include, "-S",
                                      "--cuda-feature=+" + ptx, "--cuda-gpu-arch=" + sm]
    if options.nvcc:
        yield "nvcc", "sm_90", [options.nvcc, "-arch=sm_90", "-O3", "-lineinfo", include, "-ptx"]
        yield "nvcc-rdc", "sm_90", [options.nvcc, "-arch=sm_90", "-rdc=true", include, "-ptx"]
        yield "nvcc-G", "sm_90", [options.nvcc, "-arch=sm_90", "-G", include, "-ptx"]


def check(options, path, sm):
    with open(path, "rb") as file:
        before = file.read()
    same = subprocess.run([options.tool, "--mode", "none", path], stdout=subprocess.PIPE)
    if same.returncode != 0 or same.stdout != before:
        return "doesn't come out as it was"
    for mode, level in (("all", "O4"), ("paper", "O0"), ("needed", "O4")):
        out = path + ".out"
        made = run([options.tool, "--mode", mode, "--level", level, "--force", "--remarks", "missed",
                    path, "-o", out])
        if made.returncode != 0 or b": left alone: " in made.stdout:
            return "%s %s: %s" % (mode, level, made.stdout.decode())
        if options.ptxas and sm == "sm_90":  # 13.0 knows no sm_60 any more
            taken = run([options.ptxas, "-arch=" + sm, "-o", os.devnull, out])
            if taken.returncode != 0:
                return "%s %s: %s" % (mode, level, taken.stdout.decode())
    return None


def main():
    parser = argparse.ArgumentParser()
    for name in ("tool", "source", "out", "clang", "nvcc", "ptxas"):
        parser.add_argument("--" + name)
    parser.add_argument("kernel", nargs="*")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    kernels = sorted(glob.glob(os.path.join(options.source, "bench", "kernels", "*.cu")))
    checked = failures = 0
    for kernel in kernels:
        name = os.path.basename(kernel)[:-3]
        if options.kernel and name not in options.kernel:
            continue
        for kind, sm, command in compilers(options):
            path = os.path.join(options.out, "%s.%s.ptx" % (name, kind))
            made = run(command + [kernel, "-o", path])
            if made.returncode != 0:
                print("%s: %s failed: %s" % (name, command[0], made.stdout.decode()))
                failures += 1
                continue
            wrong = check(options, path, sm)
            checked += 1
            if wrong:
                failures += 1
                print("%s: %s" % (path, wrong))
    print("%d files, %d failed" % (checked, failures))
    return failures > 0 or checked == 0


if __name__ == "__main__":
    sys.exit(main())
