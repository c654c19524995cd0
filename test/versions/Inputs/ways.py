"""Does a program do with the library that chooses versions what it does without: the same output, the same
status, way by way? And does the library choose where it should, and leave alone what it should?

    ways.py --library LIB --program PROGRAM [--driver FOLDER --folder SCRATCH] [--redirected] [WAY...]

PROGRAM is program.cu, compiled; --redirected: with -DREDIRECTED, and its version of that name stands where the others
have `paper`. Without --driver it runs on a GPU, and what is launched is known by the library's log alone. Prints what is wrong, and last `N ways, F failed`.
"""
import argparse
import os
import re
import subprocess
import sys

REDIRECTED = "--redirected" in sys.argv
NAME = "redirected" if REDIRECTED else "paper"
PLAIN, NEEDED, MERGED = "walk", "walk__linearize_" + ("redirected" if REDIRECTED else "needed"), "walk__linearize_merge_loops"
INSPECTOR = "walk__linearize_inspect"
TIMES = "time walk 100000\ntime %s 50000\ntime %s 150000\ntime %s 20000\n" % (NEEDED, MERGED, INSPECTOR)
LOST = TIMES.replace("50000", "130000", 1)


class Way:
    """`check` is asked of the counts of launches; chosen: the log has to say so, or that nothing was."""

    def __init__(self, name, launches=100, settings=TIMES, check=None, chosen=True, environment=None, title="",
                 anywhere=True, here=True, first=None):
        # What it takes to make an order has to be small in all that came before.
        if REDIRECTED and launches <= 200 and name not in ("threads", "streams", "nested"):
            launches *= MORE
        self.name, self.launches, self.settings, self.check = name, launches, settings, check
        self.chosen, self.environment, self.title = chosen, environment or {}, title or name
        self.anywhere, self.here = anywhere, here  # on a GPU, too; without one
        self.first = first  # as `check`, of the process that ended first of those that share a log


MORE = 10


def mostly(version):
    return lambda count: count[version] > (count[PLAIN] + count[NEEDED] + count[MERGED]) * (50 if REDIRECTED else 66) // 100


def nothing_else(count):
    return count[NEEDED] == 0 and count[MERGED] == 0


def not_that(count):
    return count[NEEDED] == 0


def fails(rule, way="loop", title=None, check=nothing_else, chosen=False, **more):
    return Way(way, settings=TIMES + "fail " + rule + "\n", title=title or "%s, %s" % (way, rule), check=check,
               chosen=chosen, anywhere=False, **more)


def mode(value, check, chosen=False, **more):
    return Way("loop", environment={"LINEARIZE_VERSIONS": value}, title="LINEARIZE_VERSIONS=" + value, check=check,
               chosen=chosen, **more)


