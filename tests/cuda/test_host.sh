#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Host code alone, in C and C++ and without clang's CUDA mode: the headers compile without a warning under every standard
# that programs ask for, and the programs run.
set -u
bankshot=$1
here=$(cd "$(dirname "$0")/../.." && pwd)
home=$(cd "$(dirname "$bankshot")" && pwd)/lib/bankshot
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
fail=0

cat >"$tmp/host.c" <<'END'
#include <cuda.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <library_types.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    struct cudaDeviceProp prop;
    int count = 0, version = 0;
    float h[4] = {1, 2, 3, 4}, back[4] = {0, 0, 0, 0};
    void *d = NULL;
    float4 v = make_float4(1, 2, 3, 4);
    struct cudaExtent e = make_cudaExtent(1, 2, 3);
    dim3 grid;
    grid.x = grid.y = grid.z = 2;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count < 1 || cudaGetDeviceProperties(&prop, 0) != cudaSuccess)
        return 1;
    if (cudaMalloc(&d, sizeof h) != cudaSuccess || cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice) != cudaSuccess ||
        cudaMemcpy(back, d, sizeof h, cudaMemcpyDeviceToHost) != cudaSuccess || memcmp(h, back, sizeof h) != 0)
        return 2;
    if (cuInit(0) != CUDA_SUCCESS || cuDriverGetVersion(&version) != CUDA_SUCCESS || version < 12000)
        return 3;
    if (prop.warpSize != 32 || prop.clockRate <= 0 || v.w != 4 || e.depth != 3 || grid.z != 2)
        return 4;
    if (cudaFree(d) != cudaSuccess || cudaSetDevice(-1) != cudaErrorInvalidDevice)
        return 5;
    puts(cudaGetErrorString(cudaGetLastError()));
    return 0;
}
END
cp "$tmp/host.c" "$tmp/host.cc"
warn='-Wall -Wextra -Werror'
compiles() { # compiler, standard, source
    command -v "$1" >/dev/null || return 0
    # shellcheck disable=SC2086
    if ! "$1" -std="$2" $warn -I"$here/include" -fsyntax-only "$tmp/$3" >"$tmp/log" 2>&1; then
        echo "$1 -std=$2 $3: does not compile:" && head -10 "$tmp/log"
        fail=1
    fi
}
runs() { # compiler, source
    command -v "$1" >/dev/null || return 0
    if ! "$1" -I"$here/include" "$tmp/$2" -o "$tmp/host" -L"$home" -lcudart -lcuda -Wl,-rpath,"$home" >"$tmp/log" 2>&1; then
        echo "$1 $2: does not link:" && head -10 "$tmp/log"
        fail=1
        return
    fi
    out=$(LD_PRELOAD=$preload "$tmp/host" 2>"$tmp/err")
    status=$?
    if [ $status != 0 ] || [ "$out" != "invalid device ordinal" ]; then
        echo "$1 $2: status $status, said '$out'" && head -5 "$tmp/err"
        fail=1
    fi
}
for cc in gcc clang-14; do
    compiles $cc gnu99 host.c
    compiles $cc c17 host.c
done
for cxx in g++ clang++-14; do
    compiles $cxx c++98 host.cc
    compiles $cxx c++11 host.cc
    compiles $cxx c++20 host.cc
done
runs gcc host.c
runs g++ host.cc
[ $fail = 0 ] && echo "host: all of them build and run"
exit $fail
