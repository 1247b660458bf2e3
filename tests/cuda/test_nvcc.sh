#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The same programs built by NVIDIA's compiler, where it is installed, on the stand-in's libcudart.so.13 and libcuda.so.1.
# old.cu is left out: it uses what CUDA 13 no longer has.
set -u
bankshot=$1
here=$(cd "$(dirname "$0")" && pwd)
home=$(cd "$(dirname "$bankshot")" && pwd)/lib/bankshot
PATH=$PATH:/usr/local/cuda/bin
if ! command -v nvcc >/dev/null || ! nvcc --version | grep -q 'release 13'; then
    echo "nvcc: no nvcc 13 here, nothing built"
    exit 0
fi
stubs=$(dirname "$(dirname "$(command -v nvcc)")")/lib64/stubs
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
cat >"$tmp/run" <<'END'
here=$1 tmp=$2 home=$3 stubs=$4 preload=$5 p=$6
arch=sm_80
case $p in bulk | scopes) arch=sm_90a ;; esac
if ! nvcc -std=c++17 -O1 -arch=$arch -cudart shared -o "$tmp/$p" "$here/$p.cu" -L"$stubs" -lcuda >"$tmp/$p.build" 2>&1; then
    echo "$p: does not build:" && head -20 "$tmp/$p.build"
    exit 1
fi
LD_PRELOAD=$preload LD_LIBRARY_PATH=$home "$tmp/$p" >"$tmp/$p.out" 2>"$tmp/$p.err"
status=$?
if [ $status != 0 ] || [ "$(tail -1 "$tmp/$p.out")" != PASS ]; then
    echo "$p: status $status" && tail -n 5 "$tmp/$p.out" && tail -n 5 "$tmp/$p.err"
    exit 1
fi
echo "$p: passed"
END
printf '%s\n' bits warps atomics nv_atomics caches system memory errors streams textures graphs kernels services driver bulk scopes |
    xargs -P 2 -I PROGRAM sh "$tmp/run" "$here" "$tmp" "$home" "$stubs" "$preload" PROGRAM
