#!/bin/sh
# How well a sweep uses the cores: prints time with one process, with N, and efficiency = t1 / (N tN).
# Usage: sweep_efficiency.sh NETZIPSIM [N]. Means something only on an otherwise idle machine.
set -eu
netzipsim=$1
jobs=${2:-$(nproc)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/sweep.toml" << TOML
# Question: how well does a sweep use the cores?
base = "$(dirname "$(readlink -f "$0")")/../../configs/experiments/two_nodes_fpga_50g.toml"
[set]
run.compare_plain = false
workload.repeat = 5
[grid]
nic.compressor.engines = [4, 6, 8, 10, 12, 14, 16, 18, 20, 22]
nic.decompressor.engines = [2, 4, 8, 16]
TOML
seconds() {
    start=$(date +%s.%N)
    "$netzipsim" sweep "$work/sweep.toml" -j "$1" -o "$work/$1" > /dev/null
    echo "$(date +%s.%N) $start" | awk '{ printf "%.2f", $1 - $2 }'
}
one=$(seconds 1)
many=$(seconds "$jobs")
echo "$one $many $jobs" | awk '{ printf "40 points: %s s with 1 process, %s s with %d, efficiency %.2f\n", $1, $2, $3, $1 / ($3 * $2) }'
