#!/usr/bin/env python3
"""What bench/results says, as people like to see it: a table in Markdown, a chart as SVG.

    results.py chart RESULTS.txt PROFILE.csv
    results.py table [--check] RESULTS.txt PROFILE.csv BEYOND.txt FILE.md...

RESULTS.txt is what `scripts/bench gpu --run` printed, PROFILE.csv what --profile wrote, BEYOND.txt what
`scripts/bench gpu --beyond` printed. `table` writes between the marks

    <!-- RESULTS TABLE: begin -->         and  <!-- RESULTS TABLE: end -->         all of it
    <!-- SHORT RESULTS TABLE: begin -->   and  <!-- SHORT RESULTS TABLE: end -->   the bench kernels
    <!-- CHAIN TABLE: begin -->           and  <!-- CHAIN TABLE: end -->           where the chain differs
    <!-- MERGED TABLE: begin -->          and  <!-- MERGED TABLE: end -->          merged loops
    <!-- INTERLEAVED TABLE: begin -->     and  <!-- INTERLEAVED TABLE: end -->     interleaved arms

of each file. With --check nothing is written, and the status is 1 if a file says something else.
scripts/draw-docs calls it.
"""
import csv
import re
import sys
from collections import namedtuple

Cell = namedtuple("Cell", "ms ratio registers")  # ms: a number, or what went wrong
Section = namedtuple("Section", "variants rows means")


def read_cells(words):
    """Three words a variant: ms, ratio, registers; or one, if it went wrong."""
    cells = []
    while words:
        wrong = not re.match(r"[0-9]", words[0])
        cells.append(Cell(words[0], "", "") if wrong else Cell(*words[:3]))
        words = words[1 if wrong else 3:]
    return cells


def read_results(path):
    """The heads of the file, and its sections, one for each size of the input."""
    heads, sections = {}, []
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if re.match(r"\d+ words of input|loops merged|arms interleaved", line):
                sections.append(Section([], {}, {}))
            elif not sections:
                key, colon, value = line.partition(": ")
                heads.update({key.split(",")[0]: value.strip()} if colon else {})
            elif words[:2] == ["kernel", "rounds"]:
                sections[-1].variants.extend(words[2:])
            elif line.startswith("needed is so many times as fast as"):
                sections[-1].means.update(re.findall(r"(\w+) (x[\d.]+)", line.split("):")[1]))
            elif line.startswith("merged, geometric mean of"):
                sections[-1].means["merged"] = re.search(r"x[\d.]+", line)[0]
            elif re.match(r"\w+ +\d+ ", line):
                cells = read_cells(words[2:])
                if len(cells) == len(sections[-1].variants):
                    sections[-1].rows[words[0]] = dict(zip(sections[-1].variants, cells))
    return heads, sections


def read_active(path):
    """{(kernel, variant): threads active per warp instruction}"""
    with open(path, encoding="utf-8") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {(row["kernel"], row["variant"]): "%.2f" % float(row["threads_active"])
                for row in rows if row["threads_active"]}


# Structured kernels for section 5 of the paper, which have tables of their own.
SECTION_5 = {"mandelbrot_tasks", "csr_rows", "graph_neighbours", "ray_march", "photon_transport",
             "string_match", "decision_tree", "two_sided_force", "two_sided_lookup"}


def is_bench(kernel, active):
    return not kernel.startswith("wait_") and (kernel, "clang") in active and kernel not in SECTION_5


def speed(cell):
    """x1.23; what went wrong; or, where there is nothing to compare with, that it is right."""
    if not cell.registers:
        return cell.ms
    return "right" if cell.ratio == "-" else cell.ratio


def markdown(head, rows):
    lines = [head, ["---"] * len(head)] + rows
    return "".join("| %s |\n" % " | ".join(line) for line in lines)


