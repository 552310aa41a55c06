"""Fenced code blocks of Markdown files, as the tests of the documentation read them.

    ```cpp            compiled and run          ```sh run    run; lines after "$ command" are its output
    ```cpp torch      only with LibTorch        ```sh        commands checked against the program's help
    ```output         what the C++ block before it prints
    ``` … file=PATH   what a file of the repository holds, to the letter

A comment <!-- before: … --> in front of a C++ block holds declarations that the block needs and a reader
does not.
"""
import dataclasses
import pathlib
import re

FENCE = re.compile(r"^```(.*)$")
BEFORE = re.compile(r"<!-- before:(.*?)-->\s*\Z", re.S)


@dataclasses.dataclass
class Block:
    file: str
    line: int  # of the opening fence, from 1
    language: str
    tags: list
    text: str
    before: str = ""
    output: str = None

    @property
    def place(self):
        return f"{self.file}:{self.line}"


def pages(root):
    """README.md first, then docs/ in order."""
    return [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").glob("*.md"))]


def blocks(root, path):
    found, start, prose = [], None, ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        fence = FENCE.match(line)
        if not fence:
            if start is None:
                prose += line + "\n"
            else:
                body.append(line)
            continue
        if start is None:
            start, body, words = number, [], fence[1].split()
            continue
        text = "\n".join(body) + "\n"
        language, tags = (words[0], words[1:]) if words else ("", [])
        if language == "output" and found:
            found[-1].output = text
        else:
            before = BEFORE.search(prose)
            found.append(Block(str(path.relative_to(root)), start, language, tags, text,
                               before[1].strip() if before else ""))
        start, prose = None, ""
    if start is not None:
        raise SystemExit(f"{path}:{start}: this code block is never closed")
    return found


def all_blocks(root):
    root = pathlib.Path(root)
    return [block for page in pages(root) if page.exists() for block in blocks(root, page)]
