"""Whether remarks are one line of less than 160 characters behind the file and the line that they are
about, and have no number that nobody can mean.

  lengths.py COMMAND... -- FILE ...

Runs COMMAND with each file. Prints the remarks that aren't so, and how many there are.
"""

import re
import subprocess
import sys

end = sys.argv.index("--")
count = wrong = 0
for file in sys.argv[end + 1:]:
    done = subprocess.run(sys.argv[1:end] + [file], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    for line in done.stderr.decode(errors="replace").splitlines():
        found = re.search(r"(?:remark|warning): (?:[^ ]*: )?(function '.*)", line)
        if not found:
            continue
        count += 1
        text = re.sub(r" \[-[RW].*\]$", "", found.group(1))
        if len(text) >= 160 or re.search(r"\b0 of 0\b|\d{8}|tmpxft", text):
            print("%s: %d: %s" % (file, len(text), text))
            wrong += 1
print("%s, %d wrong" % ("many" if count > 10 else "%d" % count, wrong))
