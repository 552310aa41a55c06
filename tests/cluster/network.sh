#!/usr/bin/env bash
# Two ranks on two "hosts" (network namespaces joined by a virtual cable): they train together; then the cable is cut
# in the middle of a run, and both must end within the timeout, naming who is gone; mended, the run goes on.
# As root:
#
#   tests/cluster/network.sh build/release/algprior
set -euo pipefail
program=$(realpath "$1")
work=$(mktemp -d)
timeout=10
first=algprior-a-$$ second=algprior-b-$$

cleanup() {
  for name in "$first" "$second"; do ip netns del "$name" 2>/dev/null || true; done
  rm -rf "$work"
}
trap cleanup EXIT
fail() {
  echo "network: $*" >&2
  tail -n 20 "$work"/*.log >&2 || true
  exit 1
}

ip netns add "$first"
ip netns add "$second"
ip link add veth0 netns "$first" type veth peer name veth0 netns "$second"
ip -n "$first" addr add 10.99.0.1/24 dev veth0
ip -n "$second" addr add 10.99.0.2/24 dev veth0
for name in "$first" "$second"; do
  ip -n "$name" link set lo up
  ip -n "$name" link set veth0 up
done

cat >"$work/run.toml" <<TOML
[experiment]
recipe = "ddmnist"
[data]
digits = "fonts"
train_per_class = 5
validation_per_class = 1
test_per_class = 1
[train]
batch_size = 64
epochs = 200
patience = 0
TOML

rank() { # number, namespace, further options
  local number=$1 space=$2
  shift 2
  ip netns exec "$space" env RANK="$number" WORLD_SIZE=2 MASTER_ADDR=10.99.0.1 MASTER_PORT=29999 \
    ALGPRIOR_RANK_TIMEOUT=$timeout "$program" train "$work/run.toml" --out "$work/run$number" --threads 1 --resume "$@" \
    >"$work/$number.log" 2>&1
}

both() {
  rank 0 "$first" "$@" &
  zero=$!
  rank 1 "$second" "$@" &
  one=$!
}

both
for _ in $(seq 600); do
  [ -s "$work/run0/metrics.jsonl" ] && break
  kill -0 $zero 2>/dev/null || fail "rank 0 ended before its first epoch"
  sleep 0.1
done
[ ! -e "$work/run1" ] || fail "rank 1 wrote files"
ip -n "$first" link set veth0 down
start=$SECONDS
code0=0 code1=0
wait $zero || code0=$?
wait $one || code1=$?
spent=$((SECONDS - start))
echo "network: cut off, rank 0 ended with $code0, rank 1 with $code1 after $spent s (timeout $timeout s)"
[ $code0 -eq 1 ] && [ $code1 -eq 1 ] || fail "both ranks should have failed"
[ $spent -le $((2 * timeout + 15)) ] || fail "that took too long"
grep -q "rank 1 on .* no longer answers" "$work/0.log" || fail "rank 0 did not name rank 1"
grep -q "rank 0 on .* no longer answers" "$work/1.log" || fail "rank 1 did not name rank 0"

# Nobody there: rank 1 says so within the timeout.
start=$SECONDS code1=0
rank 1 "$second" || code1=$?
[ $code1 -eq 1 ] && grep -q "cannot reach rank 0: 10.99.0.1:29999" "$work/1.log" || fail "an absent host was not named"
echo "network: an absent host was named after $((SECONDS - start)) s"

ip -n "$first" link set veth0 up
before=$(wc -l <"$work/run0/metrics.jsonl")
both
for _ in $(seq 600); do
  [ "$(wc -l <"$work/run0/metrics.jsonl")" -gt "$before" ] && break
  kill -0 $zero 2>/dev/null || fail "rank 0 ended after the cable was mended"
  sleep 0.1
done
kill -TERM $(pgrep -P $zero) 2>/dev/null || kill -TERM $zero
code0=0 code1=0
wait $zero || code0=$?
wait $one || code1=$?
echo "network: mended, the run went on; stopped by SIGTERM to rank 0: codes $code0 and $code1"
[ $code0 -eq 75 ] && [ $code1 -eq 75 ] || fail "both ranks should have stopped"
echo "network: all is well"
