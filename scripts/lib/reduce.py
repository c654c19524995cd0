"""Makes a module in which the pass fails small; see scripts/reduce.

  reduce.py --tools DIR --plugin SO [--passes 'MODE;LEVEL'] [--interestingness SCRIPT] FILE.ll OUT.ll

1. Find out what fails: the symptom. Either opt does, with what the verifier or an assertion says;
   or what comes out isn't the same with debug info, or in a second run; or the functions of the
   table @tests (or @test) do something else after the pass: "differs", see same.py. What fails only
   with blocks that nothing reaches is made by dead.py first. A script of the user's ends with 0 on a module that fails.
2. Take out every function that isn't needed for it.
3. llvm-reduce takes out all else, asking this script (--symptom) whether what is left fails alike.

A program with undefined behaviour may differ and no one is to blame, and llvm-reduce makes many.
So a module that differs must do the same after LLVM's own -O2 as before: that uses undefined
behaviour where it finds it.
"""

import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the source tree stays as it is
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "test", "exec", "Inputs"))

import same

DIFFERS = "differs after linearize"
INPUTS = "60"
# For one tool. llvm-reduce makes many loops without an end, and what it looks at is small.
SECONDS, SECONDS_ASKED = 20, 2
# What driver.c has, which llvm-reduce would take the arguments from.
DRIVER = {"bit": "i1()", "pick": "i32(i32)", "value": "i64(i32)", "effect": "void(i32,i64)",
          "die": "void(i32)", "memory": "ptr()"}


def read(path):
    with open(path) as f:
        return f.read()


def write(path, text):
    with open(path, "w") as f:
        f.write(text)


def num_tests(source):
    """How many functions @tests has; 0 if there is none."""
    table = re.search(r"(?m)^@tests = .*?\[(\d+) x ptr\]", source)
    return int(table.group(1)) if table else 0


def test_names(source):
    table = re.search(r"(?m)^@tests = .*", source)
    return re.findall(r"ptr @([\w.$]+)", table.group(0).split("]", 1)[1]) if table else []


def complaint(message):
    """What stays the same of a tool's message when the module gets smaller."""
    if "no end after" in message:
        return "opt has no end"
    if "\nended with" not in message:  # Runner.check
        return re.split(r"[:\[]", message)[0].strip()
    for line in message.split("\n")[2:]:
        assertion = re.search(r"Assertion [`'](.*)' failed", line)
        if assertion:
            return "assertion " + assertion.group(1)
        line = re.sub(r"^.*?error: ", "", line)
        line = re.sub(r"[%@][\w.$\"]+|'[^']*'|\bblock [\w.$]+|\b\d+\b", "", line)
        if line.strip() and not line.startswith((" ", "PLEASE", "Stack dump", "0x")):
            return re.sub(r"\W+", " ", line).strip()
    return "opt crashes"


class Judge:
    def __init__(self, args, folder, seconds):
        self.script = args.interestingness
        self.runner = same.Runner(args.tools, args.plugin, folder, seconds)

    def is_defined(self, source, before, expected):
        """No undefined behaviour that LLVM can find."""
        if re.search(r"\b(undef|poison)\b", source) or " crash " in expected:
            return False
        for ty, name, of in re.findall(r"(?m)^declare (?:\w+ )*?(\w+) @(\w+)\((.*?)\)", source):
            if DRIVER.get(name, "") not in ("", "%s(%s)" % (ty, of.replace(" ", ""))):
                return False
        # A dead end must be one.
        for line in re.findall(r"(?m)^(.*)\n\s*unreachable$", source):
            if not re.search(r"@(die|llvm\.trap)\(", line):
                return False
        path = os.path.join(self.runner.folder, "before.ll")
        try:
            optimised = self.runner.run("opt", "-S", "-passes=default<O2>", path)
            self.runner.compare(before, expected, optimised, INPUTS)
        except same.Failed:
            return False
        return True

    def symptom(self, path, config):
        """One line that says how the module fails under `config`, or None."""
        if self.script:
            done = subprocess.run([self.script, path], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL)
            return "interesting" if done.returncode == 0 else None
        source = read(path)
        tests = num_tests(source)
        try:  # the pass may leave alone what generate.py never makes
            after = self.runner.opt(source, config, refused=not tests)
            self.runner.check(source, after, config, refused=not tests)
        except same.Failed as failure:
            return complaint(str(failure))
        if not tests and "define i64 @test(" not in source:
            return None
        try:
            before = same.for_host(source, tests)
            expected = self.runner.lli(before, "before", INPUTS)
        except same.Failed:
            return None
        try:
            self.runner.compare(before, expected, same.for_host(after, tests), INPUTS)
        except same.Failed:
            return DIFFERS if self.is_defined(source, before, expected) else None
        return None


