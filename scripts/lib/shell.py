"""Asks scripts/lib/tools.sh, which knows where tools are and how kernels are compiled."""
import os
import shlex
import subprocess
import sys

TOOLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tools.sh")


def ask_tools(script):
    """The lines that a script prints that knows tools.sh, LLVM's and CUDA's tools."""
    source = "source %s; find_llvm; find_cuda_tools; " % shlex.quote(TOOLS)
    done = subprocess.run(["bash", "-c", source + script], capture_output=True, text=True)
    if done.returncode:
        sys.exit("%s: %s" % (os.path.basename(sys.argv[0]), done.stderr.strip()))
    return done.stdout.split("\n")[:-1]
