#!/usr/bin/env bash
# Runs every fuzz target for so many minutes and keeps what it learned.
#   scripts/fuzz.sh MINUTES [TARGET...]    each target for MINUTES; targets as in fuzz/Targets.cmake
#   KEEP=1 scripts/fuzz.sh 60              small inputs that reach something new go to fuzz/corpus/
# What was found stays in build/fuzz/found/ between runs, minimised; a crash ends with the input's path. Each
# run adds a line a target to build/fuzz/log: date, target, inputs tried, places reached.
set -euo pipefail
cd "$(dirname "$0")/.."
minutes=${1:?how many minutes for each target?}
shift
if [ $# -gt 0 ]; then targets=$*; else
  targets=$(sed -n 's/^set(fuzz_targets \(.*\))$/\1/p' fuzz/Targets.cmake)
fi
scripts/setup.sh fuzz
cmake --preset fuzz >/dev/null
for target in $targets; do cmake --build build/fuzz --target "fuzz_$target" -j "${JOBS:-$(nproc)}" >/dev/null; done

# Short memories of who allocated what: half as many inputs again. A crash is looked at with the long ones.
export ASAN_OPTIONS=${ASAN_OPTIONS:-malloc_context_size=1:quarantine_size_mb=4}
crashed=0
for target in $targets; do
  found=build/fuzz/found/$target seeds=fuzz/corpus/$target
  mkdir -p "$found" "$seeds" "build/fuzz/crashes/$target"
  status=0
  "build/fuzz/fuzz/fuzz_$target" "$found" "$seeds" -max_total_time=$((minutes * 60)) -timeout=25 \
    -rss_limit_mb=4096 -print_final_stats=1 -artifact_prefix="build/fuzz/crashes/$target/" \
    >"build/fuzz/$target.log" 2>&1 || status=$?
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "build/fuzz/$target.log")
  reached=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "build/fuzz/$target.log" | tail -1)
  printf '%s %-12s %12s inputs, %6s places\n' "$(date +%F)" "$target" "${runs:-0}" "${reached:-?}" |
    tee -a build/fuzz/log
  if [ $status -ne 0 ]; then
    crashed=1
    echo "$target failed; its input is in build/fuzz/crashes/$target, the report in build/fuzz/$target.log"
    continue
  fi
  # The smallest set of inputs that reaches the same places.
  rm -rf "$found.small"
  mkdir "$found.small"
  "build/fuzz/fuzz/fuzz_$target" -merge=1 "$found.small" "$found" "$seeds" >/dev/null 2>&1
  rm -rf "$found"
  mv "$found.small" "$found"
  if [ "${KEEP:-0}" = 1 ]; then
    # A repository is no place for thousands of inputs: the smallest 100, none above 4 KB.
    find "$found" -type f -size -5 -printf '%s %p\n' | sort -n | head -100 | while read -r _ path; do
      cp -n "$path" "$seeds/"
    done
  fi
done
awk '{sum += $3} END {printf "inputs tried so far, all targets: %d\n", sum}' build/fuzz/log
exit $crashed
