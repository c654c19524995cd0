#!/usr/bin/env python3
"""Is everything in the documentation that has to be, and nothing that isn't there any more?

    complete.py --root REPOSITORY --opt OPT --plugin PLUGIN.so

  docs/options.md   every option of the plugin
  linearize.h, the tools, their --help   the pass's options, modes and levels, as its table has them
  docs/remarks.md   every name of a remark that linearize.h lists
  docs/contributing.md   every package that scripts/setup installs
  scripts/map       every file of lib, scripts and tools; docs/contributing.md: every folder of lib and tools

Prints what is missing; status 1 if anything is.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def plugin_options(options):
    text = subprocess.run([options.opt, "-load-pass-plugin=" + options.plugin, "--help-hidden"],
                          stdout=subprocess.PIPE, text=True, check=True).stdout
    return set(re.findall(r"^ +--(linearize-[a-z-]+)", text, re.MULTILINE))


def compare(page, there, documented, kind):
    for name in sorted(there - documented):
        print("docs/%s: the %s %s is missing" % (page, kind, name))
    for name in sorted(documented - there):
        print("docs/%s: there is no %s %s" % (page, kind, name))
    return there != documented


def check_options(options):
    page = read(options.root, "docs", "options.md")
    # The table alone: passes have such names, too.
    documented = set(re.findall(r"^\| `-(linearize-[a-z-]+)", page, re.MULTILINE))
    return compare("options.md", plugin_options(options), documented, "option")


def table_of_options(options):
    """{name: (where it may stand, what stands behind '=')} of lib/llvm/run/option_table.c"""
    text = read(options.root, "lib", "llvm", "run", "option_table.c")
    return {name: (where, value) for name, where, value in re.findall(
        r'\{"([a-z-]+)", FIELD\(\w+\), LIN_OPTION_\w+, ([\w |]+),\s+"([^"]*)"', text)}


def quoted(text):
    return re.findall(r'"([^"]+)"', text)


def check_lists(options):
    """What else has names of the table's options, or of its modes and levels."""
    table = table_of_options(options)
    page, header, ptx, tools = (read(options.root, *path.split("/")) for path in (
        "docs/options.md", "include/linearize/linearize.h", "tools/common/ptx_options.c",
        "tools/common/command_line.c"))
    parameters = re.search(r"separated by `;`: a mode, a level, (.*?)\. Any may", page, re.DOTALL)[1]
    attributes = re.search(r"Attributes: (.*?)have one option", header, re.DOTALL)[1]
    # Of PTX: remarks, and what the driver compiles, are not the pass's.
    of_ptx = {name for name in re.findall(r'"--([a-z-]+)"', ptx)} - {"remarks", "jit"}
    modes, levels = table["mode"][1].split("|"), ["O%d" % level for level in range(5)]
    lists = [
        ("docs/options.md, parameters", set(re.findall(r"`([a-z-]+)[=`]", parameters)),
         set(table) - {"mode", "level"}),
        ("linearize.h, attributes", {name[len("linearize-"):] for name in quoted(attributes)},
         {name for name, (where, _) in table.items() if where.startswith("EVERYWHERE")}),
        ("options of linearize-ptx that the pass has", of_ptx & set(table), of_ptx),
        ("linearize.h, modes", [name.lower() for name in
                                re.findall(r"^  LINEARIZE_([A-Z]+),? +/\* [^/]*\*/$", header, re.MULTILINE)][:5],
         modes),
        ("lib/llvm/run/options.c, modes", quoted(re.search(
            r"names\[\] = (.*);", read(options.root, "lib", "llvm", "run", "options.c"))[1]), modes),
        ("tools/common, modes", quoted(re.search(r"tool_modes\[\] = (.*);", tools)[1]), modes),
        ("tools/common, levels", quoted(re.search(r"tool_levels\[\] = (.*);", tools)[1]), levels)]
    for tool in ("linearize-ptx/options.c", "linearize-run/main.c"):
        text = read(options.root, "tools", *tool.split("/"))
        lists.append((tool + " --help", of_ptx & set(re.findall(r"--([a-z-]+)", text)), of_ptx))
        lists.append((tool + " --help, modes",
                      re.findall(r"\w+", re.search(r"--mode MODE +([^.]*?)\\n", text)[1]
                                 .replace("(default)", "").replace(" or ", ", ")), modes))
    for name, found, wanted in lists:
        if found != wanted:
            print("%s: %s, not %s, as option_table.c has them" % (
                name, ", ".join(sorted(found)), ", ".join(sorted(wanted))))
    return any(found != wanted for _, found, wanted in lists)


def check_remarks(options):
    header = read(options.root, "include", "linearize", "linearize.h")
    listed = re.search(r"const char \*name;(.*?)\*/\n  LLVMValueRef instruction", header, re.DOTALL)
    names = set(re.findall(r'"([A-Z][A-Za-z]+)"', listed[1]))
    names.discard("WrongOption")  # an error, which has no kind
    page = read(options.root, "docs", "remarks.md")
    sent = set()
    for path in pathlib.Path(options.root, "lib").rglob("*.[ch]*"):
        text = path.read_text()
        sent |= set(re.findall(r'LINEARIZE_(?:PASSED|MISSED|ANALYSIS|WARNING), "(\w+)"', text))
        sent |= set(re.findall(r'\[LIN_(?:VERDICT|NEST)_\w+\] = "(\w+)"', text))
    on_page = {name for name in names if re.search(r"\b%s\b" % name, page)}
    return (compare("../include/linearize/linearize.h", sent, names & sent, "remark") |
            compare("remarks.md", names, on_page, "remark"))


def check_packages(options):
    setup = read(options.root, "scripts", "setup")
    packages = " ".join(re.findall(r"^[^#\n]*\bpackages\+?=\(([^)]*)\)", setup, re.MULTILINE)).split()
    page = read(options.root, "docs", "contributing.md")
    missing = [package for package in packages if re.match(r"[a-z]", package)
               and not re.search(r"(?<![\w-])%s(?![\w-])" % re.escape(package), page)]
    for package in missing:
        print("docs/contributing.md: the package %s is missing" % package)
    return bool(missing)


def check_map(options):
    """Each file has a sentence that says what it is for, and each folder of files a line in the page."""
    page = read(options.root, "docs", "contributing.md")
    missing = [folder for kind in ("lib", "tools") for folder, _, files in
               os.walk(os.path.join(options.root, kind)) if files]
    missing = [folder for folder in (os.path.relpath(folder, options.root) for folder in missing)
               if not re.search("^%s/" % re.escape(folder), page, re.MULTILINE)]
    for folder in missing:
        print("docs/contributing.md: %s is missing" % folder)
    map_of_files = os.path.join(options.root, "scripts", "map")
    return subprocess.run([map_of_files, "--check"], check=False).returncode != 0 or bool(missing)


def main():
    parser = argparse.ArgumentParser()
    for name in ("root", "opt", "plugin"):
        parser.add_argument("--" + name, required=True)
    options = parser.parse_args()
    checks = [check_options(options), check_lists(options), check_remarks(options),
              check_packages(options), check_map(options)]
    sys.exit(1 if any(checks) else 0)


if __name__ == "__main__":
    main()
