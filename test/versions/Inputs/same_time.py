"""Do two programs take the same time but for 1%? same_time.py FILE LOG, of which the latter is the stand-in's."""
import re
import sys

first = float(open(sys.argv[1]).read().split()[0])
second = float(re.search(r"^time (\d+)", open(sys.argv[2]).read(), re.M).group(1))
print(first, second)
sys.exit(abs(first / second - 1) > 0.01)
