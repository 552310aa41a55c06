#!/usr/bin/env python3
"""Do the tests notice a wrong operator? Flips one at a time in source files and runs the tests of their room.

    scripts/mutate.py src/group/word.cpp                      # every operator of a file
    scripts/mutate.py src/group src/rep --sample 60 --seed 1  # 60 of all operators of two rooms, the same for the same seed
    scripts/mutate.py src/io/npy.cpp --tests io_test --seconds 900
    scripts/mutate.py src/prior --preset release --sample 10  # a room of the half with LibTorch

Works on a copy of the tree in build/mutate/PRESET; the tree itself is never touched. What was tried stands in
build/mutate/PRESET/tried.jsonl, by the text of the file: the same command goes on where it was stopped, and a file
that changed is tried anew. Prints every mutant that the tests let live (a survivor: a missing test, or an operator
that does not matter) and ends with the count. Mutants that do not compile are not counted; one that hangs or dies
counts as noticed. The tests of a room are those of tests/unit/ROOM, its laws and its options; the quickest run first.
"""
import argparse
import hashlib
import json
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import time

MEMORY_LIMIT = 16 << 30
ROOT = pathlib.Path(__file__).resolve().parent.parent

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
# Tests of a room that stand elsewhere: axioms that hold for what it makes, options that it may be given.
ELSEWHERE = {"group": ["group_laws_test"], "rep": ["character_laws_test", "representation_laws_test"],
             "action": ["action_laws_test", "options_test"], "prior": ["options_test"], "analysis": ["options_test"]}


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


def room_of(file):
    return file.parts[1] if len(file.parts) > 2 else file.stem


def tests_of(room):
    """The test programs of a room, without the extreme ones."""
    listing = ROOT / "tests/unit" / room / "CMakeLists.txt"
    text = listing.read_text(encoding="utf-8") if listing.is_file() else ""
    own = [name for name, label in re.findall(r"algprior_test\(\s*(\w+)\s+LABEL\s+(\w+)", text) if label != "extreme"]
    return own + ELSEWHERE.get(room, [])


def copy_tree(target):
    """Writes what differs only, so that the rest is not built again."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, check=True,
                            capture_output=True).stdout.decode().split("\0")
    for name in filter(None, listed):
        source, copy = ROOT / name, target / name
        if not source.is_file() or (copy.is_file() and copy.read_bytes() == source.read_bytes()):
            continue  # a mutant that was interrupted differs, and is compiled anew
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, copy)


def limit_memory():
    """A mutant may loop while it fills the memory."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))


class Workbench:
    """A configured copy of the tree, its chosen tests built and passing."""

    def __init__(self, folder, preset, jobs, tests):
        self.tree, self.build, self.jobs = folder / "tree", folder / "build", str(jobs)
        # File by file and shared, so that a mutant costs one file and one link; a mutant that only draws a warning
        # is a mutant all the same. A step past the end of a vector is a death, not luck.
        self.must(["cmake", "--preset", preset, "-B", str(self.build), "-DALGPRIOR_WERROR=OFF", "-DALGPRIOR_UNITY=OFF",
                   "-DBUILD_SHARED_LIBS=ON", "-DCMAKE_LINK_DEPENDS_NO_SHARED=ON",
                   "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -D_GLIBCXX_ASSERTIONS"])
        listing = self.must(["ctest", "--test-dir", str(self.build), "-N"])
        known = set(re.findall(r"Test\s+#\d+: (\S+)", listing))
        self.tests = [name for name in tests if name in known]
        if not self.tests:
            sys.exit(f"mutate: the preset {preset} has none of {' '.join(tests) or 'no tests'}; name some with --tests")
        print(f"mutate: building {' '.join(self.tests)}", flush=True)
        self.must(self.build_command(self.tests))
        os.environ["CCACHE_DISABLE"] = "1"  # a mutant is compiled once
        self.seconds = {}
        for name in self.tests:
            start = time.monotonic()
            if not self.passes(name, 3600):
                sys.exit(f"mutate: {name} fails before anything is changed")
            self.seconds[name] = time.monotonic() - start

    def must(self, command):
        done = subprocess.run(command, cwd=self.tree, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode != 0:
            sys.exit(f"mutate: {' '.join(command)} failed:\n{done.stdout[-3000:]}")
        return done.stdout

    def build_command(self, tests):
        return ["cmake", "--build", str(self.build), "-j", self.jobs, "--target", *tests]

    def compiles(self, tests):
        return subprocess.run(self.build_command(tests), capture_output=True).returncode == 0

    def passes(self, name, timeout):
        try:
            return subprocess.run([self.build / "tests" / name, "--gtest_fail_fast"], capture_output=True,
                                  cwd=self.build, preexec_fn=limit_memory, timeout=timeout).returncode == 0
        except subprocess.TimeoutExpired:
            return False

    def judge(self, file, text, wanted):
        """"broken", "noticed" or "survived"."""
        tests = sorted((name for name in wanted if name in self.seconds), key=self.seconds.get)
        if not tests:
            sys.exit(f"mutate: no test of {file}; name some with --tests")
        with Changed(self, file, text):
            if not self.compiles(tests):
                return "broken"
            alive = all(self.passes(name, 10 * self.seconds[name] + 10) for name in tests)
            return "survived" if alive else "noticed"


class Changed:
    """A file with another text while it lasts. Its object comes back with it, so that it is not compiled again;
    the libraries are linked again."""

    def __init__(self, bench, file, text):
        self.bench, self.path, self.text = bench, bench.tree / file, text
        tail = "/".join(file.parts[1:]) + ".o"
        self.objects = [path for path in (bench.build / "src").rglob(file.name + ".o") if str(path).endswith(tail)]

    def __enter__(self):
        self.kept = [(path, path.with_suffix(".kept")) for path in [self.path, *self.objects]]
        for path, kept in self.kept:
            shutil.copy2(path, kept)
        self.path.write_text(self.text, encoding="utf-8")

    def __exit__(self, *_):
        for path, kept in self.kept:
            os.replace(kept, path)
        for library in (self.bench.build / "lib").glob("lib*.so*"):
            library.unlink()


class Tried:
    """What earlier runs found, a line a mutant."""

    def __init__(self, path):
        self.path, self.known = path, {}
        for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else []:
            record = json.loads(line)
            self.known[record["key"]] = record["outcome"]

    def add(self, key, outcome, words):
        self.known[key] = outcome
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"key": key, "outcome": outcome, "mutant": words}) + "\n")


