#!/usr/bin/env python3
"""Are the sentences of the documentation short, and their words those of the field?

    sentences.py --root REPOSITORY [--list WORDS] [--record]

Reads README.md and docs/*.md: paragraphs, items of lists and cells of tables, without blocks of code. No
sentence has more than 40 words, and of sentences over 25, and of words that only this project uses, no page
has more than sentences.allowed says: PAGE LONG PRIVATE. A page that isn't there may have none. --record
writes lower figures into it, and never a higher one. --list prints each sentence over WORDS words.

Prints what is too much; status 1 if anything is.
"""
import argparse
import pathlib
import re
import sys

MOST, RULE = 40, 25
ALLOWED = pathlib.Path(__file__).with_name("sentences.allowed")
# As words of its own: threads that "part", data "beside" data, a value that is "dear" or "told".
PRIVATE = re.compile(r"\b(parts? with|parted|meets?|dear|dearer|comes? to|came to|beside|told|stations?|nobody|\n"
                     r"(?:other|which|one|all|both|what) ways?)\b",
                     re.IGNORECASE)


def blocks(text):
    """(line, text) of each paragraph, item or cell."""
    found, current, fenced = [], None, False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            fenced, current = not fenced, None
        elif fenced or not line.strip() or re.match(r"\s*<!--|#", line):
            current = None
        elif line.startswith("|"):
            current = None
            found += [[number, cell] for cell in re.split(r"(?<!\\)\|", line) if re.search(r"\w", cell)]
        elif current is None or re.match(r"\s*([-*]|\d+\.) ", line):
            current = [number, line]
            found.append(current)
        else:
            current[1] += " " + line.strip()
    return found


def plain(text):
    """Links without their targets, code as one word."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"`[^`]*`", "CODE", text)
    return re.sub(r"<[^>]*>", "", text)


def sentences(text):
    """(line, sentence): line of its paragraph."""
    for line, block in blocks(text):
        for sentence in re.split(r"(?<=[^.][.!?])[\"')*]*\s+", plain(block)):
            yield line, sentence.strip()


def words(sentence):
    return len([word for word in sentence.split() if re.search(r"\w", word)])


def measure(root):
    """{page: [(line, sentence)...]}"""
    pages = [root / "README.md"] + sorted((root / "docs").glob("*.md"))
    return {str(page.relative_to(root)): list(sentences(page.read_text(encoding="utf-8"))) for page in pages}


def read_allowed():
    rows = (line.split() for line in ALLOWED.read_text().splitlines() if line and line[0] != "#")
    return {page: (int(long), int(private)) for page, long, private in rows}


def write_allowed(counts, allowed):
    head = [line for line in ALLOWED.read_text().splitlines() if line.startswith("#")]
    rows = ["%s %d %d" % (page, *map(min, counts[page], allowed[page])) for page in sorted(counts)
            if page in allowed and any(counts[page])]
    ALLOWED.write_text("\n".join(head + rows) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", required=True, type=pathlib.Path)
    parser.add_argument("--list", type=int)
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    counts, wrong = {}, []
    allowed = read_allowed()
    for page, found in measure(options.root).items():
        long = [row for row in found if words(row[1]) > RULE]
        private = [row for row in found for _ in PRIVATE.findall(row[1])]
        counts[page] = (len(long), len(private))
        most = allowed.get(page, (0, 0))
        wrong += ["%s:%d: %d words, more than %d: %s" % (page, line, words(text), MOST, text)
                  for line, text in long if words(text) > MOST]
        for kind, count, limit in zip(("sentences over %d words" % RULE, "private words"), counts[page], most):
            if count > limit:
                wrong.append("%s: %d %s, more than %d" % (page, count, kind, limit))
        if options.list:
            print("".join("%s:%d: %d: %s\n" % (page, line, words(text), text) for line, text in found
                          if words(text) > options.list), end="")
    if options.record:
        write_allowed(counts, allowed)
    print("\n".join(wrong))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
