"""What the plugin and linearize-ptx say that they did."""
import collections
import os
import re
import subprocess
import sys

# passed: whether something was done; value: what LLVM calls a remark's arguments, by name, as text,
# and Name, Function; where: FILE:LINE of the source, or ""; text: the message.
Remark = collections.namedtuple("Remark", "passed value where text")

# What is counted, and the names of the remarks that tell of it.
COUNTED = (("regions", "Linearized"), ("exits", "ExitsFreed"), ("tests", "ExitsFolded"),
           ("entries", "EntryCopied"))
# Where loops are merged, too.
WITH_MERGED = (*COUNTED, ("merged", "LoopMerged"))

FIELD = re.compile(r"^(?:  - )?(\w+): +(?:'((?:[^'\n]|'')*)'|([^'\n]*))$", re.MULTILINE)
PLACE = re.compile(r"^DebugLoc: +\{ File: '?(.*?)'?,\s+Line: (\d+)", re.MULTILINE | re.DOTALL)


def read(text):
    """Those of YAML, which LLVM and linearize-ptx write."""
    return [read_one(part) for part in text.split("--- !")[1:]]


def read_one(part):
    head, _, arguments = part.partition("\nArgs:")
    place = PLACE.search(head)
    fields = [(name, quoted.replace("''", "'") + plain)
              for name, quoted, plain in FIELD.findall(head) + FIELD.findall(arguments)]
    said = [quoted.replace("''", "'") + plain for _, quoted, plain in FIELD.findall(arguments)]
    return Remark(part.startswith("Passed"), dict(fields),
                  "%s:%s" % (os.path.basename(place[1]), place[2]) if place else "", "".join(said))


def linearize(opt, plugin, parameters, untouched, path):
    """Leaves what linearize<parameters> makes of a module; its remarks. Ends the program if opt fails."""
    done = subprocess.run(
        [opt, "-S", "-load-pass-plugin=" + plugin, "-passes=linearize<%s>" % parameters, untouched,
         "-o", path, "-pass-remarks-output=-", "-pass-remarks-filter=linearize"],
        capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("%s, %s: %s" % (untouched, parameters, done.stderr.strip()))
    return read(done.stdout)


def counted(said, kinds=COUNTED):
    """Of each of these kinds the remarks that tell of it."""
    return [[remark for remark in said if remark.value["Name"] == name] for _, name in kinds]
