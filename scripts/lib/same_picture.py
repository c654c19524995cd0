#!/usr/bin/env python3
"""Fails unless two SVG files show the same.

    same_picture.py EXPECTED.svg ACTUAL.svg

Where things stand depends on the machine's fonts and its Graphviz, and is not looked at. What is
looked at: each element in its order, its text, colours and other attributes.
"""
import re
import sys
import xml.etree.ElementTree as ElementTree

PLACES = {"x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "rx", "ry", "d", "points", "width",
          "height", "viewBox", "transform", "id", "class"}


def name(text):
    return re.sub(r"\{.*\}", "", text)


def shown(path):
    """A line for each element; groups of graphs are known by their titles, so these are lines too."""
    lines = []
    for element in ElementTree.parse(path).iter():
        attributes = sorted((name(key), value) for key, value in element.attrib.items()
                            if name(key) not in PLACES)
        lines.append("%s %s %s" % (name(element.tag), " ".join("%s=%s" % pair for pair in attributes),
                                   (element.text or "").strip()))
    return lines


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    expected, actual = (shown(path) for path in sys.argv[1:])
    for number in range(max(len(expected), len(actual))):
        pair = [lines[number] if number < len(lines) else "nothing" for lines in (expected, actual)]
        if pair[0] != pair[1]:
            sys.exit("%s: element %d is '%s', and would now be '%s'" % (sys.argv[1], number, *pair))


if __name__ == "__main__":
    main()
