#!/usr/bin/env bash
# clang-tidy on the C++ files that differ from a commit: scripts/lint.sh [BUILD] (LINT_BASE=commit, default HEAD;
# LINT_BASE=all for every file). A file with LibTorch takes 50 s, so this stands outside CI.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/dev}
base=${LINT_BASE:-HEAD}
if [ "$base" = all ]; then
  mapfile -t files < <(git ls-files 'src/*.cpp' 'apps/*.cpp')
else
  mapfile -t files < <({ git diff --name-only --diff-filter=d "$base"; git ls-files -o --exclude-standard; } |
    grep -E '^(src|apps)/.*\.cpp$' | sort -u)
fi
if [ ${#files[@]} -eq 0 ]; then
  echo "lint: no C++ source differs from $base (LINT_BASE=all takes every file)"
  exit 0
fi
# clang cannot read g++'s precompiled header; the database without it is enough.
database=$(mktemp -d)
trap 'rm -rf "$database"' EXIT
sed -E 's/-Winvalid-pch|-include [^ "]*cmake_pch\.hxx//g' "$build/compile_commands.json" >"$database/compile_commands.json"
printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -n 1 clang-tidy -p "$database" --quiet --extra-arg=-Wno-unknown-warning-option
echo "lint: ${#files[@]} files"
