"""Runs the kernels of bench/regroup in the simulator and compares with their CPU references.

    by_hand.py --clang CLANG++ --simt LINEARIZE-SIMT --source REPOSITORY --work FOLDER
               [--blocks N] [--only REGEX] SOURCE...

SOURCE is a file of bench/regroup, without .cu. Prints one line for each kernel that is wrong, and how
many were right.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../scripts/lib"))
import reference
import reorder

WORDS = 1 << 16


def compile_source(arguments, source):
    """The paths of its IR and of the references."""
    file = os.path.join(arguments.source, "bench", "regroup", source + ".cu")
    module, library = (os.path.join(arguments.work, source + end) for end in (".ll", ".so"))
    device = [arguments.clang, "-x", "cuda", "--cuda-device-only", "--cuda-path=/nonexistent",
              "-nocudainc", "-nocudalib", "--cuda-feature=+ptx78", "--cuda-gpu-arch=sm_90", "-O3",
              "-ffp-contract=off", "-I" + os.path.join(arguments.source, "bench", "include"),
              "-S", "-emit-llvm", file, "-o", module]
    host = reference.compile_command(arguments.clang, arguments.source, file, library)
    for command in (device, host):
        if subprocess.run(command).returncode != 0:
            sys.exit("by_hand.py: %s doesn't compile" % source)
    return module, library


def kernels_of(module):
    with open(module, encoding="utf-8") as file:
        return re.findall(r"^define .*ptx_kernel void @(\w+)\(", file.read(), re.MULTILINE)


def simulate(arguments, module, kernel, library):
    """What is wrong."""
    threads = kernel.block * kernel.share * arguments.blocks
    expected = reference.outputs(library, kernel.reference, reference.random_words(WORDS),
                                 kernel.small_rounds, threads)
    dump = os.path.join(arguments.work, kernel.name + ".out")
    done = subprocess.run(
        [arguments.simt, module, "--kernel", kernel.kernel, "--grid", str(arguments.blocks), "--block",
         str(kernel.block), "--arg", "buf:u32:%d:random:seed=1" % WORDS, "--arg",
         "u32:%d" % (WORDS - 1), "--arg", "u32:%d" % kernel.small_rounds, "--arg",
         "buf:u32:%d" % threads, "--arg", "u32:%d" % threads, "--arg", "u64:0", "--races",
         "--dump", "3=" + dump], capture_output=True, text=True)
    if done.returncode != 0:
        return done.stderr.strip() or "status %d" % done.returncode
    with open(dump, "rb") as file:
        return None if file.read() == expected else "not the reference's result"


def main():
    parser = argparse.ArgumentParser()
    for option in ("--clang", "--simt", "--source", "--work"):
        parser.add_argument(option, required=True)
    parser.add_argument("--blocks", type=int, default=2)
    parser.add_argument("--only", default="")
    parser.add_argument("sources", nargs="+")
    arguments = parser.parse_args()
    os.makedirs(arguments.work, exist_ok=True)
    right, wrong = 0, 0
    for source in arguments.sources:
        module, library = compile_source(arguments, source)
        kernels = [reorder.kernel_of(source, name) for name in kernels_of(module)
                   if re.search(arguments.only, name)]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            faults = pool.map(lambda k: simulate(arguments, module, k, library), kernels)
        for kernel, fault in zip(kernels, faults):
            wrong, right = wrong + (fault is not None), right + (fault is None)
            if fault:
                print("%s: %s" % (kernel.name, fault))
    print("%d right, %d wrong" % (right, wrong))
    sys.exit(wrong != 0)


main()
