"""What -linearize-count costs the kernels of bench/kernels, bench/structured and bench/threads on a GPU, whether their
counters are the simulator's, and what linearize-profile makes of whole programs, some of which go wrong
(bench/device/counting and profiled). The figures: at most 1.5 times the time in the geometric mean, and 3 for each; all
counts are the simulator's.

  --build        compiles them into build/counting (40 MB); needs a CUDA toolkit
  --registers    how many warps a multiprocessor has without counting and with it
  --run          runs what was built
"""
import os
import subprocess
import sys

import suite


def call(program, *words):
    """Prints what it prints, as it does; its status."""
    process = subprocess.Popen([sys.executable, os.path.join(suite.ROOT, "bench", "device", program), *words],
                               stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        print(line, end="", flush=True)
    return process.wait()


def main(options):
    if options.build + options.registers + options.run != 1:
        suite.die("counting wants --build, --registers or --run: see scripts/bench counting --help")
    suite.folder_of(options, "counting")
    if options.registers:
        return call("counting", "--registers", *options.kernels)
    if options.build:
        suite.find_tools(options, "sm_90", toolkit=True)
        os.environ["PATH"] = os.path.dirname(options.ptxas) + ":" + os.environ["PATH"]
        failed = call("counting", "--build", *options.kernels) or not options.kernels and call("profiled", "--build")
        suite.write_built(options)
        return failed
    suite.need_gpu(options.folder, "built.txt")
    with suite.kept(options.folder, "run.txt"):  # both to their ends, whatever the first one says
        return bool(call("counting", *options.kernels)) | bool(not options.kernels and call("profiled"))
