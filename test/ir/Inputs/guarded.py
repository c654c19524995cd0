"""guarded.py FILE [--not] FUNCTION: whether the function of the module has guards."""

import sys

with open(sys.argv[1], encoding="utf-8") as f:
    functions = f.read().split("\ndefine ")[1:]
found = [text for text in functions if "@%s(" % sys.argv[-1] in text.split("\n")[0]]
sys.exit(not found or ("linearize.guard" in found[0]) == ("--not" in sys.argv))
