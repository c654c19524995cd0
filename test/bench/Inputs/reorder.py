#!/usr/bin/env python3
"""Stands in for bench/device/reorder and wavefront, which need a GPU, and for what is built for them.

    reorder.py make FOLDER CASE    leaves cubins, of which names of kernels are all there is, and both programs
    PROGRAM LIBRARY < LIST         what it would print of each line

CASE is good, slow (the plugin's kernels), plain (no threads are regrouped at points), wrong or ends (early).
"""
import json
import os
import shutil
import sys

FAMILIES = ["%s_%d" % (shape, block) for block in (256, 1024) for shape in ("flat2", "flat4", "flat8", "nested4")]
WAYS = ("plain", "votes", "first", "pure", "border")
APPLICATIONS = ("path_tracer", "layered_tracer", "particle_transport", "nuclide_transport")
# Where the compiler finds that it pays: what warps execute plain, by a profile and by guesses, with 8 threads active.
AUTOMATIC = {"queens": (1000, 300, 1000), "lattice_boltzmann": (1000, 300, 300)}
COSTS = ("none_8_2_1_2_256", "votes_2_2_2_2_256", "votes_2_16_4_16_256", "votes_8_2_2_2_256",
         "votes_32_2_2_2_256", "hot_2_2_2_2_256", "hot_2_8_4_8_256", "dgi16_2_2_2_2_256", "dgi16_8_2_2_2_256")


def write_cubin(path, names):
    with open(path, "wb") as file:
        for name in names:
            file.write(b"\0.text." + name.encode() + b"\0")


def make(folder, case):
    for compiler in ("clang", "nvcc"):
        write_cubin(os.path.join(folder, "paths.%s.cubin" % compiler),
                    [family + "_" + way for family in FAMILIES for way in WAYS])
    write_cubin(os.path.join(folder, "paths.plugin.cubin"), [family + "_point" for family in FAMILIES])
    names = []
    for cost in COSTS:  # HOW_KEYS_WORDS_WIDTH_ATONCE_BLOCK
        how, keys, words, *rest = cost.split("_")
        names.append("_".join(["words" + words, how, keys, *rest]))
    write_cubin(os.path.join(folder, "costs.clang.cubin"), names)
    for name in APPLICATIONS:
        for compiler, ways in (("clang", ("plain", "votes")), ("nvcc", ("plain", "votes")),
                               ("plugin", ("point",)), ("merged", ("plain",))):
            kernels = ["%s_%s_%d_128" % (name, way, share) for way in ways for share in (1, 4)]
            write_cubin(os.path.join(folder, "%s.%s.cubin" % (name, compiler)),
                        kernels + [name, name + "_queues_turn"])
    automatic = os.path.join(folder, "automatic")
    os.mkdir(automatic)
    for name, counts in AUTOMATIC.items():
        for way, count in zip(("plain", "profile", "guess"), counts):
            path = os.path.join(automatic, "%s.%s." % (name, way))
            write_cubin(path + "cubin", [name] * (1 + (count < 1000)))
            with open(path + "json", "w", encoding="ascii") as file:
                json.dump({"runs": [{"threads_active": 8, "warp_instructions": n} for n in (counts[0], count)]}, file)
    for path in (os.path.join(folder, "reorder"), os.path.join(folder, "wavefront"),
                 os.path.join(automatic, "reorder")):
        shutil.copy(__file__, path)
        os.chmod(path, 0o755)
        with open(os.path.join(os.path.dirname(path), "case"), "w", encoding="ascii") as file:
            file.write(case)


def milliseconds(name, case):
    """Paths: 7 times as fast as plain, so that all figures are met. Costs: 0.001 is a cycle."""
    if name.startswith("words"):
        words, how, keys = name[5:].split("_")[:3]
        bits = int(keys).bit_length() - 1
        return {"none": 4, "hot": 14 + 3 * int(words), "dgi16": 64 + 9 * int(keys) + 2 * int(words)}.get(
            how, 4 + 5 + 6 * bits + 2 * int(words)) / 1000
    if name in ("profile", "guess"):
        return 7.5 if case == "slow" else 2.0
    if "point" in name:
        return 2.2 if case == "slow" else 1.0
    for way, ms in (("plain", 7.0), ("wavefront_sorted", 1.5), ("wavefront", 1.0), ("votes", 1.04)):
        if way in name:
            return ms
    return 1.0


def run(folder):
    with open(os.path.join(folder, "case"), encoding="ascii") as file:
        case = file.read()
    if os.path.basename(__file__) == "reorder":
        print("GPU\t1\t4096000")  # so that 0.001 ms are a cycle
    for number, line in enumerate(sys.stdin):
        group, name = line.split()[:2]
        if case == "ends" and number == 20:
            sys.exit("reorder: kernel: an illegal instruction was encountered")
        threads = 2048 // (1 if "words" in name else 2)
        shared = 4 if "point" in name and case == "plain" else 2048
        fault = "WRONG: 1 of 2" if case == "wrong" and name == "flat8_256_first" else ""
        print("%s\t%s\t%f\t0\t%d\t32\t%d\t0\t8\t%s" % (group, name, milliseconds(name, case), threads, shared, fault))
        print("seconds\tchecking 1.0\ttiming 2.0")


if len(sys.argv) == 4 and sys.argv[1] == "make":
    make(*sys.argv[2:])
else:
    run(os.path.dirname(os.path.abspath(__file__)))
