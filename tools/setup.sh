#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages that building and testing need, if they are missing; does nothing, and
# needs no network, once they are there. Usage: tools/setup.sh [build|test|check|dev|web]
#   build   compilers, build tools, libraries, and the clang that `bankshot cc` runs (the default)
#   test    the above, the Python libraries of the package in python/, which is not tested without them, and the browser that pages
#           are tested in
#   check   the above, and what `make check`, `make tidy` and `make fuzz` need: the other clang, clang-tidy, sanitizers
#   dev     the above, and readers of the figures that the report page saves
#   web     compiler, linker and C library for WebAssembly (make web)
set -eu
packages="gcc g++ libc6-dev make cmake ninja-build pkgconf libcmocka-dev clang-format dpkg-dev file"
packages="$packages zstd libzstd-dev liblz4-dev libxxhash-dev libjansson-dev libinih-dev liblzma-dev zlib1g-dev libsqlite3-dev sqlite3 gnuplot-nox clang-19 libomp-19-dev"
web="clang-19 lld-19 libclang-rt-19-dev-wasm32 wasi-libc libxxhash-dev cmake ninja-build make"
test="python3-pandas python3-matplotlib $web chromium nodejs"
check="$test clang clang-tidy libclang-rt-19-dev"
case ${1:-build} in
build) ;;
test) packages="$packages $test" ;;
check) packages="$packages $check" ;;
web) packages=$web ;;
dev) packages="$packages $check librsvg2-bin poppler-utils" ;;
*)
    echo "usage: tools/setup.sh [build|test|check|dev|web]" >&2
    exit 2
    ;;
esac

if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "setup: this is not a Debian system; it is assumed to have: $packages" >&2
    exit 0
fi

missing=
for p in $packages; do
    state=$(dpkg-query -W -f='${db:Status-Status}\n' "$p" 2>/dev/null | head -n 1) || state=
    [ "$state" = installed ] || missing="$missing $p"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
    as_root=
elif command -v sudo >/dev/null 2>&1; then
    as_root=sudo
else
    echo "setup: these Debian packages are missing:$missing" >&2
    echo "setup: run as root, or install sudo, or as root: apt-get install$missing" >&2
    exit 1
fi

echo "setup: installing$missing"
run_apt() {
    # shellcheck disable=SC2086 # as_root is empty or one word
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=120 "$@"
}
# The package lists may be old or absent (fresh image), or already right (no network): try both ways.
# shellcheck disable=SC2086
if ! run_apt update || ! run_apt install --no-install-recommends $missing; then
    if ! run_apt install --no-install-recommends $missing; then
        echo "setup: could not install:$missing (is there a network?)" >&2
        exit 1
    fi
fi
