#!/usr/bin/env bash
# Copies the result of every finished run below a runs folder to results/<experiment>/<row>-<seed>.json.
# Usage: scripts/collect_results.sh [RUNS]      default: $ALGPRIOR_RUNS, else runs/
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:-${ALGPRIOR_RUNS:-runs}}
if [ ! -d "$runs" ]; then
  echo "there is no runs folder $runs; name one: scripts/collect_results.sh RUNS" >&2
  exit 2
fi
count=0
while IFS= read -r -d '' file; do
  place=${file#"$runs"/}           # <experiment>/<row>/<seed>/result.json
  IFS=/ read -r experiment row seed _ <<<"$place"
  mkdir -p "results/$experiment"
  cp "$file" "results/$experiment/$row-$seed.json.part"
  mv "results/$experiment/$row-$seed.json.part" "results/$experiment/$row-$seed.json"
  count=$((count + 1))
done < <(find "$runs" -mindepth 4 -maxdepth 4 -name result.json -print0)
echo "$count results in results/"