WAYS = [
    Way("loop", check=lambda count: count[NEEDED] > 70 and count[MERGED] == 1),
    Way("loop", settings=LOST, check=lambda count: count[NEEDED] <= (4 if REDIRECTED else 1), chosen=False, title="loop, lost",
        anywhere=False),
    Way("loop", launches=800 if REDIRECTED else 400, settings=TIMES + "time walk 80000 200\ntime %s 200000 200\n" % NEEDED,
        check=lambda count: REDIRECTED or count[PLAIN] > 150 and count[NEEDED] > 120, title="loop, data that change",
        chosen=None if REDIRECTED else True, anywhere=False),
    Way("ahead", launches=1000, chosen=None),
    # A wave's times are known before the next one; of what overlaps none is.
    Way("waves", launches=1000 if REDIRECTED else 400, check=mostly(NEEDED)),
    Way("queued", check=nothing_else, chosen=False),
    Way("queued", settings=TIMES + "serial\n", check=nothing_else, chosen=False, title="queued, on a GPU that is full",
        anywhere=False),
    Way("shapes"),
    Way("variable", check=mostly(NEEDED)),
    Way("configured", check=mostly(NEEDED)),
    Way("sizes", check=mostly(NEEDED)),
    Way("sizes", launches=200, environment={"LINEARIZE_VERSIONS_SIZES": "1"}, title="sizes, apart"),
    # Left alone:
    Way("configured-cooperative", check=nothing_else, chosen=False),
    Way("cluster", check=nothing_else, chosen=False),
    Way("cooperative", check=nothing_else, chosen=False),
    Way("loop", settings=TIMES + "mps\n", check=nothing_else, chosen=False, title="loop, MPS", anywhere=False),
    # A stream under capture: what is launched there, and how often graphs launch it, is the plain version's.
    Way("graph", check=lambda count: count[PLAIN] >= 100),
    Way("captured", chosen=None),
    # Kernels that kernels launch: by a program of -rdc=true and -DNESTED.
    Way("nested", here=False),
    # Threads, processes, devices, ends.
    Way("threads", launches=200, chosen=None),
    Way("fork", first=lambda count: count[PLAIN] > 100 and count[NEEDED] < count[PLAIN]),
    Way("atexit"),
    Way("killed"),
    Way("devices", settings=TIMES + "devices 2\n", check=lambda count: count[NEEDED] > 120, anywhere=False),
    Way("reset", check=mostly(NEEDED)),
    # What fails.
    Way("errors"),
    Way("sticky"),
    Way("attributes", launches=200, check=mostly(NEEDED)),
    fails("cuLaunchKernel/%s 701" % NEEDED, launches=2500,
          check=lambda count: count[NEEDED] == 0 and count["failed"] == 1),
    fails("cuLaunchKernel/%s 1 5" % NEEDED, title="loop, launches that fail later",
          check=lambda count: count[NEEDED] == 4, chosen=None),
    fails("cuLaunchKernel/%s 719" % PLAIN, title="loop, all plain launches fail"),
    fails("kernel 700 50", title="loop, a kernel that fails", way="sticky", check=None, chosen=None),
    fails("kernel 719 10", title="loop, one that fails before anything is chosen", way="sticky"),
    fails("cuEventCreate 2"),
    fails("cuEventRecord 400"),
    fails("cuEventElapsedTime 600"),
    Way("loop", settings=TIMES + "elapsed -1000\n", check=nothing_else, chosen=False,
        title="loop, events out of order", anywhere=False),
    fails("cuStreamCreate 2"),
    fails("cuMemcpyDtoHAsync_v2 1"),
    fails("cuFuncGetName 1"),
    fails("cuCtxGetCurrent 201", check=None),
    fails("cuModuleGetGlobal 500", check=None),
    fails("cuModuleGetFunction 500", check=None),
    fails("cuThreadExchangeStreamCaptureMode 1", check=None),
    fails("cuStreamIsCapturing 906"),
    fails("cuFuncSetAttribute/%s 1" % NEEDED, way="attributes", check=lambda count: count[NEEDED] == 0),
    fails("cuFuncSetCacheConfig/%s 1" % NEEDED, way="attributes", check=lambda count: count[NEEDED] == 0),
    Way("loop", settings=TIMES + "threads %s 16\n" % NEEDED,
        check=lambda count: count[NEEDED] == 0 and count["refused"] == 0, chosen=False,
        title="loop, a version for fewer threads", anywhere=False),
    Way("loop", environment={"STANDIN_LAUNCHES": "kernels"}, check=mostly(NEEDED), title="loop, library's kernels",
        anywhere=False),
    # The environment.
    mode("off", nothing_else),
    mode("plain", nothing_else),
    mode("auto", mostly(NEEDED), chosen=True),
    mode(NAME, lambda count: count[PLAIN] == 0),
    mode("merge-loops", lambda count: count[PLAIN] == 0),
    mode("unheard-of", nothing_else),
    mode("each", lambda count: abs(count[NEEDED] - count[MERGED]) <= 1),
]


# What orders of threads need, and when they are made.
ORDERS = [
    Way("loop", launches=1280, check=lambda count: count[NEEDED] > 900 and 14 <= count[INSPECTOR] <= 17,
        title="loop, an order for 64 launches"),
    Way("loop", settings=TIMES.replace("20000", "4000000"), launches=2000, chosen=False, anywhere=False,
        check=lambda count: count[NEEDED] < 20 and count[INSPECTOR] < 4, title="loop, an inspector that is too slow"),
    Way("loop", settings=TIMES + "time %s 52000 300\n" % INSPECTOR, launches=2000, check=mostly(NEEDED),
        anywhere=False, title="loop, an inspector that gets slower"),
    Way("plane", check=mostly(NEEDED)),
    Way("streams", check=lambda count: mostly(NEEDED)(count) and count["memories"] < 6),
    Way("threads", launches=400, environment={"LINEARIZE_VERSIONS": NAME}, check=lambda count: count[NEEDED] > 0 and count["memories"] <= 32,
        chosen=None, title="threads, orders"),
    # 16 orders are kept, and those of more addresses aren't.
    Way("sizes", launches=1000, check=lambda count: mostly(NEEDED)(count) and count[INSPECTOR] < 30,
        title="sizes, two orders"),
    Way("addresses", launches=1000, settings=TIMES.replace("50000", "95000", 1),
        check=lambda count: count[NEEDED] < 100 and count["memories"] < 48, chosen=None, title="addresses, too many", anywhere=False),
    Way("changed", launches=400, check=lambda count: 0 <= count[INSPECTOR] - count[NEEDED] <= 1),
    Way("changed", launches=400, settings=TIMES.replace("20000", "120000"), chosen=None,
        check=lambda count: count[NEEDED] < 60, title="changed, what doesn't pay", anywhere=False),
    Way("loop", environment={"LINEARIZE_SORT": ""}, check=not_that, chosen=False, title="loop, nothing that sorts"),
    Way("loop", environment={"LINEARIZE_SORT": "/nonexistent"}, check=not_that, chosen=False,
        title="loop, nothing there that sorts"),
    Way("loop", environment={"LINEARIZE_SORT": "/dev/null", "LINEARIZE_VERSIONS": NAME}, check=not_that,
        chosen=False, title="loop, no library that sorts"),
    fails("cuMemAlloc 2 2", check=not_that),  # the first call is the program's
    fails("cuMemAlloc 2 3", title="streams, no memory for more orders", way="streams", chosen=None,
          check=lambda count: count[NEEDED] < 200),
    fails("cuMemGetInfo 1", check=not_that),
    fails("cuFuncGetParamInfo 1", check=not_that),
    fails("cuMemcpyHtoDAsync_v2 1", check=not_that),
    fails("cuMemcpyHtoDAsync_v2 1 2", title="loop, a sort that fails later", check=not_that),
    fails("cuLaunchKernel/%s 701" % INSPECTOR, check=lambda count: count[NEEDED] == 0 and count[INSPECTOR] == 0),
    fails("cuLaunchKernel/%s 701 2" % INSPECTOR, launches=400, chosen=True,
          title="loop, an inspector that fails later", check=lambda count: count[NEEDED] < 70 and count[INSPECTOR] == 1),
    Way("loop", settings=TIMES + "threads %s 16\n" % INSPECTOR, chosen=False,
        check=lambda count: not_that(count) and count["refused"] == 0,
        title="loop, an inspector for fewer threads", anywhere=False),
    Way("loop", settings=TIMES + "memory 8000\n", check=not_that, chosen=False, title="loop, little memory",
        anywhere=False),
]


