"""A case is a program that is built and run with and without the plugin, and what it does."""

import glob
import itertools
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from collections import namedtuple

# clang's level, and the plugin's mode and level; without a mode, no plugin. Mode `beyond` is the
# default one, with what is beyond it.
Config = namedtuple("Config", "opt mode level")
Result = namedtuple("Result", "case config outcome text")


class Failure(Exception):
    """What went wrong, in words."""


def run(command, limit, **options):
    """Runs to the end: exit status, output, errors. A Failure if it takes too long."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, errors="replace", start_new_session=True,
                          **options) as process:
        try:
            output, errors = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # what it started, too
            raise Failure("no end after %.0f s: %s" % (limit, command[0])) from None
    return process.returncode, output, errors


def must_succeed(command, limit, **options):
    status, output, errors = run(command, limit, **options)
    if status:
        raise Failure("%s ended with %d\n%s" % (shlex.join(command), status, "\n".join(
            (output + errors).rstrip().split("\n")[-8:])))
    return errors


BEYOND = "needed;merge-loops;interleave;limit-depth=2;regardless"
CHANGED = "[-Rpass=linearize]"  # at the end of a remark of what was done


class Compiler:
    def __init__(self, clang, plugin):
        self.clang = clang
        self.plugin = plugin

    def command(self, config):
        command = [self.clang, "-" + config.opt]
        if config.mode == "beyond":
            command = ["env", "LINEARIZE_OPTIONS=" + BEYOND] + command
        if config.mode:
            # Before LLVM 22, -mllvm is read before -fpass-plugin.
            command += ["-fplugin=" + self.plugin, "-fpass-plugin=" + self.plugin]
            mode = [] if config.mode == "beyond" else ["mode=" + config.mode]
            for option in mode + ["level=" + config.level, "any-target", "force", "verify-each"]:
                command += ["-mllvm", "-linearize-" + option]
        return command

    def remarks(self, config):
        return ["-Rpass=linearize", "-fno-caret-diagnostics"] if config.mode else []


class Case:
    """What all have in common. Each has a suite, a name, a number, and

    attempt(compiler, config, folder, limit)
        builds and runs in a folder of its own; what must be the same with and without the plugin,
        or None if the plugin did nothing. No command may take longer than the limit.
    """

    limit = 10  # seconds without the plugin; with it, more for what takes long by itself

    def check(self, compiler, configs):
        """A Result for each configuration; those of one clang level stand together."""
        for opt, group in itertools.groupby(configs, key=lambda config: config.opt):
            with tempfile.TemporaryDirectory(prefix="torture-") as folder:
                yield from self._check(compiler, Config(opt, None, None), group, folder)

    def _check(self, compiler, without, configs, folder):
        start, why, unchanged = time.time(), None, set()
        try:
            expected = self.attempt(compiler, without, folder, self.limit)
        except Failure as failure:
            why = "without the plugin: %s" % failure
        limit = self.limit + 20 * (time.time() - start)
        for config in configs:
            try:
                got = None
                if not why and config.mode not in unchanged:  # at every level, then
                    got = self.attempt(compiler, config, folder, limit)
                if got is None:
                    unchanged.add(config.mode)
                    yield Result(self, config, "skipped", why or "nothing to linearize")
                elif got == expected:
                    yield Result(self, config, "passed", "")
                else:
                    raise Failure("without the plugin: %s\nwith it: %s" % (expected, got))
            except Failure as failure:
                text = "%s\n%s" % (self.command(compiler, config), failure)
                yield Result(self, config, "failed", text)


def debug_info(number):
    return ["-g"] if number // 2 % 2 else []  # beside all modes of the sample


class TortureProgram(Case):
    """One of GCC's, which checks itself. Some are of several files."""

    suite = "gcc"
    # What old C needs of a new clang.
    old_c = ["-std=gnu99", "-w", "-lm"] + ["-Wno-" + name for name in (
        "implicit-int", "implicit-function-declaration", "int-conversion", "return-mismatch",
        "incompatible-pointer-types", "incompatible-function-pointer-types")]
    # Options that a program asks for, but for those of GCC's own optimisers.
    asked = re.compile(r'dg-(?:additional-)?options "([^"]*)" *}')
    gcc_only = re.compile("-O|-f(no-)?(tree|ira|ipa|dce|early|optimize|modulo|expensive|vect)")

    def __init__(self, root, name, number):
        self.name = name
        self.number = number
        path = os.path.join(root, name)
        with open(path, errors="replace") as f:
            asked = " ".join(self.asked.findall(f.read())).split()
        self.sources = self.old_c + [flag for flag in asked if not self.gcc_only.match(flag)] + [path]
        self.sources += debug_info(number)
        if name.startswith("builtins/"):
            self.sources += [path[:-2] + "-lib.c", root + "/builtins/lib/main.c"]

    def command(self, compiler, config):
        return shlex.join(compiler.command(config) + self.sources)

    def attempt(self, compiler, config, folder, limit):
        program = os.path.join(folder, "program")
        errors = must_succeed(compiler.command(config) + self.sources + compiler.remarks(config)
                              + ["-o", program], 3 * limit)
        if config.mode and CHANGED not in errors:
            return None
        status, output, _ = run([program], limit, cwd=folder)
        return self.outcome(status, output)

    def outcome(self, status, _):
        if status:
            raise Failure("ended with %d" % status)
        return "success"


