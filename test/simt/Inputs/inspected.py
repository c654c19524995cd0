"""Inspectors in the simulator: do their keys say what threads do, and does the order in which keys rise pay?

    inspected.py --clang CLANG++ --simt LINEARIZE-SIMT --source REPOSITORY --plugin PLUGIN --work FOLDER
                 [--llvm MAJOR] [--max-inspector N] [--threads N] FOLDER-OF-BENCH...

For each kernel of these that has an inspector, on random input:
  1. threads that enter the same blocks equally often have equal keys, and three of four that don't different ones:
     keys are sums of the blocks' parts, and so may be equal by chance;
  2. the inspector writes keys alone;
  3. in the order of its keys the redirected version gives what the plain kernel gives.
Prints a line for each kernel that is wrong; how many were right; and the geometric mean of the plain kernels'
warp instructions by the redirected ones'.
"""
import argparse
import collections
import csv
import math
import os
import re
import struct
import subprocess
import sys

WORDS = 1 << 14
MENDED = ("irreducible_2", "irreducible_3")  # the plain kernel's blocks aren't those that keys are of


def launch(options, module, symbol, more, dumps):
    """The metrics' text, and the words of each buffer of `dumps`."""
    files = [os.path.join(options.work, "dump.%d" % number) for number in dumps]
    blocks = options.threads // 128
    command = [options.simt, module, "--kernel", symbol, "--grid", str(blocks), "--block", "128",
               "--arg", "buf:u32:%d:random:seed=1" % WORDS, "--arg", "u32:%d" % (WORDS - 1), "--arg", "u32:3",
               "--arg", "buf:u32:%d" % options.threads, "--arg", "u32:%d" % (options.threads - 37)] + more
    for number, file in zip(dumps, files):
        command += ["--dump", "%d=%s" % (number, file)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        return done.stderr.strip(), None
    words = []
    for file in files:
        with open(file, "rb") as data:
            data = data.read()
            words.append(struct.unpack("<%dI" % (len(data) // 4), data))
    return done.stdout, words


def instructions(text):
    return int(re.search(r"^warp instructions +(\d+)", text, re.MULTILINE)[1])


def vectors_of(path, threads):
    vectors = collections.defaultdict(list)
    with open(path, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            vectors[int(row["thread"])].append((row["block"], row["entries"]))
    return [tuple(vectors[thread]) for thread in range(threads)]


def compare_keys(vectors, keys):
    """What is wrong, or None."""
    key_of, vectors_of_key = {}, collections.defaultdict(set)
    for thread, (vector, key) in enumerate(zip(vectors, keys)):
        if key_of.setdefault(vector, key) != key:
            return "thread %d has another key than one that does the same" % thread
        vectors_of_key[key].add(vector)
    shared = sum(len(alike) - 1 for alike in vectors_of_key.values())
    return "%d of %d vectors have a key with others" % (shared, len(key_of)) if 4 * shared > len(key_of) else None


def check(options, module, kernel, takes_order):
    """What is wrong, or the gain."""
    none = ["--arg", "u64:0"] if takes_order else []
    at = 5 + len(none) // 2
    vectors = os.path.join(options.work, "vectors.csv")
    plain, words = launch(options, module, kernel, none + ["--vectors", vectors], [3])
    if words is None:
        return plain
    expected = words[0]
    room = ["--arg", "buf:u32:%d" % options.threads]
    text, words = launch(options, module, kernel + "__linearize_inspect", none + room, [3, at])
    if words is None:
        return text
    if any(words[0]):
        return "the inspector writes what the kernel would"
    wrong = None if kernel in MENDED else compare_keys(vectors_of(vectors, options.threads), words[1])
    if wrong:
        return wrong
    order = os.path.join(options.work, "order")
    with open(order, "wb") as file:
        file.write(struct.pack("<%dI" % options.threads,
                               *sorted(range(options.threads), key=lambda thread: words[1][thread])))
    text, got = launch(options, module, kernel + "__linearize_redirected",
                       none + ["--arg", "buf:u32:file=" + order], [3])
    if got is None or got[0] != expected:
        return text if got is None else "not the plain kernel's result"
    return instructions(plain) / instructions(text)


def compile_kernel(options, source, module):
    load = [] if options.llvm >= 22 else ["-fplugin=" + options.plugin]
    subprocess.run([options.clang, "-x", "cuda", "--cuda-device-only", "--cuda-path=/nonexistent", "-nocudainc",
                    "-nocudalib", "--cuda-feature=+ptx64", "--cuda-gpu-arch=sm_75", "-O3", "-ffp-contract=off",
                    "-I" + os.path.join(options.source, "bench", "include"), "-S", "-emit-llvm", source, "-o", module]
                   + load + ["-fpass-plugin=" + options.plugin, "-mllvm", "-linearize-versions=redirected", "-mllvm",
                             "-linearize-max-inspector=%d" % options.max_inspector], check=True)
    with open(module, encoding="utf-8", errors="replace") as file:
        return "__linearize_inspect(" in file.read()


def main():
    parser = argparse.ArgumentParser()
    for name in ("--clang", "--simt", "--source", "--plugin", "--work"):
        parser.add_argument(name, required=True)
    parser.add_argument("--llvm", type=int, default=22)
    parser.add_argument("--max-inspector", type=int, default=100)
    parser.add_argument("--threads", type=int, default=512)
    parser.add_argument("folders", nargs="+")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    gains, wrong = [], 0
    for folder in options.folders:
        path = os.path.join(options.source, "bench", folder)
        for kernel in sorted(name[:-3] for name in os.listdir(path) if name.endswith(".cu")):
            module = os.path.join(options.work, kernel + ".ll")
            if not compile_kernel(options, os.path.join(path, kernel + ".cu"), module):
                continue
            result = check(options, module, kernel, folder == "threads")
            if isinstance(result, str):
                wrong += 1
                print("%s: %s" % (kernel, result))
            else:
                gains.append(result)
    mean = math.exp(sum(map(math.log, gains)) / len(gains)) if gains else 0
    print("%d right, %d wrong, x%.2f" % (len(gains), wrong, mean))
    sys.exit(wrong != 0)


main()
