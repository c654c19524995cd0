"""Runs kernels of bench by their launch files in linearize-simt."""
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys

import reference


def launch_file(repository, kernel):
    paths = [os.path.join(repository, "bench", folder, kernel + ".launch")
             for folder in ("kernels", "structured", "large", "costs", "exits", "threads")]
    return next(filter(os.path.exists, paths), paths[0])


class Launch:
    """What a launch file says. All kernels have the arguments words, mask, rounds, out, threads."""

    def __init__(self, path):
        with open(path) as file:
            words = shlex.split(file.read(), comments=True)
        arguments = [words[i + 1] for i in range(len(words) - 1) if words[i] == "--arg"]
        self.path = path
        self.grid = int(words[words.index("--grid") + 1])
        self.block = int(words[words.index("--block") + 1])
        self.words = int(arguments[0].split(":")[2])
        self.rounds = int(arguments[2].split(":")[1])
        self.threads = int(arguments[4].split(":")[1])


class Run:
    """One module in the simulator: its numbers, or what was wrong."""

    def __init__(self, simt, launch, module, model, expected):
        dump = module + "." + model + ".out"
        command = [simt, "--launch", launch.path, "--model", model, "--json", "--dump",
                   "3=" + dump, module]
        done = subprocess.run(command, capture_output=True, text=True)
        self.fault = done.stderr.strip() if done.returncode != 0 else None
        self.numbers = None
        if self.fault is None:
            self.numbers = json.loads(done.stdout)["runs"][0]
            with open(dump, "rb") as file:
                self.output = file.read()
            if self.output != expected:
                self.fault = "not what the CPU computes"


def expected_output(folder, kernel, launch):
    """`folder` has the CPU's library."""
    library = os.path.join(folder, "reference.so")
    return reference.outputs(library, kernel, reference.random_words(launch.words), launch.rounds,
                             launch.threads)


def run_all(simt, repository, folder, kernels, variants, model):
    """{kernel: {variant: Run}}; a variant without a module is None. A line on a terminal says how
    far it is."""
    runs = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for kernel in kernels:
            here = os.path.join(folder, kernel)
            launch = Launch(launch_file(repository, kernel))
            expected = expected_output(here, kernel, launch)
            modules = {v: os.path.join(here, v + ".ll") for v in variants}
            runs[kernel] = {v: pool.submit(Run, simt, launch, module, model, expected)
                            if os.path.exists(module) else None for v, module in modules.items()}
        for number, kernel in enumerate(kernels):
            if sys.stderr.isatty():
                print("\r\033[K%d of %d: %s" % (number + 1, len(kernels), kernel), end="",
                      file=sys.stderr, flush=True)
            runs[kernel] = {v: run.result() if run else None for v, run in runs[kernel].items()}
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    return runs
