#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The three programs of programs/ give the same trace statistics whether bankshot cc or nvcc compiled them for sm_80, within a tenth.
# nvcc's figures are in nvcc.csv; where nvcc 13 is installed they are measured again, and those written must still be near.
# usage: test_stats.sh BANKSHOT [--write]: with --write nvcc.csv is made again
set -u
bankshot=$1
here=$(cd "$(dirname "$0")" && pwd)
programs=$here/../../programs
PATH=$PATH:/usr/local/cuda/bin
. "$here/preload.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0
has_nvcc=false
command -v nvcc >/dev/null && nvcc --version | grep -q 'release 13' && has_nvcc=true

figures() # program file: records $tmp/program and leaves its figures
{
    if ! LD_PRELOAD=$preload "$bankshot" record -o "$tmp/trace.bst" -- "$tmp/$1" >"$tmp/out" 2>&1 || ! grep -q PASS "$tmp/out"; then
        echo "$1: the recorded run fails:" && cat "$tmp/out"
        return 1
    fi
    "$bankshot" inspect "$tmp/trace.bst" --json | awk -f "$here/flatten.awk" >"$2"
}

for p in imgfilter topwords tcgemm; do
    grep "^$p," "$here/nvcc.csv" | cut -d, -f2- | tr , ' ' >"$tmp/$p.written"
    if $has_nvcc; then
        nvcc -O2 -cudart shared -gencode arch=compute_80,code=compute_80 -o "$tmp/$p" "$programs/$p/$p.cu" || failed=1
        figures $p "$tmp/$p.nvcc" || failed=1
        sed "s/^/$p,/; s/ /,/" "$tmp/$p.nvcc" >>"$tmp/nvcc.csv"
    else
        cp "$tmp/$p.written" "$tmp/$p.nvcc"
    fi
    if ! "$bankshot" cc -O2 -arch=sm_80 -o "$tmp/$p" "$programs/$p/$p.cu"; then
        echo "$p: does not build"
        failed=1
        continue
    fi
    figures $p "$tmp/$p.cc" || failed=1
    echo "$p:"
    awk -v limit=0.10 -v small=0.03 -f "$here/compare.awk" "$tmp/$p.cc" "$tmp/$p.nvcc" || failed=1
    if [ "${2-}" != --write ] &&
        ! awk -v limit=0.05 -v small=0.02 -f "$here/compare.awk" "$tmp/$p.nvcc" "$tmp/$p.written" >/dev/null; then
        echo "nvcc.csv is old; $0 $bankshot --write makes it again"
        failed=1
    fi
done
if $has_nvcc && [ "${2-}" = --write ]; then
    cp "$tmp/nvcc.csv" "$here/nvcc.csv"
fi
exit $failed
