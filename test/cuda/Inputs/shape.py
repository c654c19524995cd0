"""Whether what comes behind the pass keeps its shape.

    shape.py --clang C --opt O --llc L --ptxas P --nvdisasm N --plugin SO --source DIR KERNEL...

Kernels of bench/kernels whose functions have no switch after linearize. In PTX there must be as many
conditional branches as in LLVM IR: a guard that is threaded back is one less. In machine code each
place where threads wait for each other (BSYNC) is set up (BSSY), and none is left early (BREAK):
that is what ptxas does with joins that come before the one at which a branch's threads meet. It has
to do it with the kernel as it was, and with one in which LLVM undid the guards: else this sees
nothing.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

TRIPLE = "nvptx64-nvidia-cuda"
UNDO = "simplifycfg<bonus-inst-threshold=8>,jump-threading,simplifycfg"


class Shape:
    def __init__(self, options, folder, sm, ir):
        ptx, cubin = folder / "x.ptx", folder / "x.cubin"
        run(options.llc, "-O3", "-mcpu=" + sm, ir, "-o", ptx)
        run(options.ptxas, "-O3", "-arch=" + sm, ptx, "-o", cubin)
        machine = run(options.nvdisasm, "-c", cubin)
        self.ir = len(re.findall(r"^ +br i1", ir.read_text(), re.MULTILINE))
        self.ptx = len(re.findall(r"@!?%p\d+ bra", ptx.read_text()))
        self.bssy, self.bsync, self.breaks = (
            len(re.findall(r"\b%s\b" % word, machine)) for word in ("BSSY", "BSYNC", "BREAK"))

    def __str__(self):
        return "%d branches in IR, %d in PTX; %d BSSY, %d BSYNC, %d BREAK" % (
            self.ir, self.ptx, self.bssy, self.bsync, self.breaks)


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("%s failed:\n%s" % (command[0], done.stderr))
    return done.stdout


def is_as_wanted(options, folder, sm, kernel):
    before, after, undone = (folder / name for name in ("before.ll", "after.ll", "undone.ll"))
    run(options.clang, "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "-O3",
        "-Wno-unknown-cuda-version", "--cuda-feature=+ptx80", "--cuda-gpu-arch=" + sm, "-S",
        "-emit-llvm", "-I", options.source / "bench/include",
        options.source / "bench/kernels" / (kernel + ".cu"), "-o", before)
    load = "-load-pass-plugin=%s" % options.plugin
    run(options.opt, "-S", load, "-passes=linearize<paper>", before, "-o", after)
    # For a target that says nothing of its branches, LLVM takes guards for waste.
    undone.write_text(after.read_text().replace(TRIPLE, "unknown"))
    run(options.opt, "-S", "-passes=" + UNDO, undone, "-o", undone)
    undone.write_text(undone.read_text().replace("unknown", TRIPLE))
    good = True
    for name, ir, wanted in (("before", before, False), ("after", after, True),
                             ("undone", undone, False)):
        shape = Shape(options, folder, sm, ir)
        kept = shape.ir == shape.ptx and shape.bssy == shape.bsync and shape.breaks == 0
        print("%s, %s, %s: %s" % (kernel, sm, name, shape))
        good &= kept == wanted
    return good


def main():
    parser = argparse.ArgumentParser()
    for name in ("clang", "opt", "llc", "ptxas", "nvdisasm", "plugin", "source"):
        parser.add_argument("--" + name, required=True, type=pathlib.Path)
    parser.add_argument("kernels", nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        results = [is_as_wanted(options, pathlib.Path(folder), sm, kernel)
                   for kernel in options.kernels for sm in ("sm_75", "sm_90")]
    sys.exit(not all(results))


main()
