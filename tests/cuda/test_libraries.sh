#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# CUDA's libraries: twelve calls give what NVIDIA's gave on an H200 (library_calls.txt), by name or by the static libraries' names, and a
# program in C can use them.
set -u
bankshot=$1
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../programs/preload.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
"$bankshot" cc -O1 -o "$tmp/calls" "$here/library_calls.cu" -lcublas -lcurand -lcusparse || exit 1
LD_PRELOAD=$preload "$tmp/calls" >"$tmp/calls.txt" 2>&1
if ! diff "$here/library_calls.txt" "$tmp/calls.txt"; then
    echo "library_calls: < an H200, > here"
    exit 1
fi
echo "library_calls: $(grep -c : "$tmp/calls.txt") lines as an H200 prints them"
"$bankshot" cc -o "$tmp/plain" "$here/plain_c.c" -lcublas_static -lculibos -lcurand_static -lcusparse_static || exit 1
got=$(LD_PRELOAD=$preload "$tmp/plain") || exit 1
if [ "$got" != "10 6627e8d5" ]; then
    echo "plain_c: $got"
    exit 1
fi
echo "plain_c: passed"
