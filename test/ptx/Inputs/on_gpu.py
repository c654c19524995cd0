#!/usr/bin/env python3
"""Random PTX functions for a GPU, before and after: what test/exec/Inputs/same_on_gpu.py runs.

  on_gpu.py FOLDER --tool LINEARIZE-PTX --ptxas FILE [--seed N] [--rounds N] [--count N]
  on_gpu.py --tool LINEARIZE-PTX --ptxas FILE --nvdisasm FILE [--clang FILE] ...

The second runs them here, without a GPU, as machine code on the CPU (scripts/lib/machine).

A round is COUNT functions of generate.py. A thread adds what it stores to a hash of its own, so
that all is compared that it has stored, in order. Rounds take turns: the adding is called, as code
that is not inlined, and so threads end that store for ever, and conditions are made of what another
function returns; or it stands there, in functions that end by themselves. What has to come out is
by interpret.py. Cubins are of ptxas -O3, after linearize-ptx in some modes; and of the untouched
text at -O0.
"""
import argparse
import contextlib
import gzip
import io
import os
import re
import struct
import subprocess
import sys
import tempfile
import types

import generate
import interpret

HERE = os.path.dirname(os.path.abspath(__file__))
THREADS, STORES = 64, 60
START, PRIME = 0xCBF29CE484222325, 0x100000001B3
ENDS = {"returned": "return", "cut off": "budget", "trapped": "trap"}
HEAD = """.version 7.8
.target sm_90
.address_size 64
.func tell(.param .b32 value, .param .b64 own, .param .b64 budget)
{
	.reg .pred %%p<2>;
	.reg .b32 %%r<3>;
	.reg .b64 %%rd<5>;
	ld.param.b32 %%r1, [value];
	ld.param.b64 %%rd1, [own];
	ld.param.b64 %%rd2, [budget];
	cvt.u64.u32 %%rd3, %%r1;
	ld.volatile.global.u64 %%rd4, [%%rd1];
	xor.b64 %%rd4, %%rd4, %%rd3;
	mul.lo.s64 %%rd4, %%rd4, %d;
	st.volatile.global.u64 [%%rd1], %%rd4;
	ld.volatile.global.u32 %%r2, [%%rd2];
	add.s32 %%r2, %%r2, -1;
	st.volatile.global.u32 [%%rd2], %%r2;
	setp.ne.s32 %%p1, %%r2, 0;
	@%%p1 bra $GOES_ON;
	st.volatile.global.u64 [%%rd1+8], 1;
	exit;
$GOES_ON:
	ret;
}

.func (.param .b32 result) ask(.param .b32 state, .param .b64 own)
{
	.reg .b32 %%r<3>;
	.reg .b64 %%rd<2>;
	ld.param.b32 %%r1, [state];
	ld.param.b64 %%rd1, [own];
	ld.volatile.global.u32 %%r2, [%%rd1+8];
	add.s32 %%r1, %%r1, %%r2;
	and.b32 %%r1, %%r1, 255;
	st.param.b32 [result], %%r1;
	ret;
}
""" % PRIME
# Where the hash of each thread is, how it has ended, and how much it may still store: on a GPU in
# variables of the module, as run_on_gpu.cpp has them, in scripts/lib/machine behind a pointer.
VARIABLES = """.visible .global .align 16 .b64 results[%d];
.global .align 4 .b32 left[%d];
""" % (2 * THREADS, THREADS)
ON_GPU = VARIABLES, "()", "	mov.u64 %rd1, results;\n	mov.u64 %rd4, left;\n"
ON_MACHINE = "", "(.param .u64 words, .param .u32 mask, .param .u32 rounds, .param .u64 out, " \
    ".param .u32 threads)", \
    "	ld.param.u64 %%rd1, [out];\n	add.s64 %%rd4, %%rd1, %d;\n" % (16 * THREADS)
BEGIN = """	mov.u32 %%r1, %%tid.x;
	mul.wide.u32 %%rd2, %%r1, 4;
	add.s64 %%rd4, %%rd4, %%rd2;
	mul.wide.u32 %%rd2, %%r1, 16;
	add.s64 %%rd1, %%rd1, %%rd2;
	st.global.u32 [%%rd4], %d;
	mov.u64 %%rd2, %d;
	st.global.u64 [%%rd1], %%rd2;
	mov.u64 %%rd2, 0;
	st.global.u64 [%%rd1+8], %%rd2;
""" % (STORES, START)
CALLED = """
	{
	.param .b32 value;
	.param .b64 own;
	.param .b64 budget;
	st.param.b32 [value], %s;
	st.param.b64 [own], %%rd1;
	st.param.b64 [budget], %%rd4;
	call.uni tell, (value, own, budget);
	}"""
