"""Runs the kernels of bench/kernels in the simulator and compares with their CPU references.

    kernels.py --clang CLANG++ --simt LINEARIZE-SIMT --source REPOSITORY [--work FOLDER]
               [--llvm MAJOR] [--plugin PLUGIN] [--mode MODE | --passes PASSES... | --versions LIST]
               [--model MODEL]... [--threads N] [--rounds N]...
               [--structured | --large | --costs | --exits | --applications | --indices | --votes | --waiting]
               [--alike] [KERNEL...]

A reference is the kernel's own file compiled for the host. --structured takes the kernels of
bench/structured, --large those of bench/large, --applications those of bench/threads, each with its
threads as they are and in another order, --costs, --exits, --indices and --votes those of these folders,
--waiting those of bench/device/waiting.cu, in which threads wait for each other; all but --large want a
multiple of 128 threads. With --alike the threads of a warp have the same data.
With --plugin, the linearized kernel is compared, too; with --passes, the kernel after opt has run each
of these pipelines, alone; with --versions, all that one module has of these. Prints one line for each kernel, model and
number of rounds that is wrong, and how many were right.
"""

import argparse
import itertools
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../scripts/lib"))
import reference

WORDS = 1 << 16
ALIKE = ["-DLIN_ALIKE"]
WAITING = ["wait_syncwarp", "wait_shuffle", "wait_reduce", "wait_vote", "wait_spin",
           "wait_lock_inside", "wait_lock_after", "wait_handshake"]


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        return done.stderr.strip() or "status %d" % done.returncode
    return None


def compile_kernel(arguments, kernel, work):
    """The paths of its IR, of the linearized one if there is a plugin, and of the reference."""
    source = os.path.join(arguments.source, "bench", arguments.folder, kernel + ".cu")
    target = ["--cuda-feature=+ptx64", "--cuda-gpu-arch=sm_75"]
    if arguments.folder in ("indices", "votes"):
        target = ["--cuda-feature=+ptx78", "--cuda-gpu-arch=sm_90"]
    if arguments.waiting:
        source = os.path.join(arguments.source, "bench", "device", "waiting.cu")
        target = ["--cuda-feature=+ptx80", "--cuda-gpu-arch=sm_80", "-include",
                  os.path.join(os.path.dirname(os.path.abspath(__file__)), "waiting.h")]
    include = ["-I" + os.path.join(arguments.source, "bench", "include")] + ALIKE * arguments.alike
    device = [arguments.clang, "-x", "cuda", "--cuda-device-only", "--cuda-path=/nonexistent",
              "-nocudainc", "-nocudalib"] + target + [
                  "-O3", "-ffp-contract=off", *include, "-S", "-emit-llvm", source, "-o"]
    modules = [os.path.join(work, kernel + ".ll")]
    commands = [device + modules]
    for number, passes in enumerate(arguments.passes or []):
        modules.append(os.path.join(work, "%s.%d.ll" % (kernel, number)))
        commands.append([os.path.join(os.path.dirname(arguments.clang), "opt"),
                         "-load-pass-plugin=" + arguments.plugin, "-passes=%s,verify" % passes, "-S",
                         "-pass-remarks=linearize", "-pass-remarks-missed=linearize",
                         modules[0], "-o", modules[-1]])
    if arguments.plugin and not arguments.passes and not arguments.versions:
        modules.append(os.path.join(work, kernel + ".linearized.ll"))
        load = [] if arguments.llvm >= 22 else ["-fplugin=" + arguments.plugin]
        commands.append(device + [modules[1]] + load + [
            "-fpass-plugin=" + arguments.plugin, "-mllvm", "-linearize-mode=" + arguments.mode])
    if arguments.versions:
        modules.append(os.path.join(work, kernel + ".versions.ll"))
        load = [] if arguments.llvm >= 22 else ["-fplugin=" + arguments.plugin]
        commands.append(device + [modules[1]] + load + [
            "-fpass-plugin=" + arguments.plugin, "-mllvm", "-linearize-versions=" + arguments.versions])
    library = os.path.join(work, kernel + ".so")
    commands.append(reference.compile_command(arguments.clang, arguments.source, source, library) +
                    ALIKE * arguments.alike)
    for command in commands:
        error = run(command)
        if error:
            sys.exit(error)
    return modules, library


def launched(module, kernel):
    """The kernel, and its versions in that module, each with what it takes beside the kernel's arguments."""
    with open(module, encoding="utf-8", errors="replace") as file:
        text = re.search(r'^@__linearize_versions_%s = .*? c"(.*)"$' % kernel, file.read(), re.MULTILINE)
    lines = text[1].split("\\0A")[1:-1] if text else []
    return [(kernel, "")] + [tuple((line + "\\09").split("\\09")[1:3]) for line in lines]


