#!/usr/bin/env python3
"""Does what the documentation says, and looks whether that is so.

    run.py --root REPOSITORY --build FOLDER [--write] [PAGE.md...]

With --write, what a page says is printed becomes what is printed, but where it has `...`.

Of each page (README.md and docs/*.md unless named):

  ```sh      is run by bash -e in a folder that looks like the repository, one folder a page, so
             that a block finds what those before it made. A comment in front of it may say

                 <!-- needs: gpu -->           gpu, cuda toolkit, ptxas, sass, chromium ...: run only
                                               where there is one
                 <!-- not run: WHY -->
                 <!-- status: N -->            it ends with N, not with 0

  ```text    straight behind such a block is what it prints. `...` stands for any text, on a line of
             its own for any lines.
  ```c, diff and other languages are the text of a file, named in front of them, or a part of it:

                 <!-- from: docs/examples/short_circuit.cu -->

  [x](y)     leads to a file, and to a heading of it

A page that changes sources says `<!-- in: a copy of the repository -->`, and has one for its folder,
without a build: FOLDER/docs/PAGE. What it has built there stays for the next time.

What is wrong is printed with the page and the line; the last lines say how many blocks were run and
how many were not, and why. Status 1 if anything is wrong.
"""
import argparse
import filecmp
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, namedtuple

PATIENCE = 300  # seconds for one block
FROM_FILES = {"c", "cpp", "cuda", "cmake", "python", "diff"}
RUN = {"sh"}
IN_A_COPY = "<!-- in: a copy of the repository -->"
OTHERS = {"text", "llvm", "bibtex", "console"}

Block = namedtuple("Block", "line language text notes")


def parse(text):
    """The fenced blocks of a page, each with the comments straight in front of it."""
    blocks, notes, fence = [], {}, None
    for number, line in enumerate(text.split("\n"), 1):
        comment = re.fullmatch(r"<!-- ([a-z ]+): (.*) -->", line)
        if fence and line.strip() == "```":
            blocks.append(Block(fence[0], fence[1], "\n".join(fence[2]), notes))
            fence, notes = None, {}
        elif fence:
            fence[2].append(line)
        elif line.startswith("```"):
            fence = (number, line[3:].strip(), [])
        elif comment:
            notes[comment[1]] = comment[2]
        elif line.strip():
            notes = {}
            blocks.append(None)  # text between: what follows is nobody's output
    return blocks


