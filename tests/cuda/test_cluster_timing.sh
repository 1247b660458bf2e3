#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Clusters in the timing model: a program with clusters of 1 to 16 CTAs, their barrier and shared memory of other CTAs, checked and
# on one, two and eight threads; who has no clusters says so.
set -u
bankshot=$1
here=$(cd "$(dirname "$0")" && pwd)
home=$(cd "$(dirname "$bankshot")" && pwd)/lib/bankshot
if nm -D "$home/libbankshot-cuda.so" | grep -Eq '__(a|t)san_init'; then
    echo "skipped: programs without the sanitizer cannot load libraries with it"
    exit 0
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0
fail() {
    echo "FAIL $1"
    failed=1
}
if ! "$bankshot" cc -std=c++17 -O1 -arch=sm_90 -o "$tmp/clusters" "$here/clusters.cu" >"$tmp/log" 2>&1 ||
    ! "$bankshot" record -o "$tmp/clusters.bst" "$tmp/clusters" >"$tmp/log" 2>&1; then
    tail -n 5 "$tmp/log"
    exit 1
fi
for threads in 1 2 8; do
    "$bankshot" run "$tmp/clusters.bst" --gpu hopper --check --threads $threads >"$tmp/$threads" 2>"$tmp/log" ||
        fail "$threads threads: $(tail -n 1 "$tmp/log")"
done
cycles() { sed -n '2,/^scheduler/p' "$1"; }
for threads in 2 8; do
    [ "$(cycles "$tmp/1")" = "$(cycles "$tmp/$threads")" ] || fail "$threads threads have other cycles"
done
refused() {
    want=$1
    shift
    "$bankshot" run "$tmp/clusters.bst" "$@" >"$tmp/log" 2>&1
    [ $? = 2 ] && grep -q "$want" "$tmp/log" || fail "$*: $(tail -n 1 "$tmp/log")"
}
refused 'launch 1 .*: clusters of 2 CTAs: this GPU has none (gpu.gpc_sms = 0)' --gpu volta
refused 'launch 4 .*: clusters of 16 CTAs need as many SMs of a GPC, the largest has 8' --gpu hopper --set gpu.sms=8
refused 'clusters of 2 CTAs: with sm.onchip = unified no other SM' --gpu throughput --mech unified --set gpu.gpc_sms=16
[ $failed = 0 ] && echo "clusters: $(sed -n 2p "$tmp/1")"
exit $failed
