"""What a page of linearize-graph says, as lines of text.

  facts.py REPORT.html             each function: counts, regions, remarks
  facts.py --remarks REPORT.html   remarks only: function, name, block, text
  facts.py --counts REPORT.html    what the simulator counted: side, function, block, metrics
  facts.py --record FILE.yaml      the remarks of LLVM's file, as --remarks prints them
"""
import json
import re
import sys

METRICS = ["block_entries", "thread_entries", "warp_instructions", "reentries"]


def data_of(page):
    """The page's data. Everything in it that could be taken for HTML is escaped."""
    found = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    if len(found) != 1 or "<" in found[0]:
        sys.exit("the page has no data, or data that ends early")
    return json.loads(found[0])


def line_of(side):
    return " ".join("%s=%d" % (key, side[key]) for key in
                    ["count", "unstructured", "irreducible", "guards", "instructions"])


def edges_of(side):
    edges = side["edges"]
    name = [block["name"] for block in side["blocks"]]
    for i in range(0, len(edges), 3):
        if edges[i + 2]:
            kinds = [kind for bit, kind in enumerate(["branch", "jump in", "jump out"])
                     if edges[i + 2] >> bit & 1]
            yield "%s -> %s: %s" % (name[edges[i]], name[edges[i + 1]], ", ".join(kinds))


def show_block(side, block, sources):
    words = [side, "block", block["name"]]
    words += ["region=%d" % block["region"]] if "region" in block else []
    words += ["guard"] if "guard" in block else []
    words += ["added"] if "original" not in block and "exit" not in block else []
    words += ["uniform"] if block.get("uniform") else []
    words += ["own=" + ",".join(map(str, block["own"]))] if block["own"] else []
    places = zip(block["lines"][::2], block["lines"][1::2])
    words += ["%s:%d" % (sources[file]["path"].rsplit("/", 1)[-1], line) for file, line in places]
    print(" ".join(words))


def show_function(f, page, number, sources):
    print("function %s (%s) %s" % (f["name"], f["title"],
                                   "changed" if f["changed"] else "unchanged"))
    for side in ["before", "after"]:
        drawn = '<template id="%s-%d"><svg' % (side, number) in page
        if side not in f:
            continue
        print("%s: %s%s" % (side, line_of(f[side]), " drawn" if drawn else ""))
        for block in f[side]["blocks"]:
            show_block(side, block, sources)
        for edge in edges_of(f[side]):
            print("%s edge %s" % (side, edge))
    for number, region in enumerate(f["regions"]):
        names = [remark["name"] for remark in f["remarks"] if remark.get("region") == number]
        print("region %d in %s: %s" % (number, region.get("parent", "none"), " ".join(names)))
    if "refilling" in f:
        print("refilling %(name)s [%(block)s] %(text)s" % f["refilling"])


def show_remarks(data):
    for f in data["functions"]:
        for remark in f["remarks"]:
            print("%s %s %s %s" % (f["name"], remark["name"], remark["block"], remark["text"]))


def show_record(text):
    """For names that YAML doesn't quote."""
    for record in text.split("--- ")[1:]:
        name = re.search(r"^Name: +(.*)", record, re.M)[1]
        function = re.search(r"^Function: +(.*)", record, re.M)[1]
        values = [(key, value[1:-1].replace("''", "'") if value.startswith("'") else value)
                  for key, value in re.findall(r"^  - (\w+): +(.*)", record, re.M)]
        block = next((value for key, value in values if key == "Block"), "")
        while values[-1][0] in ("Gain", "Executed", "Cost"):  # for programs, behind the message
            values.pop()
        message = "".join(value for _, value in values)
        print("%s %s %s %s" % (function, name, block, message.split(": ", 1)[1]))


def name_of(block):
    """Numbers of blocks are others in a module that was never given names."""
    return "%" if block["name"].startswith("%") else block["name"]


def show_counts(data):
    for side, run in zip(["before", "after"], data["simulation"]["runs"]):
        for f in run["functions"]:
            for block in f["blocks"]:
                print(side, f["name"], name_of(block), *[int(block[key]) for key in METRICS])


def main():
    with open(sys.argv[-1], encoding="utf-8") as file:
        page = file.read()
    what = sys.argv[1]
    if what == "--record":
        show_record(page)
        return
    data = data_of(page)
    if what == "--remarks":
        show_remarks(data)
    elif what == "--counts":
        show_counts(data)
    else:
        print("target %s, parameters %s" % (data["target"], data["parameters"]))
        for number, f in enumerate(data["functions"]):
            show_function(f, page, number, data["sources"])
        for source in data["sources"]:
            print("source %s %s" % (source["path"].rsplit("/", 1)[-1], source["read"]))


main()
