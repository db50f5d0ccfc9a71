#!/usr/bin/env bash
# Installs the Debian packages of tools/packages.txt that are missing.
# Usage: tools/install_packages.sh build [test]
set -euo pipefail
cd "$(dirname "$0")/.."

wanted=()
for kind in "$@"; do
    while read -r line_kind package; do
        if [ "$line_kind" = "$kind" ]; then wanted+=("$package"); fi
    done < <(grep -v '^#' tools/packages.txt)
done

if ! command -v dpkg-query >/dev/null; then
    echo "not a Debian system: install what corresponds to: ${wanted[*]}" >&2
    exit 0
fi

missing=()
for package in "${wanted[@]}"; do
    # A tool that is there from elsewhere will do.
    if command -v "$package" >/dev/null; then continue; fi
    state=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
    if [ "$state" != "install ok installed" ]; then missing+=("$package"); fi
done
if [ ${#missing[@]} -eq 0 ]; then exit 0; fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "missing packages, and neither root nor sudo to install them: ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi
echo "installing: ${missing[*]}"
apt_get() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=600 "$@" >/dev/null
}
# The lists of a fresh machine may be absent or old; without a network those that are there may still do.
apt_get update || echo "apt-get update failed; trying with the package lists that are there" >&2
apt_get install -y --no-install-recommends "${missing[@]}"
