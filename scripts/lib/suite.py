#!/usr/bin/env python3
"""What the suites of scripts/bench share: tools, kernels, how all of them are made, figures, what was measured with.

    suite.py MODULE FUNCTION [--check] [--NAME VALUE...] [KERNEL...]     calls that function alone, for tests

A module's functions get `options`, with what the command line says; find_tools adds where tools are. What they
return is the status: true if something is wrong, or if a figure is missed and --check is given.
"""
import argparse
import concurrent.futures
import contextlib
import csv
import importlib
import math
import os
import shutil
import subprocess
import sys
import time

from shell import ask_tools

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, "build")
FOLDERS = ("kernels", "structured", "large", "costs", "exits", "threads", "indices", "votes")

# Figures are about these; what else is in bench/kernels is measured beside them.
SEVEN = "hotspot heartwall mcx mum nqueen particlefilter ray".split()
SMALL = ("short_circuit short_circuit_8 shared_tails break_continue_goto switch_fallthrough state_machine "
         "early_returns irreducible_2 irreducible_3 search_two_exits").split()
# Kernels for section 5 of the paper: nested loops, two-sided branches, a deep decision tree; and those of the
# seven with loops that are merged, too.
NESTS = "mandelbrot_tasks csr_rows graph_neighbours ray_march photon_transport string_match".split()
OTHER_NESTS, SIDES = ["mcx", "mum"], ["two_sided_force", "two_sided_lookup"]
HEAVIEST, TREE = "ray_march", "decision_tree"

LISTS = set("variants words kernels structured waiting means apart costs nests others sides parts".split())


def die(text, status=2):
    print("bench: " + text, file=sys.stderr)
    sys.exit(status)


# ---- tools and kernels

PLACES = ("llvm_version", "llvm", "ptxas", "nvdisasm", "nvcc", "cuda", "ptxas_version")
ASK = ('%s compile_for %s; [[ ! $ptxas ]] || version=$(ptxas_version); printf "%%s\\n" "$llvm_version" '
       '"$(dirname "$clang")" "$ptxas" "$nvdisasm" "${nvcc:-$(cuda_tool nvcc)}" "${cuda:-}" "${version:-}" "${device_flags[@]}"')
SASS = ('[[ $ptxas && $nvdisasm ]] || { "$root/scripts/setup" --sass >&2; find_cuda_tools; }; '
        '[[ $ptxas && $nvdisasm ]] || die "no ptxas or nvdisasm: run scripts/setup --sass";')


def find_tools(options, sm=None, *, build=True, toolkit=False, sass=False, setup=None):
    """Where tools and what the project builds are, and clang's flags for the target."""
    options.sm = sm or os.environ.get("SM", "sm_90")
    build = build and not os.environ.get("PLUGIN")
    needs = ["" if setup is None else '"$root/scripts/setup" %s >&2; find_cuda_tools;' % setup, SASS if sass else "",
             "find_cuda_toolkit;" if toolkit else "", "build_project;" if build else ""]
    progress("building" if build else "")
    lines = ask_tools(ASK % (" ".join(needs), options.sm))
    progress("")
    vars(options).update(zip(PLACES, lines), flags=lines[len(PLACES):], repository=ROOT)
    for tool in ("clang", "clang++", "opt", "llc"):
        setattr(options, tool.replace("++", "xx"), os.path.join(options.llvm, tool))
    for name, file in (("plugin", "lib/liblinearize.so"), ("library", "lib/liblinearize-threads.so"),
                       ("tool", "bin/linearize-ptx"), ("simt", "bin/linearize-simt"), ("graph", "bin/linearize-graph")):
        setattr(options, name, os.path.join(BUILD, file))
    if os.environ.get("PLUGIN"):
        options.plugin = os.path.realpath(os.environ["PLUGIN"])
    if build and not os.path.exists(options.plugin):
        die("no plugin %s: LLVM %s has no headers?" % (options.plugin, options.llvm_version), 1)


def plugin_flags(options, *more):
    """Clang's. Before LLVM 22 it reads -mllvm before -fpass-plugin."""
    early = ["-fplugin=" + options.plugin] if int(options.llvm_version) < 22 else []
    return [*early, "-fpass-plugin=" + options.plugin, *(word for option in more for word in ("-mllvm", option))]


def sources(*folders):
    """{kernel: its file}"""
    return {file[:-3]: os.path.join(ROOT, "bench", folder, file) for folder in folders
            for file in sorted(os.listdir(os.path.join(ROOT, "bench", folder))) if file.endswith(".cu")}


def source_of(kernel, folders=FOLDERS):
    return sources(*folders).get(kernel) or die("no kernel '%s' in bench/%s" % (kernel, ", ".join(folders)))


def choose(options, *folders, first=()):
    """Those that are named, or all of these folders."""
    options.kernels = list(dict.fromkeys(options.kernels or [*first, *sources(*folders)]))
    for kernel in options.kernels:
        source_of(kernel)


def applications():
    """Kernels of bench/threads whose threads take any order."""
    def takes(path):
        with open(path, encoding="utf-8") as file:
            return any(line.startswith("APPLICATION") for line in file)
    return [name for name, path in sources("threads").items() if takes(path)]


def read_csv(path):
    """Its rows, and its lines of comment."""
    with open(path, newline="", encoding="utf-8") as file:
        lines = list(file)
    return (list(csv.DictReader(line for line in lines if not line.startswith("#"))),
            [line.strip() for line in lines if line.startswith("#")])


