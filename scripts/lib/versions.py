"""Compiles the kernels of bench to machine code without versions and with those of --versions (needed,paper,merge-loops),
in turns, and prints the processor time that takes, the least of three rounds, the size of the cubin, and which versions
there are; with --ptx what linearize-ptx makes of nvcc's PTX. `same code` are versions that ptxas makes the same of as of
another, or of the plain kernel; `mended` are plain kernels of which irreducible loops are made reducible, as mode
irreducible does it.

The figures: all other plain kernels' machine code is byte for byte what it is without versions; structured kernels get
no version of mode needed; what each version takes is at most twice what the plain kernel does.
"""
import csv
import os
import re
import struct
import subprocess
import sys

import suite
import variants

ROUNDS = 3
MOST = 2.0  # times the plain kernel's, for each version
SEPARATOR = "__linearize_"


def seconds(command):
    """Of a processor, its children included."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    said = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit("failed: %s\n%s" % (" ".join(command), said[:2000]))
    return used.ru_utime + used.ru_stime


def sections(path):
    """{name: bytes} of an ELF file of 64 bits."""
    with open(path, "rb") as file:
        data = file.read()
    start, = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    header = [struct.unpack_from("<IIQQQQIIQQ", data, start + size * i) for i in range(count)]
    table = header[names][4]
    return {data[table + h[0]:data.index(0, table + h[0])].decode(): data[h[4]:h[4] + h[5]]
            for h in header if h[1] == 1}


def code_of(path):
    """{kernel: its machine code}"""
    return {name[len(".text."):]: code for name, code in sections(path).items()
            if name.startswith(".text.")}


def instructions_of(nvdisasm, path, kernel):
    """A kernel's instructions, without the places that they lead to, or at which a variable's address is."""
    done = subprocess.run([nvdisasm, "-c", path], capture_output=True, text=True, check=True)
    text = done.stdout.split(".section\t.text.%s," % kernel)[1].split("\t.section\t")[0]
    return [re.sub(r"`\([^)]*\)|c\[0x4\]\[[^]]*\]", "", line.split("*/", 1)[1]) for line in text.split("\n") if "*/" in line]


class Kernel:
    def __init__(self, options, source):
        self.options, self.source = options, source
        self.name = os.path.splitext(os.path.basename(source))[0]
        self.path = os.path.join(options.folder, self.name)
        self.plain, self.with_versions = self.commands("plain"), self.commands("versions")
        self.times = {}
        self.measure()
        self.compare()

    def commands(self, variant):
        """To make PTX, and a cubin of it."""
        options, name = self.options, "%s.%s.%s" % (self.path, self.options.front, variant)
        asked = {"plain": None, "versions": "versions=" + options.versions,
                 "mended": "mode=irreducible"}[variant]
        ptx, assembled = name + ".ptx", name + ".ptx"
        if options.front == "llvm":
            plugin = ["-fpass-plugin=" + options.plugin, "-mllvm", "-linearize-" + asked] if asked else []
            making = [[*options.compiler, *plugin, "-S", self.source, "-o", ptx]]
        else:
            assembled = name + ".linearized.ptx" if asked else ptx
            making = [[*options.compiler, "-ptx", self.source, "-o", ptx]]
            if asked:
                making.append([options.tool, "--" + asked, "--remarks", "none", ptx, "-o", assembled])
        return making + [[options.ptxas, "-arch=" + options.sm, assembled, "-o", name + ".cubin"]]

    def measure(self):
        for _ in range(ROUNDS):
            for variant, commands in (("plain", self.plain), ("versions", self.with_versions)):
                took = sum(map(seconds, commands))
                self.times[variant] = min(took, self.times.get(variant, took))

    def compare(self):
        plain, both = (commands[-1][-1] for commands in (self.plain, self.with_versions))
        self.sizes = os.path.getsize(plain), os.path.getsize(both)
        before, after = code_of(plain), code_of(both)
        changed = [name for name in before if before[name] != after.get(name) and
                   instructions_of(self.options.nvdisasm, plain, name)
                   != instructions_of(self.options.nvdisasm, both, name)]
        self.is_mended = bool(changed) and self.is_as_mended(changed, after)
        self.is_changed = bool(changed) and not self.is_mended
        self.versions = [name.split(SEPARATOR)[1] for name in after if SEPARATOR in name]
        seen, self.same = dict.fromkeys(before.values(), "plain"), []
        for name, code in after.items():
            if SEPARATOR in name:
                if code in seen:
                    self.same.append(name.split(SEPARATOR)[1])
                seen[code] = name

    def is_as_mended(self, names, after):
        commands = self.commands("mended")
        for command in commands:
            seconds(command)
        mended = code_of(commands[-1][-1])
        return all(mended[name] == after.get(name) for name in names)

    def ratio(self):
        return self.times["versions"] / self.times["plain"]


def main(options):
    options.versions, options.front = options.versions or "needed,paper,merge-loops", "ptx" if options.ptx else "llvm"
    suite.choose(options, "kernels", "exits", "costs", "large", "threads", "structured")
    suite.find_tools(options, sass=True, toolkit=options.ptx)
    suite.folder_of(options, "bench", "versions")
    options.compiler = [options.nvcc, *variants.nvcc_flags(options.flags)] if options.ptx else [options.clangxx, *options.flags]
    suite.describe(options, "%s, %s, %s" % (options.versions, options.front, options.sm))
    print("%-22s %8s %8s %7s %8s %8s %7s  %s" % ("kernel", "ms", "with", "", "bytes", "with", "", "versions"))
    kernels = []
    for kernel in options.kernels:
        k = Kernel(options, suite.source_of(kernel))
        kernels.append(k)
        print("%-22s %8.1f %8.1f  x%.2f %8d %8d  x%.2f  %s" % (
            k.name, 1e3 * k.times["plain"], 1e3 * k.times["versions"], k.ratio(), *k.sizes,
            k.sizes[1] / k.sizes[0], ", ".join(k.versions) or "none")
            + ("; same code: " + ", ".join(k.same) if k.same else "") + ("; mended" if k.is_mended else ""),
              flush=True)
    with_some = [k for k in kernels if k.versions]
    total = [sum(k.times[v] for k in kernels) for v in ("plain", "versions")]
    print("all %d kernels: x%.2f the time, x%.2f the bytes; the %d with versions, %d of these: "
          "x%.2f and x%.2f in the geometric mean"
          % (len(kernels), total[1] / total[0],
             sum(k.sizes[1] for k in kernels) / sum(k.sizes[0] for k in kernels), len(with_some),
             sum(len(k.versions) for k in kernels), suite.geometric_mean(k.ratio() for k in with_some) or 1,
             suite.geometric_mean(k.sizes[1] / k.sizes[0] for k in with_some) or 1))
    if options.csv:
        with open(options.csv, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow("kernel plain_ms versions_ms plain_bytes versions_bytes versions".split())
            writer.writerows([k.name, "%.1f" % (1e3 * k.times["plain"]),
                              "%.1f" % (1e3 * k.times["versions"]), *k.sizes, " ".join(k.versions)]
                             for k in kernels)
    changed = [k.name for k in kernels if k.is_changed]
    ordinary = [k.name for k in kernels if "/structured/" in k.source and "needed" in k.versions]
    slow = [k.name for k in kernels if k.ratio() > 1 + MOST * len(k.versions) + 0.5]
    return suite.print_figures([
        ("the plain kernels' machine code is what it was" + suite.listed(changed, "; not "), not changed),
        ("structured kernels have no version of mode needed" + suite.listed(ordinary, "; but "), not ordinary),
        ("each version takes at most %.0f times what the plain kernel does%s" % (MOST, suite.listed(slow, "; not ")), not slow),
    ]) and options.check
