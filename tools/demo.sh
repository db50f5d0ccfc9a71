#!/usr/bin/env bash
# Installs what is missing, builds, and replays the recording that ships with the project through a NetZIP NIC.
# Usage: tools/demo.sh [DIRECTORY FOR THE RESULTS]
set -euo pipefail
results=$(realpath -m "${1:-results/demo}")
cd "$(dirname "$0")/.."

tools/install_packages.sh build
cmake --preset release >/dev/null
cmake --build --preset release --target netzipsim -j "$(nproc)"
build/release/bin/netzipsim run configs/experiments/two_nodes_fpga_50g.toml -o "$results"