class RandomProgram(TortureProgram):
    """One of csmith's, which prints a checksum of its variables, if it ends."""

    suite = "csmith"

    def __init__(self, root, folder, seed):
        self.name = "seed %d" % seed
        self.number = seed
        self.generator = [root + "/usr/bin/csmith", "--seed", str(seed)]
        self.path = os.path.join(folder, "%d.c" % seed)
        self.sources = ["-w", "-I%s/usr/include/csmith" % root, self.path] + debug_info(seed)

    def attempt(self, compiler, config, folder, limit):
        if not config.mode:
            must_succeed(self.generator + ["-o", self.path], limit, cwd=folder)
        return super().attempt(compiler, config, folder, limit)

    def outcome(self, status, output):
        if status:
            raise Failure("ended with %d" % status)
        return output


# The compiler of real programs. Remarks go to a file: configure scripts look at what is printed.
WRAPPER = """#!/bin/bash
errors=$(mktemp)
%s "$@" -Qunused-arguments 2>"$errors"
status=$?
grep -F '[-Rpass=linearize]' "$errors" >>"$REMARKS"
grep -vF '[-Rpass=linearize]' "$errors" >&2
rm -f "$errors"
exit $status
"""


class RealProgram(Case):
    """A program with a makefile and a test suite of its own (programs.py)."""

    suite = "programs"
    limit = 3600

    def __init__(self, recipe, number, archive):
        self.name = recipe.name
        self.number = number
        self.recipe = recipe
        self.debian = archive.folder
        self.sources = [archive.source(package) for package in recipe.sources]
        if recipe.packages:
            archive.packages(recipe.name + "-packages", *recipe.packages)

    def check(self, compiler, configs):
        # The makefile has a level of its own: ours wouldn't make much of a difference.
        return super().check(compiler, [c for c in configs if c.opt == configs[-1].opt])

    def command(self, compiler, config):
        return "CC=" + shlex.quote(shlex.join(compiler.command(config)))

    def attempt(self, compiler, config, folder, limit):
        folder = os.path.join(folder, "-".join(filter(None, config)))
        os.mkdir(folder)
        subprocess.run(["cp", "-a"] + self.sources + [folder], check=True)
        wrapper, remarks = os.path.join(folder, "cc"), os.path.join(folder, "remarks")
        with open(wrapper, "w") as f:
            f.write(WRAPPER % shlex.join(compiler.command(config) + debug_info(self.number)
                                         + compiler.remarks(config)))
        os.chmod(wrapper, 0o755)
        environment = dict(os.environ, CC=wrapper, REMARKS=remarks, DEBIAN=self.debian, LC_ALL="C")
        (where,) = glob.glob(os.path.join(folder, self.recipe.folder))
        for script in self.recipe.build, self.recipe.test:
            must_succeed(["bash", "-c", script], limit, cwd=where, env=environment)
        changed = os.path.getsize(remarks) > 0
        shutil.rmtree(folder)
        return "success" if changed or not config.mode else None
