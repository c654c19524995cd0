"""Does a module do the same after the pass as before?

  same.py --tools DIR --plugin SO FILE.ll [--tests N] [--inputs N] [MODE;LEVEL ...]

FILE.ll defines `i64 @test(i64)`, or with --tests N a table `@tests` of N such functions; what
they may call is in driver.c. For each MODE;LEVEL the module goes through opt with the plugin,
LLVM's verifier and, in modes paper and all, verify<linearized>; then lli runs it, and every
line that driver.c prints must be as before. A difference ends with the two traces of the first
input that differs. FILE may be C, too: with --clang="OPTIONS" it is compiled first.

Every second function of a module gets blocks that nothing reaches (dead.py), and of what the pass
has changed, nothing may be unreached. Debug records and locations for every value (debugify) must
change nothing but themselves, and LLVM's verifier must be content with them. Where a mode has been
(needed, irreducible, paper), a second run must find nothing to do.

The transformed module runs twice, each poison in a phi or select replaced by all ones, then by
zero: both are values poison may take, so a result that hangs on one is a bug of the pass.

With --nans, FILE is of generate.py --floats: of a NaN its comparisons say that there is none. What
such code does is undefined, but after the pass a comparison has to hold or not hold for all who ask,
so that nobody waits for what never comes; and it holds as IEEE 754 says, as if the flags weren't
there. Functions that the pass leaves alone keep them.

Effects numbered below 900 must all be seen before the transformation (else the test tests
nothing), those from 900 on never (they stand in unreachable blocks).
"""

import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the source tree stays as it is

from dead import add_dead, bodies, unreached

HERE = os.path.dirname(os.path.abspath(__file__))
DEFAULT = ["paper;O0", "paper;O4", "all;O0", "all;O4",
           "needed;O0", "needed;O4", "irreducible;O0", "irreducible;O4"]
# needed and irreducible look at divergence, and only a GPU target has any.
GPU = ["-mtriple=nvptx64-nvidia-cuda", "-mcpu=sm_75"]

MAIN = """
declare i32 @drive(ptr, i32, i32, ptr)
define i32 @main(i32 %%argc, ptr %%argv) {
  %%r = call i32 @drive(ptr @tests, i32 %d, i32 %%argc, ptr %%argv)
  ret i32 %%r
}
"""
ONE = "@tests = private constant [1 x ptr] [ptr @test]\n"


# What a warp votes, for one thread: any answer is right.
VOTES = """
@votes = internal global i32 1
define i32 @threads_here() {
  ret i32 1
}
define i1 @they_agree(i32 %m, i1 %c) {
  %a = load i32, ptr @votes
  %b = mul i32 %a, 1664525
  %d = add i32 %b, 1013904223
  store i32 %d, ptr @votes
  %e = icmp slt i32 %d, 0
  ret i1 %e
}
define { i32, i1 } @they_match(i32 %m, i32 %n) {
  %a = call i1 @they_agree(i32 %m, i1 false)
  %b = insertvalue { i32, i1 } poison, i1 %a, 1
  ret { i32, i1 } %b
}
"""
OF_VOTES = {"activemask": "threads_here", "vote.uni.sync": "they_agree", "match.all.sync.i32p": "they_match"}

# Modes that leave nothing to do, and what is beyond them.
SETTLED = {"needed", "irreducible", "paper"}
MORE = {"merge-loops", "interleave", "limit-depth"}


class Failed(Exception):
    """A tool failed, or a module doesn't do the same."""


def fail(message):
    raise Failed(message)


