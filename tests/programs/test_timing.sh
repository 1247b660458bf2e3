#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The programs of programs/ and some of many/, recorded, are timed with the checks on under every scheduler.
# usage: test_timing.sh BANKSHOT [--all]: with --all every program of many/
set -u
bankshot=$1
here=$(cd "$(dirname "$0")" && pwd)
preload=
. "$here/preload.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0

timed() # FILE.cu GPU [ARGUMENT...]
{
    name=$(basename "$1" .cu) file=$1 gpu=$2
    shift 2
    if ! "$bankshot" cc -O1 -o "$tmp/$name" "$file" >"$tmp/out" 2>&1 ||
        ! LD_PRELOAD=$preload "$bankshot" record -o "$tmp/t.bst" -- "$tmp/$name" "$@" >"$tmp/out" 2>&1; then
        echo "$name: no trace:" && tail -n 5 "$tmp/out"
        failed=1
        return
    fi
    for wsched in gto lrr two-level; do
        timeout 1000 "$bankshot" run "$tmp/t.bst" --check --gpu "$gpu" --set sm.wsched=$wsched >"$tmp/out" 2>&1
        status=$?
        if [ $status = 0 ]; then
            echo "$name: $gpu, $wsched: $(sed -n 2p "$tmp/out")"
        else
            echo "$name: $gpu, $wsched: status $status:" && tail -n 5 "$tmp/out"
            failed=1
        fi
    done
    rm -f "$tmp/$name" "$tmp/t.bst"
}

timed "$here/../../programs/imgfilter/imgfilter.cu" volta --size small
timed "$here/../../programs/topwords/topwords.cu" fermi --size small
timed "$here/../../programs/tcgemm/tcgemm.cu" hopper --size small
gpus="turing volta-fc volta hopper"
some="atomics scan streams"
[ "${2:-}" = --all ] && some=$(cd "$here/many" && ls -- *.cu)
for name in $some; do
    timed "$here/many/${name%.cu}.cu" "${gpus%% *}"
    gpus="${gpus#* } ${gpus%% *}"
done
exit $failed
