#!/usr/bin/env python3
"""ptxas for the stand-in driver, whose machine code is LLVM's IR: linearize-lift reads the PTX.

  ptxas.py INPUT -o OUTPUT -arch sm_N
"""
import os
import re
import subprocess
import sys

text = open(sys.argv[1]).read()
if os.environ.get("REFUSE"):
    sys.exit("ptxas fatal   : refused by the test")
ir = subprocess.run([os.environ["LIFT"], "--ir", sys.argv[1]], check=True, capture_output=True, text=True).stdout


def value(match):
    """What a variable holds at first, as the PTX has it."""
    held = re.search(r"\b" + re.escape(match[1]) + r"\[\d+\] = \{([\d, ]*)\}", text)
    size = int(re.match(r"\[(\d+) x i8\]", match[3])[1]) if held else 0
    numbers = [int(number) for number in held[1].split(",")] if held else []
    numbers += [0] * (size - len(numbers))
    array = 'c"' + "".join("\\%02x" % number for number in numbers) + '"' if held else "zeroinitializer"
    return f"@{match[1]} = {match[2]}{match[3]} {array},"


with open(sys.argv[3], "w") as file:
    file.write(re.sub(r"^@(\w+) = external (addrspace\(\d\) (?:global|constant) )(\[\d+ x i8\]|i\d+|float|double),",
                      value, ir, flags=re.M))