def candidates(judge, path, source):
    """Modules of one function each, as text."""
    for name in test_names(source):
        table = "@tests = constant [1 x ptr] [ptr @%s]" % name
        one = os.path.join(judge.runner.folder, "one.ll")
        write(one, re.sub(r"(?m)^@tests = .*", table, source))
        yield judge.runner.run("opt", "-S", "-passes=internalize,globaldce",
                               "-internalize-public-api-list=tests", one)
    if not test_names(source):
        if "define i64 @test(" in source and not judge.script:
            yield source + "\n@tests = constant [1 x ptr] [ptr @test]\n"
        for name in re.findall(r"(?m)^define [^@]*@([\w.$]+)\(", source):
            yield judge.runner.run("llvm-extract", "-S", "--func=" + name, path)


def arguments():
    parser = argparse.ArgumentParser(prog="reduce")
    parser.add_argument("--tools", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--passes", help="MODE;LEVEL; without it, several are tried")
    parser.add_argument("--interestingness")
    parser.add_argument("--symptom", help="only ask whether FILE has it")
    parser.add_argument("--folder", help="of a driver that was compiled")
    parser.add_argument("file")
    parser.add_argument("out", nargs="?")
    return parser.parse_args()


def ask(args):
    """For llvm-reduce: 0 if the file has the symptom."""
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.join(args.folder, "driver.so"), os.path.join(folder, "driver.so"))
        return Judge(args, folder, SECONDS_ASKED).symptom(args.file, args.passes) != args.symptom


def header(args, config, symptom, text):
    """How to see it again, for lit."""
    if args.interestingness:
        return ""
    run = '%%same --tests 1 %%s "%s"' % config
    if not num_tests(text):
        passes = "linearize<%s;any-target>,verify" % config
        gpu = "" if config.startswith(("paper", "all")) else " ".join(same.GPU) + " "
        run = "%%opt %%load %s-passes='%s' -disable-output %%s" % (gpu, passes)
    return "; RUN: %s\n; %s\n\n" % (run, symptom)


def reduce(args, folder):
    judge = Judge(args, folder, SECONDS)
    # A user's script knows how itself; mode all sees the most.
    configs = [args.passes] if args.passes or args.interestingness else \
        sorted(same.DEFAULT, key=lambda config: (not config.startswith("all"), config))
    found = ((config, judge.symptom(args.file, config)) for config in configs)
    config, symptom = next((pair for pair in found if pair[1]), (None, None))
    if not symptom:
        sys.exit("reduce: nothing fails in " + args.file)
    print("%s: %s" % (config or args.interestingness, symptom), file=sys.stderr)

    small = os.path.join(folder, "small.ll")
    write(small, read(args.file))
    for text in candidates(judge, args.file, read(args.file)):
        alone = os.path.join(folder, "alone.ll")
        write(alone, text)
        if judge.symptom(alone, config) == symptom:
            write(small, text)
            break

    # llvm-reduce splits no arguments, and calls one program.
    test = os.path.join(folder, "ask")
    write(test, "#!/bin/sh\nexec %s \"$1\"\n" % shlex.join(
        [args.interestingness] if args.interestingness else
        [sys.executable, os.path.abspath(__file__), "--tools", args.tools, "--plugin", args.plugin,
         "--passes", config, "--symptom", symptom, "--folder", folder]))
    os.chmod(test, 0o755)
    out = os.path.join(folder, "out.ll")
    command = [os.path.join(args.tools, "llvm-reduce"), "--test=" + test, "-o", out,
               "-j", str(os.cpu_count()), small]
    # It puts in poison where it can, if its version can.
    if "operands-poison" in judge.runner.run("llvm-reduce", "--print-delta-passes"):
        command.append("--skip-delta-passes=operands-poison")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode or not os.path.exists(out):
        sys.exit("reduce: llvm-reduce failed\n" + done.stderr[-2000:])
    text = judge.runner.run("opt", "-S", "-passes=strip-dead-prototypes", out)
    text = re.sub(r"(?m)^(; ModuleID|source_filename|; Function Attrs).*\n", "", text)
    text = re.sub(r"(?m) +; preds = .*", "", text).lstrip()
    write(args.out, header(args, config, symptom, text) + text)


def main():
    args = arguments()
    args.file = os.path.abspath(args.file)
    args.plugin = os.path.abspath(args.plugin)
    if args.interestingness:
        args.interestingness = os.path.abspath(args.interestingness)
    if args.symptom:
        sys.exit(ask(args))
    with tempfile.TemporaryDirectory() as folder:
        reduce(args, folder)


main()
