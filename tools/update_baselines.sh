#!/bin/sh
# Runs every shipped experiment and accepts its numbers as the new baseline. Usage: update_baselines.sh REASON [NETZIPSIM]
set -eu
root=$(dirname "$(readlink -f "$0")")/..
reason=${1:?give the reason why the numbers moved}
netzipsim=${2:-$root/build/release/bin/netzipsim}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for experiment in "$root"/configs/experiments/*.toml; do
    name=$(basename "$experiment" .toml)
    "$netzipsim" run "$experiment" -o "$work/$name" > /dev/null
    "$netzipsim" baseline update "$root/tests/baselines/$name" "$work/$name" --reason "$reason"
done
