#!/usr/bin/env bash
# Ranks in two network namespaces, and sweeps under a Slurm of this host alone: two minutes, as root. Installs what it
# needs (scripts/setup.sh cluster).
#
#   tests/cluster/run.sh build/release/algprior
set -euo pipefail
program=$(realpath "$1")
cd "$(dirname "$0")/../.."
if [ "$(id -u)" -ne 0 ] || ! unshare --net true 2>/dev/null; then
  echo "cluster: skipped, only root can make network namespaces"
  exit 0
fi
scripts/setup.sh cluster
PATH=$PATH:/usr/sbin
tests/cluster/network.sh "$program"
tests/cluster/slurm.sh "$program"
