#!/usr/bin/env bash
# Installs the Debian packages of tools/packages.txt that are missing.
# Usage: tools/install_packages.sh build [test]
# A package of kind "build" must be there in the end; a test whose package cannot be had skips itself and says so.
set -euo pipefail
cd "$(dirname "$0")/.."

# The packages of a kind that are not installed. A program that came by another way counts as its package.
missing() {
    local kind package state
    while read -r kind package; do
        if [ "$kind" != "$1" ] || command -v "$package" >/dev/null; then continue; fi
        state=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
        if [ "$state" != "install ok installed" ]; then echo "$package"; fi
    done < <(grep -v '^#' tools/packages.txt)
}

apt_get() {
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=600 "$@" >/dev/null
}

updated=no
install() {
    # The lists of a fresh machine may be absent or old; without a network those that are there may still do.
    if [ "$updated" = no ]; then
        apt_get update || echo "apt-get update failed; trying with the package lists that are there" >&2
        updated=yes
    fi
    apt_get install -y --no-install-recommends "$@"
}

if ! command -v dpkg-query >/dev/null; then
    echo "not a Debian system: install what corresponds to the packages of tools/packages.txt" >&2
    exit 0
fi
for kind in "$@"; do
    mapfile -t packages < <(missing "$kind")
    if [ ${#packages[@]} -eq 0 ]; then continue; fi
    if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
        echo "missing packages, and neither root nor sudo to install them: ${packages[*]}" >&2
        if [ "$kind" = build ]; then exit 1; else continue; fi
    fi
    echo "installing: ${packages[*]}"
    if install "${packages[@]}"; then continue; fi
    if [ "$kind" = build ]; then exit 1; fi
    for package in "${packages[@]}"; do
        install "$package" || echo "$package cannot be installed; tests that need it are skipped" >&2
    done
done
