#!/usr/bin/env bash
# The two commands on a machine that has only git, make and apt: makes a Debian 12 chroot, clones this
# repository's HEAD into it, runs `make test` and `make demo`, and then both again, with times.
#
#   sudo scripts/fresh_machine.sh [FOLDER]        # default: a new folder under TMPDIR; removed at the end
#
# Needs root, debootstrap, 6 GB of disk and the network that apt uses here. A given FOLDER is kept.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "$(id -u)" -ne 0 ]; then echo "fresh_machine: run as root (chroot and mount need it)" >&2; exit 1; fi
if ! command -v debootstrap >/dev/null; then
  echo "fresh_machine: debootstrap is missing: apt-get install -y debootstrap" >&2
  exit 1
fi

root=${1:-$(mktemp -d "${TMPDIR:-/tmp}/fresh-machine-XXXXXX")}
keep=${1:+yes}
leave() {
  for place in dev/pts proc; do
    if mountpoint -q "$root/$place"; then umount "$root/$place"; fi
  done
  if [ -z "$keep" ]; then rm -rf --one-file-system "$root"; fi
}
trap leave EXIT

timed() {  # timed NAME COMMAND…
  local name=$1 start=$SECONDS
  shift
  echo "== $name"
  "$@"
  echo "== $name: $((SECONDS - start)) s"
}
inside() {
  chroot "$root" env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin CI=true \
    sh -c "cd /algprior && $1" </dev/null
}

timed "Debian 12 with git and make" debootstrap --variant=minbase --include=git,make bookworm "$root" >/dev/null
cp /etc/resolv.conf /etc/hosts "$root/etc/"  # the network as this machine sees it
mount -t proc proc "$root/proc"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"  # tests open pseudo-terminals
git clone -q --no-hardlinks . "$root/algprior"

timed "make test" inside "make test"
timed "make demo" inside "make demo"
timed "what stands before the second make test" inside "make build"
timed "second make demo" inside "make demo"
