#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bankshot occupancy, and what run says of it. Usage: test_occupancy.sh BANKSHOT
set -u
. "$(dirname "$0")/frame.sh"

t=$tmp/s.bst
record_saxpy "$t"

check "numbers" 0 '^  2 CTAs and 8 of 64 warps an SM \(12%\), limited by registers$' occupancy --gpu hopper --block 100 --regs 255 --shared 60000 --grid 500
check "waves" 0 '^  500 CTAs are 1\.89 waves of 264: the last one fills 89% of the places$' occupancy --gpu hopper --block 100 --regs 255 --shared 60000 --grid 500
check "idle SMs" 0 '^  64 CTAs are 0\.06 waves of 1056: 68 of 132 SMs have none$' occupancy --gpu hopper --block 256 --grid 64
check "other sizes" 0 '^ +1024 +2 +64 +100\.0%  threads and warp slots and registers$' occupancy --gpu hopper --block 256
check "the one asked for" 0 '^\* +100 +2 +8 ' occupancy --gpu hopper --block 100 --regs 255 --shared 60000
check "none fits" 0 '^  no SM holds a CTA: a CTA needs 8 warps x 8192' occupancy --gpu hopper --block 1024 --regs 255
check "kernels of a trace" 0 '^saxpy: 250 threads, [0-9]+ registers each, 0 bytes of shared memory$' occupancy "$t"
check "a mechanism" 0 'CTAs by registers' occupancy "$t" --gpu throughput --mech unified
check "json" 0 '"limited_by": \[' occupancy "$t" --json -
check "nothing asked" 2 'a TRACE, a WORKLOAD or --block is missing' occupancy
check "both" 2 's\.bst has its own CTAs' occupancy "$t" --block 32
check "too many threads" 2 '' occupancy --block 2048
check "no such file" 2 'nowhere\.bst' occupancy "$tmp/nowhere.bst"

check "summary of a run" 0 '^occupancy  saxpy: 8 CTAs and 64 of 64 warps an SM \(100%\), limited by threads and warp slots' run "$t" --gpu hopper
check "and its grid" 0 '^ +8 CTAs are 0\.01 waves of 1056: 124 of 132 SMs have none; [0-9.]+ warps an SM on average$' run "$t" --gpu hopper
check "a tail" 0 '^ +8 CTAs are 1\.00 waves? of 8; |8 CTAs are 1 wave|8 CTAs are 1\.00 wave of 8' run "$t" --set gpu.sms=1
check "in JSON" 0 '"achieved_warps": [0-9.]+' run "$t" --json -

echo "$passed passed, $failed failed"
[ $failed = 0 ]
