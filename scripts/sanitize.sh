#!/usr/bin/env bash
# Builds the tests under sanitizers, LibTorch's half with them, and runs them. Hours on few cores: by hand.
#
#   scripts/sanitize.sh asan-all                 # address and undefined behaviour, the whole suite
#   scripts/sanitize.sh tsan-all data_test ...   # threads; only these programs are built and run
#
# Debian's LibTorch, OpenBLAS and OpenMP are not instrumented: leaks that they keep to themselves are not counted, and
# scripts/tsan.supp names their libraries. JOBS (default: all cores) bounds the build. Reports end in
# build/<preset>/sanitizer.*; the script fails when there is one.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-}
case "$preset" in
  asan-all | tsan-all) shift ;;
  *)
    echo "sanitize: which? one of: asan-all tsan-all" >&2
    exit 2
    ;;
esac
build=build/$preset
jobs=${JOBS:-$(nproc)}
CCACHE_BASEDIR=$PWD
export CCACHE_BASEDIR
cmake --preset "$preset" >/dev/null
cmake --build "$build" -j "$jobs" ${1:+--target "$@"}
rm -f "$build"/sanitizer.*
log=$PWD/$build/sanitizer
# Tests preload a library that fills disks, and ask for absurd sizes.
export ASAN_OPTIONS=detect_leaks=0:detect_odr_violation=0:allocator_may_return_null=1:verify_asan_link_order=0:log_path=$log
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1:log_path=$log
export TSAN_OPTIONS=suppressions=$PWD/scripts/tsan.supp:allocator_may_return_null=1:log_path=$log
words=(-LE extreme)
if [ $# -gt 0 ]; then words=(-R "^($(IFS='|'; echo "$*"))\$"); fi
status=0
ctest --test-dir "$build" "${words[@]}" -j "$jobs" --output-on-failure --no-tests=error || status=$?
if compgen -G "$build/sanitizer.*" >/dev/null; then
  echo "sanitize: reports in $build:" >&2
  grep -hE "ERROR: |WARNING: ThreadSanitizer|runtime error" "$build"/sanitizer.* | sort | uniq -c >&2
  exit 1
fi
exit "$status"
