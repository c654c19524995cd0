"""Do random functions do the same on a GPU, after the pass, llc and ptxas, as on the CPU before?

What they are after llc and ptxas alone, and that not optimised (-O0), must do so, too: where it
doesn't, the functions are told apart from those that differ, for the pass has no part in it.

  same_on_gpu.py build FOLDER --tools DIR --plugin SO --ptxas FILE --runtime BC
                       --seed S --rounds N [--count N]
  same_on_gpu.py run FOLDER --program FILE

build makes, for each round, COUNT functions (generate.py), lets lli say what they do on 256 inputs,
and makes cubins of them for sm_90, packed: untouched, and after each of some MODE;LEVEL. run, on the
machine with the GPU, runs each cubin by run_on_gpu and compares, those of test/ptx/Inputs/on_gpu.py, too.
What differs is printed with the seed of its function, or its number in the module; one that never ends is cut off.
"""

import argparse
import gzip
import os
import re
import subprocess
import sys
import tempfile

from same import HERE, Failed, Runner, fail, for_host

INPUTS = 256
UNTOUCHED = "untouched"
LIMIT = 30  # seconds for all functions of a module
GPU = ["-mtriple=nvptx64-nvidia-cuda", "-mcpu=sm_90"]
# Of which kind and size the functions of a round are, and what is done to them; all they call is
# inlined before, as in most programs, or nothing is. Untouched, those with irreducible loops may not
# end: each configuration sees to these.
NESTS = ["needed;merge-loops;regardless;O4", "paper;limit-depth=1;O4",
         "irreducible;merge-loops;limit-depth=2;regardless;O4"]
MELDED = ["none;meld;regardless;O4", "needed;meld;regardless;O4"]
ROUNDS = [
    (True, ["--blocks", "9"], ["needed;O4", "paper;O4", "all;O4", "irreducible;O4"]),
    (False, ["--blocks", "25"], ["needed;O4", "paper;O4", "all;O4", "paper;O0"]),
    (True, ["--blocks", "25", "--nests"], NESTS),
    (False, ["--blocks", "60"], ["needed;O4", "paper;O4", "all;O2"]),
    (True, ["--blocks", "25"], ["needed;O4", "paper;O4", "paper;O0"]),
    (False, ["--blocks", "25", "--nests"], NESTS),
    (True, ["--blocks", "25"], MELDED),
    (False, ["--blocks", "60"], MELDED),
]
INLINE = ["-passes=forceattrs,always-inline,sroa,simplifycfg", "-force-attribute=alwaysinline"]
KERNEL = """
define ptx_kernel void @run%d() {
  %%input = call i64 @start()
  %%result = call i64 @%s(i64 %%input)
  call void @finish(i64 %%result)
  ret void
}
"""


def generate(seed, count, options):
    return subprocess.run(
        [sys.executable, os.path.join(HERE, "generate.py"), "--seed", str(seed), "--count", str(count),
         "--own-memory", "--nosync", *options], capture_output=True, text=True, check=True).stdout


def for_device(text):
    """Without the table of the tests, with a trap that ends one thread."""
    tests = re.findall(r"ptr @(\w+)", re.search(r"(?m)^@tests = .*$", text).group())
    text = re.sub(r"(?m)^@tests = .*$", "", text)
    text = text.replace("declare void @llvm.trap() cold noreturn nounwind",
                        "declare void @trapped() nosync noreturn")
    return text.replace("@llvm.trap()", "@trapped()"), tests


def add_kernels(text, tests):
    return (text + "declare i64 @start()\ndeclare void @finish(i64)\n" +
            "".join(KERNEL % (i, test) for i, test in enumerate(tests)))


