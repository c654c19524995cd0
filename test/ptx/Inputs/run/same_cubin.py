"""Links with linearize-run and without: the machine code, the status and errno have to be the same.

    same_cubin.py RUN FOLDER [VARIABLE=VALUE...] FUNCTION FILE [OPTION...] [VARIABLE=VALUE...]
"""
import os
import subprocess
import sys

run, folder, *words = sys.argv[1:]
settings = [word for word in words if "=" in word and not word.startswith("-")]
arguments = [word for word in words if word not in settings]
environment = dict(os.environ, LD_LIBRARY_PATH=folder, FAKE_FOLDER=folder,
                   **dict(word.split("=", 1) for word in settings))
cubin = os.path.join(folder, "cubin")


def link(*front):
    if os.path.exists(cubin):
        os.unlink(cubin)
    done = subprocess.run([*front, os.path.join(folder, "client"), "dlsym", *arguments],
                          env=environment, text=True, capture_output=True, check=True)
    with open(cubin, "rb") as file:
        return file.read(), done.stdout.splitlines()[-2:]


plain, linearized = link(), link(run)
if plain != linearized:
    sys.exit("without linearize-run %s, with it %s" % (plain, linearized))
