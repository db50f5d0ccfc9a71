#!/usr/bin/env bash
# Builds every fuzz target with clang, address and undefined-behaviour sanitizers, and runs each for a few seconds.
# Usage: run.sh SOURCE BUILD [SECONDS_PER_TARGET]; exit status 77 without clang++ or its fuzzing runtime.
set -euo pipefail
source=$1
build=$2
seconds=${3:-2}

mkdir -p "$build"
echo 'extern "C" int LLVMFuzzerTestOneInput(unsigned char const*, unsigned long) { return 0; }' >"$build/probe.cpp"
if ! clang++ -fsanitize=fuzzer,address "$build/probe.cpp" -o "$build/probe" 2>"$build/probe.log"; then
    echo "skipped: clang++ with libFuzzer is not on this machine"
    exit 77
fi
cmake -S "$source" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_CXX_FLAGS_RELEASE=-O1 \
    -DNETZIP_FUZZ=ON -DNETZIP_TESTS=OFF -DNETZIP_BENCH=OFF >"$build/configure.log"
targets=$(ninja -C "$build" -t targets all | sed -n 's/^\(fuzz_[a-z_]*\): phony$/\1/p' | sort -u)
# shellcheck disable=SC2086
ninja -C "$build" $targets make_seeds >"$build/build.log" || { tail -30 "$build/build.log"; exit 1; }
"$source/tests/fuzz/smoke.sh" "$build/fuzz" "$seconds"
