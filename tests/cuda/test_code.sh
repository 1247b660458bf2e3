#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Code that tensor programs need: parameters that are __grid_constant__ stay where they are, and a fragment that several tensor
# instructions read is not copied for each.
set -u
bankshot=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
fail=0
check() { # WHAT COUNT WANTED
    [ "$2" = "$3" ] && return
    echo "FAIL $1: $2, not $3"
    fail=1
}
cat >"$tmp/constant.cu" <<'END'
struct big {
    int at[64];
};
__device__ int *kept;
__global__ void named(const __grid_constant__ big b, const big copied, int i)
{
    asm volatile("prefetch.tensormap [%0];" ::"l"(&b) : "memory");
    asm volatile("st.global.u64 [%0], %1;" ::"l"(&kept), "l"(&copied) : "memory");
    kept[0] = b.at[i];
}
END
"$bankshot" cc -arch=sm_90a -ptx "$tmp/constant.cu" -o "$tmp/constant.ptx" || exit 1
# What is not marked is copied, 256 bytes of it, as the language wants it. clang before 19 copies both.
if grep -q cvta.param "$tmp/constant.ptx"; then
    check "bytes on the stack" "$(sed -n 's/.*__local_depot0\[\([0-9]*\)\].*/\1/p' "$tmp/constant.ptx")" 256
else
    echo "this clang has no grid constants"
fi
{
    echo '.version 8.3 .target sm_90 .address_size 64 .visible .entry k(.param .u64 p) { .reg .b64 %rd<2>; .reg .b32 %r<8>; .reg .f32 %f<33>;'
    echo 'ld.param.u64 %rd1, [p];'
    for i in 1 2 3 4 5 6; do echo "ld.global.u32 %r$i, [%rd1+$((4 * i))];"; done
    for i in $(seq 1 32); do echo "ld.global.f32 %f$i, [%rd1+$((64 + 4 * i))];"; done
    for i in 1 5 9 13 17 21 25 29; do
        sums="{%f$i, %f$((i + 1)), %f$((i + 2)), %f$((i + 3))}"
        echo "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 $sums, {%r1, %r2, %r3, %r4}, {%r5, %r6}, $sums;"
    done
    for i in $(seq 1 32); do echo "st.global.f32 [%rd1+$((256 + 4 * i))], %f$i;"; done
    echo 'ret; }'
} >"$tmp/tuples.ptx"
"$bankshot" inspect "$tmp/tuples.ptx" --code >"$tmp/code" || exit 1
check "tensor instructions" "$(grep -c HMMA "$tmp/code")" 8
check "fragments that they read" "$(awk '/HMMA/ { print $4 }' "$tmp/code" | sort -u | wc -l)" 1
[ $fail = 0 ] && echo "code: passed"
exit $fail
