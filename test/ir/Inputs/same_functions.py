"""Are functions the same in two modules, but for numbers of attributes and metadata?

    same_functions.py BEFORE.ll AFTER.ll FUNCTION...

Prints those that are not; status 1 if there are any, or none of that name.
"""
import re
import sys


def functions(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    found = re.findall(r"^(define [^\n]*@([\w.$]+)\(.*?^})", text, re.MULTILINE | re.DOTALL)
    return {name: re.sub(r" *; preds[^\n]*|#\d+|!\d+", "", code) for code, name in found}


before, after = map(functions, sys.argv[1:3])
wrong = [name for name in sys.argv[3:] if name not in before or before[name] != after.get(name)]
if wrong:
    sys.exit("another function: " + ", ".join(wrong))
