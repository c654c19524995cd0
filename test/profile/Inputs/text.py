"""What a kernel that counts says of its counters: text.py MODULE.ll KERNEL > FILE"""
import re
import sys

with open(sys.argv[1], encoding="ascii") as file:
    quoted = re.search(r'@__linearize_blocks_%s = .* c"([^"]*)"' % sys.argv[2], file.read()).group(1)
sys.stdout.write(re.sub(r"\\([0-9A-F]{2})", lambda code: chr(int(code.group(1), 16)), quoted))