def redirection(arguments, work):
    """The argument of a version whose threads do each other's work: neighbours that never were, and
    threads beyond the last one first."""
    path = os.path.join(work, "redirected")
    threads = (arguments.threads + 127) // 128 * 128
    order = sorted(range(threads), key=lambda thread: (threads - 1 - thread) * 37 % threads)
    with open(path, "wb") as file:
        file.write(b"".join(thread.to_bytes(4, "little") for thread in order))
    return ["--arg", "buf:u32:file=" + path]


def orders_of(arguments, work):
    """The arguments behind those that all kernels have, for each time that one is run."""
    if arguments.folder != "threads":
        return [[]]
    path = os.path.join(work, "order")
    # From every warp one: neighbours come from different warps and thread blocks.
    order = sorted(range(arguments.threads), key=lambda thread: thread * 37 % arguments.threads)
    with open(path, "wb") as file:
        file.write(b"".join(thread.to_bytes(4, "little") for thread in order))
    return [["--arg", "u64:0"], ["--arg", "buf:u32:file=" + path]]


def simulate(arguments, module, kernel, model, rounds, threads, work, more):
    """What is wrong, or the bytes of the output."""
    dump = os.path.join(work, kernel + ".out")
    blocks = (threads + 127) // 128
    error = run([arguments.simt, module, "--kernel", kernel, "--grid", str(blocks), "--block",
                 "16,8" if kernel == "board" else "128", "--arg", "buf:u32:%d:random:seed=1" % WORDS, "--arg",
                 "u32:%d" % (WORDS - 1), "--arg", "u32:%d" % rounds, "--arg",
                 "buf:u32:%d" % (threads + 1), "--arg", "u32:%d" % threads, "--dump", "3=" + dump,
                 "--model", model] + more)
    if error:
        return error, b""
    with open(dump, "rb") as file:
        out = file.read()
    return ("a thread starved" if any(out[4 * threads:]) else None), out[:4 * threads]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--clang", required=True)
    parser.add_argument("--simt", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("--plugin")
    parser.add_argument("--work")
    parser.add_argument("--model", action="append")
    parser.add_argument("--threads", type=int, default=500)
    parser.add_argument("--rounds", type=int, action="append")
    parser.add_argument("--llvm", type=int, default=22)
    parser.add_argument("--mode", default="paper")
    parser.add_argument("--passes", action="append")
    parser.add_argument("--versions")
    for folder in ("large", "structured", "costs", "exits", "indices", "votes"):
        parser.add_argument("--" + folder, dest="folder", action="store_const", const=folder)
    parser.add_argument("--applications", dest="folder", action="store_const", const="threads")
    parser.set_defaults(folder="kernels")
    parser.add_argument("--waiting", action="store_true")
    parser.add_argument("--alike", action="store_true")
    parser.add_argument("kernels", nargs="*")
    arguments = parser.parse_args()
    work = arguments.work or tempfile.mkdtemp()
    os.makedirs(work, exist_ok=True)
    folder = os.path.join(arguments.source, "bench", arguments.folder)
    everything = WAITING if arguments.waiting else sorted(
        k[:-3] for k in os.listdir(folder) if k.endswith(".cu"))
    kernels = arguments.kernels or everything
    words, right, wrong = reference.random_words(WORDS), 0, 0
    for kernel in kernels:
        modules, library = compile_kernel(arguments, kernel, work)
        for rounds in arguments.rounds or [1, 5]:
            expected = reference.outputs(library, kernel, words, rounds, arguments.threads)
            runs = [(module, *version) for module in modules for version in launched(module, kernel)]
            for (module, symbol, takes), model, more in itertools.product(
                    runs, arguments.model or ["ipdom"], orders_of(arguments, work)):
                more = more + (redirection(arguments, work) if takes.startswith("order") else [])
                more = more + (["--arg", "buf:u32:1"] if takes.startswith("counter") else [])
                error, got = simulate(arguments, module, symbol, model, rounds, arguments.threads,
                                      work, more)
                if error or got != expected:
                    wrong += 1
                    print("%s, %s, %s, %d rounds%s: %s" % (
                        os.path.basename(module), symbol, model, rounds, " ".join([""] + more),
                        error or "not the reference's result"))
                else:
                    right += 1
    print("%d right, %d wrong" % (right, wrong))
    sys.exit(wrong != 0)


main()
