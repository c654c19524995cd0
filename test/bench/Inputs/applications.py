"""applications.py FOLDER NAME...: what `scripts/bench threads --build` leaves of each, as little as will do."""
import itertools
import lzma
import sys

folder = sys.argv[1]
for base in (folder + "/" + name for name in sys.argv[2:]):
    with lzma.open(base + ".profile.xz", "w"):
        pass
    with open(base + ".launch", "w") as file:
        file.write("--grid 1 --block 128 --arg buf:u32:16:random --arg u32:15 --arg u32:1 "
                   "--arg buf:u32:128 --arg u32:128 --arg u64:0\n")
    with open(base + ".blocks", "w") as file:
        file.write("%1 2 -1 -1\n%2 1 0 0\n")
    for order, entries in (("none", 90), ("0", 52), ("1", 48), ("2", 40)):
        with open("%s.%s.counts" % (base, order), "w") as file:
            sectors = ["%s_%s_sectors" % pair for pair in itertools.product(
                ("global", "local", "shared"), ("load", "store"))]
            file.write("function,block,block_entries,%s\n" % ",".join(sectors))
            file.write("f,,99,9,9,9,9,9,9\nf,%%1,5,0,5,0,5,0,5\nf,%%2,%d,5,0,5,0,%d,0\n"
                       % (entries, 99 if base.endswith("/waits") else 5))
