"""Do random kernels do the same on a GPU before and after their threads are regrouped?

  reorder_on_gpu.py build FOLDER --tools DIR --plugin SO --simt PROGRAM --ptxas FILE --seed S --rounds N [--count N]
  reorder_on_gpu.py run FOLDER --program FILE [--under COMMAND] [--seconds 150] [--limit 10]

build makes, for each round, COUNT kernels (reorder.py), and cubins of them for sm_90, packed, without and with
the plugin: in one round they have points, in the next one the compiler puts some where it likes, and then where
it likes by a profile, counted in the simulator; and of those kernels that went wrong once (WRONG), each alone,
by ptxas at -O3 and at -O0. run, on the machine with the GPU, runs each pair by reorder_on_gpu, which compares. A kernel that doesn't end, or
ends its process, is told, and those behind it run in another one. Under "compute-sanitizer --tool synccheck"
it is told, too, where a warp comes to a barrier of the block in parts.
"""

import argparse
import concurrent.futures
import glob
import gzip
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time

from same_in_simulator import DEVICE, HERE, count, must

# Kernels that have gone wrong on an H100 before, each with what it did.
WRONG = {700075: "no end", 700316: "no end", 700408: "no end", 700421: "no end", 700411: "illegal instruction"}


def assemble(options, folder, ir, cubin, level):
    ptx = os.path.join(folder, "k.ptx")
    must([os.path.join(options.tools, "llc"), "-O3", "-mcpu=sm_90", ir, "-o", ptx])
    must([options.ptxas, "-O%d" % level, "-arch=sm_90", ptx, "-o", os.path.join(folder, "k.cubin")])
    with open(os.path.join(folder, "k.cubin"), "rb") as file, gzip.open(cubin, "wb") as packed:
        packed.write(file.read())


WAYS = ("points", "found", "counted")


def build_round(options, seed, kernels, level=3, name=None, way="points"):
    base = os.path.join(options.folder, name or str(seed))
    opt = os.path.join(options.tools, "opt")
    with tempfile.TemporaryDirectory() as folder:
        source, raw, before, after, profile = (
            os.path.join(folder, name) for name in ("k.cu", "raw.ll", "before.ll", "after.ll", "counts"))
        text = subprocess.run([sys.executable, os.path.join(HERE, "reorder.py"), "--seed", str(seed),
                               "--count", str(kernels)] + ["--no-points"] * (way != "points"),
                              capture_output=True, text=True,
                              check=True).stdout
        with open(source, "w") as file:
            file.write(text)
        launches = re.findall(r"^// launch (\w+) (.*)$", text, re.M)
        with open(base + ".launches", "w") as file:
            file.write("".join("%s %s\n" % launch for launch in launches))
        must([os.path.join(options.tools, "clang++"), *DEVICE, source, "-o", raw])
        must([opt, "-S", "-passes=default<O2>", raw, "-o", before])
        assemble(options, folder, before, base + ".before.cubin.gz", level)
        begin, pipeline = raw, "default<O2>"
        if way == "found":
            pipeline += ",linearize-regroup<regardless>"
        elif way == "counted":
            count(options, before, [(kernel, shapes.split()[0]) for kernel, shapes in launches], profile)
            begin, pipeline = before, "linearize-regroup<regardless;profile=%s>" % profile
        must([opt, "-load-pass-plugin=" + options.plugin, "-S", "-passes=" + pipeline, begin, "-o", after])
        assemble(options, folder, after, base + ".after.cubin.gz", level)


def build(options):
    os.makedirs(options.folder, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(lambda task: build_round(options, *task),
                      [(seed, 1, level, "%d-O%d" % (seed, level)) for seed in WRONG for level in (3, 0)] +
                      [(options.seed + i * options.count, options.count, 3,
                        "%d-%s" % (options.seed + i * options.count, WAYS[i % 3]), WAYS[i % 3])
                       for i in range(options.rounds)]))


def launch(options, pair, lines, folder):
    """Runs the kernels of these lines. How many launches there were, those that differ, and the lines
    that are left behind a kernel that didn't end, or ended all: nothing runs after it."""
    launches = os.path.join(folder, "launches")
    with open(launches, "w") as file:
        file.write("".join(lines))
    try:
        output = subprocess.run([*shlex.split(options.under), options.program, *pair, launches],
                                capture_output=True, text=True, timeout=options.limit).stdout
    except subprocess.TimeoutExpired as expired:
        output = (expired.stdout or b"").decode() + "\nno end"
    told = output.replace("\r", "\n").strip().split("\n")
    complaints = [line[10:] for line in told if re.match(r"========= .*(error|Error|instruction)", line)
                  and "SUMMARY" not in line]
    told = [line for line in told if not line.startswith("=========")] or [""]
    wrong = [line for line in told if line.endswith("results differ")]
    counts = re.fullmatch(r"(\d+) launches, \d+ differ", told[-1])
    if counts:
        return int(counts[1]), wrong, []
    at = [line for line in told if re.fullmatch(r"k\d+ [\d,]+", line)]
    if not at:
        return 0, wrong + told[-1:], []
    kernel = at[-1].split()[0]
    names = [line.split()[0] for line in lines]
    what = ": ".join([at[-1], told[-1], *complaints[:1]])
    return len(at), wrong + [what], lines[names.index(kernel) + 1:]


def run(options):
    launches = differ = 0
    end = time.monotonic() + options.seconds
    files = glob.glob(os.path.join(options.folder, "*.launches"))
    for file in sorted(files, key=lambda name: ("-O" not in name, name)):
        base = file[:-len(".launches")]
        if time.monotonic() > end:
            print("no time for " + os.path.basename(base))
            continue
        with open(file) as text:
            lines = text.readlines()
        with tempfile.TemporaryDirectory() as folder:
            pair = []
            for name in ("before", "after"):
                pair.append(os.path.join(folder, name + ".cubin"))
                with gzip.open("%s.%s.cubin.gz" % (base, name), "rb") as packed, open(pair[-1], "wb") as out:
                    out.write(packed.read())
            found = []
            while lines:
                count, wrong, lines = launch(options, pair, lines, folder)
                launches += count
                found += wrong
            differ += len(found)
            for line in found or ["right"] * ("-O" in base):
                print("%s: %s" % (os.path.basename(base), line), flush=True)
    print("%d launches, %d differ" % (launches, differ))
    return differ != 0 or launches == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["build", "run"])
    parser.add_argument("folder")
    parser.add_argument("--tools")
    parser.add_argument("--plugin")
    parser.add_argument("--simt")
    parser.add_argument("--ptxas")
    parser.add_argument("--program")
    parser.add_argument("--under", default="", help="a command that runs it")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=150, help="after which no module is begun")
    parser.add_argument("--limit", type=int, default=10, help="seconds for all kernels of a module")
    options = parser.parse_args()
    sys.exit(build(options) if options.what == "build" else run(options))


if __name__ == "__main__":
    main()
