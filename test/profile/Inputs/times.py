"""Does a program take at most so many times as long behind a prefix, and so many seconds?

    times.py TIMES SECONDS PROGRAM [ARGUMENT...] -- PREFIX...
"""
import subprocess
import sys
import time

at = sys.argv.index("--")
times, seconds = float(sys.argv[1]), float(sys.argv[2])
program, prefix = sys.argv[3:at], sys.argv[at + 1:]


def measure(command):
    """The shortest of three runs, in seconds."""
    runs = []
    for _ in range(3):
        begin = time.monotonic()
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        runs.append(time.monotonic() - begin)
    return min(runs)


plain, behind = measure(program), measure(prefix + program)
if behind > times * plain + seconds:
    sys.exit("%.2f s alone, %.2f s behind %s" % (plain, behind, prefix[0]))
