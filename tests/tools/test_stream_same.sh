#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/stream-same: recordings that are the same, in another order of a warp's parts, and different ones. Where the recordings of an H200
# are at hand (../shared) and nvcc, the program that they were made of executes the same instructions here. Usage: test_stream_same.sh BANKSHOT
set -u
. "$(dirname "$0")/../cli/frame.sh"
root=$(cd "$here/../.." && pwd)
same=$root/tools/stream-same
command -v python3 >/dev/null || exit 77
cd "$tmp" || exit 1

# folder NAME: one launch of one CTA and one warp, its instructions from standard input
folder() {
    mkdir -p "$1"
    echo kernel-1.traceg >"$1/kernelslist.g"
    {
        printf -- '-kernel name = k\n-grid dim = (1,1,1)\n\n#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 3\n'
        cat
        printf '\n#END_TB\n'
    } >"$1/kernel-1.traceg"
}
# judge NAME STATUS PATTERN ARGS...
judge() {
    name=$1 want=$2 pattern=$3
    shift 3
    "$same" "$@" >out 2>&1
    got=$?
    verdict "$name: $got, want $want" "$([ $got = "$want" ] && grep -Eq "$pattern" out && echo 1)"
}
printf '0000 ffffffff 1 R1 LDC 0 0 0\n0010 0000000f 0 BRA 0 0 0\n0020 fffffff0 1 R2 FADD 2 R1 R1 0 0\n0030 ffffffff 0 EXIT 0 0 0\n' | folder a
printf '0000 ffffffff 1 R1 LDC 0 4 1 0x28 0 0\n0020 fffffff0 1 R2 FADD 2 R1 R1 0 0\n0010 0000000f 0 BRA 0 0 0\n0030 ffffffff 0 EXIT 0 0 0\n' | folder b
printf '0000 ffffffff 1 R1 LDC 0 0 0\n0010 0000000f 0 BRA 0 0 0\n0020 fffffff0 1 R2 FMUL 2 R1 R1 0 0\n0030 ffffffff 0 EXIT 0 0 0\n' | folder c
printf '0000 ffffffff 1 R1 LDC 0 0 0\n0010 0000000f 0 BRA 0 0 0\n0020 fffffff8 1 R2 FADD 2 R1 R1 0 0\n0030 ffffffff 0 EXIT 0 0 0\n' | folder d
judge "itself" 0 'the same: 1 launches, 1 warps \(1 in the same order as a whole\), 4 warp instructions' a a
judge "parts in another order" 0 '1 warps \(0 in the same order' a b
judge "another opcode" 1 'launch 0, CTA 0,0,0, warp 0, lane 4, instruction 1: 0x0020 FADD and 0x0020 FMUL' a c
judge "another mask" 1 'lane 3' a d
judge "no such folder" 2 'No such file' a nowhere

"$bankshot" exec "$kernels/saxpy.ptx" --kernel saxpy --grid 2 --block 64 --arg f32:2 --arg buf:f32:128=iota --arg out:f32:128=const:1 \
    --arg s32:100 --record s.bst >out 2>&1 && "$bankshot" export accelsim s.bst -o ours --plain >out 2>&1
judge "a trace of our own" 0 'the same: 1 launches, 4 warps \(4' ours ours

shared=$root/../shared/silicon/idioms
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)
if [ -r "$shared/sass/idioms_small.tar.xz" ] && [ -n "$nvcc" ] && ! "$nvcc" --version | grep -qi bankshot; then
    tar xJf "$shared/sass/idioms_small.tar.xz" && "$nvcc" -O3 -arch=sm_90 -w -o small "$shared/small.cu" &&
        "$bankshot" record --quiet --code sass -o small.bst -- ./small >out 2>&1 &&
        "$bankshot" export accelsim small.bst -o small.d --plain >out 2>&1
    for kernel in vec4 aos; do
        judge "$kernel as on the H200" 0 'the same' --kernel "$kernel" idioms_small/traces small.d
    done
fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
