#!/usr/bin/env python3
"""Gives result files the names that metrics have since version 0.2, in place.

    scripts/migrate_results.py results/ [runs/ ...]

- A row without a prior had its error against the identity under `equivariance_error`: it is `invariance_error`.
  Rows of a fixed prior on every sample keep theirs; in a trivial row both names have the same number.
- A null model's `multiplicity/...` was counted by eigenvalues: it is `multiplicity_by_eigenvalues/...`.

A file that is right already is left as it is, so the script may be run again.
"""
import json
import pathlib
import sys

WITHOUT_PRIOR = {"cnn", "invariant"}


def migrate(result):
    metrics = result["metrics"]
    row = result["row"].split("@")[0]
    if "equivariance_error" in metrics and row in WITHOUT_PRIOR:
        metrics["invariance_error"] = metrics.pop("equivariance_error")
    if "equivariance_error" in metrics and row == "trivial":
        metrics["invariance_error"] = metrics["equivariance_error"]
    if result["experiment"].startswith("null-"):
        for name in [name for name in metrics if name.startswith("multiplicity/")]:
            metrics[name.replace("multiplicity/", "multiplicity_by_eigenvalues/")] = metrics.pop(name)
    result["metrics"] = dict(sorted(metrics.items()))


def main(folders):
    changed = 0
    for folder in folders:
        for path in sorted(pathlib.Path(folder).rglob("*.json")):
            before = json.loads(path.read_text())
            if not isinstance(before, dict) or not {"experiment", "row", "metrics"} <= before.keys():
                continue
            after = json.loads(json.dumps(before))
            migrate(after)
            if after != before:
                path.write_text(json.dumps(after, indent=2, ensure_ascii=False) + "\n")
                changed += 1
    print(f"{changed} files changed")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
