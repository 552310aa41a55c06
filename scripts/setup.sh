#!/usr/bin/env bash
# Installs what algprior needs on Debian: packages by apt, then MNIST and two fonts into the data store.
#
#   scripts/setup.sh [format] [lint] [fuzz] [oracles] [python] [browser] [cluster]
#
# Without words: all that `make test` and `make demo` use. Each word adds the packages of one more job
# (oracles: GAP, beside which the benchmarks set their times, and PyTorch; python: what
# `make python` builds with and tests with, and what other tests compare with; browser: Chromium, and the
# packages of tests/browser/package-lock.json; cluster: Slurm on one host).
# Runs again at no cost: apt is touched only when a package is missing, nothing is fetched that is there.
set -euo pipefail

packages=(
  g++ cmake ninja-build ccache git make     # the build
  python3                                   # the test of the documentation
  libtorch-dev libopenblas0-pthread         # LibTorch, and a BLAS that is not the reference BLAS
  libgloo-dev                               # headers of the Gloo in LibTorch: training by several processes
  libeigen3-dev libspectra-dev libhwy-dev   # algebra; eigenvalues of meshes; SIMD kernels
  libcli11-dev libfmt-dev                   # the program
  libtomlplusplus-dev nlohmann-json3-dev    # configuration, results
  libcurl4-openssl-dev ca-certificates curl # the data store
  zlib1g-dev                                # file formats
  libfreetype-dev fonts-dejavu-core         # glyphs; digits for the demo where neither MNIST nor its fonts are
  libcpp-httplib-dev libssl-dev pkgconf     # algprior watch
  librsvg2-2                                # figures as PNG; loaded when one is drawn
  libgtest-dev                              # tests
)
for word in "$@"; do
  case "$word" in
    format) packages+=(clang-format) ;;
    lint) packages+=(clang-tidy) ;;
    fuzz) packages+=(clang) ;;
    oracles) packages+=(gap-core gap-smallgrp gap-transgrp gap-character-tables python3-torch) ;;
    python)
      packages+=(python3-dev pybind11-dev python3-numpy python3-torch # the package
        python3-pytest python3-hypothesis mypy python3-wheel)         # its tests, make wheel
      ;;
    browser)
      packages+=(chromium)
      # Node may have come with an npm of its own, beside which Debian's cannot be installed.
      command -v node >/dev/null || packages+=(nodejs)
      command -v npm >/dev/null || packages+=(npm)
      ;;
    cluster) packages+=(slurm-wlm munge iproute2 procps) ;;
    *)
      echo "setup: unknown word '$word'; one of: format lint fuzz oracles python browser cluster" >&2
      exit 2
      ;;
  esac
done

say() { echo "setup: $*"; }

missing_packages() {
  local installed
  # dpkg-query fails when it does not know one of the names; what it knows it lists all the same.
  installed=$({ dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null || true; } |
    sed -n 's/^installed //p')
  printf '%s\n' "${packages[@]}" | sort -u | comm -23 - <(sort -u <<<"$installed")
}

install_packages() {
  if ! command -v apt-get >/dev/null; then
    say "this is not Debian. Install what these packages hold by your system's own means, then use cmake: $*" >&2
    exit 1
  fi
  local line="apt-get install -y --no-install-recommends $*" as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    # Without a terminal sudo cannot ask for a password; then it must not need one.
    if command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
      as_root=(sudo)
    else
      say "these packages are missing, and neither root nor sudo is at hand. As root, run:" >&2
      echo "    $line" >&2
      exit 1
    fi
  fi
  say "installing $*"
  "${as_root[@]}" apt-get update -q || say "apt-get update failed; trying with the lists that are here"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive $line
}

mapfile -t missing < <(missing_packages)
if [ ${#missing[@]} -gt 0 ]; then install_packages "${missing[@]}"; fi

tests=$(dirname "$0")/../tests/browser
# npm marks what it installed with a copy of the lock file; equal versions need no second visit.
if [[ " $* " == *" browser "* && "$tests/package-lock.json" -nt "$tests/node_modules/.package-lock.json" ]]; then
  say "installing the packages of the browser tests"
  npm ci --prefix "$tests" --no-progress || say "npm could not install them: the browser tests will be skipped" >&2
fi

[ $# -gt 0 ] || "$(dirname "$0")/fetch_data.sh"
