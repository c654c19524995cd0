"""Applications of bench/threads whose threads the plugin regroups where it finds that it pays:
scripts/bench reorder, its part `automatic`.

    automatic.py sample LAUNCH SHARE FOLDER      writes FOLDER/NAME.order and FOLDER/NAME.launch: a launch of
                                                 every SHARE-th thread block, by their order
    automatic.py report [--check] FOLDER NAME... what NAME.counts.json, .profile.json and .guess.json say

A figure of Lin, Wang and others (ACM TACO 15(3), 2018, 4.2): of warps that had 32 threads active in each
instruction, an application would run 32 / (threads active) times as fast. What it gains beyond 1, of
what it could, is the part that is reached.
"""
import array
import json
import os
import sys

import halves
import simulate

WAYS = ("profile", "guess")
WARP = 32
# Those that Lin, Wang and others measured, or the likes of them.
NAMED = ("back_projection", "bin_counts", "block_differences", "daily_tree", "lattice_boltzmann", "multigrid",
         "pooling_backward", "queens", "random_forest", "tax_policy")
OF_BLOCKS = ("bin_counts",)  # their threads have places, and take no order
LEAST_PART, LEAST_TIMES = 0.71, 0.98  # issue 28


def sample(path, share, folder):
    launch = simulate.Launch(path)
    name = os.path.basename(path)[:-len(".launch")]
    blocks = max(1, launch.grid // share)
    places = array.array("I", (block * (launch.grid // blocks) * launch.block + thread
                               for block in range(blocks) for thread in range(launch.block)))
    order = os.path.join(folder, name + ".order")
    with open(order, "wb") as file:
        places.tofile(file)
    with open(path, encoding="ascii") as file:
        text = file.read()
    text = text.replace("--grid %d" % launch.grid, "--grid %d" % blocks)
    if name not in OF_BLOCKS:
        text = text.replace("--arg u64:0 ", "--arg buf:u32:file=%s " % order)
        text = text.replace("--arg u32:%d " % launch.threads, "--arg u32:%d " % len(places))
    with open(os.path.join(folder, name + ".launch"), "w", encoding="ascii") as file:
        file.write(text)


class Simulated:
    """One application in the simulator: threads active as it is, and how many times fewer instructions warps
    run, by the way to decide; None: it was left as it is."""

    def __init__(self, folder, name):
        self.name, self.gain = name, {}
        for way in WAYS:
            path = os.path.join(folder, "%s.%s.json" % (name, way))
            with open(path, encoding="ascii") as file:
                before, after = json.load(file)["runs"]
            self.active = before["threads_active"]
            if before["warp_instructions"] != after["warp_instructions"]:
                self.gain[way] = before["warp_instructions"] / after["warp_instructions"]

    @property
    def potential(self):
        return WARP / self.active

    def part(self, times):
        """Of the potential, what so many times as fast is; None if there is hardly any."""
        return (times - 1) / (self.potential - 1) if self.potential > 1.01 else None


def cell(number, form="%.2f", width=9):
    return "%*s" % (width, "-" if number is None else form % number)


def print_table(title, rows, times_of):
    """`times_of(name, way)`: how many times as fast, or None. Yields the figures of issue 28."""
    print("\n" + title)
    print("%-22s%-10s%9s%10s" % ("", "half", "active", "potential")
          + "".join("%9s%9s" % (way, "part") for way in WAYS))
    parts, least = {}, {way: (9e9, "") for way in WAYS}
    for row in rows:
        cells = ""
        for way in WAYS:
            times = times_of(row.name, way)
            cells += cell(times) + cell(None if times is None else row.part(times))
            least[way] = min(least[way], (1.0 if times is None else times, row.name))
            part = row.part(1.0 if times is None else times)
            if part is not None and row.name in NAMED:
                parts.setdefault(way, {})[row.name] = part
        print("%-22s%-10s%9.2f%10.2f%s" % (row.name, "held out" if halves.is_held_out(row.name) else "open",
                                           row.active, row.potential, cells))
    means = {way: {half: mean_of(parts.get(way, {}), half) for half in ("all", "held out")} for way in WAYS}
    print("by guesses: %s of the potential of those named by the paper, held out %s; the least is x%.2f, %s"
          % (means["guess"]["all"][1], means["guess"]["held out"][1], *least["guess"]))
    for half, (mean, text) in means["profile"].items():
        if text:
            yield ("by a profile: %s of the potential of those named by the paper (%s); at least %.0f%%"
                   % (text, half, 100 * LEAST_PART), mean >= LEAST_PART)
    yield ("by a profile: %s is x%.2f; none under %.2f" % (*least["profile"][::-1], LEAST_TIMES),
           least["profile"][0] >= LEAST_TIMES)


def mean_of(parts, half):
    """The mean, and as text; of none: ""."""
    some = [part for name, part in parts.items() if half == "all" or halves.is_held_out(name)]
    mean = sum(some) / len(some) if some else 0.0
    return mean, "%.0f%%" % (100 * mean) if some else ""


def report(folder, names):
    rows = [Simulated(folder, name) for name in names]
    by_name = {row.name: row for row in rows}
    return print_table("in the simulator: times fewer warp instructions, by a profile and by guesses", rows,
                       lambda name, way: by_name[name].gain.get(way))


def print_figures(figures):
    print()
    for what, met in figures:
        print("%s %s" % ("met" if met else "missed", what))
    return all(met for _, met in figures)


def main():
    if len(sys.argv) == 5 and sys.argv[1] == "sample":
        sample(sys.argv[2], int(sys.argv[3]), sys.argv[4])
        return
    check = "--check" in sys.argv
    folder, *names = [word for word in sys.argv[2:] if word != "--check"]
    sys.exit(0 if print_figures(report(folder, names)) or not check else 1)


if __name__ == "__main__":
    main()
