"""Every choice of a kernel's unstructured regions (Definition 1), linearized."""
import filecmp
import itertools
import os

import remarks

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
        said = [(remark.passed, int(remark.value["Region"]))
                for remark in self.linearize("needed", "needed") if "Region" in remark.value]
        self.regions = 1 + max((number for _, number in said), default=-1)
        self.taken = tuple(sorted({number for passed, number in said if passed}))
        self.module_of = {(): self.same_module(untouched)}
        if self.regions <= MOST_REGIONS:
            for subset in subsets(self.regions):
                self.linearize("only=" + name_of(subset), name_of(subset))
                self.module_of[subset] = self.same_module(self.path(name_of(subset)))

    def path(self, name):
        return os.path.join(self.folder, name + ".ll")

    def linearize(self, parameters, name):
        """Leaves a module; the remarks."""
        return remarks.linearize(self.opt, self.plugin, parameters, self.untouched,
                                 self.path(name))

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
