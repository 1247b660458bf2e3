#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Bulk copies in the timing model: boxes that are partly or wholly outside of their tensor report all their bytes, and a barrier
# object may lie at address 0 of shared memory. Where the model counts otherwise warps sleep for ever.
set -u
bankshot=$1
here=$(cd "$(dirname "$0")" && pwd)
home=$(cd "$(dirname "$bankshot")" && pwd)/lib/bankshot
if nm -D "$home/libbankshot-cuda.so" | grep -Eq '__(a|t)san_init'; then
    echo "skipped: programs without the sanitizer cannot load libraries with it"
    exit 0
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
if ! "$bankshot" cc -std=c++17 -O1 -arch=sm_90a -o "$tmp/bulk" "$here/bulk.cu" -lcuda >"$tmp/log" 2>&1 ||
    ! "$bankshot" record -o "$tmp/bulk.bst" "$tmp/bulk" >"$tmp/log" 2>&1 ||
    ! "$bankshot" run "$tmp/bulk.bst" --gpu hopper >"$tmp/log" 2>&1; then
    tail -n 5 "$tmp/log"
    exit 1
fi
echo "bulk: $(sed -n 2p "$tmp/log")"
