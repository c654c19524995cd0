"""How many branches of a kernel nest in the simulator, untouched and with limits of 1 to 8.

    depths.py LOAD OPT SIMT SOURCE MODULE KERNEL FOLDER

LOAD is opt's option that loads the plugin. With each limit the output has to be the untouched
kernel's (--compare). Prints a line for each; `but N` where more nest than the limit allows.
"""

import os
import subprocess
import sys

load, opt, simt, source, module, kernel, folder = sys.argv[1:]
launch = ["--launch", os.path.join(source, "bench", "kernels", kernel + ".launch"), "--csv"]


def nested(*options):
    """The column nested_branches of the first line of each module."""
    text = subprocess.run([simt, *launch, "--model", "ipdom", *options], check=True, stdout=subprocess.PIPE,
                          text=True).stdout
    lines = [line.split(",") for line in text.splitlines()]
    columns = [line for line in lines[1:] if line[lines[0].index("function")] == ""]
    return [int(line[lines[0].index("nested_branches")]) for line in columns]


print("untouched: %d nested branches" % nested(module)[0])
for limit in range(1, 9):
    after = os.path.join(folder, "%s.limit-%d.ll" % (kernel, limit))
    subprocess.run([opt, load, "-passes=linearize-limit-depth<%d>,verify" % limit, "-S", module, "-o",
                    after], check=True)
    most = nested(module, "--compare", after)[-1]
    print("limit %d: at most %d" % (limit, limit) + (", but %d" % most if most > limit else ""))
