"""Writes what linearize-tune would have found.

    tuned.py VERSIONS KERNEL=WINNER[,WINNER...]... > FILE

A line for each winner, each of another launch, with the hash that the kernel has in a module with
versions, LLVM's IR or PTX; of KERNEL! another hash.
"""
import re
import sys

with open(sys.argv[1], encoding="utf-8", errors="replace") as file:
    text = file.read()
hashes = dict(re.findall(r'@__linearize_versions_(\S+) = .*c"linearize-versions 1 ([0-9a-f]{16})', text))
for kernel, numbers in re.findall(r"^[^/\n]* __linearize_versions_(\S+)\[\d+\] = {([\d, ]*)}", text, re.MULTILINE):
    hashes[kernel] = bytes(map(int, numbers.split(","))).decode().split()[2]
print("linearize tuned 1")
for word in sys.argv[2:]:
    kernel, winners = word.split("=")
    other = kernel.endswith("!")
    kernel = kernel.rstrip("!")
    for number, winner in enumerate(winners.split(",")):
        versions = [("plain", 9000)] + [(name, 5000) for name in [winner] if name != "plain"]
        if winner == "plain":
            versions.append(("needed", 19000))
        print("\t".join([kernel, "0" * 16 if other else hashes[kernel], "%d 1 1" % (number + 1), "128 1 1", "0",
                         "-", "NVIDIA H200", "580.159.04", "LLVM 22.1.8", winner]
                        + ["%s %d 10 30" % version for version in versions]))
