#!/bin/bash
# The documented job array on a real one-node Slurm: start it, run a sweep as four tasks, lose one, merge, compare.
# Usage: run.sh NETZIPSIM SOURCE_DIR. Exit status 77: skipped (no root, or packages missing).
set -u
netzipsim=$1
source=$2
for tool in munged slurmctld slurmd sbatch sinfo; do
    command -v $tool > /dev/null || { echo "skipped: $tool is not installed (packages munge slurmctld slurmd)"; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo "skipped: starting Slurm needs root"; exit 77; }

work=$(mktemp -d /tmp/netzip_slurm.XXXXXX)
host=$(hostname -s)
stop() {
    for name in slurmd slurmctld munged; do
        [ -f "$work/$name.mypid" ] && kill "$(cat "$work/$name.mypid")" 2> /dev/null
    done
    wait
    rm -rf "$work"
}
trap stop EXIT
fail() { echo "failed: $*"; tail -n 5 "$work"/log/* 2> /dev/null; exit 1; }

# Names, sockets and ports of our own: another Slurm on this machine is left alone.
mkdir -p "$work/state" "$work/spool" "$work/log"
chmod 755 "$work"
cat > "$work/slurm.conf" << CONF
ClusterName=netzip
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CryptoType=crypto/munge
AuthInfo=socket=$work/munge.socket
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldPort=16817
SlurmdPort=16818
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,batch_sched_delay=0,sched_min_interval=0
MpiDefault=none
ReturnToService=2
SwitchType=switch/none
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=2000 State=UNKNOWN
PartitionName=sweep Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$work/slurm.conf
dd if=/dev/urandom of="$work/munge.key" bs=1024 count=1 2> /dev/null
chmod 400 "$work/munge.key"
start() {
    name=$1
    shift
    "$@" > "$work/log/$name.out" 2>&1 < /dev/null &
    echo $! > "$work/$name.mypid"
}
start munged munged --force --foreground --socket="$work/munge.socket" --key-file="$work/munge.key" \
    --pid-file="$work/munged.pid" --log-file="$work/log/munged.log" --seed-file="$work/munged.seed"
for _ in $(seq 100); do [ -S "$work/munge.socket" ] && break; sleep 0.1; done
start slurmctld slurmctld -D -f "$SLURM_CONF"
start slurmd slurmd -D -f "$SLURM_CONF"
for _ in $(seq 600); do sinfo -h -o %T 2> /dev/null | grep -q idle && break; sleep 0.1; done
sinfo -h -o %T | grep -q idle || fail "Slurm did not start"

sweep=$source/tests/slurm/sweep.toml
array() {
    SWEEP=$sweep SHARDS=4 OUT=$work/results NETZIPSIM=$netzipsim JOBS=1 timeout 120 \
        sbatch --wait --export=ALL --array="$1" --chdir="$work" "$source/tools/sweep.sbatch"
}
array 0-3 || fail "the job array returned $?: $(cat "$work"/sweep-*.log)"

# A lost shard is named with the command that runs it again, and that command works.
rm "$work/results/shard-2-of-4.sqlite"
"$netzipsim" merge "$work/results" > "$work/merge.out" 2>&1
[ $? = 3 ] || fail "merge did not notice the lost shard"
grep -q "sbatch --array=2 " "$work/merge.out" || fail "merge does not say what to run: $(cat "$work/merge.out")"
array 2 || fail "the shard did not run again"
"$netzipsim" merge "$work/results" || fail "merge failed"

"$netzipsim" sweep "$sweep" -j 2 -o "$work/whole" > /dev/null || fail "the whole sweep failed"
"$netzipsim" compare "$work/whole" "$work/results" || fail "the job array gives other numbers"
echo "fine: a sweep as a Slurm job array equals the sweep at once"
