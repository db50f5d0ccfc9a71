#!/bin/sh
# Runs every fuzz target for a few seconds from its seeds, if it has any; any finding fails.
# Usage: smoke.sh DIRECTORY_OF_TARGETS [SECONDS_PER_TARGET]
set -eu
targets=$1
seconds=${2:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for target in "$targets"/fuzz_*; do
    [ -x "$target" ] || continue
    name=$(basename "$target")
    mkdir -p "$work/$name" "$targets/seeds/$name"
    if "$target" "$work/$name" "$targets/seeds/$name" -max_total_time="$seconds" -max_len=4200 -rss_limit_mb=2048 -timeout=10 -print_final_stats=1 \
        -artifact_prefix="$work/" >"$work/log" 2>&1; then
        echo "$name: $(sed -n 's/^stat::number_of_executed_units: */executions: /p' "$work/log")"
    else
        cat "$work/log"
        echo "$name: failed"
        exit 1
    fi
done
