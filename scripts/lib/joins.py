"""Does ptxas have threads wait where lib/gpu/meetings.h says it does?

Random graphs (150, or as many as are asked for, and half as many of loops in one another), some of their blocks in
loops, some loading from memory, of 2 to 40 instructions each. Each is written as PTX, all of them as kernels of one
file, and assembled: a join at which threads wait is one to which a BSSY of the machine code points. And each is written
as .cfg, for linearize-graph --step joins. One line for each join that they don't agree on, with what the machine code
does; then how many they do agree on. --sm: sm_90.

The figures: 90% of the places where threads could come together early are told right, 80% in graphs in which threads
may end in several places, 85% in those of loops in one another, which threads leave together.

Blocks are told in the machine code by the constants that they multiply by.
"""
import os
import random
import re
import subprocess
import tempfile
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor

import suite

WANTED = (0.9, 0.8, 0.85)  # of each kind
KINDS = ("graphs that end in one place", "graphs that end in several places",
         "loops in one another")
WAITS = "threads wait"
APART = 1000003  # of the constants of one block and the next
SIZES = (2, 4, 7, 9, 12, 20, 40)  # of blocks, in instructions
LOAD = ("and.b32 %r, %x, %mask;", "mul.wide.u32 %c, %r, 4;", "add.s64 %c, %in, %c;",
        "ld.global.u32 %r, [%c];", "add.u32 %x, %x, %r;")

STORE = ("mul.wide.u32 %c, %thread, 4;", "add.s64 %c, %out, %c;", "st.global.u32 [%c], %x;")

Block = namedtuple("Block", "size loads to")


# ---- graphs: lists of blocks, the first one the entry, the last one the exit

def choose_loops(rng, count, nested):
    """(first, last) of loops that nest."""
    loops = [(1, count - 2)] if nested else []
    for _ in range(rng.choice((2, 3, 4) if nested else (0, 0, 1, 1, 2))):
        first = rng.randint(1, count - 4)
        last = rng.randint(first + 1, count - 2)
        if all(first > b or last < a or (a < first and last < b) or (first < a and b < last)
               for a, b in loops):
            loops.append((first, last))
    return loops


def choose_edges(rng, count, nested):
    loops = choose_loops(rng, count, nested)

    def may_go(source, to):
        return all(not first < to <= last or first <= source <= last for first, last in loops)

    edges = []
    for source in range(count - 1):
        forward = [to for to in range(source + 1, count) if may_go(source, to)]
        near = [to for to in forward
                if to < source + 5 or nested and rng.random() < 0.25] or forward
        back = [first for first, last in loops if last == source]
        if back:
            edges.append([back[0], rng.choice(near)])
        elif len(near) > 1 and rng.random() < 0.7:
            edges.append(rng.sample(near, 2))
        else:
            edges.append(near[:1])
    return edges + [[]]


def kind_of(seed):
    """A number of KINDS: those of loops in one another have negative seeds."""
    return 2 if seed < 0 else seed % 2


def make_graph(seed):
    rng, kind = random.Random(seed), kind_of(seed)
    edges = choose_edges(rng, rng.randint(8, 14) if kind == 2 else rng.randint(6, 13), kind == 2)
    if kind == 1:
        edges = [[] if block > 2 and len(to) == 1 and to[0] > block and rng.random() < 0.4 else to
                 for block, to in enumerate(edges)]
    reached, work = {0}, [0]
    while work:
        for to in edges[work.pop()]:
            if to not in reached:
                reached.add(to)
                work.append(to)
    number = {block: i for i, block in enumerate(sorted(reached))}
    return [Block(rng.choice(SIZES), bool(edges[block]) and rng.random() < 0.25,
                  [number[to] for to in edges[block]]) for block in number]


def as_cfg(graph):
    text = ["function random"]
    for i, block in enumerate(graph):
        cost = (block.size + len(LOAD) * block.loads + (len(block.to) == 2) +
                len(STORE) * (not block.to))
        flags = "memory " if block.loads or not block.to else ""
        text.append(f"b{i} [{flags}cost {cost}]: " +
                    (" ".join(f"b{to}" for to in block.to) or "return"))
    return "\n".join(text) + "\n"


def as_ptx(graph, name):
    """A kernel."""
    text = [f".visible .entry {name}(.param .u64 in, .param .u32 mask, .param .u64 out) {{",
            ".reg .b32 %x, %thread, %mask, %r;", ".reg .b64 %in, %out, %c;", ".reg .pred %p;",
            "ld.param.u64 %in, [in];", "ld.param.u32 %mask, [mask];", "ld.param.u64 %out, [out];",
            "cvta.to.global.u64 %in, %in;", "cvta.to.global.u64 %out, %out;",
            "mov.u32 %thread, %tid.x;", "mov.u32 %x, %thread;"]
    for i, block in enumerate(graph):
        text.append(f"$b{i}:")
        for j in range(block.size):
            operation = "xor.b32" if j % 2 else "mul.lo.u32"
            text.append(f"{operation} %x, %x, {(APART * (i + 1) + 2 * j) | 1};")
        text += LOAD if block.loads else ()
        if len(block.to) == 2:
            text += [f"and.b32 %r, %x, {3 << (12 + i % 18)};", "setp.ne.u32 %p, %r, 0;",
                     f"@%p bra $b{block.to[0]};", f"bra $b{block.to[1]};"]
        elif block.to:
            text.append(f"bra $b{block.to[0]};")
        else:
            text += [*STORE, "ret;"]
    return "\n".join(text + ["}"]) + "\n"