def full_table(sections, active):
    head = ["kernel", "clang, ms", "again", "nvcc", "chain", "paper", "needed", "needed, 256 KB",
            "needed, 4 MB", "threads active, clang", "needed"]
    rows = []
    for kernel, cells in sections[0].rows.items():
        if not (is_bench(kernel, active) or kernel.startswith("wait_")):
            continue
        rows.append([kernel, cells["clang"].ms]
                    + [speed(cells[v]) for v in ("again", "nvcc", "chain", "paper", "needed")]
                    + [speed(section.rows[kernel]["needed"]) for section in sections[1:]]
                    + [active.get((kernel, v), "") for v in ("clang", "needed")])
    for base in ("clang", "nvcc", "chain"):
        rows.append(["**needed to %s, geometric mean of 15**" % base] + [""] * 5
                    + [section.means[base] for section in sections] + ["", ""])
    return markdown(head, rows)


def short_table(sections, active):
    head = ["kernel", "clang, ms", "nvcc", "LLVM's chain", "linearize", "threads active"]
    rows = []
    for kernel, cells in sections[0].rows.items():
        if is_bench(kernel, active):
            rows.append([kernel, cells["clang"].ms]
                        + [speed(cells[v]) for v in ("nvcc", "chain", "needed")]
                        + ["%s > %s" % (active[kernel, "clang"], active[kernel, "needed"])])
    means = sections[0].means
    rows.append(["**linearize is so many times as fast**", means["clang"], means["nvcc"],
                 means["chain"], "", ""])
    return markdown(head, rows)


def chain_table(sections):
    """Where linearize and the chain differ by more than three hundredths; what gains most first."""
    rows = [[kernel, cells["chain"].ratio, cells["needed"].ratio]
            for kernel, cells in sections[0].rows.items()
            if cells["chain"].registers and cells["clang"].registers
            and abs(float(cells["needed"].ratio[1:]) - float(cells["chain"].ratio[1:])) > 0.03]
    rows.sort(key=lambda row: float(row[1][1:]) / float(row[2][1:]))
    return markdown(["kernel", "the chain", "linearize"], rows)


def merged_table(sections):
    """Of BEYOND.txt: three sizes of input with loops merged come first."""
    head = ["kernel, 64 tasks a thread", "clang, ms", "nvcc", "chain", "merged", "merged, 256 KB",
            "merged, 4 MB"]
    rows = [[kernel, cells["clang"].ms] + [speed(cells[v]) for v in ("nvcc", "chain", "merged")]
            + [speed(section.rows[kernel]["merged"]) for section in sections[1:3]]
            for kernel, cells in sections[0].rows.items()]
    rows.append(["**geometric mean of the first six**", "", "", ""]
                + [section.means["merged"] for section in sections[:3]])
    return markdown(head, rows)


def interleaved_table(sections):
    """Then with arms interleaved, 2, 8 and 64 warps, first 256 KB and then 4 MB."""
    head = ["kernel, 4 MB of input", "clang, ms, 2 warps", "nvcc", "chain", "interleaved", "8 warps",
            "64 warps", "left to itself, 64 warps"]
    few, more, many = sections[6:9]
    rows = [[kernel, cells["clang"].ms] + [speed(cells[v]) for v in ("nvcc", "chain", "interleaved")]
            + [speed(section.rows[kernel]["interleaved"]) for section in (more, many)]
            + [speed(many.rows[kernel]["default"])]
            for kernel, cells in few.rows.items()]
    return markdown(head, rows)


def replace_between(text, name, new):
    pattern = r"(<!-- %s: begin -->\n).*?(<!-- %s: end -->)" % (name, name)
    return re.sub(pattern, lambda match: match[1] + new + match[2], text, flags=re.DOTALL)


