#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every function that the headers declare is in the libraries, and nothing else is visible.
set -eu
home=$(dirname "$1")/lib/bankshot
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

# A declaration is a statement whose first NAME( begins like CUDA; inline functions and types are none.
printf '#include "cuda_runtime_api.h"\n#include "cuda.h"\n#include "cuda_profiler_api.h"\n' >"$work/all.c"
for define in -DUNUSED -DCUDA_API_PER_THREAD_DEFAULT_STREAM; do
    ${CC:-cc} -E -P $define -iquote "$home/include" -idirafter "$home/include" "$work/all.c" | tr '\n' ' '
done |
    awk 'BEGIN { RS = ";" }
        !/typedef|static|=|\{|\}/ && match($0, /(__cuda[A-Za-z0-9_]*|cuda[A-Za-z0-9_]*|cu[A-Z][A-Za-z0-9_]*)\(/) {
            print substr($0, RSTART, RLENGTH - 1)
        }' | sort -u >"$work/declared"
for lib in libbankshot-cuda.so libcudart.so.12; do
    nm -D --defined-only "$home/$lib" | awk '{ print $3 }' | sed 's/@.*//'
done | sort -u >"$work/defined"

comm -23 "$work/declared" "$work/defined" >"$work/missing"
if [ -s "$work/missing" ]; then
    echo "declared in include/ but in no library:"
    cat "$work/missing"
    status=1
fi
if [ "$(wc -l <"$work/declared")" -lt 300 ]; then
    echo "only $(wc -l <"$work/declared") declarations found: the test is broken"
    status=1
fi
if nm -D --defined-only "$home/libbankshot-cuda.so" | awk '{ print $3 }' | grep -Ev '^(__cuda|__bankshot|cuda|cu[A-Z]|nvtx[A-Z]|InitializeInjectionNvtx2$)'; then
    echo "visible in libbankshot-cuda.so, but neither of CUDA nor of NVTX"
    status=1
fi

# The forms of other versions come first where they differ.
for v in 11 13; do
    lib=$(ls "$home"/libcudart.so.$v*)
    tr '\n' ' ' <"$(dirname "$0")/../../src/cudart/versions/abi.h" | tr ';' '\n' |
        sed -n "s/.* abi${v}_[a-z0-9_]*(.*ABI_SYMBOL(\"\([A-Za-z0-9_]*\)\").*/\1/p" | sort -u >"$work/forms"
    test -s "$work/forms"
    nm -D --defined-only "$lib" | awk '{ print $3 }' | sed 's/@.*//' | sort -u >"$work/have"
    # CUDA 12 has these two in CUDA 11's form under the plain name, too: they are in the core library.
    if comm -23 "$work/forms" "$work/have" | grep -Evx 'cudaGetDeviceProperties|cudaStreamGetCaptureInfo' && [ $v = 11 ]; then
        status=1
    fi
    if [ $v = 13 ] && comm -23 "$work/forms" "$work/have" | grep .; then
        echo "not in $lib in the form of CUDA $v"
        status=1
    fi
done
exit $status
