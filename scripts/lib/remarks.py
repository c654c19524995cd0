"""What the plugin and linearize-ptx say that they did."""
import collections
import re
import subprocess
import sys

# passed: whether something was done; value: what LLVM calls a remark's arguments, by name, as text.
Remark = collections.namedtuple("Remark", "passed value")

# What is counted of text, and the words that tell.
COUNTED = (("regions", "linearized a region"), ("exits", "out of a loop from the flag"),
           ("tests", "by which threads leave this loop"), ("entries", "copied this entry"))


def read(text):
    """Those of LLVM's YAML."""
    return [Remark(part.startswith("Passed"),
                   dict(re.findall(r"^(?:  - )?(\w+): +'?([^'\n]*)'?", part, re.MULTILINE)))
            for part in text.split("--- !")[1:]]


def linearize(opt, plugin, parameters, untouched, path):
    """Leaves what linearize<parameters> makes of a module; its remarks. Ends the program if opt fails."""
    done = subprocess.run(
        [opt, "-S", "-load-pass-plugin=" + plugin, "-passes=linearize<%s>" % parameters, untouched,
         "-o", path, "-pass-remarks-output=-", "-pass-remarks-filter=linearize"],
        capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("%s, %s: %s" % (untouched, parameters, done.stderr.strip()))
    return read(done.stdout)


def counted(lines):
    """Of each of COUNTED the lines that tell of it."""
    return [[line for line in lines if words in line] for _, words in COUNTED]
