#!/usr/bin/env python3
"""Fails when a function that a header declares is called by nobody in library, program, examples or documentation.

    scripts/check_callers.py

What only users call is listed in scripts/without_callers.txt, a name a line, with the reason behind it.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# A declaration at the beginning of a line: type, name, opening parenthesis.
DECLARATION = re.compile(r"^(?:template <[^>]*>\s*)?(?:inline |constexpr |static |explicit )*"
                         r"[A-Za-z_:][\w:<>,&*\s]*?[\s&*>](~?[a-z_][a-z0-9_]*)\(", re.M)
KEYWORDS = {"if", "for", "while", "switch", "return", "sizeof", "operator", "catch", "throw", "decltype"}


def text_of(patterns):
    return {path: path.read_text(encoding="utf-8")
            for pattern in patterns for path in ROOT.glob(pattern) if "build" not in path.parts}


def strip_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


def main():
    headers = text_of(["include/**/*.hpp"])
    code = {path: strip_comments(text) for path, text in
            text_of(["include/**/*.hpp", "src/**/*.[ch]pp", "src/**/*.h", "apps/**/*.[ch]pp", "examples/*.cpp",
                     "bench/*.cpp", "bindings/**/*.cpp"]).items()}
    pages = "\n".join(text_of(["README.md", "docs/*.md"]).values())
    allowed = {line.split()[0] for line in (ROOT / "scripts/without_callers.txt").read_text().splitlines()
               if line.strip() and not line.startswith("#")}
    words, mentioned = {}, {}  # how often, and in which files
    for file, source in code.items():
        for word in re.findall(r"\b[a-z_][a-z0-9_]*\b", source):
            words[word] = words.get(word, 0) + 1
            mentioned.setdefault(word, set()).add(file)
    lonely, declared = [], set()
    for path, text in headers.items():
        for name in DECLARATION.findall(strip_comments(text)):
            if name in KEYWORDS or name.startswith("~"):
                continue
            declared.add(name)
            # Each overload is declared once and defined at most once; one more mention is a caller.
            own = len(re.findall(rf"\b{name}\(", strip_comments(text)))
            defined = sum(len(re.findall(rf"^[^\s#/][^;=\n]*\b{name}\([^;]*$", code[file], re.M))
                          for file in mentioned.get(name, ()) if file.suffix == ".cpp")
            if words.get(name, 0) <= own + defined and name not in allowed and not re.search(rf"\b{name}\b", pages):
                lonely.append(f"{path.relative_to(ROOT)}: {name}")
    stale = sorted(allowed - declared)
    for line in sorted(set(lonely)):
        print(f"no caller: {line}")
    for name in stale:
        print(f"listed in scripts/without_callers.txt but not declared: {name}")
    print(f"{len(declared)} functions, {len(set(lonely))} without a caller that are not listed")
    return 1 if lonely or stale else 0


if __name__ == "__main__":
    sys.exit(main())
