"""Runs the kernels of bench/regroup in the simulator and compares with their CPU references.

    by_hand.py --clang CLANG++ --simt LINEARIZE-SIMT --source REPOSITORY --work FOLDER
               [--plugin SO] [--only REGEX] FILE...

FILE is one of bench/regroup, or wavefront.cu beside this; with --plugin, its kernels with a point. Variables that nothing was assigned to have a
pattern that no result comes out right with. Prints one line for each kernel that is wrong, and how
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
import regroup_kernels

WORDS = 1 << 16
BLOCKS = 2                            # rotated by different numbers of warps
SMALL = "-DPICTURE_WIDTH=16"          # of tracing.cuh: 256 threads see all of the scene
TURNS = 2 * regroup_kernels.Waves.block * 8 * 3   # items of the lists of wavefront.cu: threads, queues, lists


def compile_file(arguments, path):
    """The paths of its IR and of the references."""
    name = os.path.splitext(os.path.basename(path))[0]
    module, library = (os.path.join(arguments.work, name + end) for end in (".ll", ".so"))
    device = [arguments.clang, "-x", "cuda", "--cuda-device-only", "--cuda-path=/nonexistent",
              "-nocudainc", "-nocudalib", "--cuda-feature=+ptx78", "--cuda-gpu-arch=sm_90", "-O3",
              "-ffp-contract=off", "-ftrivial-auto-var-init=pattern", SMALL,
              "-I" + os.path.join(arguments.source, "bench", "include"), "-S", "-emit-llvm", path,
              "-o", module]
    if arguments.plugin:
        device += ["-DREGROUP_POINTS", "-fpass-plugin=" + arguments.plugin]
    host = [*reference.compile_command(arguments.clang, arguments.source, path, library), SMALL]
    for command in (device, host):
        if subprocess.run(command).returncode != 0:
            sys.exit("by_hand.py: %s doesn't compile" % path)
    return module, library


def kernels_of(module):
    with open(module, encoding="utf-8") as file:
        names = re.findall(r"^define [^@]*void @(\w+)\(", file.read(), re.MULTILINE)
    return [kernel for kernel in map(regroup_kernels.kernel_of, names) if kernel]


def simulate(arguments, module, kernel, library):
    """What is wrong."""
    waves = isinstance(kernel, regroup_kernels.Waves)
    blocks = 1 if waves else BLOCKS
    threads = kernel.block * kernel.share * blocks
    expected = reference.outputs(library, kernel.reference, reference.random_words(WORDS),
                                 kernel.small_rounds, threads)
    dump = os.path.join(arguments.work, kernel.name + ".out")
    values = ["buf:u32:%d:random:seed=1" % WORDS, "u32:%d" % (WORDS - 1),
              "u32:%d" % kernel.small_rounds, "buf:u32:%d:none" % threads, "u32:%d" % threads]
    if waves:
        values += ["buf:u32:%d:none" % (16 * threads), "buf:u32:%d:none" % (TURNS),
                   "buf:u8:%d:none" % threads, "buf:u32:24", "u32:60"]
    else:
        values.append("u64:0")
    done = subprocess.run(
        [arguments.simt, module, "--kernel", kernel.name, "--grid", str(blocks), "--block",
         str(kernel.block), "--races", "--limit", "4000000", "--dump", "3=" + dump]
        + [word for value in values for word in ("--arg", value)], capture_output=True, text=True)
    if done.returncode != 0:
        return done.stderr.strip() or "status %d" % done.returncode
    with open(dump, "rb") as file:
        return None if file.read() == expected else "not the reference's result"


def main():
    parser = argparse.ArgumentParser()
    for option in ("--clang", "--simt", "--source", "--work"):
        parser.add_argument(option, required=True)
    for option in ("--plugin", "--only"):
        parser.add_argument(option, default="")
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    os.makedirs(arguments.work, exist_ok=True)
    right, wrong = 0, 0
    for path in arguments.files:
        module, library = compile_file(arguments, path)
        kernels = [kernel for kernel in kernels_of(module) if re.search(arguments.only, kernel.name)]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            faults = pool.map(lambda k: simulate(arguments, module, k, library), kernels)
        for kernel, fault in zip(kernels, faults):
            wrong, right = wrong + (fault is not None), right + (fault is None)
            if fault:
                print("%s: %s" % (kernel.name, fault))
    print("%d right, %d wrong" % (right, wrong))
    sys.exit(wrong != 0)


main()