# ---- making

def run(*command, **more):
    """What it prints. Raises RuntimeError, with what it says."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    if done.returncode != 0:
        raise RuntimeError(f"{os.path.basename(command[0])} failed: {done.stdout.strip()[:2000]}")
    return done.stdout


def folder_of(options, *names):
    options.folder = os.path.join(BUILD, *names)
    os.makedirs(options.folder, exist_ok=True)
    return options.folder


def is_new(target, *made_of):
    """It is there, and not older than any of these."""
    return os.path.exists(target) and all(os.path.getmtime(path) <= os.path.getmtime(target) for path in made_of)


def references(options, kernels, folder, *flags):
    """Objects with what each kernel, {name: source}, computes on the CPU."""
    def make(kernel):
        run(options.clangxx, "-x", "c++", "-std=c++20", "-O2", "-w", "-ffp-contract=off", "-fPIC", "-I" + ROOT + "/bench/include",
            *flags, "-c", kernels[kernel], "-o", os.path.join(folder, kernel + ".host.o"))
        return os.path.join(folder, kernel + ".host.o")
    return list(each("references", make, kernels).values())


def build_tool(options, target, source, *more):
    """A program of bench/device, with CUDA's runtime."""
    run(options.clangxx, "-std=c++20", "-O2", "-Wall", "-Wextra", "-I" + options.cuda + "/include", os.path.join(ROOT, source), *more,
        "-L" + options.cuda + "/lib64", "-lcudart_static", "-ldl", "-lrt", "-lpthread", "-o", target)


def each(what, call, items):
    """{item: call(item)}, with all processors; a line on a terminal says how far it is."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        futures = {item: pool.submit(call, item) for item in items}
        try:
            for number, (item, future) in enumerate(futures.items(), 1):
                progress("%s, %d of %d: %s" % (what, number, len(futures), item))
                future.result()
        finally:
            pool.shutdown(cancel_futures=True)
            progress("")
    return {item: future.result() for item, future in futures.items()}


def progress(text):
    if sys.stderr.isatty():
        print("\r\033[K" + text, end="", file=sys.stderr, flush=True)


# ---- what is printed

def geometric_mean(values):
    """Of those that there are; None: of none."""
    values = [value for value in values if value]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def print_figures(figures):
    """(what, whether it is met) each. True if one is missed."""
    missed = False
    for text, met in figures:
        print("%-7s %s" % ("met" if met else "missed", text), flush=True)
        missed |= not met
    return missed


def listed(names, before=": "):
    return before + ", ".join(names) if names else ""


def revision():
    return subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True, check=False).stdout.strip() or "unknown"


def describe(options, what="linearize<paper>"):
    print("%s, revision %s, LLVM %s" % (what, revision(), options.llvm_version)
          + (", ptxas " + options.ptxas_version if options.ptxas_version else ""))


def write_built(options, *more):
    """Built.txt, for a machine that has none of these tools."""
    with open(os.path.join(options.folder, "built.txt"), "w", encoding="utf-8") as file:
        clang = run(options.clang, "-dumpversion").strip()
        print("built: %s, clang %s, nvcc and ptxas %s, repository at %s, plugin %s" % (
            options.sm, clang, options.ptxas_version, revision(), os.environ.get("PLUGIN", "built from it")), *more, sep="\n", file=file)


def need_gpu(folder, *programs):
    if not shutil.which("nvidia-smi") or subprocess.run(["nvidia-smi", "-L"], capture_output=True, check=False).returncode:
        die("no NVIDIA GPU here", 1)
    if not all(os.path.exists(os.path.join(folder, program)) for program in programs):
        die("nothing is built: run it without --run first, or with --build", 1)


def header(folder):
    """The date, the GPU, and what was built."""
    gpu = run("nvidia-smi", "--format=csv,noheader", "--query-gpu=name,driver_version,clocks.sm,clocks.mem,clocks.max.sm").strip()
    with open(os.path.join(folder, "built.txt"), encoding="utf-8") as file:
        return ["date: " + time.strftime("%Y-%m-%d %H:%M", time.gmtime()),
                "GPU, driver, clocks of SM and memory as found, of SM at most: " + gpu, *file.read().splitlines()]


class Tee:
    def __init__(self, *files):
        self.files = files

    def write(self, text):
        for file in self.files:
            file.write(text)

    def flush(self):
        for file in self.files:
            file.flush()

    def isatty(self):
        return False


@contextlib.contextmanager
def kept(folder, name):
    """What is printed goes to FOLDER/NAME, or to $RESULTS, too; a header stands first."""
    with open(os.environ.get("RESULTS") or os.path.join(folder, name), "w", encoding="utf-8") as file:
        with contextlib.redirect_stdout(Tee(sys.stdout, file)):
            print("\n".join(header(folder)))
            yield


# ---- one function by itself


def read_options(words):
    """--check, and values; of LISTS they have commas."""
    options, words = argparse.Namespace(check=False, csv=None, kernels=[]), list(words)
    while words:
        word = words.pop(0)
        name = word.removeprefix("--").replace("-", "_")
        if word == "--check":
            options.check = True
        elif word == name:
            options.kernels.append(word)
        else:
            value = words.pop(0)
            setattr(options, name, value.split(",") if name in LISTS else value)
    return options


def main():
    module, function, *words = sys.argv[1:]
    sys.exit(bool(getattr(importlib.import_module(module), function)(read_options(words))))


if __name__ == "__main__":
    main()
