"""Every kernel of bench/kernels counts itself what the simulator counts of it.

    counts.py --source ROOT --tools FOLDER --simt PROGRAM --plugin FILE --work FOLDER [KERNEL...]

Compiles each, has opt add counters, runs both by the launch file and compares the files of counts, but for
passes of warps.
Prints how many are the same and how many differ.
"""
import argparse
import glob
import os
import subprocess

parser = argparse.ArgumentParser()
for option in ("source", "tools", "simt", "plugin", "work"):
    parser.add_argument("--" + option, required=True)
parser.add_argument("kernel", nargs="*")
arguments = parser.parse_args()
os.makedirs(arguments.work, exist_ok=True)


def run(*command):
    subprocess.run(command, check=True, cwd=arguments.source, stdout=subprocess.DEVNULL)


def is_same(kernel):
    at = os.path.join(arguments.work, kernel)
    launch = "bench/kernels/%s.launch" % kernel
    run(arguments.tools + "/clang++", "@docs/examples/device.flags", "-gline-tables-only", "-S",
        "-emit-llvm", "bench/kernels/%s.cu" % kernel, "-o", at + ".ll")
    run(arguments.tools + "/opt", "-load-pass-plugin=" + arguments.plugin,
        "-passes=linearize-count,verify", "-S", at + ".ll", "-o", at + ".counted.ll")
    run(arguments.simt, at + ".ll", "--launch", launch, "--counts", at + ".1")
    run(arguments.simt, at + ".counted.ll", "--launch", launch, "--counters", at + ".2")
    with open(at + ".1") as first, open(at + ".2") as second:
        text, passes, rest = first.read().partition("# passes\n")  # which these kernels don't count
        return text + rest.split("\n", 2)[2] == second.read() and passes != ""


kernels = arguments.kernel or sorted(
    os.path.basename(path)[:-len(".launch")]
    for path in glob.glob(os.path.join(arguments.source, "bench/kernels/*.launch")))
same = [is_same(kernel) for kernel in kernels]
for kernel, right in zip(kernels, same):
    if not right:
        print("%s: the kernel counts otherwise than the simulator" % kernel)
print("%d kernels the same, %d others" % (sum(same), len(same) - sum(same)))
