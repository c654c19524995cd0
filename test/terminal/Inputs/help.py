"""help.py FOLDER TOOL...: what --help and --version of tools, and their manual pages, have to be.

FOLDER is that of the programs; their pages are in ../share/man/man1, if help2man is installed.
"""
import os
import re
import shutil
import subprocess
import sys

WIDEST = 100
problems = []


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def require(condition, tool, what):
    if not condition:
        problems.append(f"{tool}: {what}")


def check_help(tool, path):
    done = run(path, "--help")
    lines = done.stdout.splitlines()
    require(done.returncode == 0 and not done.stderr, tool, "--help fails")
    require(lines and lines[0].startswith(f"Usage: {tool} [OPTION]... "), tool, "no usage line")
    require(len(lines) > 2 and not lines[1] and lines[2][:1].isupper(), tool, "no description")
    require(lines and max(map(len, lines)) <= WIDEST, tool, "--help is too wide")
    options = [line.split()[0] for line in lines if line.startswith("  -")]
    require(len(set(options)) == len(options), tool, "an option is listed twice")
    for option in "--help", "--version":
        require(option in options, tool, f"{option} isn't listed")


def check_version(tool, path):
    done = run(path, "--version")
    require(done.returncode == 0 and not done.stderr, tool, "--version fails")
    first = done.stdout.splitlines()[0] if done.stdout else ""
    require(re.fullmatch(rf"({tool} \(linearize\)|linearize) \d+(\.\d+)+", first), tool,
            f"--version says '{first}'")


def check_page(tool, page):
    name = re.search(r"^\.SH NAME\n(.*)$", open(page).read(), re.M)
    require(name and name.group(1).startswith(tool + " \\- "), tool,
            "no NAME line in its manual page")
    for reader in (["mandoc", "-Tlint", "-W", "warning"],
                   ["groff", "-ww", "-man", "-Tutf8", "-z"]):
        if shutil.which(reader[0]):
            said = run(*reader, page)
            require(not said.stdout + said.stderr, tool, f"{reader[0]}: {said.stdout}{said.stderr}")


folder = sys.argv[1]
for tool in sys.argv[2:]:
    path = os.path.join(folder, tool)
    check_help(tool, path)
    check_version(tool, path)
    page = os.path.join(folder, "../share/man/man1", tool + ".1")
    if shutil.which("help2man"):
        require(os.path.exists(page), tool, "no manual page")
    if os.path.exists(page):
        check_page(tool, page)
print("\n".join(problems))
sys.exit(bool(problems))
