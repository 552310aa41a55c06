#!/usr/bin/env bash
# Slurm on this host alone, started for the trial and ended with it: a sweep as a job array with a task that fails, one
# that is preempted by SIGTERM and requeued, one whose node is lost; resume and collect; two ranks under srun.
# As root, with the packages slurm-wlm and munge:
#
#   tests/cluster/slurm.sh build/release/algprior
set -euo pipefail
program=$(realpath "$1")
work=$(mktemp -d)
host=$(hostname -s)
export ALGPRIOR_RUNS=$work/runs SLURM_CONF=$work/slurm.conf
started=()

cleanup() {
  scancel --state=RUNNING --state=PENDING 2>/dev/null || true
  for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
  sleep 1
  for pid in "${started[@]}"; do kill -9 "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap cleanup EXIT
fail() {
  echo "slurm: $*" >&2
  squeue >&2 || true
  tail -n 5 "$work"/*.log "$work"/runs/sweeps/*/logs/*.log >&2 2>/dev/null || true
  exit 1
}
say() { echo "slurm: [$SECONDS s] $*"; }
# until CONDITION, at most so many seconds
until_true() {
  local most=$1
  shift
  for _ in $(seq $((10 * most))); do
    if "$@"; then return 0; fi
    sleep 0.1
  done
  return 1
}

mkdir -p "$work/state" "$work/spool" "$work/munge"
chmod 700 "$work/munge"
head -c 1024 /dev/urandom >"$work/munge/key"
chmod 600 "$work/munge/key"
munged --force --foreground --key-file="$work/munge/key" --socket="$work/munge/socket" \
  --pid-file="$work/munge/pid" --log-file="$work/munge/log" --seed-file="$work/munge/seed" >"$work/munged.log" 2>&1 &
started+=($!)
cat >"$SLURM_CONF" <<CONF
ClusterName=trial
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
MailProg=/bin/true
KillWait=2
SlurmdTimeout=10
SlurmctldPort=26817
SlurmdPort=26818
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES State=UP
CONF
until_true 10 test -S "$work/munge/socket" || fail "munged did not start"
slurmctld -D >"$work/controller.log" 2>&1 &
started+=($!)
start_node() {
  slurmd -D -N "$host" >"$work/node.log" 2>&1 &
  node=$!
  started+=($node)
}
start_node
is_idle() { sinfo -h -o %T 2>/dev/null | grep -q idle; }
until_true 60 is_idle || fail "the node did not come up"
say "Slurm $(sinfo --version | cut -d' ' -f2) is up on one host"

cat >"$work/run.toml" <<TOML
[experiment]
recipe = "ddmnist"
variant = "trial"
[data]
digits = "fonts"
train_per_class = 5
validation_per_class = 1
test_per_class = 1
[train]
batch_size = 100
epochs = 3
patience = 0
TOML
cat >"$work/sweep.toml" <<TOML
[sweep]
name = "trial"
file = "run.toml"
seeds = 2
[grid]
"train.learning_rate" = [0.0005, 0.001]
[slurm]
partition = "main"
time = "00:10:00"
warning = 30
TOML
row() { echo "$ALGPRIOR_RUNS/own-trial/regular@train.learning_rate=$1/$2"; }
state_of() { "$program" sweep status "$1" --json | python3 -c "import json,sys; print(json.load(sys.stdin)[$2]['state'])"; }
is_state() { [ "$(state_of "$1" "$2")" = "$3" ]; }
queue_empty() { [ -z "$(squeue -h)" ]; }

# One run fails: a folder stands where its metrics belong.
mkdir -p "$(row 0.001 0)/metrics.jsonl"
"$program" sweep submit "$work/sweep.toml" --engine slurm --max-parallel 2
until_true 120 queue_empty || fail "the array did not end"
is_state trial 0 finished || fail "task 0 is not finished"
is_state trial 1 failed || fail "task 1 did not fail"
"$program" sweep collect trial >"$work/part.txt"
grep -q "1 of 4 runs have no result" "$work/part.txt" || fail "collect does not count the failure"
grep -q "the end of its log" "$work/part.txt" || fail "collect does not show the log"
say "array of 4 with 2 at a time: 3 finished, 1 failed, collected with the end of its log"
rm -r "$(row 0.001 0)/metrics.jsonl"
"$program" sweep resume trial --engine slurm
"$program" sweep resume trial --engine slurm 2>&1 | grep -q "nothing is missing" || fail "resume submitted twice"
until_true 60 queue_empty || fail "the resumed array did not end"
is_state trial 1 finished || fail "task 1 is not finished after resume"
say "resume submitted the one that was missing, once"

# A long run is preempted: SIGTERM, a checkpoint, requeue; then its node is lost; then it ends.
sed -e 's/"trial"/"long"/' -e 's/seeds = 2/seeds = 1/' -e 's/\[0.0005, 0.001\]/[0.002]/' "$work/sweep.toml" >"$work/long.toml"
sed -i -e '/^seeds/a set = ["train.epochs=60"]' "$work/long.toml"
"$program" sweep submit "$work/long.toml" --engine slurm
run="$ALGPRIOR_RUNS/own-trial/regular@train.learning_rate=0.002,train.epochs=60/0"
[ -d "$(dirname "$(dirname "$run")")" ] || true
has_epochs() { run=$(ls -d "$ALGPRIOR_RUNS"/own-trial/*epochs=60*/0 2>/dev/null | head -1) && [ -n "$run" ] && [ "$(wc -l <"$run/metrics.jsonl" 2>/dev/null || echo 0)" -ge "$1" ]; }
until_true 60 has_epochs 2 || fail "the long run did not begin"
job=$(squeue -h -o %A | head -1)
scancel --signal=TERM --batch "$job"
stopped_or_requeued() { grep -q '"stopped"' "$run/heartbeat" || squeue -h -o %T | grep -q PENDING; }
until_true 30 stopped_or_requeued || fail "SIGTERM did not stop the run"
[ -e "$run/checkpoint.apc" ] || fail "there is no checkpoint"
lines=$(wc -l <"$run/metrics.jsonl")
say "SIGTERM: stopped with a checkpoint after $((lines / 2)) epochs, state $(state_of long 0)"
requeued() { squeue -h -o %T | grep -q PENDING; }
until_true 30 requeued || fail "the run was not requeued"
# Slurm holds a requeued job back for two minutes.
scontrol update JobId="$(squeue -h -o %i | head -1)" StartTime=now
until_true 60 is_state long 0 running || fail "the requeued run did not begin"
until_true 60 has_epochs $((lines + 2)) || fail "the requeued run did not go on"
say "requeued, it went on where it was"
process=$(python3 -c "import json; print(json.load(open('$run/heartbeat'))['process'])")
kill -9 "$node" "$process"
for pid in $(pgrep -f "slurmstepd: \[" || true); do grep -q "$work" "/proc/$pid/environ" 2>/dev/null && kill -9 "$pid" || true; done
until_true 30 is_state long 0 lost || fail "the lost run is not known as lost"
"$program" sweep collect long | grep -q "lost" || fail "collect does not tell of the lost run"
say "node lost: the run is known as lost from its folder"
"$program" sweep cancel long
start_node
until_true 60 is_idle || { scontrol update NodeName="$host" State=RESUME || true; until_true 30 is_idle || fail "the node did not come back"; }
"$program" sweep resume long --engine slurm
until_true 180 is_state long 0 finished || fail "the long run did not end"
say "the node came back, resume took the run up, it is finished"

# Two ranks of one run under srun.
srun -n 2 "$program" train "$work/run.toml" --out "$work/ranks" --threads 1 >"$work/srun.log" 2>&1 || fail "srun failed: $(tail -n 5 "$work/srun.log")"
grep -q '"ranks": "2"' "$work/ranks/result.json" || fail "srun did not make two ranks"
say "srun -n 2: one run by two ranks"
say "all is well"
