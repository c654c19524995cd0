"""Runs kernels of test/simt/races.ll with --races, and compares with what races.

    races.py LINEARIZE-SIMT RACES.LL

pair: thread 0 of 96 accesses a word in a first way, threads meet in some way, and another thread
accesses the word in a second way. twice: before that, all threads have accessed it (only the first
one, if they write) and met. crowd: all threads access the word
in the first way, meet at the block's barrier or not, and one of them accesses it in the second way.
Prints one line for each run that is wrong, and how many were right.
"""

import re
import subprocess
import sys

WRITES, READS, CHANGES, LOOKS = "write", "read", "atomic write", "atomic read"
# By the number that the kernel's function act has for it.
KINDS = [WRITES, READS, CHANGES, LOOKS, CHANGES, LOOKS, CHANGES, WRITES, READS, WRITES, CHANGES]
SAFE = [{READS}, {READS, LOOKS}, {LOOKS}, {LOOKS, CHANGES}, {CHANGES}]


def conflict(first, second):
    return {KINDS[first], KINDS[second]} not in SAFE


# By the number of the way to meet: the threads that know then what thread 0 did before.
WARP, FIRST_TWO, ALL = range(32), range(64), range(96)
MEETINGS = [
    [],             # 0: not at all
    WARP,           # 1: bar.warp.sync
    WARP,           # 2: a ballot
    ALL,            # 3: the block's barrier
    [1],            # 4: bar.warp.sync of lanes 0 and 1
    [],             # 5: a vote of those who are there
    [1, 2],         # 6: bar.warp.sync of lanes 0 and 1, then of 1 and 2
    [1],            # 7: the same in the other order
    WARP,           # 8: a barrier for warp 0
    FIRST_TWO,      # 9: a barrier for warps 0 and 1
    ALL,            # 10: a barrier for warps 0 and 1, then one for 1 and 2
    FIRST_TWO,      # 11: the same in the other order
    range(32, 64),  # 12: a barrier to which warp 0 comes, and goes on; warp 1 waits
    WARP,           # 13: a barrier at which warp 0 waits; warp 1 comes, and goes on
]


def run(simt, file, kernel, model, numbers):
    command = [simt, file, "--kernel", kernel, "--races", "--block", "96", "--model", model, "--arg",
               "buf:u32:1", "--allow-unwritten"]
    for number in numbers:
        command += ["--arg", "u32:%d" % number]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    race = re.search(r"thread \((\d+),0,0\): .*: race: .* thread \((\d+),0,0\) has", done.stderr)
    if race:
        return int(race.group(1)), int(race.group(2))
    return None if done.returncode == 0 else done.stderr


def main():
    simt, file = sys.argv[1:]
    right = wrong = 0

    def check(kernel, model, numbers, expected):
        nonlocal right, wrong
        got = run(simt, file, kernel, model, numbers)
        ok = got is None if expected is None else isinstance(got, tuple) and expected(*got)
        right, wrong = right + ok, wrong + (not ok)
        if not ok:
            print("%s %s, %s: %s" % (kernel, model, numbers, got))

    def pair(model, first, second, meeting, other):
        races = conflict(first, second) and other != 0 and other not in MEETINGS[meeting]
        check("pair", model, [first, second, meeting, other],
              (lambda a, b: a == other and b == 0) if races else None)

    def twice(before, meeting, who, first, second):
        races = conflict(first, second)
        check("twice", "ipdom", [before, meeting, who, first, second],
              (lambda a, b: a == who + 10 and b == who) if races else None)

    def crowd(first, second, barrier, who):
        check("crowd", "ipdom", [first, second, barrier, who],
              None if barrier else lambda a, b: a == who and b != who)

    for first in range(len(KINDS)):
        for second in range(len(KINDS)):
            pair("ipdom", first, second, 0, 1)
    for meeting in range(len(MEETINGS)):
        for other in 0, 1, 2, 40, 70:
            pair("ipdom", 0, 0, meeting, other)
        for model in "frontier", "none", "volta":
            pair(model, 0, 0, meeting, 1)
            pair(model, 0, 0, meeting, 40)
    for i in range(64):
        twice(i // 16, 3, 0, i // 4 % 4, i % 4)
        twice(i // 16, 3, 50, i // 4 % 4, i % 4)
    twice(3, 0, 50, 1, 2)
    for first, second in (1, 0), (2, 0), (3, 0), (1, 2), (2, 1):
        for who in 0, 1, 33, 95:
            crowd(first, second, 0, who)
            crowd(first, second, 1, who)
    print("%d right, %d wrong" % (right, wrong))
    sys.exit(wrong != 0)


main()