class Machine:
    """What there is to run the blocks with."""

    def __init__(self, build):
        self.tools = [os.path.join(build, "venv", "bin"), "/usr/local/cuda/bin"]
        has = self.has
        self.things = {
            "gpu": has("nvidia-smi") and subprocess.run(
                ["nvidia-smi"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                check=False).returncode == 0,
            "cuda toolkit": has("nvcc"),
            "ptxas": has("ptxas"),
            "sass": has("nvdisasm") and has("cuobjdump"),
            "chromium": has("chromium"),
        }

    def has(self, tool):
        path = os.pathsep.join([os.environ["PATH"]] + self.tools)
        return shutil.which(tool, path=path) is not None

    def missing(self, needs):
        """Of "gpu, cuda toolkit", what there is none of; KeyError if nobody knows such a thing."""
        return [thing for thing in needs.split(", ") if not self.things[thing]]


def make_scratch(root, build):
    """A folder with links to all that the repository has, and to the build folder as `build`."""
    scratch = tempfile.mkdtemp(prefix="linearize docs ")
    for entry in os.listdir(root):
        if not entry.startswith("build"):
            os.symlink(os.path.join(root, entry), os.path.join(scratch, entry))
    os.symlink(build, os.path.join(scratch, "build"))
    return scratch


def copy_file(source, target):
    """One that is already there keeps its time, so that nothing is built anew for it."""
    if not (os.path.isfile(target) and filecmp.cmp(source, target, shallow=False)):
        shutil.copy(source, target)


def copy_tree(root, target):
    """Makes `target` a copy of what the repository has, but for its `build`, which stays."""
    os.makedirs(target, exist_ok=True)
    entries = [name for name in os.listdir(root)
               if not name.startswith(("build", ".git", "__pycache__"))]
    for name in os.listdir(target):
        path = os.path.join(target, name)
        if name not in entries + ["build"]:
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
    for name in entries:
        source, path = os.path.join(root, name), os.path.join(target, name)
        if os.path.isdir(source):
            copy_tree(source, path)
        else:
            copy_file(source, path)
    return target


def pattern(expected):
    """A regular expression for what a block prints."""
    if not expected:
        return r"\Z"
    result = ""
    for line in expected.split("\n"):
        if line.strip() == "...":
            result += r"(?:.*\n)*?"
        else:
            parts = [re.escape(part) for part in line.rstrip().split("...")]
            result += r".*".join(parts) + r" *\n"
    return result + r"\Z"


def first_difference(expected, printed):
    """The first expected line that no longer fits, found by fitting ever more of them."""
    lines = expected.split("\n")
    for count in range(1, len(lines) + 1):
        if not re.match(pattern("\n".join(lines[:count] + ["..."])), printed):
            return lines[count - 1]
    return "nothing more"


class Page:
    def __init__(self, path, options, machine):
        self.path, self.options, self.machine = path, options, machine
        with open(path, encoding="utf-8") as file:
            self.text = self.new_text = file.read()
        self.name = os.path.relpath(path, options.root)
        self.errors, self.run_count, self.skipped = [], 0, Counter()

    def error(self, line, message):
        self.errors.append("%s:%d: %s" % (self.name, line, message))

    def check(self):
        self.check_links()
        blocks = parse(self.text)
        copied = IN_A_COPY in self.text.split("\n")
        scratch = copy_tree(self.options.root, self.copy_folder()) if copied else \
            make_scratch(self.options.root, self.options.build)
        try:
            for index, block in enumerate(blocks):
                if block:
                    self.check_block(block, (blocks + [None])[index + 1], scratch)
        finally:
            if not copied:
                shutil.rmtree(scratch)
        if self.new_text != self.text:
            with open(self.path, "w", encoding="utf-8") as file:
                file.write(self.new_text)

    def copy_folder(self):
        name = os.path.splitext(os.path.basename(self.path))[0]
        return os.path.join(self.options.build, "docs", name)

    def check_block(self, block, after, scratch):
        if "not run" in block.notes:
            self.skipped[block.notes["not run"]] += 1
        elif block.language in RUN:
            self.run(block, after, scratch)
        elif block.language in FROM_FILES:
            self.compare_with_file(block)
        elif block.language not in OTHERS:
            self.error(block.line, "a block of no known language '%s'" % block.language)

    def run(self, block, after, scratch):
        try:
            missing = self.machine.missing(block.notes["needs"]) if "needs" in block.notes else []
        except KeyError as thing:
            return self.error(block.line, "needs %s, which nobody knows" % thing)
        if missing:
            self.skipped["no " + missing[0]] += 1
            return None
        self.run_count += 1
        environment = dict(os.environ, LC_ALL="C.UTF-8")
        environment["PATH"] = os.pathsep.join([environment["PATH"]] + self.machine.tools)
        try:
            # With all that it began: timeout ends a group of processes.
            done = subprocess.run(["timeout", str(PATIENCE), "bash", "-e", "-o", "pipefail", "-c", block.text],
                                  cwd=scratch, env=environment, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                  timeout=2 * PATIENCE, check=False, text=True, errors="replace")
        except subprocess.TimeoutExpired:
            return self.error(block.line, "not done after %d s" % PATIENCE)
        expected_status = int(block.notes.get("status", 0))
        if done.returncode != expected_status:
            return self.error(block.line, "status %d, not %d; it prints\n%s"
                              % (done.returncode, expected_status, done.stdout))
        if after and after.language == "text":
            self.compare(after, done.stdout)
        return None

    def compare(self, expected, printed):
        printed = "".join(line.rstrip() + "\n" for line in printed.splitlines())
        if re.match(pattern(expected.text), printed):
            return
        if self.options.write and "..." not in expected.text:
            self.new_text = self.new_text.replace(expected.text + "\n```", printed + "```", 1)
        else:
            self.error(expected.line, "something else is printed, first where '%s' is expected:\n%s"
                       % (first_difference(expected.text, printed), printed))

    def compare_with_file(self, block):
        source = block.notes.get("from")
        if not source:
            return self.error(block.line, "of which file is this a part? <!-- from: FILE -->")
        try:
            with open(os.path.join(self.options.root, source), encoding="utf-8") as file:
                text = file.read()
        except OSError as error:
            return self.error(block.line, "%s: %s" % (source, error.strerror))
        if "\n" + block.text.strip("\n") + "\n" not in "\n" + text + "\n":
            self.error(block.line, "this is not in %s" % source)
        return None

    def check_links(self):
        """Pictures, too, whether in Markdown or in HTML."""
        for number, line in enumerate(self.text.split("\n"), 1):
            targets = re.findall(r"\]\(([^)\s]+)\)", line) + re.findall(r'src="([^"]+)"', line)
            for target in targets:
                if not re.match(r"[a-z]+:", target):
                    self.check_link(number, target)

    def check_link(self, number, target):
        path, _, heading = target.partition("#")
        path = os.path.join(os.path.dirname(self.path), path) if path else self.path
        if not os.path.exists(path):
            self.error(number, "no file %s" % target)
        elif heading and path.endswith(".md"):
            with open(path, encoding="utf-8") as file:
                titles = re.findall(r"^#+ (.*)$", file.read(), re.MULTILINE)
            if heading not in (re.sub(r"[^\w\- ]", "", t).lower().replace(" ", "-") for t in titles):
                self.error(number, "no heading %s" % target)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", required=True, type=os.path.abspath)
    parser.add_argument("--build", required=True, type=os.path.abspath)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("pages", nargs="*")
    options = parser.parse_args()
    pages = options.pages
    if not pages:
        docs = os.path.join(options.root, "docs")
        pages = [os.path.join(options.root, "README.md")] + sorted(
            os.path.join(docs, name) for name in os.listdir(docs) if name.endswith(".md"))
    machine = Machine(options.build)
    errors, run_count, skipped = [], 0, Counter()
    for path in pages:
        page = Page(os.path.abspath(path), options, machine)
        page.check()
        errors += page.errors
        run_count += page.run_count
        skipped += page.skipped
    for error in errors:
        print(error)
    print("%d blocks were run, %d were not%s" % (run_count, sum(skipped.values()),
                                                 ":" if skipped else ""))
    for why, count in sorted(skipped.items()):
        print("  %3d  %s" % (count, why))
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
