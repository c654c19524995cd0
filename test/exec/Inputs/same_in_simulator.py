"""Do the threads of random kernels compute the same before and after they are regrouped?

  same_in_simulator.py --tools DIR --plugin SO --simt PROGRAM FILE.cu [--pipeline PASSES] [OPTION ...]

FILE.cu is of reorder.py. It is compiled by clang, then optimised without and with the plugin, by opt's
pipeline (default<O2>, unless given), with the plugin's OPTIONS. With --counted what clang's pipeline left is counted first, each kernel in the first
shape of its launches, and by that profile threads are regrouped, whatever it gains. Each kernel runs in the simulator, before and
after, as it says in front of it that it is launched; all that it writes has to be the same, and with the
plugin no two accesses may race. What differs is printed with its kernel. The last line says how many kernels
ran, and how many were changed.
"""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
DEVICE = ["-x", "cuda", "--cuda-device-only", "--cuda-path=/nonexistent", "-nocudainc", "-nocudalib",
          "--cuda-feature=+ptx78", "--cuda-gpu-arch=sm_90", "-ffp-contract=off", "-O1", "-w",
          "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm",
          "-I" + os.path.join(ROOT, "bench/include"), "-I" + os.path.join(ROOT, "include")]
MASK = 255  # of the input's words
BLOCKS = 2


def run(command, limit=600):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
        return done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        return -1, "no end after %d s" % limit


def must(command):
    status, text = run(command)
    if status:
        print("%s\nFAILED: %s" % (text, " ".join(command)))
        sys.exit(1)
    return text


def spoil(path):
    """What phis take that nothing has set may be anything: a number that is no place in memory."""
    with open(path) as file:
        text = file.read()
    lines = [re.sub(r"\[ (undef|poison),", "[ 1515870810,", line) if re.match(r" *%\S+ = phi i(32|64) ", line)
             else line for line in text.split("\n")]
    with open(path, "w") as file:
        file.write("\n".join(lines))


def simulate(options, before, after, kernel, shape):
    command = [options.simt, before, *launch_of(kernel, shape), "--compare", after]
    if options.races:
        command.append("--races")
    status, text = run(command)
    return None if status == 0 else "%s\nFAILED: %s" % (text.strip(), " ".join(command))


def launch_of(kernel, shape):
    """Options of linearize-simt."""
    x, y, z = map(int, shape.split(","))
    return ["--kernel", kernel, "--grid", str(BLOCKS), "--block", shape,
            "--arg", "buf:u32:%d:random:seed=%d" % (MASK + 1, int(kernel[1:]) % 1000),
            "--arg", "u32:%d" % MASK, "--arg", "buf:u32:%d" % (2 * BLOCKS * x * y * z), "--arg", "buf:u32:8"]


def count(options, module, launches, profile):
    """A file of counts of all launches, each of one kernel."""
    heads, rows, counted = [], [], []
    for kernel, shape in launches:
        must([options.simt, module, *launch_of(kernel, shape), "--counts", profile])
        with open(profile) as file:
            head, launch = file.read().split("# launch ")
        first, names, *more = head.splitlines()
        heads, rows = [first, names], rows + more
        counted.append("# launch " + launch[:-len("# end\n")])
    with open(profile, "w") as file:
        file.write("\n".join(heads + rows) + "\n" + "".join(counted) + "# end\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tools", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--simt", required=True)
    parser.add_argument("--pipeline", default="default<O2>")
    parser.add_argument("--races", action="store_true")
    parser.add_argument("--counted", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", help="folder for what is made")
    parser.add_argument("--least", type=int, default=50, help="percent of kernels that have to be changed")
    parser.add_argument("file")
    options, others = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = options.keep or folder
        raw, before, after = (os.path.join(folder, name + ".ll") for name in ("raw", "before", "after"))
        must([os.path.join(options.tools, "clang++"), *DEVICE, options.file, "-o", raw])
        opt = os.path.join(options.tools, "opt")
        must([opt, "-S", "-passes=default<O2>", raw, "-o", before])
        with open(options.file) as file:
            launches = re.findall(r"^// launch (\w+) (.*)$", file.read(), re.M)
        pipeline, begin = options.pipeline, raw
        if options.counted:
            profile = os.path.join(folder, "counts")
            count(options, before, [(kernel, shapes.split()[0]) for kernel, shapes in launches], profile)
            pipeline, begin = "linearize-regroup<regardless;profile=%s>,verify" % profile, before
        must([opt, "-load-pass-plugin=" + options.plugin, "-S", "-passes=" + pipeline, *others, begin, "-o", after])
        spoil(after)
        with open(after) as file:
            changed = len(re.findall(r"^@linearize\.reorder\.", file.read(), re.M))
        tasks = [(kernel, shape) for kernel, shapes in launches for shape in shapes.split()]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            failures = list(filter(None, pool.map(
                lambda task: simulate(options, before, after, *task), tasks)))
    for failure in failures:
        print(failure)
    print("%d kernels, %d changed, %d of %d launches failed"
          % (len(launches), changed, len(failures), len(tasks)))
    sys.exit(bool(failures) or changed * 100 < options.least * len(launches))


if __name__ == "__main__":
    main()
