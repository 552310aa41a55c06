#!/usr/bin/env python3
"""Fails when a room includes one that stands below it: src/CMakeLists.txt has the order.

    scripts/check_rooms.py
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#include [<"]algprior/([a-z]+)/', re.M)


def rooms_in_order():
    text = (ROOT / "src/CMakeLists.txt").read_text()
    names = [name for group in re.findall(r"^\s*algprior_rooms\(([a-z ]+)\)", text, re.M) for name in group.split()]
    # The parts without LibTorch come before those with it.
    return [name for name in names if (ROOT / "include/algprior" / name).is_dir()]


def main():
    order = {room: place for place, room in enumerate(rooms_in_order())}
    faults = []
    for room in order:
        files = [*(ROOT / "include/algprior" / room).rglob("*.hpp"), *(ROOT / "src" / room).rglob("*.[ch]pp")]
        for path in files:
            for included in INCLUDE.findall(path.read_text(encoding="utf-8")):
                if included not in order:
                    faults.append(f"{path.relative_to(ROOT)}: includes {included}/, which is no room")
                elif order[included] > order[room]:
                    faults.append(f"{path.relative_to(ROOT)}: {room}/ includes {included}/, a room after it")
    print("\n".join(faults) if faults else f"{len(order)} rooms include only rooms before them")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