def files_in(names, parser):
    files = []
    for name in names:
        path = ROOT / name
        if path.is_dir():
            files += sorted(path.rglob("*.cpp"))
        elif path.is_file():
            files.append(path)
        else:
            parser.error(f"{name}: no such file or folder under {ROOT}")
    return [pathlib.PurePath(file.relative_to(ROOT)) for file in files]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", help="source files or folders, relative to the top of the tree")
    parser.add_argument("--sample", type=int, help="at most this many mutants, drawn over all files")
    parser.add_argument("--seed", type=int, default=0, help="of the sample and of the order")
    parser.add_argument("--tests", help="test programs, with commas (default: those of the file's room)")
    parser.add_argument("--preset", default="algebra", help="CMake preset (default: algebra, without LibTorch)")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after this time")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--list", action="store_true", help="print the mutants that would be tried")
    options = parser.parse_args()

    texts = {file: (ROOT / file).read_text(encoding="utf-8") for file in files_in(options.files, parser)}
    every = [(file, mutant) for file, text in texts.items() for mutant in mutants(text)]
    if not every:
        sys.exit("mutate: there is no operator to flip")
    chosen = list(every)
    random.Random(options.seed).shuffle(chosen)
    chosen = chosen[:options.sample]

    def words(file, mutant):
        number, _, old, new = mutant
        return f"{file}:{number + 1}  '{old.strip()}' -> '{new.strip()}'   {texts[file].splitlines()[number].strip()}"

    if options.list:
        print("\n".join(words(*one) for one in chosen))
        return
    wanted = {file: options.tests.split(",") if options.tests else tests_of(room_of(file)) for file in texts}
    folder = ROOT / "build/mutate" / options.preset
    (folder / "tree").mkdir(parents=True, exist_ok=True)
    tried = Tried(folder / "tried.jsonl")
    start = time.monotonic()
    os.environ.setdefault("CCACHE_BASEDIR", str(folder))
    copy_tree(folder / "tree")
    needed = sorted({name for file, _ in chosen for name in wanted[file]})
    bench, counts = None, {"noticed": 0, "survived": 0, "broken": 0}
    for file, mutant in chosen:
        digest = hashlib.sha256(texts[file].encode()).hexdigest()[:16]
        key = f"{file} {digest} {mutant[0]} {mutant[1]} {mutant[2]!r} {mutant[3]!r} {','.join(wanted[file])}"
        if key not in tried.known:
            if time.monotonic() - start > options.seconds:
                break
            bench = bench or Workbench(folder, options.preset, options.jobs, needed)
            outcome = bench.judge(file, apply(texts[file], mutant), wanted[file])
            tried.add(key, outcome, words(file, mutant))
        counts[tried.known[key]] += 1
        if tried.known[key] == "survived":
            print("survived  " + words(file, mutant), flush=True)
    judged = counts["noticed"] + counts["survived"]
    print(f"mutate: seed {options.seed}, {judged} mutants of {len(every)} in {len(texts)} files: {counts['noticed']} noticed "
          f"({100 * counts['noticed'] / max(judged, 1):.0f} %), {counts['survived']} survived, {counts['broken']} did not "
          f"compile, {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
