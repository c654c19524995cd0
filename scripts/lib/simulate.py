"""Runs kernels of bench by their launch files in linearize-simt."""
import concurrent.futures
import json
import os
import shlex
import shutil
import subprocess

import reference
import suite
import variants


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


def prepare(options, name, variants_wanted, sm=None):
    """Builds what run_all wants, in build/bench/NAME."""
    suite.find_tools(options, sm or os.environ.get("SM", "sm_75"), setup="")
    suite.folder_of(options, "bench", name)
    suite.each("building", lambda kernel: build_modules(options, kernel, variants_wanted), options.kernels)


def build_modules(options, kernel, wanted):
    """VARIANT.ll of each in the kernel's folder, and reference.so, the kernel on the CPU. LLVM's passes may fail."""
    source, folder = suite.source_of(kernel), os.path.join(options.folder, kernel)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    untouched = os.path.join(folder, "untouched.ll")
    suite.run(options.clangxx, *options.flags, "-S", "-emit-llvm", source, "-o", untouched)
    if "profiled" in wanted:
        with open(os.path.join(folder, "profile.csv"), "w", encoding="utf-8") as file:
            file.write(suite.run(options.simt, "--launch", source[:-3] + ".launch", "--model", options.model,
                                 "--csv", "--blocks", untouched))
    for variant in wanted:
        try:
            variants.opt(options.opt, options.plugin, variant, untouched, os.path.join(folder, variant))
        except RuntimeError:
            if variant != "chain":
                raise
    suite.run(*reference.compile_command(options.clangxx, suite.ROOT, source, os.path.join(folder, "reference.so")))


def run_all(options, wanted, model, kernels=None):
    """{kernel: {variant: Run}}; a variant without a module is None."""
    runs = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for kernel in kernels or options.kernels:
            here = os.path.join(options.folder, kernel)
            launch = Launch(launch_file(options.repository, kernel))
            expected = expected_output(here, kernel, launch)
            modules = {v: os.path.join(here, v + ".ll") for v in wanted}
            runs[kernel] = {v: pool.submit(Run, options.simt, launch, module, model, expected)
                            if os.path.exists(module) else None for v, module in modules.items()}
        for number, kernel in enumerate(runs):
            suite.progress("%d of %d: %s" % (number + 1, len(runs), kernel))
            runs[kernel] = {v: run.result() if run else None for v, run in runs[kernel].items()}
    suite.progress("")
    return runs


def print_faults(runs):
    """Of which variants there are."""
    found = []
    for kernel, variants_of in runs.items():
        for variant, run in variants_of.items():
            if run and run.fault:
                print("! %s, %s: %s" % (kernel, variant, run.fault))
                found.append(variant)
    return found
