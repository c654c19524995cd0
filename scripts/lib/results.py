#!/usr/bin/env python3
"""What bench/results says, as people like to see it: tables and sentences in Markdown, a chart as SVG.

    results.py chart FOLDER
    results.py table [--check] FOLDER FILE.md...

FOLDER is bench/results. The newest h200-DATE-gpu.csv there is what `scripts/bench gpu --run` measured,
h200-DATE-profile.csv what --profile did, h200-DATE-beyond.csv what --beyond did; of each, `# NAME: ...` in
front says what with.
`table` writes between the marks

    <!-- RESULTS TABLE: begin -->         and  <!-- RESULTS TABLE: end -->         all of it
    <!-- MEANS TABLE: begin -->           and  <!-- MEANS TABLE: end -->           geometric means
    <!-- CHAIN TABLE: begin -->           and  <!-- CHAIN TABLE: end -->           where the chain differs
    <!-- MERGED TABLE: begin -->          and  <!-- MERGED TABLE: end -->          merged loops
    <!-- INTERLEAVED TABLE: begin -->     and  <!-- INTERLEAVED TABLE: end -->     interleaved arms
    <!-- SUMMARY TEXT: begin -->          and  <!-- SUMMARY TEXT: end -->          the means, best and worst
    <!-- MACHINE TEXT: begin -->          and  <!-- MACHINE TEXT: end -->          what was measured with
    <!-- FILES TEXT: begin -->            and  <!-- FILES TEXT: end -->            which files they are

of the files, each of which stands in at least one of them. With --check nothing is written, and the
status is 1 if a file says something else. scripts/draw-docs calls it.
"""
import os
import re
import sys
import textwrap
from collections import namedtuple

from suite import geometric_mean, read_csv

Cell = namedtuple("Cell", "ms ratio registers")  # ms: a number, or what went wrong
Section = namedtuple("Section", "words variants rows")  # words: of input, /N with N warps


def newest(folder, kind):
    """kind: "gpu.csv"."""
    names = [name for name in os.listdir(folder)
             if re.fullmatch(r"h200-\d{4}-\d\d-\d\d-" + re.escape(kind), name)]
    if not names:
        sys.exit("%s: no h200-DATE-%s there" % (folder, kind))
    return os.path.join(folder, max(names))


def read_heads(comments):
    lines = [line[1:].strip().partition(": ") for line in comments]
    return {name.split(",")[0]: value for name, _, value in lines}


def make_cell(text, base):
    """Of a variant's text in the file (gpu.py, row_of) and that of clang."""
    if ": " in text:
        return Cell(text.split(": ")[0], "", "")
    ms, registers = text.split()[:2]
    return Cell("%.3f" % float(ms), "-" if ": " in base else "x%.2f" % (float(base.split()[0]) / float(ms)), registers)


def read_results(path):
    """The heads of the file, and its sections, one for each size of the input and set of variants, in the
    order of the file."""
    rows, comments = read_csv(path)
    sections = {}
    for row in rows:
        words, kernel = row["words"], row["kernel"]
        texts = {variant: text for variant, text in list(row.items())[3:] if text}
        section = sections.setdefault((words, *texts), Section(words, list(texts), {}))
        section.rows[kernel] = {variant: make_cell(text, texts["clang"]) for variant, text in texts.items()}
    for section in sections.values():
        alike = [other for other in sections.values() if other.variants == section.variants]
        lacking = sorted({kernel for other in alike for kernel in other.rows} - set(section.rows))
        if lacking:
            sys.exit("%s: %s has no times with %s words of input" % (path, lacking[0], section.words))
    return read_heads(comments), list(sections.values())


def read_active(path):
    """{(kernel, variant): threads active per warp instruction}"""
    return {(row["kernel"], row["variant"]): "%.2f" % float(row["threads_active"])
            for row in read_csv(path)[0] if row["threads_active"]}


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


# Those alone, in which clang makes code this many times as fast as nvcc's, decide a mean over nvcc.
MUCH_FASTER_THAN_NVCC = 5