def table(arguments):
    check = arguments[0] == "--check"
    results, profile, beyond, *files = arguments[check:]
    sections, further = read_results(results)[1], read_results(beyond)[1]
    active = read_active(profile)
    tables = {"RESULTS": full_table(sections, active),
              "CHAIN": chain_table(sections), "SHORT RESULTS": short_table(sections, active),
              "MERGED": merged_table(further), "INTERLEAVED": interleaved_table(further)}
    status = 0
    for path in files:
        with open(path, encoding="utf-8") as file:
            old = file.read()
        new = old
        for name, text in tables.items():
            new = replace_between(new, name + " TABLE", text)
        if check and new != old:
            print("%s: a table is not that of bench/results: run scripts/draw-docs" % path)
            status = 1
        elif not check:
            with open(path, "w", encoding="utf-8") as file:
                file.write(new)
    return status


# ---- the chart ---------------------------------------------------------------------------------

LEFT, SCALE, ROW, TOP = 170, 220, 34, 64  # pixels; SCALE is those of x1.0
BARS = (("needed", "linearize", "#1f77b4"), ("chain", "LLVM's chain", "#bbbbbb"))


def svg_text(x, y, text, more=""):
    return '<text x="%g" y="%g"%s>%s</text>\n' % (x, y, " " + more if more else "", text)


def bars_of(y, cells):
    svg = ""
    for i, (variant, _, colour) in enumerate(BARS):
        width = float(cells[variant].ratio[1:]) * SCALE
        top = y + i * 12
        svg += '<rect x="%g" y="%g" width="%.1f" height="11" fill="%s"/>\n' % (LEFT, top, width,
                                                                              colour)
        svg += svg_text(LEFT + width + 5, top + 9.5, cells[variant].ratio,
                        'font-size="10" stroke="white" stroke-width="3" paint-order="stroke"')
    return svg


def chart(arguments):
    heads, sections = read_results(arguments[0])
    rows, active = sections[0].rows, read_active(arguments[1])
    kernels = [kernel for kernel in rows if is_bench(kernel, active)]
    bench = [kernel for kernel in kernels if rows[kernel]["clang"].registers]
    bench.sort(key=lambda k: (-float(rows[k]["needed"].ratio[1:]), k))
    height = TOP + ROW * len(bench) + 68
    svg = ('<svg xmlns="http://www.w3.org/2000/svg" width="760" height="%d" viewBox="0 0 760 %d" '
           'font-family="sans-serif" font-size="13">\n' % (height, height)
           + '<title>How many times as fast as clang</title>\n'
           + '<rect width="100%" height="100%" fill="white"/>\n'
           + svg_text(16, 26, "How many times as fast as clang's program", 'font-size="16"'))
    for i, (_, label, colour) in enumerate(BARS):
        svg += '<rect x="%d" y="37" width="11" height="11" fill="%s"/>\n' % (LEFT + 130 * i, colour)
        svg += svg_text(LEFT + 130 * i + 17, 47, label)
    svg += '<line x1="%d" x2="%d" y1="%d" y2="%d" stroke="black"/>\n' % (
        LEFT + SCALE, LEFT + SCALE, TOP - 6, height - 62)
    svg += svg_text(LEFT + SCALE, height - 48, "clang", 'text-anchor="middle" font-size="11"')
    for i, kernel in enumerate(bench):
        y = TOP + i * ROW
        svg += svg_text(LEFT - 8, y + 16, kernel, 'text-anchor="end"') + bars_of(y, rows[kernel])
    wrong = [k for k in kernels if k not in bench and rows[k]["needed"].registers]
    svg += svg_text(16, height - 30, "Wrong as clang and ptxas build it, right with linearize: %s"
                    % ", ".join(wrong), 'font-size="11"')
    machine = heads["GPU"].split(", ")
    svg += svg_text(16, height - 12, "%s, driver %s; %s; %s" % (
        machine[0], machine[1], re.sub(", repository.*", "", heads["built"]), heads["date"]),
                    'font-size="11"')
    sys.stdout.write(svg + "</svg>\n")
    return 0


if __name__ == "__main__":
    COMMANDS = {"chart": chart, "table": table}
    if len(sys.argv) < 3 or sys.argv[1] not in COMMANDS:
        sys.exit(__doc__)
    sys.exit(COMMANDS[sys.argv[1]](sys.argv[2:]))
