"""Block counts of linearize-simt's CSV for two modules, as facts.py --counts prints them.

  counts.py --csv NAME MODULE NAME MODULE --simt PROGRAM --launch FILE
"""
import argparse
import csv
import io
import subprocess

METRICS = ["block_entries", "thread_entries", "warp_instructions", "reentries"]

parser = argparse.ArgumentParser()
parser.add_argument("--csv", nargs=4)
parser.add_argument("--simt")
parser.add_argument("--launch")
options = parser.parse_args()
for name, module in zip(options.csv[::2], options.csv[1::2]):
    command = [options.simt, "--launch", options.launch, module, "--csv", "--blocks"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    for row in csv.DictReader(io.StringIO(text)):
        if row["block"]:
            block = "%" if row["block"].startswith("%") else row["block"]  # as facts.py has it
            print(name, row["function"], block, *[row[key] for key in METRICS])
