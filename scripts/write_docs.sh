#!/usr/bin/env bash
# Renews what the code itself writes: configs/recipes.json, docs/configuration.md, docs/metrics.md. Build first, and
# again afterwards: the program holds recipes.json. Tests fail when one of the three is stale.
#
#   scripts/write_docs.sh [BUILD]        default build/release
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/release}
renew() { # PAGE FILE
  "$build/algprior" docs "$1" > "$2.new"
  mv "$2.new" "$2"
}
renew recipes configs/recipes.json
cmake --build "$build" --target algprior
renew configuration docs/configuration.md
renew metrics docs/metrics.md
