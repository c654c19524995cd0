"""What is known of the kernels of bench/regroup, by their names, and how bench/device/reorder.cpp is asked to run them."""
import re

WORDS = 65536
LENGTHS = (24, 96, 384, 1536, 6144)   # instructions of a path; all turns together have the longest
LONGEST = LENGTHS[-1]
ITERATION = 24                        # instructions
WAVES = 8                             # so many times as many threads as there is room for at once
ROUNDS = 64                           # of costs.cu
BORDERS = ("border", "border_waits1", "border_waits2")   # threads in order from the beginning
# Applications: how often the threads of their launch files are there.
COPIES = {"path_tracer": 16, "layered_tracer": 4, "particle_transport": 16, "nuclide_transport": 2}


class Path:
    """A kernel of paths.cu."""

    def __init__(self, name):
        self.shape, block, self.variant = re.match(r"([a-z]+\d)_(\d+)_(\w+)$", name).groups()
        self.name = self.kernel = name
        self.block, self.keys = int(block), int(self.shape[-1])
        self.family = "%s_%d" % (self.shape, self.block)

    @property
    def reference(self):
        if self.variant in BORDERS:
            return self.family + "_border"
        return self.name if self.variant == "pure" else self.shape

    share, small_rounds = 1, 2 << 16 | 3

    def line(self, compiler, cubin, length, waves):
        """For reorder.cpp. All kernels of a group are compared."""
        turns = LONGEST // length
        group = "%s:%s:%d:%d" % (compiler, self.family, length, waves)
        return (group, self.name, cubin, self.name, self.block, 1, self.reference, WORDS,
                turns << 16 | length // ITERATION, WORDS, "x%d" % waves)


class Cost:
    """A kernel of costs.cu."""

    def __init__(self, name):
        words, self.how, keys, width, at_once, block = re.match(
            r"words(\d+)_(\w+?)_(\d+)_(\d+)_(\d+)_(\d+)$", name).groups()
        self.name = self.kernel = name
        self.words, self.keys, self.width, self.at_once, self.block = map(
            int, (words, keys, width, at_once, block))
        self.reference = "words%d" % self.words

    share, small_rounds = 1, 3

    def line(self, cubin):
        return ("clang:costs", self.name, cubin, self.name, self.block, 1, self.reference,
                WORDS, ROUNDS, WORDS, "x%d" % WAVES)


class Application:
    """A kernel of an application: APPLICATION_HOW_SHARE_BLOCK. A block does the work of SHARE threads a
    thread."""

    small_rounds = 2

    def __init__(self, name):
        self.reference, self.how, share, block = re.match(r"(\w+)_([a-z]+)_(\d+)_(\d+)$", name).groups()
        self.name = self.kernel = name
        self.share, self.block = int(share), int(block)

    def line(self, compiler, cubin, launch):
        return (self.reference, "%s:%s" % (compiler, self.name), cubin, self.name, self.block,
                self.share, self.reference, launch.words, launch.rounds, launch.threads,
                launch.threads * COPIES[self.reference])


class Waves:
    """A kernel of test/simt/Inputs/wavefront.cu."""

    share, block, small_rounds = 2, 256, 1

    def __init__(self, name):
        self.name = self.kernel = name
        self.reference = name.split("_waves_")[0]


def kernel_of(name):
    """What is known of a kernel of bench/regroup by its name; None: it is none that is measured by
    itself."""
    if name.startswith("words"):
        return Cost(name)
    if re.match(r"(flat|nested)\d_", name):
        return Path(name)
    if "_waves_" in name:
        return Waves(name)
    return Application(name) if re.search(r"_\d+_\d+$", name) else None


def kernels_of(path):
    """A cubin's kernels: its sections."""
    with open(path, "rb") as file:
        names = sorted({name.decode() for name in re.findall(rb"\.text\.(\w+)\0", file.read())})
    return [kernel for kernel in map(kernel_of, names) if kernel]