def run(command, limit=300, text=None):
    try:
        return subprocess.run(command, input=text, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        fail("no end after %d s: %s" % (limit, " ".join(command)))


def for_host(text, tests):
    """The module as lli wants it: no GPU triple, and a main."""
    text = re.sub(r"(?m)^target (triple|datalayout) = .*$", "", text)
    # Not erased: an attribute group must not become empty.
    text = re.sub(r'"target-(cpu|features)"="[^"]*"', r'"no-\1"', text)
    if "@llvm.nvvm.activemask" in text:
        for name, stand_in in OF_VOTES.items():
            text = re.sub(r"(?m)^declare .*@llvm\.nvvm\.%s\(.*$" % re.escape(name), "", text)
            text = text.replace("@llvm.nvvm.%s(" % name, "@%s(" % stand_in)
        text += VOTES
    return text + ("" if tests else ONE) + MAIN % (tests or 1)


def for_votes(text):
    """Its functions say that they are for a GPU on which warps can vote."""
    text = re.sub(r'"target-(cpu|features)"="[^"]*"', r'"no-\1"', text)
    return re.sub(r"(?m)^(define .*\))", r'\1 "target-cpu"="sm_80"', text)


def fill(text, ones):
    """Every poison or undef in a phi or select made a constant."""
    def constant(ty):
        if not ones:
            return "zeroinitializer"
        if re.fullmatch(r"i\d+", ty):
            return "-1"
        if ty in ("float", "double", "half"):
            return "-1.0"
        if ty.startswith("ptr"):
            return "inttoptr (i64 -8 to %s)" % ty
        return "zeroinitializer"

    lines = []
    for line in text.split("\n"):
        m = re.match(r"\s*%\S+ = phi (?:(?:fast|n\w+|arcp|contract|afn|reassoc) )*(.*?) \[ ", line)
        if m:
            line = re.sub(r"\[ (poison|undef),", "[ %s," % constant(m.group(1)), line)
        elif " = select " in line:
            line = re.sub(r"(<[^<>]*>|\{[^{}]*\}|\[[^\[\]]*\]|ptr addrspace\(\d+\)|\w+) (poison|undef)\b",
                          lambda m: "%s %s" % (m.group(1), constant(m.group(1))), line)
        lines.append(line)
    return "\n".join(lines)


NO_NANS = '"no-nans-fp-math"="true"'


def name_of(part):
    """Of a text that begins with a function."""
    return re.match(r"define [^\n]*?@([\w.$]+)\(", part).group(1)


def without_flags(text):
    """As if comparisons, and whole functions, said nothing of NaNs and infinities."""
    text = text.replace(NO_NANS, NO_NANS.replace("true", "false"))
    return re.sub(r"= fcmp ((?:fast|n\w+|arcp|contract|afn|reassoc) )+", "= fcmp ", text)


def loose_comparisons(body):
    """Comparisons of a function that know of no NaNs: (what, whether one select of values alone asks)."""
    for name, line in re.findall(r"(?m)^ *(%\S+) = (fcmp (?:fast|(?:\w+ )*nnan) .*)$", body):
        uses = len(re.findall(re.escape(name) + r"(?![-\w.$])", body)) - 1
        select = re.search(r" = select (?:\w+ )*i1 %s, (?!i1)" % re.escape(name), body)
        yield "%s = %s" % (name, line), uses == 1 and select is not None


def differing(one, other):
    """The first function that isn't the same in both, or None."""
    return next((name for name in one if one[name] != other.get(name)), None)


class Runner:
    """Runs tools on modules; `tools` and `plugin` say which, `folder` is for its files."""

    def __init__(self, tools, plugin, folder, limit=300):
        self.tools = tools
        self.plugin = plugin
        self.folder = folder
        self.limit = limit
        self.driver = os.path.join(folder, "driver.so")
        if not os.path.exists(self.driver):
            self.run("clang", "-O1", "-std=c11", "-D_GNU_SOURCE", "-shared", "-fPIC",
                     os.path.join(HERE, "driver.c"), "-o", self.driver)

    def run(self, tool, *options, text=None):
        """What a tool prints; it may read `text`."""
        command = [os.path.join(self.tools, tool), *options]
        done = run(command, self.limit, text)
        if done.returncode:
            fail("%s\nended with %d\n%s" % (" ".join(command), done.returncode, done.stderr[-4000:]))
        return done.stdout

    def lli(self, text, name, *argv):
        path = os.path.join(self.folder, name + ".ll")
        with open(path, "w") as f:
            f.write(text)
        # No jump tables: LLVM's MachineLICM hoists the load of an invariant index from a table out
        # of a loop, past the range check, and the JIT's code crashes (LLVM 19 and 22).
        return self.run("lli", "-O1", "-min-jump-table-entries=1000", "-load=" + self.driver, path,
                        *argv)

    def opt(self, text, config, refused=False, debug=False):
        """The module after the pass, as text; with `debug`, with debug info."""
        if config.startswith("passes="):  # another chain, for checking this checker
            command = ["-passes=" + config[len("passes="):]]
        else:
            mode = config.split(";")[0]
            passes = "linearize<%s;any-target>,verify" % config
            if mode in ("paper", "all") and not refused:
                passes += ",verify<linearized>"
            command = ["-load-pass-plugin=" + self.plugin,
                       "-passes=%sfunction(%s)" % ("debugify," if debug else "", passes)]
        if not config.startswith(("paper", "all")):
            command = GPU + command
        return self.run("opt", "-S", *command, "-", text=text)

    def stripped(self, text):
        """The functions of a module without debug info, by name."""
        return bodies(self.run("opt", "-S", "-strip-debug", "-passes=verify", "-", text=text))

    def check(self, source, after, config, refused=False):
        """Fails if `after` isn't what the pass makes of `source` with debug info too, if the pass
        would change it again, or has left something that nothing reaches."""
        for_gpu = not config.startswith(("paper", "all"))
        before = self.stripped(self.opt(source, "passes=verify") if for_gpu else source)
        now = self.stripped(after)
        with_debug = self.stripped(self.opt(source, config, refused, debug=True))
        changed = differing(with_debug, now)
        if changed:
            fail("with debug info another function comes out: %s\n%s\nwith it:\n%s"
                 % (changed, now[changed], with_debug[changed]))
        steps = config.split(";")
        if steps[0] in SETTLED and not MORE.intersection(step.split("=")[0] for step in steps):
            again = self.stripped(self.opt(after, config, refused))
            changed = differing(now, again)
            if changed:
                fail("run twice, the pass makes another function: %s\n%s\nthe second time:\n%s"
                     % (changed, now[changed], again[changed]))
        for name in now:
            if now[name] != before[name] and unreached(now[name]):
                fail("nothing reaches %s of %s:\n%s" % (unreached(now[name]), name, now[name]))

    def settle_nans(self, source, after, config):
        """`after` without what the pass may leave of flags: in functions that it leaves as they are,
        and at comparisons that one select alone asks."""
        target = [] if config.startswith(("paper", "all")) else GPU
        before = bodies(self.run("opt", "-S", *target, "-passes=verify", "-", text=source))
        now = bodies(after)
        groups = re.findall(r"(?m)^attributes (#\d+) = \{.*%s" % NO_NANS, after)
        parts = re.split(r"(?m)^(?=define )", after.replace(NO_NANS, NO_NANS.replace("true", "false")))
        for i, part in enumerate(parts[1:], 1):
            name = name_of(part)
            if now[name] == before[name]:
                parts[i] = without_flags(part)
                continue
            if set(re.findall(r"#\d+", part.split("\n")[0])).intersection(groups):
                fail("says that there are no NaNs: " + name)
            for line, is_for_one in loose_comparisons(now[name]):
                if not is_for_one:
                    fail("says that there are no NaNs: %s\n%s" % (line, now[name]))
                parts[i] = parts[i].replace(line, without_flags(line))
        return "".join(parts)

    def compare(self, before, expected, after, inputs):
        """Fails if `after` prints anything else than `expected`, which `before` printed."""
        for ones in (True, False):
            filled = fill(after, ones)
            got = self.lli(filled, "after", inputs)
            if got == expected:
                continue
            for a, b in zip(expected.split("\n"), got.split("\n")):
                if a != b:
                    break
            if a.startswith("hit") or not a:
                fail("the outputs differ in length")
            where = ["trace"] + a.split()[:2]
            fail("poison as %s: test %s, input %s differs\nbefore:\n%safter:\n%s"
                 % ("ones" if ones else "zero", where[1], where[2],
                    self.lli(before, "before", inputs, *where),
                    self.lli(filled, "after", inputs, *where)))


def check_hits(text, output):
    wanted = set(int(n) for n in re.findall(r"call \w+ @(?:effect|value|die)\(i32 (\d+)", text))
    hit = set(int(n) for n in output.strip().split("\n")[-1].split()[1:])
    missed = sorted(n for n in wanted - hit if n < 900)
    ghosts = sorted(n for n in hit if n >= 900)
    if missed:
        fail("the test never reaches the effects %s" % missed)
    if ghosts:
        fail("the test reaches effects of unreachable blocks: %s" % ghosts)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tools", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--tests", type=int, default=0)
    parser.add_argument("--inputs", type=int, default=1000)
    parser.add_argument("--refused", action="store_true", help="the pass may leave functions alone")
    parser.add_argument("--nans", action="store_true", help="there are NaNs where none should be")
    parser.add_argument("--after", help="compare with this module instead of running the pass")
    parser.add_argument("--clang", metavar="OPTIONS", help="FILE is C, for clang with these")
    parser.add_argument("file")
    parser.add_argument("configs", nargs="*")
    args = parser.parse_intermixed_args()

    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(args.tools, args.plugin, folder)
        if args.clang is not None:
            source = runner.run("clang", "-w", "-S", "-emit-llvm", *shlex.split(args.clang),
                                args.file, "-o", "-")
        else:
            with open(args.file) as f:
                source = f.read()
        if not args.nans:  # else it has to be known which functions are left as they are
            source = add_dead(source)
        if any("vote" in config.split(";") for config in args.configs):
            source = for_votes(source)
        before = for_host(without_flags(source) if args.nans else source, args.tests)
        inputs = str(args.inputs)
        expected = runner.lli(before, "before", inputs)
        if not args.tests:
            check_hits(source, expected)
        for config in [args.after] if args.after else args.configs or DEFAULT:
            if args.after:
                with open(args.after) as f:
                    after = f.read()
            else:
                after = runner.opt(source, config, args.refused)
            try:
                if not args.after and not config.startswith("passes="):
                    runner.check(source, after, config, args.refused)
                if args.nans:
                    after = runner.settle_nans(source, after, config)
                runner.compare(before, expected, for_host(after, args.tests), inputs)
            except Failed as failure:
                fail("%s\n%s, %s" % (args.file, config, failure))


if __name__ == "__main__":
    try:
        main()
    except Failed as failure:
        sys.stdout.write(str(failure).rstrip() + "\n")
        sys.exit(1)
