#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# NVIDIA's own device functions, where its compiler is: built by nvcc, on the executor, they must be as exact as they are on a GPU.
set -u
bankshot=$1
here=$(cd "$(dirname "$0")" && pwd)
home=$(cd "$(dirname "$bankshot")" && pwd)/lib/bankshot
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)
if [ -z "$nvcc" ]; then
    echo "skipped: no nvcc here"
    exit 0
fi
# Libraries with a sanitizer inside want its runtime first in a program that has none.
preload=
if nm -D "$home/libbankshot-cuda.so" | grep -q '__asan_init'; then
    preload=$(gcc -print-file-name=libasan.so):$(gcc -print-file-name=libubsan.so)
elif nm -D "$home/libbankshot-cuda.so" | grep -q '__tsan_init'; then
    echo "skipped: programs without the thread sanitizer cannot load libraries with it"
    exit 0
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
status=0

# check NAME SOURCES: builds and runs.
check() {
    name=$1
    shift
    if ! "$nvcc" -std=c++17 -gencode arch=compute_80,code=compute_80 -cudart shared "$@" -o "$tmp/$name" >"$tmp/build" 2>&1; then
        echo "$name: does not build:" && tail -5 "$tmp/build"
        status=1
    elif ! LD_LIBRARY_PATH=$home LD_PRELOAD=$preload "$tmp/$name" >"$tmp/out" 2>&1; then
        echo "$name:" && grep -E 'WRONG|correct|:' "$tmp/out" | head -20
        status=1
    else
        echo "$name: passed ($(tail -1 "$tmp/out"))"
    fi
}
check half "$here/half.cu"
check exact "$here/exact.cu"
check accuracy "$here/gpu.cu" "$here/accuracy.c"
exit $status
