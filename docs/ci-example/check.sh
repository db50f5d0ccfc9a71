#!/bin/sh
# Fails (exit status 4) when a simulated number moved, and says which. For any CI system with a shell.
#
#   check.sh EXPERIMENT.toml BASELINE [RESULTS]
#
# BASELINE is a directory under version control, made once with
#   netzipsim run EXPERIMENT.toml -o results && netzipsim baseline update BASELINE results --reason "first baseline"
# RESULTS (default: netzipsim-results) receives the run, compare.md and compare.xml.
set -eu
experiment=$1
baseline=$2
results=${3:-netzipsim-results}
netzipsim=${NETZIPSIM:-netzipsim}

"$netzipsim" run "$experiment" -o "$results/run"
# tolerances.toml beside the baseline, if there is one; without it every number is equal to the last bit.
set -- "$baseline" "$results/run" --markdown "$results/compare.md" --junit "$results/compare.xml"
if [ -f "$baseline/tolerances.toml" ]; then
    set -- "$@" --tolerances "$baseline/tolerances.toml"
fi
"$netzipsim" compare "$@"