class Runner:
    def __init__(self, options):
        self.options, self.failed = options, 0

    def complain(self, way, what):
        self.failed += 1
        print("%s: %s" % (way.title, what))

    def path(self, name):
        return os.path.join(self.options.folder, name)

    def environment(self, way, library):
        result = dict(os.environ)
        if self.options.driver:
            with open(self.path("settings"), "w") as file:
                file.write(way.settings + "log %s\n" % self.path("launches"))
            result.update(LD_LIBRARY_PATH=self.options.driver, STANDIN=self.path("settings"))
            result["LINEARIZE_SORT"] = os.path.join(self.options.driver, "liblinearize-sort.so")
        result["LINEARIZE_CACHE"] = "off"  # what one run found is no other's
        result["LINEARIZE_TUNED"] = ""  # a file beside the program is none of ours
        result.update(way.environment)
        if library:
            before = result.get("LD_PRELOAD", "")
            result["LD_PRELOAD"] = before + (":" if before else "") + self.options.library
            result["LINEARIZE_VERSIONS_LOG"] = self.path("log")
        return result

    def run(self, way, library):
        for name in ("launches", "log"):
            if os.path.exists(self.path(name)):
                os.unlink(self.path(name))
        done = subprocess.run([self.options.program, way.name, str(way.launches)],
                              env=self.environment(way, library), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=300, check=False)
        return done.returncode, done.stdout, re.sub(r"offset \d+|has \d+ bytes", "", done.stderr)

    def read(self, name):
        if not os.path.exists(self.path(name)):
            return ""
        with open(self.path(name)) as file:
            return file.read()

    def check_launches(self, way):
        """By the stand-in's log: of the process that ended last, if there are several."""
        texts = self.read("launches").split("left:")
        for check, text in ((way.first, texts[0]), (way.check, texts[-2] if len(texts) > 1 else "")):
            count = {name: 0 for name in (PLAIN, NEEDED, MERGED, INSPECTOR, "refused", "failed", "memories")}
            count.update((name, int(number)) for name, number in re.findall(r"^(\w+): (\d+) launches", text, re.M)
                         if name in count)
            count["memories"] = int((re.findall(r"(\d+) memories", texts[-1]) or [0])[0])
            count["failed"] = sum(map(int, re.findall(r"(\d+) failed$", text, re.M)))
            if check and text and not check(count):
                self.complain(way, "launches: %s" % count)

    def check(self, way):
        plain, with_library = self.run(way, False), self.run(way, True)
        if plain != with_library:
            self.complain(way, "without the library %s, with it %s" % (plain, with_library))
        if "WRONG" in plain[1] and "plain launches fail" not in way.title:
            self.complain(way, "wrong without the library: %s" % (plain,))
        if self.options.same:
            return
        chose = re.search(r": %s, \d" % NAME, self.read("log")) is not None
        if self.options.driver and way.chosen is not None and chose != bool(way.chosen):
            self.complain(way, "the log says %r" % self.read("log"))
        self.check_launches(way)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--driver")
    parser.add_argument("--folder", default=".")
    parser.add_argument("--same", action="store_true", help="ask for nothing but the same output and status")
    parser.add_argument("--redirected", action="store_true")
    parser.add_argument("way", nargs="*")
    options = parser.parse_args()
    runner = Runner(options)
    ways = [way for way in WAYS + ORDERS * REDIRECTED if (way.name in options.way or way.title in options.way if options.way else way.here)
            and (options.driver or way.anywhere)]
    for way in ways:
        runner.check(way)
    print("%d ways, %d failed" % (len(ways), runner.failed))
    return 1 if runner.failed or not ways else 0


sys.exit(main())
