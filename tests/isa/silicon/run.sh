#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs ISA tests on an NVIDIA GPU instead of the simulator: tests/isa/silicon/run.sh OUTDIR test_int test_cvt ...
# Needs a driver and a C compiler. Tests of the simulator's own errors (sys, refuse) make no sense there.
set -eu
here=$(dirname "$0")
out=$1
shift
root=$here/../../..
for t in "$@"; do
    cc -std=gnu17 -O1 -w -ffp-contract=off -I"$here" -I"$root/tests/isa" -I"$root/src" -o "$out/$t.bin" "$root/tests/isa/$t.c" \
        "$here/isa_back.c" "$here/cmocka.c" "$root"/tests/isa/isa.c "$root"/tests/isa/form.c "$root"/tests/isa/formtext.c "$root"/tests/isa/types.c "$root"/tests/isa/fp.c \
        "$root"/tests/isa/run.c "$root/src/base/arena.c" -lm -ldl
done
for t in "$@"; do
    (
        rc=0
        timeout 400 "$out/$t.bin" > "$out/$t.txt" 2>&1 || rc=$?
        echo "$t: status $rc, $(grep -c 'isa: FAIL' "$out/$t.txt" || true) lines, $(grep 'isa: total' "$out/$t.txt" || true)"
    ) &
done
wait
rm -f "$out"/*.bin
