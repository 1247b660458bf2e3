#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cuRAND's generators through bankshot cc draw what NVIDIA's library drew on an H200 (curand_stream.txt): integers exactly,
# numbers that went through sines and logarithms to within what the fast ones of these may differ.
set -u
bankshot=$1
here=$(cd "$(dirname "$0")" && pwd)
. "$here/preload.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
"$bankshot" cc -o "$tmp/curand_stream" "$here/curand_stream.cu" || exit 1
LD_PRELOAD=$preload "$tmp/curand_stream" >"$tmp/got" || exit 1
awk -v tolerance=1e-5 '
    NR == FNR { want[FNR] = $0; n = FNR; next }
    { m = FNR }
    $1 != "f" { if ($0 != want[FNR]) { print "line " FNR ": " $0; print "not " want[FNR]; bad = 1 }; next }
    {
        if (split(want[FNR], w, " ") != NF)
            bad = 1
        for (i = 2; i <= NF; i++) {
            d = $i - w[i]
            size = (w[i] < 0 ? -w[i] : w[i]) + 1
            if (d > tolerance * size || -d > tolerance * size) {
                print "line " FNR ", number " i ": " $i " is not " w[i]
                bad = 1
            }
        }
    }
    END { exit bad || m != n || n < 100 }' "$here/curand_stream.txt" "$tmp/got"
