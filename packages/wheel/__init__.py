"""The tools of linearize as commands: each is the file of that name in bin/."""

import os
import sys


def run():
    path = os.path.join(os.path.dirname(os.path.realpath(__file__)), "bin",
                        os.path.basename(sys.argv[0]))
    os.execv(path, [path] + sys.argv[1:])
