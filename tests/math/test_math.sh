#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Device math: the error of every function against CUDA's documented bounds, exact functions bit by bit, half precision, overloads.
# exact.cu, gpu.cu and overloads.cu also compile with nvcc. More points: build by hand and give the number (docs/math.md).
set -u
bankshot=$1
here=$(cd "$(dirname "$0")" && pwd)
home=$(cd "$(dirname "$bankshot")" && pwd)/lib/bankshot
if [ ! -f "$home/device.bc" ]; then
    echo "skipped: no clang was there to build the device functions"
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

# check NAME WORD SOURCES: builds and runs; the last line of the output must have WORD.
check() {
    name=$1 word=$2
    shift 2
    if ! "$bankshot" cc -std=c++17 -O1 "$@" -o "$tmp/$name" -lm >"$tmp/build" 2>&1; then
        echo "$name: does not build:" && head -20 "$tmp/build"
        status=1
    elif ! LD_PRELOAD=$preload "$tmp/$name" >"$tmp/out" 2>&1 || ! tail -1 "$tmp/out" | grep -q "$word"; then
        echo "$name:" && grep -v ' PASS$' "$tmp/out" | tail -20
        status=1
    else
        echo "$name: passed ($(tail -1 "$tmp/out"))"
    fi
}
check overloads PASS "$here/overloads.cu"
check exact PASS "$here/exact.cu"
check half PASS "$here/half.cu"
check accuracy ' 0 outside' "$here/gpu.cu" "$here/accuracy.c"
# The fast versions of -use_fast_math are other instructions: sine from the special function unit.
cat >"$tmp/fast.cu" <<'END'
#include <stdio.h>
__global__ void k(float *x) { *x = sinf(*x) + expf(*x) + powf(*x, 3.0f) / *x; }
int main()
{
    float *d, h = 2.0f;
    cudaMalloc((void **)&d, 4);
    cudaMemcpy(d, &h, 4, cudaMemcpyHostToDevice);
    k<<<1, 1>>>(d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    printf(h > 12.29835f && h < 12.29836f ? "PASS\n" : "FAIL %.9g\n", h);
}
END
check fast PASS -use_fast_math "$tmp/fast.cu"
exit $status
