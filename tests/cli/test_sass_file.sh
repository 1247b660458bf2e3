#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Machine code of NVIDIA's in files: what is printed of it, what is refused. Usage: test_sass_file.sh BANKSHOT
set -u
bankshot=$1
data=$(dirname "$0")/../sass/data
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0

# check NAME STATUS PATTERN ARGUMENTS...: the command ends with the status and prints a line that matches.
check() {
    name=$1 want=$2 pattern=$3
    shift 3
    "$bankshot" "$@" >"$tmp/out" 2>&1
    status=$?
    if [ $status -ne "$want" ] || ! grep -Eq -- "$pattern" "$tmp/out"; then
        echo "$name: status $status (expected $want), output:"
        head -20 "$tmp/out"
        failed=$((failed + 1))
    fi
}

check "a cubin" 0 '^kernel add: 32 instructions, 12 registers, parameters 28 B at c\[0x0\]\[0x210\], shared 1024 B, local 0 B, 0 barriers$' \
    sass "$data/run_90.cubin" --list
check "its code" 0 '/\*[0-9a-f]+\*/ FADD R[0-9]+, R[0-9]+, R[0-9]+' sass "$data/run_90.cubin" --kernel add
check "control codes" 0 '/\*0000\*/ B------:R-:W-:-:S01  LDC R1, c\[0x0\]\[0x28\]' sass "$data/run_90.cubin" --control
check "labels" 0 '^\.L_x_0:$' sass "$data/run_80.cubin" --kernel sums
check "lines of source" 0 '//## /src/run.cu:14$' sass "$data/run_90.cubin" --kernel add
check "bounds" 0 'at most 128,1,1 threads' sass "$data/parts_75.cubin" --list
check "clusters" 0 'clusters of 2,1,1' inspect "$data/parts_90a.cubin"
check "the letter" 0 ': sm_90a, made by CUDA 13.0' inspect "$data/parts_90a.cubin"
check "inspect with code" 0 'STG.E.SYS ' inspect "$data/run_75.cubin" --code --kernel add
check "a fat binary" 0 ': sm_80, made by' sass "$data/run.fatbin" --list
check "... its second architecture" 0 ': sm_90, made by' sass "$data/run.fatbin" --list
check "no such kernel" 2 'no kernel nobody' sass "$data/run_90.cubin" --kernel nobody
check "not code" 2 'not a cubin, a fat binary or a program' sass "$data/run.cu"
check "a program without" 2 "no machine code of NVIDIA's" sass "$bankshot"
check "no file" 2 'No such file' sass "$tmp/nothing"
head -c 3000 "$data/run_90.cubin" >"$tmp/cut.cubin"
check "cut off" 2 'byte 40: .* sections at [0-9]+ do not fit in a file of 3000 bytes' sass "$tmp/cut.cubin"
check "two at once" 2 'either FILE or --words' sass "$data/run_90.cubin" --words -

echo "$failed failed"
[ $failed -eq 0 ]