# ---- machine code

def block_of(graph, instruction):
    """The block that an instruction's constants belong to, or None."""
    for constant in re.findall(r"0x([0-9a-f]+)", instruction):
        block, rest = divmod(int(constant, 16), APART)
        if 1 <= block <= len(graph) and rest <= 2 * graph[block - 1].size + 1:
            return block - 1
    return None


def waiting_places(graph, assembly):
    """The blocks that stand behind a BSYNC."""
    instructions, labels, places = [], {}, set()
    for line in assembly.splitlines():
        label = re.match(r"(\.L_x_\d+):", line)
        if label:
            labels[label.group(1)] = len(instructions)
            continue
        instruction = re.search(r"/\*[0-9a-f]{4}\*/\s+(.*?);", line)
        if instruction:
            instructions.append(instruction.group(1))
    for instruction in instructions:
        target = re.search(r"BSSY \w+, `\((\.L_x_\d+)\)", instruction)
        if target is None:
            continue
        at, block = labels[target.group(1)], None
        while block is None and not instructions[at].startswith("EXIT"):
            block = block_of(graph, instructions[at])
            goes_on = re.match(r"BRA `\((\.L_x_\d+)\)", instructions[at])
            at = labels[goes_on.group(1)] if goes_on else at + 1
        places.add(block)
    return places


def output_of(*command, text=None):
    return subprocess.run(command, input=text, stdout=subprocess.PIPE, check=True, text=True).stdout


def assemble(options, graphs):
    """The machine code of each graph, in order: of all at once, for nvdisasm takes half a second to
    start."""
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "random")
        with open(name + ".ptx", "w", encoding="ascii") as file:
            file.write(f".version 7.8\n.target {options.sm}\n.address_size 64\n")
            file.writelines(as_ptx(graph, f"random{i}") for i, graph in enumerate(graphs))
        output_of(options.ptxas, f"-arch={options.sm}", "-O3", name + ".ptx", "-o", name + ".cubin")
        parts = re.split(r"^\.text\.random(\d+):$", output_of(options.nvdisasm, "-c", name + ".cubin"),
                         flags=re.MULTILINE)
    code = dict(zip(map(int, parts[1::2]), parts[2::2]))
    return [code[i] for i in range(len(graphs))]


def compare(options, seed, graph, assembly):
    """[(seed, join, whether the machine code waits there, whether linearize-graph says so)]"""
    waiting = waiting_places(graph, assembly)
    said = output_of(options.graph, "--step", "joins", "-", text=as_cfg(graph))
    return [(seed, int(join), int(join) in waiting, text == WAITS)
            for join, text in re.findall(r"^b(\d+): (.*)$", said, re.MULTILINE)]


def compare_all(options):
    """Of options.graphs, for options.sm; true if a figure is missed."""
    count = int(options.graphs)
    seeds = [*range(count), *range(-1, -1 - count // 2, -1)]
    graphs = list(map(make_graph, seeds))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda *one: compare(options, *one), seeds, graphs,
                           assemble(options, graphs))
        joins = [join for result in results for join in result]
    for seed, join, waits, said in joins:
        if waits != said:
            print(f"graph {seed}, b{join}: {WAITS if waits else 'run for each way into it'}")
    if not joins:
        suite.die("no graph has a join", 1)
    missed = False
    for kind, name in enumerate(KINDS):
        some = [(waits, said) for seed, _, waits, said in joins if kind_of(seed) == kind]
        right = sum(waits == said for waits, said in some)
        print(f"{right} of {len(some)} joins as {options.sm}'s machine code has them, of which "
              f"{sum(waits for waits, _ in some)} are waited at, in {name}")
        missed |= suite.print_figures([(f"at least {100 * WANTED[kind]:.0f}%", right >= WANTED[kind] * len(some))])
    return missed and options.check


def main(options):
    options.graphs = (options.kernels or ["150"])[0]
    if len(options.kernels) > 1 or not options.graphs.isdecimal():
        suite.die("joins takes one number, of graphs: see scripts/bench joins --help")
    missed = False
    for sm in (options.sm or "sm_90").split(","):
        suite.find_tools(options, sm, sass=True)
        suite.describe(options)
        missed |= compare_all(options)
    return missed