ASKED = """
	{
	.param .b32 state;
	.param .b64 own;
	.param .b32 result;
	st.param.b32 [state], %r9;
	st.param.b64 [own], %rd1;
	call.uni (result), ask, (state, own);
	ld.param.b32 %r9, [result];
	}"""
IN_PLACE = """
	ld.global.u64 %%rd2, [%%rd1];
	cvt.u64.u32 %%rd3, %s;
	xor.b64 %%rd2, %%rd2, %%rd3;
	mul.lo.s64 %%rd2, %%rd2, """ + "%d;\n\tst.global.u64 [%%%%rd1], %%%%rd2;" % PRIME
# blocks, share of loops made for edits, called; then what is done to them.
ROUNDS = [
    (9, 0.0, True, [["needed", "O4"], ["paper", "O4"], ["all", "O4"], ["irreducible", "O4"]]),
    (25, 0.3, False, [["needed", "O4"], ["paper", "O4"], ["all", "O4"], ["paper", "O0"]]),
    (25, 0.0, True, [["needed", "O4"], ["paper", "O3"], ["all", "O2"], ["all", "O4"]]),
    (12, 0.3, True, [["needed", "O4"], ["paper", "O4"], ["all", "O4"], ["irreducible", "O4"]]),
    (14, 0.0, False, [["needed", "O4"], ["paper", "O1"], ["all", "O4"], ["all", "O0"]]),
    (60, 0.1, True, [["needed", "O4"], ["paper", "O4"], ["all", "O4"]]),
]


def make_function(seed, blocks, loops):
    """Its text, by generate.py."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        generate.function(seed, blocks, loops)
    return text.getvalue()


def expect(text, may_be_cut):
    """What each thread stores, and how it ends; None if the function doesn't say, or is cut off."""
    body = text[text.index("{", text.index(")")) + 1:text.rindex("}")]
    function, found = interpret.Function(body), []
    for thread in range(THREADS):
        stored, end = interpret.run(function, thread, STORES, 0)
        if end not in ENDS or (end == "cut off" and not may_be_cut):
            return None
        if interpret.run(function, thread, STORES, 1) != (stored, end):
            return None
        found.append((stored, end))
    return found


def as_line(test, thread, stored, end):
    """As run_on_gpu prints it."""
    value = START
    for x in stored:
        value = ((value ^ x) * PRIME) & (2 ** 64 - 1)
    return "%d %d %s %016x\n" % (test, thread, ENDS[end], value)


def as_kernel(text, number, called, results):
    text = re.sub(r"\.entry \w+\(.*?\)", ".entry run%d%s" % (number, results[1]), text, count=1)
    text = text.replace("\t.reg .b64 %rd<2>;", "\t.reg .b64 %rd<5>;\n\t.reg .b32 %r_stored;", 1)
    text = text.replace("\tld.param.u64 %rd1, [out];\n", results[2] + BEGIN, 1)

    def store(match):
        value = match[1]
        if called:
            return CALLED % value
        if not value.startswith("%"):
            return "\n\tmov.u32 %%r_stored, %s;" % value + IN_PLACE % "%r_stored"
        return IN_PLACE % value
    text = re.sub(r"\s*\bst\.volatile\.global\.u32 \[%rd1\], ([^;]+);", store, text)
    if called:
        text = text.replace("and.b32 %r9, %r9, 255;", ASKED.strip())
    return re.sub(r"\btrap;", "mov.u64 %rd2, 3;\n\tst.global.u64 [%rd1+8], %rd2;\n\texit;", text)


def make_round(seed, count, blocks, loops, called, results):
    """The module, and what has to come out of it."""
    kernels, expected = [], []
    while len(kernels) < count:
        text = make_function(seed, blocks, loops)
        seed += 1
        found = expect(text, called)
        if found is None:
            continue
        expected += [as_line(len(kernels), thread, *what) for thread, what in enumerate(found)]
        kernels.append(as_kernel(text, len(kernels), called, results))
    return HEAD + results[0] + "\n".join(kernels), "".join(expected)


def assemble(options, config, before, cubin):
    """Machine code of a text, after linearize-ptx if there is a config; False if ptxas fails."""
    path, level = before, "-O0"
    if config:
        path, level = before + ".after", "-O3"
        subprocess.run([options.tool, "--remarks", "none", "--mode", config[0], "--level",
                        config[1], before, "-o", path], check=True)
    return subprocess.run([options.ptxas, level, "-arch=sm_90", path, "-o", cubin],
                          stderr=subprocess.DEVNULL, check=False).returncode == 0


