"""Whether a merged nest stays one loop down to machine code.

    one_loop.py --clang C --opt O --llc L --ptxas P --nvdisasm N --plugin SO --source DIR KERNEL...

Kernels of bench/kernels with a loop in a loop, of which the inner one isn't cut into strips. Merged,
and after LLVM's passes that put loops into shape, machine code must have one branch back; without,
it must have two, or this sees nothing.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

SHAPE = "function(loop-simplify,lcssa,loop(loop-rotate),instcombine,gvn,loop-simplify)"


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("%s failed:\n%s" % (command[0], done.stderr))
    return done.stdout


def loops_of(machine):
    """How many places are branched back to. What follows the last exit is no part of the kernel."""
    places, lines = {}, []
    for line in machine.split("\n"):
        if label := re.match(r"(\.L_x_\d+):", line):
            places[label.group(1)] = len(lines)
        elif re.match(r"\s+/\*[0-9a-f]{4}\*/", line):
            lines.append(line)
    last = max(at for at, line in enumerate(lines) if re.search(r"\bEXIT\b", line))
    back = set()
    for at, line in enumerate(lines[:last]):
        to = re.search(r"\bBRA\b.*(\.L_x_\d+)", line)
        if to and places[to.group(1)] <= at:
            back.add(to.group(1))
    return len(back)


def is_as_wanted(options, folder, sm, kernel):
    wanted = {"before": 2, "merged": 1}
    run(options.clang, "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "-O3",
        "-Wno-unknown-cuda-version", "--cuda-feature=+ptx80", "--cuda-gpu-arch=" + sm, "-S",
        "-emit-llvm", "-I", options.source / "bench/include",
        options.source / "bench/kernels" / (kernel + ".cu"), "-o", folder / "before.ll")
    run(options.opt, "-S", "-load-pass-plugin=%s" % options.plugin,
        "-passes=linearize-merge-loops," + SHAPE, folder / "before.ll", "-o", folder / "merged.ll")
    good = True
    for name, loops in wanted.items():
        ptx, cubin = folder / "x.ptx", folder / "x.cubin"
        run(options.llc, "-O3", "-mcpu=" + sm, folder / (name + ".ll"), "-o", ptx)
        run(options.ptxas, "-O3", "-arch=" + sm, ptx, "-o", cubin)
        found = loops_of(run(options.nvdisasm, "-c", cubin))
        print("%s, %s, %s: %d loops, wanted %d" % (kernel, sm, name, found, loops))
        good &= found == loops
    return good


def main():
    parser = argparse.ArgumentParser()
    for tool in ("clang", "opt", "llc", "ptxas", "nvdisasm", "plugin"):
        parser.add_argument("--" + tool, required=True)
    parser.add_argument("--source", required=True, type=pathlib.Path)
    parser.add_argument("kernels", nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        results = [is_as_wanted(options, pathlib.Path(folder), sm, kernel)
                   for sm in ("sm_75", "sm_90") for kernel in options.kernels]
    sys.exit(not all(results))


if __name__ == "__main__":
    main()
