"""Runs the `sh run` blocks of the documentation and checks the commands in its other sh blocks.

    check_shell.py ROOT PROGRAM

A run block holds "$ command" lines, each followed by its output. Numbers stand for any number, runs of
blanks for any blanks, a line "..." for any lines. In the other blocks every `algprior` line must name
subcommands and options that the program's own --help shows, every `make` line a target of the Makefile,
every `cmake --preset` a preset, and every scripts/ path a file.
"""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from blocks import all_blocks

NUMBER = re.compile(r"[-+]?\d+(\.\d+)?([eE][-+]?\d+)?")
SUBCOMMAND_HEADING = re.compile(r"^(sub)?commands:\s*$", re.I)


def pattern_of(expected):
    """A regular expression for the output that a page shows."""
    def piece(line):
        if line.strip() == "...":
            return r"(?:.*\n)*?"
        words = [NUMBER.sub("\0", word) for word in line.split()]
        return r"\s+".join(re.escape(word).replace("\0", NUMBER.pattern) for word in words)+ r"\s*\n"
    return re.compile("".join(piece(line) for line in expected.splitlines() if line.strip()))


def normal(output):
    lines = [line.strip() for line in output.splitlines()]
    return "".join(line + "\n" for line in lines if line)


class Checker:
    def __init__(self, root, program):
        self.root, self.program = pathlib.Path(root), pathlib.Path(program).resolve()
        self.failures, self.checked, self.ran, self.help_texts = [], 0, 0, {}

    def fail(self, block, message):
        self.failures.append(f"{block.place}: {message}")

    # -- blocks that are run

    def run(self, block):
        steps = []
        for line in block.text.splitlines():
            if line.startswith("$ "):
                steps.append((line[2:], []))
            elif steps:
                steps[-1][1].append(line)
            else:
                return self.fail(block, "a `sh run` block begins with a line \"$ command\"")
        if not steps:
            return self.fail(block, "nothing to run")
        path = f"{self.program.parent}{os.pathsep}{os.environ['PATH']}"
        environment = dict(os.environ, PATH=path, NO_COLOR="1", CI="true")
        with tempfile.TemporaryDirectory() as folder:
            for command, expected in steps:
                done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, timeout=600,
                                      stdin=subprocess.DEVNULL, capture_output=True, text=True)
                self.ran += 1
                if done.returncode != 0:
                    self.fail(block, f"`{command}` ended with {done.returncode}:\n{done.stdout}{done.stderr}")
                elif not pattern_of("\n".join(expected)).fullmatch(normal(done.stdout)):
                    shown = "\n".join(expected)
                    self.fail(block, f"`{command}` printed\n{done.stdout}\nbut the page shows\n{shown}")

    # -- blocks that are only read

    def check(self, block):
        for line in block.text.replace("\\\n", " ").splitlines():
            try:
                words = shlex.split(line.removeprefix("$ "), comments=True)
            except ValueError as error:
                self.fail(block, f"`{line}` is not a shell line: {error}")
                continue
            while words and re.match(r"^\w+=", words[0]):
                words.pop(0)
            if not words:
                continue
            self.checked += 1
            name = words[0].removeprefix("./")
            if pathlib.PurePath(name).name == "algprior":
                self.check_program(block, words[1:])
            elif name == "make":
                self.check_make(block, words[1:])
            elif name == "cmake" and "--preset" in words:
                self.check_preset(block, words[words.index("--preset") + 1])
            elif name.startswith(("scripts/", ".ci/")) and not os.access(self.root / name, os.X_OK):
                self.fail(block, f"there is no program {name}")

    def help_text(self, words):
        key = tuple(words)
        if key not in self.help_texts:
            done = subprocess.run([self.program, *words, "--help"], capture_output=True, text=True,
                                  stdin=subprocess.DEVNULL, timeout=60)
            self.help_texts[key] = done.stdout if done.returncode == 0 else None
        return self.help_texts[key]

    def subcommands(self, words):
        names, inside = set(), False
        for line in (self.help_text(words) or "").splitlines():
            if SUBCOMMAND_HEADING.match(line):
                inside = True
            elif inside and re.match(r"^\s+\S", line):
                names.add(line.split()[0])
            elif line.strip():
                inside = False
        return names

    def check_program(self, block, words):
        # Up to a pipe or a redirection; `a | b` in a synopsis lists alternatives and is not a shell line.
        for stop in ("|", ">", ">>", "&&", ";"):
            words = words[:words.index(stop)] if stop in words else words
        if "launch" in words[:1]:  # what follows is a command with options of its own
            inner = next((i for i, word in enumerate(words) if i > 0 and word in self.subcommands([])), len(words))
            if inner < len(words):
                self.check_program(block, words[inner:])
            words = words[:inner]
        command, options = [], []
        for word in words:
            if word.startswith("-") and len(word) > 1 and not NUMBER.fullmatch(word):
                options.append(word.split("=")[0])
            elif word in self.subcommands(command):
                command.append(word)
            elif self.subcommands(command) and not options:
                return self.fail(block, f"`algprior {' '.join(command)}` has no subcommand `{word}`")
        known = "".join((self.help_text(command[:n]) or "") for n in range(len(command) + 1))
        for option in options:
            if not re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", known):
                self.fail(block, f"`algprior {' '.join(command)}` has no option {option}")

    def check_make(self, block, words):
        makefile = (self.root / "Makefile").read_text(encoding="utf-8")
        for word in words:
            if "=" not in word and not re.search(rf"^{re.escape(word)}:", makefile, re.M):
                self.fail(block, f"the Makefile has no target {word}")

    def check_file(self, block, path):
        if (self.root / path).read_text(encoding="utf-8") != block.text:
            self.fail(block, f"this is not what {path} holds")

    def check_generated(self):
        """Pages that the program writes are what it writes now."""
        for page, path in (("metrics", "docs/metrics.md"), ("configuration", "docs/configuration.md")):
            done = subprocess.run([self.program, "docs", page], capture_output=True, text=True, timeout=60)
            if done.stdout != (self.root / path).read_text(encoding="utf-8"):
                self.failures.append(f"{path} is stale: run scripts/write_docs.sh")

    def check_preset(self, block, name):
        presets = json.loads((self.root / "CMakePresets.json").read_text(encoding="utf-8"))
        if name not in [p["name"] for p in presets["configurePresets"]]:
            self.fail(block, f"there is no preset {name}")


def main():
    checker = Checker(*sys.argv[1:3])
    for block in all_blocks(checker.root):
        if block.language == "sh":
            (checker.run if "run" in block.tags else checker.check)(block)
        for tag in block.tags:
            if tag.startswith("file="):
                checker.check_file(block, tag.removeprefix("file="))
    checker.check_generated()
    for failure in checker.failures:
        print(failure)
    print(f"{checker.ran} commands run, {checker.checked} lines checked, {len(checker.failures)} failures")
    if checker.ran == 0 or checker.checked == 0:
        raise SystemExit("the documentation has no shell blocks to test")
    raise SystemExit(1 if checker.failures else 0)


if __name__ == "__main__":
    main()
