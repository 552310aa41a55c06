#!/usr/bin/env python3
"""Lists the tests that the last ctest run skipped, why, and what would run them.

    scripts/skipped.py build/release            # how many, and what would run them; always succeeds
    scripts/skipped.py --strict build/release   # fails for a test that scripts/may_skip.txt does not allow

Reads Testing/Temporary/LastTest.log of the build folder: cases that GoogleTest skipped, each with the words of its
GTEST_SKIP, and whole programs that say "skipped: " and why.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# What would run a test, by words of its reason.
REMEDIES = [
    ("numpy", "scripts/setup.sh python"),
    ("torch for", "scripts/setup.sh python"),
    ("chromium", "scripts/setup.sh browser"),
    ("node", "scripts/setup.sh browser"),
    ("npm", "scripts/setup.sh browser"),
    ("librsvg", "scripts/setup.sh"),
    ("openblas", "scripts/setup.sh"),
    ("font", "scripts/fetch_data.sh --retry"),
    ("python3", "scripts/setup.sh"),
    ("algprior_data", "data in a folder of ALGPRIOR_DATA"),
    ("adrenal", "algprior data get medmnist3d"),
    ("without libtorch", "a preset with LibTorch"),
    ("with libtorch", "the preset algebra"),
    ("wide vectors", "another CPU"),
]


def skipped_cases(log):
    """(name, reason) of every case that was skipped."""
    found = []
    for block in re.split(r"^(?=\d+/\d+ Testing: )", log, flags=re.M):
        reason = []
        for line in block.splitlines():
            if line.startswith("[ RUN      ]"):
                reason = []
                continue
            case = re.match(r"\[  SKIPPED \] (\S+) \(\d+ ms\)", line)
            if case:
                words = [word for word in reason if not re.search(r":\d+: Skipped$", word)]
                found.append((case[1], " ".join(words).strip() or "no reason given"))
            reason.append(line.strip())
        # ctest's log calls a program that returned the code for skipping passed; it has said why.
        program = re.search(r"^\d+/\d+ Testing: (\S+)", block)
        why = re.search(r"^skipped: (.+)$", block, re.M)
        if program and why:
            found.append((program[1], why[1]))
    return found


def allowed_cases(text):
    """Names of scripts/may_skip.txt with their reasons: one a line, two blanks between; * ends a family."""
    allowed = {}
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        name, _, reason = line.partition("  ")
        if not reason.strip():
            sys.exit(f"may_skip.txt: {name} has no reason")
        allowed[name] = reason.strip()
    return allowed


def is_allowed(name, allowed):
    return any(name == known or (known.endswith("*") and name.startswith(known[:-1])) for known in allowed)


def remedy(reason):
    return next((words for part, words in REMEDIES if part in reason.lower()), "see the test")


def main():
    words = [word for word in sys.argv[1:] if word != "--strict"]
    strict = len(words) < len(sys.argv) - 1
    if len(words) != 1:
        sys.exit(__doc__)
    log = pathlib.Path(words[0]) / "Testing/Temporary/LastTest.log"
    if not log.is_file():
        sys.exit(f"skipped: there is no {log}; run ctest first")
    found = skipped_cases(log.read_text(encoding="utf-8", errors="replace"))
    allowed = allowed_cases((ROOT / "scripts/may_skip.txt").read_text())
    print(f"{len(found)} tests were skipped" if len(found) != 1 else "1 test was skipped")
    faults = []
    for name, reason in found:
        known = is_allowed(name, allowed)
        print(f"  {name}: {reason}" + ("" if known else f"; what would run it: {remedy(reason)}"))
        if not known:
            faults.append(name)
    if strict and faults:
        print(f"not on the list of scripts/may_skip.txt: {', '.join(faults)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