def size_name(section):
    kilobytes = int(section.words) * 4 // 1024
    return "%d MB" % (kilobytes // 1024) if kilobytes >= 1024 else "%d KB" % kilobytes


def in_means(kernel, active):
    return is_bench(kernel, active) and not kernel.startswith("irreducible")


def factor(section, kernel, base, ours="needed"):
    """How many times as fast linearize's program is as that of `base`."""
    cells = section.rows[kernel]
    return float(cells[base].ms) / float(cells[ours].ms)


def mean(section, kernels, base, ours="needed"):
    return geometric_mean(factor(section, kernel, base, ours) for kernel in kernels)


def much_slower_by_nvcc(sections, kernels):
    return [kernel for kernel in kernels
            if any(float(s.rows[kernel]["nvcc"].ms) / float(s.rows[kernel]["clang"].ms)
                   > MUCH_FASTER_THAN_NVCC for s in sections)]


def mean_rows(sections, active):
    """(what linearize is compared with, [mean for each size] + [that over all])"""
    kernels = [kernel for kernel in sections[0].rows if in_means(kernel, active)]
    slow = much_slower_by_nvcc(sections, kernels)
    few = [kernel for kernel in kernels if kernel not in slow]
    rows = [("over clang", kernels, "clang"), ("over LLVM's own passes", kernels, "chain"),
            ("over nvcc", kernels, "nvcc"), ("over nvcc, without " + " and ".join(slow), few, "nvcc")]
    for title, chosen, base in rows:
        means = [mean(section, chosen, base) for section in sections]
        yield "%s, %d kernels" % (title, len(chosen)), means + [geometric_mean(means)]


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
    return markdown(head, rows)


def means_table(sections, active):
    head = ["linearize is so many times as fast, geometric mean"] + [
        size_name(section) for section in sections] + ["over all"]
    return markdown(head, [[title] + ["x%.2f" % number for number in means]
                           for title, means in mean_rows(sections, active)])


def mean_over_sizes(sections, kernel):
    return geometric_mean(factor(section, kernel, "clang") for section in sections)


def filled(text):
    return textwrap.fill(text, 99, break_long_words=False, break_on_hyphens=False) + "\n"


def summary_text(heads, sections, active):
    kernels = [kernel for kernel in sections[0].rows if in_means(kernel, active)]
    means = next(means for title, means in mean_rows(sections, active))
    each = [(factor(section, kernel, "clang"), kernel, size_name(section))
            for section in sections for kernel in kernels]
    best, worst = max(each), min(each)
    slower = sorted(entry for entry in each if entry[0] < 0.98)
    text = ("On an %s, %d kernels with such branches run %s times as fast as clang alone makes them, "
            "%s over all (geometric means)." % (
                heads["GPU"].split(", ")[0], len(kernels),
                ", ".join("**%.2f** (%s of input)" % (number, size_name(section))
                          for number, section in zip(means, sections)), "%.2f" % means[-1]))
    text += (" The most is x%.2f, `%s` with %s: of a warp's 32 threads, an instruction works for %s, "
             "and for %s once it is linearized. The least is x%.2f, `%s` with %s." % (
                 *best, active[best[1], "clang"], active[best[1], "needed"], *worst))
    text += " Slower by more than 2%% are %d of %d measurements%s." % (
        len(slower), len(each),
        ": " + ", ".join("`%s` x%.2f (%s)" % (k, f, size) for f, k, size in slower) if slower else "")
    text += " Of ordinary, structured kernels %s come out as clang makes them, byte for byte." % (
        heads["structured"])
    return filled(text)


def machine_text(heads):
    gpu = heads["GPU"].split(", ")
    return filled("One %s, driver %s, %s; %s." % (
        gpu[0], gpu[1], heads["date"].split()[0],
        re.sub(", repository.*", "", heads["built"])))


def files_text(results, profile):
    """For a page in docs."""
    link = "[{0}](../bench/results/{0})"
    return "%s, made by\n`scripts/bench gpu --run`, and\n%s, by\n`scripts/bench gpu --profile`.\n" % tuple(
        link.format(os.path.basename(path)) for path in (results, profile))


def chain_table(sections):
    """Where linearize and the chain differ by more than three hundredths; what gains most first."""
    rows = [[kernel, cells["chain"].ratio, cells["needed"].ratio]
            for kernel, cells in sections[0].rows.items()
            if cells["chain"].registers and cells["clang"].registers
            and abs(float(cells["needed"].ratio[1:]) - float(cells["chain"].ratio[1:])) > 0.03]
    rows.sort(key=lambda row: float(row[1][1:]) / float(row[2][1:]))
    return markdown(["kernel", "the chain", "linearize"], rows)


def merged_table(sections):
    """Of beyond.csv: with loops merged, three sizes of input."""
    sections = [section for section in sections if "merged" in section.variants]
    head = ["kernel, 64 tasks a thread", "clang, ms", "nvcc", "chain", "merged", "merged, 256 KB",
            "merged, 4 MB"]
    rows = [[kernel, cells["clang"].ms] + [speed(cells[v]) for v in ("nvcc", "chain", "merged")]
            + [speed(section.rows[kernel]["merged"]) for section in sections[1:3]]
            for kernel, cells in sections[0].rows.items()]
    first = list(sections[0].rows)[:6]
    rows.append(["**geometric mean of the first six**", "", "", ""]
                + ["x%.3f" % mean(section, first, "clang", "merged") for section in sections[:3]])
    return markdown(head, rows)


def interleaved_table(sections):
    """The same with arms interleaved: 2, 8 and 64 warps, first 256 KB and then 4 MB."""
    sections = [section for section in sections if "interleaved" in section.variants]
    head = ["kernel, 4 MB of input", "clang, ms, 2 warps", "nvcc", "chain", "interleaved", "8 warps",
            "64 warps", "left to itself, 64 warps"]
    few, more, many = sections[3:6]
    rows = [[kernel, cells["clang"].ms] + [speed(cells[v]) for v in ("nvcc", "chain", "interleaved")]
            + [speed(section.rows[kernel]["interleaved"]) for section in (more, many)]
            + [speed(many.rows[kernel]["default"])]
            for kernel, cells in few.rows.items()]
    return markdown(head, rows)


def replace_between(text, name, new):
    """The new text, and how often the marks are there."""
    pattern = r"(<!-- %s: begin -->\n).*?(<!-- %s: end -->)" % (name, name)
    return re.subn(pattern, lambda match: match[1] + new + match[2], text, flags=re.DOTALL)


def table(arguments):
    check = arguments[0] == "--check"
    folder, *files = arguments[check:]
    results, profile = newest(folder, "gpu.csv"), newest(folder, "profile.csv")
    (heads, sections), active = read_results(results), read_active(profile)
    further = read_results(newest(folder, "beyond.csv"))[1]
    texts = {"RESULTS TABLE": full_table(sections, active),
             "MEANS TABLE": means_table(sections, active),
             "CHAIN TABLE": chain_table(sections),
             "MERGED TABLE": merged_table(further),
             "INTERLEAVED TABLE": interleaved_table(further),
             "SUMMARY TEXT": summary_text(heads, sections, active),
             "MACHINE TEXT": machine_text(heads),
             "FILES TEXT": files_text(results, profile)}
    status, places = 0, dict.fromkeys(texts, 0)
    for path in files:
        with open(path, encoding="utf-8") as file:
            old = file.read()
        new = old
        for name, text in texts.items():
            new, count = replace_between(new, name, text)
            places[name] += count
        if check and new != old:
            print("%s: it does not say what bench/results does: run scripts/draw-docs" % path)
            status = 1
        elif not check:
            with open(path, "w", encoding="utf-8") as file:
                file.write(new)
    for name in (name for name, count in places.items() if count == 0):
        print("%s: no page has a place for it" % name)
        status = 1
    return status


# ---- the chart ---------------------------------------------------------------------------------

LEFT, SCALE, ROW, TOP = 170, 220, 38, 64  # pixels; SCALE is those of x1.0
COLOURS = ("#1f77b4", "#6baed6", "#c6dbef")  # one for each size of the input


def svg_text(x, y, text, more=""):
    return '<text x="%g" y="%g"%s>%s</text>\n' % (x, y, " " + more if more else "", text)


def bars_of(y, cells):
    """A bar for each size."""
    svg = ""
    for i, cell in enumerate(cells):
        width = float(cell.ratio[1:]) * SCALE
        top = y + i * 10
        svg += '<rect x="%g" y="%g" width="%.1f" height="9" fill="%s"/>\n' % (LEFT, top, width,
                                                                             COLOURS[i])
        svg += svg_text(LEFT + width + 5, top + 8, cell.ratio,
                        'font-size="9" stroke="white" stroke-width="3" paint-order="stroke"')
    return svg


def chart(arguments):
    heads, sections = read_results(newest(arguments[0], "gpu.csv"))
    rows, active = sections[0].rows, read_active(newest(arguments[0], "profile.csv"))
    kernels = [kernel for kernel in rows if is_bench(kernel, active)]
    bench = [kernel for kernel in kernels if rows[kernel]["clang"].registers]
    bench.sort(key=lambda k: (-mean_over_sizes(sections, k), k))
    height = TOP + ROW * len(bench) + 68
    svg = ('<svg xmlns="http://www.w3.org/2000/svg" width="760" height="%d" viewBox="0 0 760 %d" '
           'font-family="sans-serif" font-size="13">\n' % (height, height)
           + '<title>How many times as fast as clang</title>\n'
           + '<rect width="100%" height="100%" fill="white"/>\n'
           + svg_text(16, 26, "How many times as fast as clang's program, by the size of the input",
                      'font-size="16"'))
    for i, section in enumerate(sections):
        svg += '<rect x="%d" y="37" width="11" height="11" fill="%s"/>\n' % (LEFT + 90 * i, COLOURS[i])
        svg += svg_text(LEFT + 90 * i + 17, 47, size_name(section))
    svg += '<line x1="%d" x2="%d" y1="%d" y2="%d" stroke="black"/>\n' % (
        LEFT + SCALE, LEFT + SCALE, TOP - 6, height - 62)
    svg += svg_text(LEFT + SCALE, height - 48, "clang", 'text-anchor="middle" font-size="11"')
    for i, kernel in enumerate(bench):
        y = TOP + i * ROW
        svg += svg_text(LEFT - 8, y + 16, kernel, 'text-anchor="end"') + bars_of(
            y, [section.rows[kernel]["needed"] for section in sections])
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
