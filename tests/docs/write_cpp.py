"""Writes the C++ blocks of the documentation as one file of GoogleTest cases, or the first one as a program.

    write_cpp.py ROOT OUTPUT [--torch]             every block a test case
    write_cpp.py ROOT OUTPUT [--torch] --program   README's first block as main(), for the downstream test
"""
import argparse
import pathlib
import re

from blocks import all_blocks

CASES = """#include <gtest/gtest.h>

#include <iostream>

{includes}

namespace {{
{cases}
}}  // namespace
"""

CASE = """
TEST(Documentation, {name}) {{
{before}
  testing::internal::CaptureStdout();
#line {line} "{file}"
{body}
  const std::string printed = testing::internal::GetCapturedStdout();
{check}}}
"""

PROGRAM = """#include <iostream>

{includes}

int main() {{
{before}
#line {line} "{file}"
{body}
}}
"""


def split_includes(text):
    """The block's #include lines, and the rest with blank lines in their place (so lines keep their numbers)."""
    lines = text.splitlines()
    includes = [line for line in lines if line.startswith("#include")]
    return includes, "\n".join("" if line.startswith("#include") else line for line in lines)


def render(blocks, program):
    includes, cases = [], []
    for block in blocks:
        before_includes, before = split_includes(block.before)
        block_includes, body = split_includes(block.text)
        includes += [line for line in before_includes + block_includes if line not in includes]
        check = ""
        if block.output is not None:
            check = f'  EXPECT_EQ(printed, R"~~~({block.output})~~~");\n'
        template = PROGRAM if program else CASE
        text = template.format(name=re.sub(r"\W", "_", f"{block.file}_line_{block.line}"), before=before,
                               line=block.line + 1, file=block.file, body=body, check=check,
                               includes="\n".join(includes))
        if program:
            return text
        cases.append(text)
    return CASES.format(includes="\n".join(includes), cases="".join(cases))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root")
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--torch", action="store_true")
    parser.add_argument("--program", action="store_true")
    options = parser.parse_args()
    # A block that shows a file of the repository is built there; check_shell.py compares the two.
    cpp = [block for block in all_blocks(options.root)
           if block.language == "cpp" and not any(tag.startswith("file=") for tag in block.tags)]
    if options.program:  # README's first example of the wanted kind
        chosen = [b for b in cpp if b.file == "README.md" and ("torch" in b.tags) == options.torch]
    else:
        chosen = [b for b in cpp if options.torch or "torch" not in b.tags]
    if not chosen:
        raise SystemExit("the documentation has no C++ block of this kind; the test would be empty")
    options.output.write_text(render(chosen, options.program), encoding="utf-8")


if __name__ == "__main__":
    main()
