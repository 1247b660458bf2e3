#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run --check of NVIDIA's code: what nvcc made waits long enough; with a stall count, a wait or a barrier changed, the value that is
# read before its time is told with both instructions. Usage: test_waits.sh BANKSHOT
set -u
. "$(dirname "$0")/frame.sh"
home=$(dirname "$bankshot")/lib/bankshot
[ -e "$home/libbankshot-static.so" ] || exit 77 # a build with sanitizers
data=$(cd "$here/../sass/data" && pwd)
cd "$tmp" || exit 1

# Runs the kernel `add` of a cubin; with arguments the word at that offset of the file has bits cleared, then set.
cat >app.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef unsigned long long u64;
extern int cuInit(unsigned), cuDevicePrimaryCtxRetain(void **, int), cuCtxSetCurrent(void *), cuModuleLoadData(void **, const void *),
    cuModuleGetFunction(void **, void *, const char *), cuMemAlloc_v2(u64 *, size_t), cuMemsetD32_v2(u64, unsigned, size_t),
    cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **),
    cuCtxSynchronize(void);
int main(int n, char **v)
{
    static char bytes[1 << 20];
    FILE *f = fopen(v[1], "rb");
    size_t size = f ? fread(bytes, 1, sizeof bytes, f) : 0;
    void *context, *module, *fn;
    u64 a, b, c, word;
    int count = 64;
    void *args[] = {&a, &b, &c, &count};
    if (n > 4) {
        memcpy(&word, bytes + strtoul(v[2], 0, 0), 8);
        word = (word & ~strtoull(v[3], 0, 0)) | strtoull(v[4], 0, 0);
        memcpy(bytes + strtoul(v[2], 0, 0), &word, 8);
    }
    return !size || cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context) || cuModuleLoadData(&module, bytes) ||
           cuModuleGetFunction(&fn, module, "add") || cuMemAlloc_v2(&a, 256) || cuMemAlloc_v2(&b, 256) || cuMemAlloc_v2(&c, 256) ||
           cuMemsetD32_v2(a, 0, 64) || cuMemsetD32_v2(b, 0, 64) ||
           cuLaunchKernel(fn, 2, 1, 1, 32, 1, 1, 0, 0, args, 0) || cuCtxSynchronize();
}
END
${CC:-cc} -w app.c -o app "$home/libcuda.so.1" "$home/libbankshot-cuda.so" -Wl,-rpath,"$home" || exit 1

text=0x4180 # .text.add of run_90.cubin: readelf -S
# tries NAME STATUS PATTERN [PLACE CLEAR SET]: PLACE in the kernel, bits of the instruction's second word
tries() {
    name=$1 want=$2 pattern=$3
    shift 3
    [ $# = 0 ] || set -- $((text + $1 + 8)) "$2" "$3"
    "$bankshot" record --quiet --code sass -o t.bst -- ./app "$data/run_90.cubin" "$@" >out 2>&1 || verdict "$name: recorded" 0
    check "$name" "$want" "$pattern" run t.bst --gpu hopper --check
}
stall=$((15 << 41)) waits=$((63 << 52)) counted=$((7 << 46))
tries "nvcc's code" 0 'cycles'
tries "a stall count of 1 behind FADD" 1 'kernel add: STG.E at 0x120 reads R9 of FADD at 0x110 3 cycles before it is there: stall counts are too short' \
    0x110 $stall $((1 << 41))
tries "a stall count that is one too short" 1 'STG.E at 0x120 reads R9 of FADD at 0x110 1 cycle before' 0x110 $stall $((3 << 41))
tries "one that is just enough" 0 'cycles' 0x110 $stall $((4 << 41))
tries "no wait for a load" 1 'kernel add: FADD at 0x110 reads R4 of LDG.E at 0xf0 without waiting for it: its barrier is not waited for' 0x110 $waits 0
tries "a wait for another barrier" 1 'FADD at 0x110 reads R4 of LDG.E at 0xf0 without waiting' 0x110 $waits $((1 << 56))
tries "a load that no barrier counts" 1 'FADD at 0x110 reads R4 of LDG.E at 0xf0 without waiting for it: no barrier counts it' 0xf0 $counted $counted
tries "a predicate that guards too early" 1 'EXIT at 0x70 reads P0 of ISETP.GE.AND at 0x60 9 cycles before' 0x60 $stall $((4 << 41))
check "machines that do not go by codes have nothing to hold" 0 'cycles' run t.bst --gpu volta --check
"$bankshot" record --quiet --code sass -o t.bst -- ./app "$data/run_90.cubin" $((text + 0x118)) $stall 0 >out 2>&1
check "without --check nothing is said" 0 'cycles' run t.bst --gpu hopper

# Every output says whose code it is of.
check "run says whose code it is" 0 "on hopper, NVIDIA's code for sm_90" run t.bst --gpu hopper
check "compare does" 0 "code      NVIDIA's in 1 of 2 workloads: t.bst" compare t.bst vectoradd:small --gpu hopper --mech base
check "... its CSV" 0 ',sass$' compare t.bst --gpu hopper --mech base --quiet --csv -
check "... its JSON" 0 '"code": "sass"' compare t.bst --gpu hopper --mech base --quiet --json -
check "corun does" 0 "^t.bst: NVIDIA's code" corun t.bst vectoradd:small --gpu hopper
check "... its JSON" 0 '"code": "sass"' corun t.bst vectoradd:small --gpu hopper --quiet --json -
"$bankshot" run t.bst --gpu hopper --quiet --json a.json >out 2>&1
check "diff does" 0 "^A: t.bst on hopper, NVIDIA's code" diff a.json a.json
"$bankshot" compare t.bst --gpu hopper --mech base --quiet --db r.db >out 2>&1
check "the report does" 0 '' report r.db -o r.html
verdict "... for sm_90" "$(truth grep -q '"identity","program","maker","partial","warp_insts","sm"' r.html)"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
