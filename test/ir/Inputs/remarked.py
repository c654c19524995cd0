"""Whether each function with unstructured control flow is told what became of it.

  remarked.py --tools DIR --plugin SO [--cpu sm_75] MODE FILE.ll ...

For each file, taken for a GPU, and linearize<MODE>: of each function for which print<unstructured>
names edges there is at least one remark, beside any warning; and if nothing was done to it before its
regions were numbered, no number is missing up to the last one. Prints one line for each function of
which something is not said, and how many are told.
"""

import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile

BEFORE = {"EntryCopied", "ExitsFreed", "ExitsFolded"}  # after which numbers may be others


def run(opt, file, *options):
    done = subprocess.run([opt, file, "-disable-output", *options], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit("remarked.py: %s: %s" % (file, done.stderr[-500:]))
    return done.stderr


def told(records):
    """function -> names of remarks, function -> numbers of regions"""
    names, regions = collections.defaultdict(set), collections.defaultdict(set)
    for record in records.split("--- !")[1:]:
        if record.startswith("Failure"):  # a warning, of which -w says nothing
            continue
        function = re.search(r"^Function:\s+'?([^'\n]+)'?$", record, re.M).group(1)
        names[function].add(re.search(r"^Name:\s+(\S+)$", record, re.M).group(1))
        regions[function].update(map(int, re.findall(r"^  - Region:\s+'(\d+)'$", record, re.M)))
    return names, regions


def main():
    parser = argparse.ArgumentParser()
    for name in "tools", "plugin":
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--cpu", default="sm_75")
    parser.add_argument("mode")
    parser.add_argument("files", nargs="+")
    args = parser.parse_args()
    opt, load = os.path.join(args.tools, "opt"), "-load-pass-plugin=" + args.plugin
    target = ["-mtriple=nvptx64-nvidia-cuda", "-mcpu=" + args.cpu]
    count = wrong = 0
    for file in args.files:
        edges = run(opt, file, load, *target, "-passes=print<unstructured>")
        functions = re.findall(r"^(\S+): [1-9]\d* unstructured edges?$", edges, re.M)
        with tempfile.TemporaryDirectory() as folder:
            remarks = os.path.join(folder, "remarks.yaml")
            run(opt, file, load, *target, "-passes=linearize<%s>" % args.mode,
                "-pass-remarks-output=" + remarks, "-pass-remarks-filter=linearize")
            with open(remarks, encoding="utf-8") as text:
                names, regions = told(text.read())
        for function in functions:
            missing = set(range(max(regions[function], default=-1) + 1)) - regions[function]
            if not names[function]:
                print("%s: nothing is said of %s" % (file, function))
            elif missing and not names[function] & BEFORE:
                print("%s: %s: nothing is said of regions %s" % (file, function, sorted(missing)))
            else:
                count += 1
                continue
            wrong += 1
    print("%d told, %d not" % (count, wrong))


main()
