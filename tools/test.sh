#!/usr/bin/env bash
# Installs what is missing, builds with warnings as errors, and runs every test.
# The last line is "N passed, M failed": test cases, and scripts as one each.
# Usage: tools/test.sh [ARGUMENTS OF CTEST], for example tools/test.sh -R unit
set -euo pipefail
cd "$(dirname "$0")/.."

tools/install_packages.sh build test
cmake --preset ci >/dev/null
cmake --build --preset ci -j "$(nproc)"

log=build/ci/Testing/Temporary/LastTest.log
seen=build/ci/tests.txt
status=0
ctest --test-dir build/ci --output-on-failure -j "$(nproc)" "$@" | tee "$seen" || status=$?

# CTest knows executables and how they ended; how many cases each of them ran stands in its own output.
awk '
    FNR == 1 { file += 1 }
    file == 1 && /^[0-9]+\/[0-9]+ Testing: / { name = $3 }
    file == 1 && /^All tests passed \(.* in [0-9]+ test cases?\)/ { good[name] = $(NF - 2) }
    file == 1 && /^test cases: / {
        for (i = 2; i <= NF; i++) {
            if ($i == "passed") good[name] = $(i - 1)
            if ($i == "failed") bad[name] = $(i - 1)
        }
    }
    file == 2 && /^ *[0-9]+\/[0-9]+ +Test +#[0-9]+: / {
        name = $4
        if ($0 ~ / Passed +[0-9.]+ sec/) passed += name in good ? good[name] : 1
        else if ($0 ~ /\*\*\*Skipped/) skipped += 1
        else { passed += good[name]; failed += bad[name] > 0 ? bad[name] : 1 }
    }
    END {
        if (skipped > 0) printf "%d skipped (what they need is not on this machine)\n", skipped
        printf "%d passed, %d failed\n", passed, failed
    }
' "$log" "$seen"
exit "$status"