def build_round(options, folder, seed, blocks, loops, called, configs):
    base = os.path.join(options.folder, "ptx%d" % seed)
    before, cubin = os.path.join(folder, "module.ptx"), os.path.join(folder, "module.cubin")
    text, expected = make_round(seed, options.count, blocks, loops, called, ON_GPU)
    with open(before, "w", encoding="ascii") as file:
        file.write(text)
    with gzip.open(base + ".expected.gz", "wt") as file:
        file.write(expected)
    what = "--blocks %d --loops %s, %s, by on_gpu.py" % (blocks, loops,
                                                        "called" if called else "in place")
    for i, config in enumerate([None] + configs):
        if not assemble(options, config, before, cubin):
            if config:
                sys.exit("on_gpu: seed %d, %s: ptxas failed" % (seed, " ".join(config)))
            continue
        with open(cubin, "rb") as file, gzip.open("%s.%d.cubin.gz" % (base, i), "wb") as packed:
            packed.write(file.read())
        with open("%s.%d.txt" % (base, i), "w", encoding="ascii") as file:
            file.write("%d %s %s\n" % (options.count, ";".join(config or ["untouched"]), what))


def run_by_machine(machine, text, kernel, cubin, clang):
    """What run_on_gpu would print."""
    made = machine.Machine(None, clang, cubin, "run%d" % kernel, text, "-O0")
    launch = types.SimpleNamespace(grid=1, block=THREADS, words=1, rounds=1, threads=5 * THREADS)
    try:
        data = made.run(launch, 10)[2]
    except subprocess.TimeoutExpired:
        yield "%d: doesn't end\n" % kernel
        return
    names = ["return", "budget", "die", "trap", "crash"]
    for thread in range(THREADS):
        value, end = struct.unpack_from("<QQ", data, 16 * thread)
        word = names[end] if end < len(names) else "nothing"
        yield "%d %d %s %016x\n" % (kernel, thread, word, value)


def check_round(options, folder, seed, blocks, loops, called, configs):
    """By scripts/lib/machine, machine code on the CPU: what differs is printed, and counted."""
    sys.path.insert(0, os.path.join(HERE, "../../../scripts/lib"))
    import machine
    before, cubin = os.path.join(folder, "module.ptx"), os.path.join(folder, "module.cubin")
    text, expected = make_round(seed, options.count, blocks, loops, called, ON_MACHINE)
    expected, done, wrong = expected.splitlines(keepends=True), set(), 0
    with open(before, "w", encoding="ascii") as file:
        file.write(text)
    what = "seed %d, %d blocks, %s" % (seed, blocks, "called" if called else "in place")
    for config in [["none", "O4"]] + configs:
        counts = dict.fromkeys(("right", "wrong", "not known", "the same program"), 0)
        assemble(options, config, before, cubin)
        program = machine.disassemble(options.nvdisasm, cubin)
        for kernel in range(options.count):
            wanted = expected[kernel * THREADS:(kernel + 1) * THREADS]
            try:
                code = machine.translate(program, "run%d" % kernel)
                if (kernel, code) in done:
                    counts["the same program"] += 1
                    continue
                done.add((kernel, code))
                found = list(run_by_machine(machine, code, kernel, cubin, options.clang))
            except (RuntimeError, subprocess.SubprocessError) as error:
                counts["not known"] += 1
                print("%s, %s, run%d: %s" % (what, ";".join(config), kernel, str(error)[:200]),
                      flush=True)
                continue
            off = [now.strip() + ", not " + was for now, was in zip(found, wanted) if now != was]
            counts["wrong" if off else "right"] += 1
            if off:
                print("%s, %s: %d threads, the first: %s"
                      % (what, ";".join(config), len(off), off[0]), end="", flush=True)
        counted = ", ".join("%d %s" % (number, fate) for fate, number in counts.items() if number)
        print("%s, %s: %s" % (what, ";".join(config), counted), flush=True)
        wrong += counts["wrong"] if config[0] != "none" else 0
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--tool", required=True)
    parser.add_argument("--ptxas", required=True)
    parser.add_argument("--nvdisasm")
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--count", type=int, default=50)
    options = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for n in range(options.rounds):
            each = check_round if options.nvdisasm else build_round
            wrong += each(options, folder, options.seed + 1000 * n, *ROUNDS[(options.seed // 1000 + n) % len(ROUNDS)]) or 0
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
