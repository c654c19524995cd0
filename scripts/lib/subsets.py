"""Every choice of a kernel's unstructured regions (Definition 1), linearized."""
import filecmp
import itertools
import os
import re
import subprocess
import sys

MOST_REGIONS = 8  # of a kernel, to try every subset of them


class Subsets:
    """Modules of the kernel in `untouched`, left in `folder`.

    regions: how many it has; taken: those that mode needed linearizes, whose module is needed.ll;
    module_of: {subset: path}, without subsets if there are too many regions. Regions that need each
    other make the same of several subsets, and those have one module.
    """

    def __init__(self, opt, plugin, untouched, folder):
        self.opt, self.plugin, self.untouched, self.folder = opt, plugin, untouched, folder
        self.modules = {}  # by size, those that differ
        remarks = self.linearize("needed", "needed")
        self.regions = 1 + max((number for _, number in remarks), default=-1)
        self.taken = tuple(sorted({number for kind, number in remarks if kind == "Passed"}))
        self.module_of = {(): self.same_module(untouched)}
        if self.regions <= MOST_REGIONS:
            for subset in subsets(self.regions):
                self.linearize("only=" + name_of(subset), name_of(subset))
                self.module_of[subset] = self.same_module(self.path(name_of(subset)))

    def path(self, name):
        return os.path.join(self.folder, name + ".ll")

    def linearize(self, parameters, name):
        """Leaves a module; the kinds of the remarks and the regions that they name."""
        done = subprocess.run(
            [self.opt, "-S", "-load-pass-plugin=" + self.plugin,
             "-passes=linearize<%s>" % parameters, self.untouched, "-o", self.path(name),
             "-pass-remarks-output=-", "-pass-remarks-filter=linearize"],
            capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit("%s, %s: %s" % (self.untouched, parameters, done.stderr.strip()))
        return [(remark.split("\n", 1)[0], int(number))
                for remark in done.stdout.split("--- !")
                for number in re.findall(r"- Region: +'(\d+)'", remark)]

    def same_module(self, path):
        """The first like it."""
        others = self.modules.setdefault(os.path.getsize(path), [])
        for other in others:
            if filecmp.cmp(path, other, shallow=False):
                os.remove(path)
                return other
        others.append(path)
        return path


def subsets(count):
    """All but the empty one."""
    return [s for size in range(1, count + 1) for s in itertools.combinations(range(count), size)]


def name_of(subset):
    """As -linearize-only reads it; "-" for none."""
    return "+".join(map(str, subset)) or "-"
