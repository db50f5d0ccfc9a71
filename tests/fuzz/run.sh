#!/usr/bin/env bash
# The other compiler, with sanitizers: builds fuzz targets and simulator with clang, address and undefined-behaviour
# sanitizers; runs each target for a few seconds; and compares the statistics of whole runs with those of the simulator
# that is given, byte for byte.
# Usage: run.sh SOURCE BUILD NETZIPSIM [SECONDS_PER_TARGET]; exit status 77 without clang++ or its fuzzing runtime.
set -euo pipefail
source=$1
build=$2
netzipsim=$3
seconds=${4:-2}

mkdir -p "$build"
echo 'extern "C" int LLVMFuzzerTestOneInput(unsigned char const*, unsigned long) { return 0; }' >"$build/probe.cpp"
if ! clang++ -fsanitize=fuzzer,address "$build/probe.cpp" -o "$build/probe" 2>"$build/probe.log"; then
    echo "skipped: clang++ with libFuzzer is not on this machine"
    exit 77
fi
cmake -S "$source" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_CXX_FLAGS_RELEASE=-O1 \
    -DNETZIP_FUZZ=ON -DNETZIP_TESTS=OFF -DNETZIP_BENCH=OFF -DNETZIP_WERROR=ON >"$build/configure.log"
targets=$(ninja -C "$build" -t targets all | sed -n 's/^\(fuzz_[a-z_]*\): phony$/\1/p' | sort -u)
# shellcheck disable=SC2086
ninja -C "$build" $targets make_seeds netzipsim >"$build/build.log" || { tail -30 "$build/build.log"; exit 1; }
"$source/tests/fuzz/smoke.sh" "$build/fuzz" "$seconds"

compare() {
    name=$1
    shift
    for program in "$netzipsim" "$build/bin/netzipsim"; do
        "$program" run "$@" -o "$build/$name-$(basename "$(dirname "$(dirname "$program")")")" >/dev/null
    done
    cmp "$build/$name"-*/stats.json
    echo "$name: the same statistics from both compilers"
}
# The instrumented simulator lies too deep to find the cost tables above itself: they are found from here.
cd "$source"
experiments=configs/experiments
compare lz4 "$experiments/two_nodes_fpga_50g.toml"
compare prefix "$experiments/two_nodes_prefix_50g.toml"
compare mixed "$experiments/two_nodes_asic_50g.toml" --set link.loss=0.01 --set workload.queue_pairs=4 \
    --set background.enabled=true --set switch.present=true
compare sizes "$experiments/two_nodes_asic_50g.toml" --set run.payload=sizes --set nic.algorithm.codec=zstd
