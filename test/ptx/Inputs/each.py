"""each.py FILE: functions that differ in a few lines, written out.

A test has what they share once, between `@each` and `@end`, with a line `@1`, `@2`, ... for each
place where they differ. Behind it each function has a line `@: HEAD`, with its head, and the lines
for its places, a line `@` between two places. What stands before `@each`, and behind a second
`@end`, is written as it is. Lines that begin with `#` are the test's own.
"""
import sys


def places_of(lines):
    """The lines for each place of a function."""
    places = [[]]
    for line in lines:
        if line == "@":
            places.append([])
        else:
            places[-1].append(line)
    return places


def write(head, shared, lines):
    places = places_of(lines)
    print(head)
    for line in shared:
        print("\n".join(places[int(line[1:]) - 1]) if line[:1] == "@" else line)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        lines = [line for line in file.read().splitlines() if not line.startswith("#")]
    start, end = lines.index("@each"), lines.index("@end")
    shared, own = lines[start + 1:end], lines[end + 1:]
    stop = own.index("@end") if "@end" in own else len(own)
    heads = [at for at in range(stop) if own[at].startswith("@: ")]
    print("\n".join(lines[:start]))
    for at, after in zip(heads, [*heads[1:], stop]):
        write(own[at][3:], shared, own[at + 1:after])
    print("\n".join(own[stop + 1:]))


if __name__ == "__main__":
    main()
