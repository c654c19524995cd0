"""Does ptxas leave the barriers of regrouped kernels as they are?

  barriers_in_sass.py --tools DIR --plugin SO --ptxas FILE --nvdisasm FILE FILE.cu

FILE.cu is of reorder.py. Each kernel goes through clang, the plugin, llc and ptxas. A barrier of the block that
is in a loop in the machine code must be one in a loop in PTX: if ptxas copies one, threads may come to either
copy, and those of a warp that wait at different ones wait for ever. A copy in front of the loop is harmless,
for the first time around it is where all threads come. What is wrong is printed with its kernel; the last line
says how many kernels and barriers there were.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

from same_in_simulator import DEVICE, must


class Code:
    """The blocks of a function: where they lead, and how many barriers of each kind they have."""

    def __init__(self):
        self.names, self.leads, self.barriers = {}, [[]], [{}]

    def label(self, name):
        self.names[name] = len(self.leads)
        self.branch([name], True)

    def branch(self, targets, always):
        """What follows a branch begins a block, to which nothing leads from a branch that is always taken."""
        self.leads[-1] += targets if always else [*targets, len(self.leads)]
        self.leads.append([])
        self.barriers.append({})

    def barrier(self, kind):
        self.barriers[-1][kind] = self.barriers[-1].get(kind, 0) + 1

    def in_loops(self):
        """How many barriers of each kind are in loops: in blocks that lead to themselves."""
        leads = [[self.names.get(to, to) for to in block] for block in self.leads]
        sums = {}
        for block, barriers in enumerate(self.barriers):
            if barriers and self.comes_back(leads, block):
                for kind, count in barriers.items():
                    sums[kind] = sums.get(kind, 0) + count
        return sums

    @staticmethod
    def comes_back(leads, block):
        seen, todo = set(), list(leads[block])
        while todo:
            at = todo.pop()
            if at == block:
                return True
            if at not in seen:
                seen.add(at)
                todo += leads[at]
        return False


def read_ptx(text):
    """Code by kernel."""
    kernels, code, tables, table = {}, None, {}, None
    for line in text.split("\n"):
        line = line.split("//")[0].strip()
        start = re.match(r"(?:\.visible )?\.entry (\w+)", line)
        if start:
            code = kernels[start[1]] = Code()
        elif line.startswith((".func", ".visible .func")):
            code = None
        if code is None:
            continue
        if table is not None:
            table += re.findall(r"\$\w+", line)
            table = None if line.endswith(";") else table
        elif re.match(r"\$\w+: \.branchtargets", line):
            table = tables[line.split(":")[0]] = []
        elif re.match(r"\$\w+:$", line):
            code.label(line[:-1])
        elif re.search(r"\bbrx\.idx", line):
            code.branch(tables[re.search(r"(\$\w+);", line)[1]], True)
        elif re.search(r"\bbra\b", line):
            code.branch([re.search(r"(\$\w+);", line)[1]], not line.startswith("@"))
        elif re.match(r"(ret|exit|trap);", line):
            code.branch([], True)
        elif re.match(r"bar\.(sync|red)\b", line):
            code.barrier(line.split(".")[1].split()[0])
    return kernels


def read_sass(text):
    """Code by kernel. Threads go on behind what they left for a short while (BRA.DIV)."""
    kernels, code = {}, None
    for line in text.split("\n"):
        start = re.match(r"\.text\.(\w+):", line)
        if start:
            code = kernels[start[1]] = Code()
            continue
        if code is None:
            continue
        label = re.match(r"(\.L_x_\d+):", line)
        if label:
            code.label(label[1])
        found = re.match(r"\s+/\*\w+\*/\s+(@!?U?P\w+ )?\s*([\w.]+)(.*?);", line)
        if not found:
            continue
        guard, name, rest = found.groups()
        targets = re.findall(r"\.L_x_\d+", line)
        name = name.split(".")
        if name[0] in ("BRA", "BRX", "JMP", "JMX"):
            always = not guard and "DIV" not in name and not re.match(r" +!?U?P\d", rest)
            code.branch(targets, always)
        elif name[0] == "WARPSYNC" and "COLLECTIVE" in name:
            code.branch(targets, False)
        elif name[0] == "EXIT":
            code.branch([], not guard)
        elif name[0] == "BAR":
            code.barrier({"SYNC": "sync", "RED": "red"}.get(name[1], name[1]))
    return kernels


def main():
    parser = argparse.ArgumentParser()
    for tool in ("--tools", "--plugin", "--ptxas", "--nvdisasm"):
        parser.add_argument(tool, required=True)
    parser.add_argument("file")
    options = parser.parse_args()
    tools = options.tools
    with tempfile.TemporaryDirectory() as folder:
        raw, ir, ptx, cubin = (os.path.join(folder, name) for name in ("raw.ll", "k.ll", "k.ptx", "k.cubin"))
        must([os.path.join(tools, "clang++"), *DEVICE, options.file, "-o", raw])
        must([os.path.join(tools, "opt"), "-load-pass-plugin=" + options.plugin, "-S", "-passes=default<O2>",
              raw, "-o", ir])
        must([os.path.join(tools, "llc"), "-O3", "-mcpu=sm_90", ir, "-o", ptx])
        must([options.ptxas, "-O3", "-arch=sm_90", ptx, "-o", cubin])
        with open(ptx) as file:
            wanted = read_ptx(file.read())
        machine = read_sass(subprocess.run([options.nvdisasm, "-c", cubin], capture_output=True, text=True,
                                           check=True).stdout)
    total = wrong = 0
    for kernel, code in wanted.items():
        written, made = code.in_loops(), machine[kernel].in_loops()
        total += sum(written.values())
        for kind in sorted(made):
            if made[kind] > written.get(kind, 0):
                wrong += made[kind] - written.get(kind, 0)
                print("%s: %d bar.%s in loops of PTX, %d in machine code"
                      % (kernel, written.get(kind, 0), kind, made[kind]))
    print("%d kernels, %d barriers in loops, %d copied" % (len(wanted), total, wrong))
    sys.exit(wrong != 0 or total == 0)


if __name__ == "__main__":
    main()
