#!/usr/bin/env bash
# Fails when a public header does not compile alone. Headers of a library are compiled as one batch of
# -fsyntax-only runs; those with LibTorch take a few seconds each, so they share a precompiled header.
#
#   scripts/check_headers.sh [BUILD]        default build/release
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/release}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

torch_rooms='ranks|kernel|action|prior|nn|analysis|data|train|experiment'
flags=$(python3 - "$build" <<'PY'
import json, shlex, sys
commands = json.load(open(sys.argv[1] + "/compile_commands.json"))
command = next(c for c in commands if "unity_experiment" in c["file"] or "/src/experiment/" in c["file"])
words = shlex.split(command["command"])
keep, take = [], False
for word in words:
    if take or word.startswith(("-I", "-D", "-std", "-isystem", "-f")) and not word.startswith("-fsyntax"):
        keep.append(word)
    take = word in ("-isystem", "-I")
print(" ".join(shlex.quote(w) for w in keep))
PY
)
echo '#include <torch/types.h>
#include <torch/nn/module.h>' > "$work/torch.hpp"
eval g++ $flags -w -x c++-header "$work/torch.hpp" -o "$work/torch.hpp.gch"

failed=0 count=0
pids=()
compile() { # header
  local include=""
  [[ $1 =~ algprior/($torch_rooms)/|algprior/(prior|lab).hpp ]] && include="-include $work/torch.hpp"
  eval g++ $flags -Wall -Wextra -fsyntax-only $include -x c++ - <<< "#include \"$1\"
#include \"$1\"" || { echo "does not compile alone: $1"; return 1; }
}
while read -r header; do
  compile "${header#include/}" &
  pids+=($!)
  count=$((count + 1))
  if [ ${#pids[@]} -ge "$(nproc)" ]; then
    wait "${pids[0]}" || failed=$((failed + 1))
    pids=("${pids[@]:1}")
  fi
done < <(git ls-files 'include/*.hpp')
for pid in "${pids[@]}"; do wait "$pid" || failed=$((failed + 1)); done
echo "$count headers compiled alone, $failed failed"
[ "$failed" -eq 0 ]
