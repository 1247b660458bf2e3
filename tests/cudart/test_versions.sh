#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Programs that were linked with the runtime of CUDA 11, 12 or 13 run with ours under its name: the versions of symbols are
# accepted without a word, and structures have the layout of that CUDA.
set -eu
home=$(dirname "$1")/lib/bankshot
source=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc="${CC:-cc} -I$source/src -iquote $source/include -idirafter $source/include"
if nm -D "$home/libbankshot-cuda.so" | grep -Eq '__[at]san_init|__ubsan'; then
    echo "skipped: programs without a sanitizer cannot load libraries with one"
    exit 0
fi

cat >"$work/app.c" <<'END'
#include "cudart/versions/abi.h"
#include <stdio.h>
#include <string.h>
#undef cudaGetDeviceProperties
int main(void)
{
    static union {
        unsigned char bytes[4096];
        struct cudaDeviceProp p12;
        struct abi13_device_prop p13;
    } u;
    int version = 0, sms = 0;
    size_t end = 0;
    void *p = NULL;
    memset(u.bytes, 0xaa, sizeof u.bytes);
    cudaError_t e = cudaRuntimeGetVersion(&version);
    if (!e)
        e = VERSION == 11 ? abi11_get_device_properties(&u, 0)
            : VERSION == 12 ? cudaGetDeviceProperties_v2(&u.p12, 0)
                            : abi13_get_device_properties(&u.p13, 0);
    sms = VERSION == 13 ? u.p13.multiProcessorCount : u.p12.multiProcessorCount;
    for (end = sizeof u.bytes; u.bytes[end - 1] == 0xaa; end--)
        ;
    size_t want = VERSION == 11 ? ABI11_DEVICE_PROP_B : VERSION == 12 ? sizeof u.p12 : sizeof u.p13;
    if (!e)
        e = cudaMalloc(&p, 100);
    if (!e)
        e = cudaMemset(p, 0, 100);
    if (!e)
        e = cudaFree(p);
    printf("%s %d %s %d %d %s\n", cudaGetErrorName(e), version / 1000, u.bytes, sms,
           VERSION == 13 ? u.p13.reservedSharedMemPerBlock == 1024 : u.p12.reservedSharedMemPerBlock == 1024,
           end == want ? "fits" : "does not fit");
    return 0;
}
END
cat >"$work/stub.c" <<'END'
void cudaRuntimeGetVersion(void) {}
void cudaGetDeviceProperties(void) {}
void cudaGetDeviceProperties_v2(void) {}
void cudaMalloc(void) {}
void cudaMemset(void) {}
void cudaFree(void) {}
void cudaGetErrorName(void) {}
END

status=0
for v in 11.0 12 13; do
    soname=libcudart.so.$v
    mkdir "$work/$v"
    echo "$soname { *; };" >"$work/$v/map"
    $cc -shared -fPIC -o "$work/$v/$soname" "$work/stub.c" -Wl,-soname,$soname -Wl,--version-script="$work/$v/map"
    $cc -DVERSION=${v%.0} -o "$work/$v/app" "$work/app.c" "$work/$v/$soname"
    LD_LIBRARY_PATH="$home" "$work/$v/app" >"$work/out" 2>"$work/err" || true
    if [ "$(cat "$work/out")" != "cudaSuccess ${v%.0} Bankshot 132 1 fits" ] || [ -s "$work/err" ]; then
        echo "$soname:"
        cat "$work/out" "$work/err"
        status=1
    fi
done

# What -lcudart and -lcuda find is enough to link a program.
printf '#include "cuda_runtime_api.h"\n#include "cuda.h"\n%s\n' \
    'int main(void) { int n = 0; return cuInit(0) || cuDeviceGetCount(&n) || cudaDeviceSynchronize() || n != 1; }' >"$work/both.c"
$cc -o "$work/both" "$work/both.c" -L"$home" -lcudart -lcuda -Wl,-rpath,"$home"
"$work/both" || { echo "program with both interfaces: $?"; status=1; }
exit $status