def build_round(options, runner, seed, inline, arguments, configs):
    text = generate(seed, options.count, arguments)
    base = os.path.join(options.folder, "%d" % seed)
    expected = runner.lli(for_host(text, options.count), "before", str(INPUTS))
    with gzip.open(base + ".expected.gz", "wt") as f:
        f.write(expected[:expected.index("hit")])
    device, tests = for_device(text)
    module = os.path.join(runner.folder, "module")
    before, after, ptx, cubin = (module + end for end in (".bc", ".after.bc", ".ptx", ".cubin"))
    with open(module + ".ll", "w") as f:
        f.write(add_kernels(device, tests))
    if inline:
        runner.run("llvm-link", module + ".ll", options.runtime, "-o", module + ".whole.bc")
        runner.run("opt", *GPU, *INLINE, module + ".whole.bc", "-o", before)
    else:
        runner.run("opt", *GPU, "-passes=verify", module + ".ll", "-o", before)
    for i, config in enumerate([UNTOUCHED] + configs):
        passes = "verify" if config == UNTOUCHED else "linearize<%s>,verify" % config
        runner.run("opt", *GPU, "-load-pass-plugin=" + options.plugin, "-passes=" + passes, before,
                   "-o", after)
        if not inline:
            runner.run("llvm-link", after, options.runtime, "-o", after)
        runner.run("llc", "-O3", "-mcpu=sm_90", after, "-o", ptx)
        level = "-O0" if config == UNTOUCHED else "-O3"
        if subprocess.run([options.ptxas, level, "-arch=sm_90", ptx, "-o", cubin],
                          stderr=subprocess.DEVNULL).returncode:
            if config == UNTOUCHED:  # ptxas -O0 crashes now and then
                continue
            fail("seed %d, %s: ptxas failed" % (seed, config))
        with open(cubin, "rb") as f, gzip.open("%s.%d.cubin.gz" % (base, i), "wb") as packed:
            packed.write(f.read())
        with open("%s.%d.txt" % (base, i), "w") as f:
            f.write("%d %s %s%s\n" % (options.count, config, " ".join(arguments),
                                      ", inlined" if inline else ""))


def build(options):
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(options.tools, options.plugin, folder)
        for n in range(options.rounds):
            build_round(options, runner, options.seed + 1000 * n, *ROUNDS[n % len(ROUNDS)])
            if sys.stdout.isatty():
                print("\rround %d of %d" % (n + 1, options.rounds), end="", flush=True)


def differences(expected, program, cubin, count):
    """What each function that differs does, in words; None: of all."""
    try:
        done = subprocess.run([program, cubin, count], capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired as late:
        ran = (late.stdout or b"").count(b"\n") // (len(expected) // int(count))
        return {None: "no end after %d s, %d of %s functions done" % (LIMIT, ran, count)}
    got, inputs = done.stdout.splitlines(), len(expected) // int(count)
    if done.returncode or len(got) != len(expected):
        return {None: "%d of %d results; %s" % (len(got), len(expected), done.stderr.strip())}
    wrong = {}
    for was, now in zip(expected, got):
        if was != now:
            wrong.setdefault(int(was.split()[0]), []).append("%s, not %s" % (now, was))
    return {test: "%d of %d inputs differ, the first: %s" % (len(all), inputs, all[0])
            for test, all in wrong.items()}


def run_module(options, name):
    """The number of its functions, what was done to them, and what differs."""
    base = os.path.join(options.folder, name)
    with open(base + ".txt") as f:
        count, config, arguments = f.read().rstrip("\n").split(" ", 2)
    with gzip.open(os.path.splitext(base)[0] + ".expected.gz", "rt") as f:
        expected = f.read().splitlines()
    with tempfile.NamedTemporaryFile(suffix=".cubin") as cubin:
        with gzip.open(base + ".cubin.gz") as packed:
            cubin.write(packed.read())
        cubin.flush()
        found = differences(expected, options.program, cubin.name, count)
    return int(count), "%s, generate.py %s" % (config, arguments), found


def run(options):
    modules = functions = failures = apart = 0
    untouched = {}  # by the seed of the round
    for file in sorted(os.listdir(options.folder)):
        if not file.endswith(".txt"):
            continue
        seed, number = file.split(".")[:2]
        count, what, found = run_module(options, seed + "." + number)
        if what.startswith(UNTOUCHED):
            untouched[seed] = found
            apart += len(found)
            continue
        modules += 1
        functions += count
        for test, words in found.items():
            if test is not None and test in untouched.get(seed, {}):
                continue
            failures += 1
            name = "all" if test is None else "run%d" % test if seed.startswith("ptx") else \
                "f%d" % (int(seed) + test)
            print("%s: %s, %s: %s" % (what, seed, name, words), flush=True)
    print("%d functions in %d modules ran, %d differ; %d more do so untouched"
          % (functions, modules, failures, apart))
    return failures == 0 and modules > 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("action", choices=["build", "run"])
    parser.add_argument("folder")
    for option in ("tools", "plugin", "ptxas", "runtime", "program"):
        parser.add_argument("--" + option)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--count", type=int, default=50)
    options = parser.parse_args()
    if options.action == "run":
        sys.exit(not run(options))
    build(options)


if __name__ == "__main__":
    try:
        main()
    except Failed as failure:
        sys.exit(str(failure).rstrip())
