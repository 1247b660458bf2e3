#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One bundled workload at small size: one.sh BANKSHOT NAME. It is compiled, passes its own check at several register limits, and its
# trace replays on three GPUs with every operand checked; where another row tests the same program, with other arguments, on one.
# MATRIX=full: also the default size, and every limit on every GPU.
# Programs for sm_90a use what Hopper alone has, and more shared memory and registers than the others' limits leave.
set -u
bankshot=$1 name=$2
. "$(dirname "$0")/../programs/preload.sh"
LD_PRELOAD=$preload
export LD_PRELOAD
fail=0
replay() { # NAME[:SIZE][@REGISTERS] GPU
    if ! out=$("$bankshot" run "$1" --gpu "$2" --check --json - 2>&1 >/dev/null); then
        echo "FAIL $1 on $2: $(echo "$out" | grep -v -e compiling -e recording | head -3)"
        fail=1
    fi
}
manifest=$(dirname "$0")/../../workloads/manifest.csv
row=$(grep "^$name," "$manifest")
program=$(echo "$row" | cut -d , -f 3)
if [ "${row##*,}" = sm_90a ]; then
    replay "$name:small" hopper
    [ "${MATRIX:-quick}" = quick ] || replay "$name:default" hopper
elif [ "${MATRIX:-quick}" = full ]; then
    for size in small default; do
        for regs in "" @24 @32 @64; do
            replay "$name:$size$regs" volta
        done
    done
    for gpu in fermi turing; do
        replay "$name:small" $gpu
    done
elif [ "$(grep "^[^,]*,[^,]*,$program," "$manifest" | head -n 1)" != "$row" ]; then
    replay "$name:small" volta
else
    replay "$name:small" volta
    replay "$name:small@24" fermi
    replay "$name:small" turing
fi
[ $fail = 0 ] && echo "$name: passed"
exit $fail
