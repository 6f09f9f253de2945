#!/usr/bin/env python3
"""Runs every command in the documents and checks what they show.

usage: scripts/check-docs.py [--slow] [--list] [DOCUMENT...]

In README.md, CONTRIBUTING.md and docs/*.md (or the DOCUMENTs named):

    ```sh                  a block of commands: run by bash -eu, in a scratch copy
    ```                    of the project; the blocks of a document in order
    ```output              what the block before it prints, to the letter; a line
    ```                    "..." stands for any lines
    <!-- file: NAME -->    the block that follows is a file of that name there
    <!-- slow -->          the block that follows runs with --slow only
    <!-- not run: WHY -->  the block that follows is not run here

A line in any other block that begins like a command of this project is an error.
So are links to files that do not exist and, where doxygen is installed, its
warnings.

  --slow  also the blocks that take minutes
  --list  run nothing: only list the blocks, and check the rest

Exit status: 0, 1 if something is wrong, 2 for wrong usage.
"""
import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

PROJECT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MARK = re.compile(r"<!-- (file: (?P<file>\S+)|(?P<slow>slow)|not run: (?P<reason>.*?)) -->$")
COMMAND = re.compile(r"^\s*(\$ |(sudo |\./)?(scripts|bench|integrations)/\S+\.(sh|py)\b"
                     r"|(sudo )?(cmake|ctest|make|cc|gcc|c\+\+|apt-get|murmuration) (-|\w))")


class Block:
    def __init__(self, line, language, text, marks):
        self.line, self.language, self.text, self.marks = line, language, text, marks


def blocks_of(text):
    """Fenced and indented blocks with the marks right before them."""
    blocks, marks, lines, number = [], {}, text.splitlines(), 0
    while number < len(lines):
        line = lines[number]
        if match := MARK.match(line.strip()):
            marks.update({k: v for k, v in match.groupdict().items() if v})
        elif line.startswith("```"):
            start, number = number, number + 1
            body = []
            while number < len(lines) and lines[number] != "```":
                body.append(lines[number])
                number += 1
            blocks.append(Block(start + 1, line[3:].strip(), "\n".join(body) + "\n", marks))
            marks = {}
        elif line.startswith("    "):
            blocks.append(Block(number + 1, "", line + "\n", marks))
        elif line.strip():
            marks = {}
        number += 1
    return blocks


def matches(expected, got):
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n"
                      for line in expected.splitlines())
    return re.fullmatch(pattern, got) is not None


class Checker:
    def __init__(self, options):
        self.options = options
        self.wrong = self.ran = 0

    def error(self, place, message):
        self.wrong += 1
        print("check-docs.py: %s: %s" % (place, message), file=sys.stderr)

    def check_links(self, document, text):
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
            if not os.path.exists(os.path.join(PROJECT, os.path.dirname(document), target)):
                self.error(document, "links to %s, which does not exist" % target)

    def run(self, place, block, expected, folder):
        print("check-docs.py: %s" % place, flush=True)
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", block.text], cwd=folder,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False)
        self.ran += 1
        out = done.stdout.decode(errors="replace")
        if done.returncode != 0:
            self.error(place, "exit status %d\n%s%s" % (
                done.returncode, out[-2000:], done.stderr.decode(errors="replace")[-2000:]))
        elif expected is not None and not matches(expected, out):
            self.error(place, "prints\n%s\ninstead of\n%s" % (out, expected))

    def check_document(self, document, folder):
        with open(os.path.join(PROJECT, document), encoding="utf-8") as file:
            text = file.read()
        self.check_links(document, text)
        blocks = blocks_of(text)
        for number, block in enumerate(blocks):
            place = "%s:%d" % (document, block.line)
            after = blocks[number + 1] if number + 1 < len(blocks) else None
            expected = after.text if after and after.language == "output" else None
            if "file" in block.marks:
                if not self.options.list:
                    path = os.path.join(folder, block.marks["file"])
                    with open(path, "w", encoding="utf-8") as file:
                        file.write(block.text)
            elif block.language != "sh":
                if block.language != "output":
                    for line in block.text.splitlines():
                        if COMMAND.match(line):
                            self.error(place, "is a command outside of an sh block: " + line.strip())
            elif "reason" in block.marks:
                print("check-docs.py: %s skipped: %s" % (place, block.marks["reason"]))
            elif "slow" in block.marks and not self.options.slow:
                print("check-docs.py: %s skipped: slow" % place)
            elif self.options.list:
                print("%s\n%s" % (place, block.text), end="")
            else:
                self.run(place, block, expected, folder)

    def check_doxygen(self, folder):
        if shutil.which("doxygen") is None:
            print("check-docs.py: doxygen skipped: not installed")
            return
        os.makedirs(os.path.join(folder, "build"), exist_ok=True)
        done = subprocess.run(["doxygen"], cwd=folder, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        if done.returncode != 0:
            self.error("Doxyfile", done.stdout.decode(errors="replace")[-3000:])


def copy_project(folder):
    """All but build folders and what git keeps, which may be missing or not readable."""
    shutil.copytree(PROJECT, folder, dirs_exist_ok=True, ignore_dangling_symlinks=True,
                    ignore=lambda at, _: ["build", ".git"] if at == PROJECT else [])


def main():
    if "-h" in sys.argv[1:] or "--help" in sys.argv[1:]:
        print(__doc__.split("\n\n", 1)[1].strip())
        return 0
    parser = argparse.ArgumentParser(prog="check-docs.py", add_help=False)
    parser.add_argument("--slow", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("document", nargs="*")
    options = parser.parse_args()
    documents = [os.path.relpath(os.path.abspath(d), PROJECT) for d in options.document]
    if not documents:
        documents = [os.path.relpath(d, PROJECT)
                     for d in ("README.md", "CONTRIBUTING.md",
                               *sorted(glob.glob(os.path.join(PROJECT, "docs", "*.md"))))]
        documents = [d for d in documents if os.path.exists(os.path.join(PROJECT, d))]
    checker = Checker(options)
    with tempfile.TemporaryDirectory(prefix="murmuration docs ") as folder:
        if not options.list:
            copy_project(folder)
        for document in documents:
            checker.check_document(document, folder)
        if not options.document and not options.list:
            checker.check_doxygen(folder)
    print("check-docs.py: %d blocks run, %d errors" % (checker.ran, checker.wrong))
    return 1 if checker.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
