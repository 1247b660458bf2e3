#!/bin/sh
# Makes the checked-in PTX from the .cu files: kernels/NAME.ptx with nvcc, kernels/clang/NAME-VERSION.ptx with those of
# Debian's clangs that are installed. Needed only after a .cu file changed. usage: kernels/gen.sh [NAME...]
set -eu
cd "$(dirname "$0")"
NVCC=${NVCC:-/usr/local/cuda/bin/nvcc}

# Kernels that need no header of the toolkit and no math library.
PLAIN=" align bfs bitonic calls dgemm forces hash histogram image intdiv kmeans local lock mandelbrot nbody reduce saxpy scan
 sgemm_naive sgemm_reg sgemm_tiled spmv stencil structs tables transpose vectoradd "
IN_16=" calls dgemm histogram image scan stencil "
IN_19=" align bitonic calls forces hash image intdiv local nbody reduce saxpy sgemm_reg sgemm_tiled spmv structs tables "

clang_ptx() # version name
{
    command -v "clang-$1" >/dev/null || return 0
    "clang-$1" -x cuda -nocudainc -nocudalib --cuda-gpu-arch=sm_80 -Xclang -target-sdk-version=11.0 -Xclang -target-feature \
        -Xclang +ptx70 -Wno-unknown-cuda-version -include clang/cuda.h -O2 --cuda-device-only -S -o "clang/$2-$1.ptx" "$2.cu"
}

[ $# -gt 0 ] || set -- $(ls ./*.cu | sed 's,^\./,,; s,\.cu$,,')
for name in "$@"; do
    "$NVCC" -ptx -arch=sm_80 -o "$name.ptx" "$name.cu"
    case "$PLAIN" in *[!a-z0-9_]"$name"[!a-z0-9_]*) clang_ptx 14 "$name" ;; esac
    case "$IN_16" in *" $name "*) clang_ptx 16 "$name" ;; esac
    case "$IN_19" in *" $name "*) clang_ptx 19 "$name" ;; esac
done
# SPDX-License-Identifier: Apache-2.0
