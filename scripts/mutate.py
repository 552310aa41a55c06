#!/usr/bin/env python3
"""Do the tests notice a wrong operator? Flips one at a time in a source file and runs the file's tests.

    scripts/mutate.py src/group/word.cpp                      # the tests whose names begin with "group"
    scripts/mutate.py src/io/npy.cpp --tests io_test --seconds 900 --limit 40
    scripts/mutate.py src/prior/terms.cpp --preset release    # a file of the half with LibTorch

Works on a copy of the tree in a temporary folder; the tree itself is never touched. Prints every mutant that
the tests let live (a survivor: a missing test, or an operator that does not matter) and ends with the count.
Mutants that do not compile are not counted; one that hangs counts as noticed. With --limit or --seconds the
mutants are a random sample, the same for the same --seed.
"""
import argparse
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

MEMORY_LIMIT = 16 << 30

# clang-format puts blanks around binary operators and none around template brackets.
SWAPS = [
    (" == ", " != "), (" != ", " == "), (" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "),
    (" + ", " - "), (" - ", " + "), (" * ", " + "), (" / ", " * "), (" % ", " / "),
    (" += ", " -= "), (" -= ", " += "), (" *= ", " /= "), (" && ", " || "), (" || ", " && "),
    (" & ", " | "), (" | ", " & "), (" << ", " >> "), ("++", "--"), ("!", ""),
    ("true", "false"), ("false", "true"), (" 0;", " 1;"), (" 1;", " 0;"), (" - 1", ""), (" + 1", ""),
]
IGNORED = re.compile(r"^\s*(//|\*|#|///)|\bstatic_assert\b|\btemplate\b")
# Operators inside comments and literals are left alone.
LITERAL = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'|//.*$')


def mutants(text):
    """(line index, column, old, new) for every operator that can be flipped."""
    found = []
    for number, line in enumerate(text.splitlines()):
        if IGNORED.search(line):
            continue
        code = LITERAL.sub(lambda match: "\0" * len(match[0]), line)
        for old, new in SWAPS:
            start = code.find(old)
            while start >= 0:
                before, after = code[:start][-1:], code[start + len(old):][:1]
                word = old[0].isalpha() and (before.isalnum() or after.isalnum() or "_" in before + after)
                if not word and not (old == "!" and after == "=") and not (old == " << " and "\0" in code):
                    found.append((number, start, old, new))
                start = code.find(old, start + 1)
    return found


def apply(text, mutant):
    number, column, old, new = mutant
    lines = text.splitlines(keepends=True)
    line = lines[number]
    lines[number] = line[:column] + new + line[column + len(old):]
    return "".join(lines)


def copy_tree(root, target):
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=root, check=True,
                            capture_output=True).stdout.decode().split("\0")
    for name in filter(None, listed):
        if (root / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, target / name)


class Workbench:
    """A configured copy of the tree, its chosen tests built and passing."""

    def __init__(self, folder, preset, pattern, jobs):
        self.build, self.jobs, self.pattern = folder / "build" / preset, str(jobs), pattern
        # A mutant that only draws a warning is a mutant all the same.
        self.must(["cmake", "--preset", preset, "-DALGPRIOR_WERROR=OFF"], folder)
        listing = self.must(["ctest", "--test-dir", str(self.build), "-N", "-LE", "extreme", "-R", pattern], folder)
        self.tests = re.findall(r"Test\s+#\d+: (\S+)", listing)
        if not self.tests:
            sys.exit(f"mutate: no test matches {pattern!r}; name some with --tests")
        print(f"mutate: building {' '.join(self.tests)}", flush=True)
        self.must(self.build_command(), folder)
        start = time.monotonic()
        if not self.tests_pass(timeout=600):
            sys.exit("mutate: the tests fail before anything is changed")
        self.timeout = 10 * (time.monotonic() - start) + 10

    def must(self, command, folder):
        done = subprocess.run(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode != 0:
            sys.exit(f"mutate: {' '.join(command)} failed:\n{done.stdout[-3000:]}")
        return done.stdout

    def build_command(self):
        return ["cmake", "--build", str(self.build), "-j", self.jobs, "--target", *self.tests]

    def compiles(self):
        return subprocess.run(self.build_command(), capture_output=True).returncode == 0

    def tests_pass(self, timeout=None):
        command = ["ctest", "--test-dir", str(self.build), "-R", self.pattern, "-LE", "extreme",
                   "--stop-on-failure", "--timeout", str(int(timeout or self.timeout))]
        return subprocess.run(command, capture_output=True, preexec_fn=limit_memory).returncode == 0


def limit_memory():
    """A mutant may loop while it fills the memory."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="a source file, relative to the top of the tree")
    parser.add_argument("--tests", help="regular expression on ctest names (default: the file's room)")
    parser.add_argument("--preset", default="algebra", help="CMake preset (default: algebra, without LibTorch)")
    parser.add_argument("--seconds", type=float, default=600, help="stop after this time (default 600)")
    parser.add_argument("--limit", type=int, help="at most this many mutants")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()

    root = pathlib.Path(__file__).resolve().parent.parent
    relative = pathlib.PurePath(options.file)
    if not (root / relative).is_file():
        parser.error(f"{options.file}: no such file under {root}")
    original = (root / relative).read_text(encoding="utf-8")
    room = relative.parts[1] if len(relative.parts) > 2 else relative.stem
    chosen = mutants(original)
    if not chosen:
        sys.exit(f"mutate: {relative} has no operator to flip")
    random.Random(options.seed).shuffle(chosen)
    chosen = chosen[:options.limit]

    start, noticed, broken, survivors = time.monotonic(), 0, 0, []
    with tempfile.TemporaryDirectory(prefix="mutate-") as name:
        folder = pathlib.Path(name)
        copy_tree(root, folder)
        os.environ["CCACHE_BASEDIR"] = name  # so that ccache knows the files from `make build PRESET=…`
        bench = Workbench(folder, options.preset, options.tests or f"^{room}", options.jobs)
        for mutant in chosen:
            if time.monotonic() - start > options.seconds:
                break
            (folder / relative).write_text(apply(original, mutant), encoding="utf-8")
            if not bench.compiles():
                broken += 1
            elif bench.tests_pass():
                survivors.append(mutant)
                number, _, old, new = mutant
                line = original.splitlines()[number].strip()
                print(f"survived  {relative}:{number + 1}  '{old.strip()}' -> '{new.strip()}'   {line}", flush=True)
            else:
                noticed += 1
    tried = noticed + len(survivors)
    print(f"mutate: {relative}: {tried} mutants of {len(chosen)}, {noticed} noticed, {len(survivors)} survived, "
          f"{broken} did not compile, {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
