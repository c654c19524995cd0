"""A program whose versions are made while it runs, with helpers, caches, compilers and drivers that fail.

  helpers.py PROGRAM CACHE SETTINGS LOG-OF-STAND-IN

Each run has to end by itself with the plain program's results, and not wait for a helper. In the end 50 processes
begin at once on one empty cache.
"""
import glob
import os
import random
import shutil
import subprocess
import sys
import time

program, cache, settings, log = sys.argv[1:]
TIMES = f"log {log}\ntime _Z4walkPjj 3000000\ntime _Z4walkPjj__linearize_refilled 1000000\n"
RIGHT = "0 wrong, hits right, no error"
MOST_SECONDS = 30  # a run takes one; a helper that hangs does for 100
wrong = 0


def script(text):
    """A program of its own name: the last one may still run."""
    path = os.path.join(os.path.dirname(cache), "helper%d" % len(glob.glob(os.path.dirname(cache) + "/helper*")))
    with open(path, "w") as file:
        file.write("#!/bin/sh\n" + text + "\n")
    os.chmod(path, 0o755)
    return path


def set_driver(faults=""):
    with open(settings, "w") as file:
        file.write(TIMES + faults)


def start(launches, **environment):
    return subprocess.Popen([program, str(launches)], env={**os.environ, **environment}, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def check(name, runs):
    global wrong
    begin = time.monotonic()
    for run in runs:
        said = run.communicate()[0]
        # A CUDA error that the driver was told to make is the program's; what it computed until then isn't asked.
        if run.returncode != 0 or RIGHT not in said:
            wrong += 1
            print("%s: status %d: %s" % (name, run.returncode, said[-300:]))
    if time.monotonic() - begin > MOST_SECONDS:
        wrong += 1
        print("%s: waited %.1f s" % (name, time.monotonic() - begin))


def empty():
    shutil.rmtree(cache, ignore_errors=True)


def copy_answers(source, to):
    """What is whole: a helper that nobody waits for may still write beside it, or begin the folder anew."""
    os.makedirs(to, mode=0o700, exist_ok=True)
    for path in glob.glob(source + "/*.kept"):
        shutil.copy2(path, to)


def spoil(change):
    for path in glob.glob(cache + "/*.kept"):
        with open(path, "rb") as file:
            data = bytearray(file.read())
        with open(path, "wb") as file:
            file.write(change(data))


HELPERS = {"ends with 1": "exit 1", "dies": "kill -9 $$", "hangs": "exec sleep 100", "closes nothing": "cat >/dev/null",
           "says much": "yes | head -c 1000000; yes | head -c 1000000 >&2",
           "writes nonsense": 'for i in 1 2 3; do head -c 5000 /dev/urandom >"$LINEARIZE_CACHE/$i$i.kept"; done'}
set_driver()
for name, text in HELPERS.items():
    for tool in ("LINEARIZE_MAKE", "LINEARIZE_LIFT", "LINEARIZE_PTXAS"):
        empty()
        check("%s %s" % (tool, name), [start(40, **{tool: script(text)})])
        check("%s %s, again" % (tool, name), [start(10, **{tool: script(text)})])
check("no helper", [start(40, LINEARIZE_MAKE="/nowhere/linearize-make")])
empty()
check("made", [subprocess.Popen([program, "60", "wait"], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)])
rng = random.Random(1)
CHANGES = {"cut": lambda data: data[:len(data) // 2], "empty": lambda data: b"",
           "one byte": lambda data: data[:len(data) // 3] + bytes([data[len(data) // 3] ^ 1]) + data[len(data) // 3 + 1:],
           "noise": lambda data: bytes(rng.randrange(256) for _ in data)}
kept = cache + ".good"
copy_answers(cache, kept)
for name, change in CHANGES.items():
    empty()
    copy_answers(kept, cache)
    spoil(change)
    check("cache, " + name, [start(40)])
for function in ("cuModuleLoadData", "cuModuleGetFunction", "cuEventCreate", "cuEventRecord", "cuEventElapsedTime",
                 "cuMemcpyDtoDAsync_v2", "cuMemsetD32Async", "cuFuncGetParamInfo", "cuFuncSetAttribute"):
    empty()
    copy_answers(kept, cache)
    set_driver("fail %s 2 %d\n" % (function, 3))
    for run in [start(40)]:
        said = run.communicate()[0]
        if run.returncode != 0 or "0 wrong" not in said:
            wrong += 1
            print("driver, %s: %s" % (function, said[-300:]))
set_driver()
empty()
check("50 processes", [start(15) for _ in range(50)])
print("%d wrong" % wrong)
