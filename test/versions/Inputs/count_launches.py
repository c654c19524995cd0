"""count_launches.py FILE LEAST MOST: whether a file of what was found has so many timed launches, of all versions."""
import sys

with open(sys.argv[1]) as file:
    lines = [line.rstrip("\n").split("\t") for line in file if not line.startswith(("#", "linearize "))]
launches = sum(int(version.split(" ")[3]) for line in lines for version in line[10:])
print(launches)
sys.exit(not int(sys.argv[2]) <= launches <= int(sys.argv[3]))
