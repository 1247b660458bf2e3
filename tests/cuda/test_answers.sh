#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Some 250 calls, most of them wrong, answered as the real runtime answers (answers.txt: CUDA 13.0 on an H200).
set -u
bankshot=$1
here=$(cd "$(dirname "$0")" && pwd)
home=$(cd "$(dirname "$bankshot")" && pwd)/lib/bankshot
preload=
if nm -D "$home/libbankshot-cuda.so" | grep -q '__asan_init'; then
    preload=$(gcc -print-file-name=libasan.so):$(gcc -print-file-name=libubsan.so)
elif nm -D "$home/libbankshot-cuda.so" | grep -q '__tsan_init'; then
    echo "skipped: programs without the thread sanitizer cannot load libraries with it"
    exit 0
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
if ! "$bankshot" cc -O1 -o "$tmp/answers" "$here/answers.cu" -lcuda >"$tmp/log" 2>&1; then
    cat "$tmp/log"
    exit 1
fi
LD_PRELOAD=$preload "$tmp/answers" >"$tmp/answers.txt" 2>"$tmp/err" || {
    echo "answers: status $?" && tail -n 3 "$tmp/answers.txt" && tail -n 5 "$tmp/err"
    exit 1
}
if ! diff "$here/answers.txt" "$tmp/answers.txt"; then
    echo "answers: < CUDA, > the stand-in"
    exit 1
fi
echo "answers: $(grep -c : "$here/answers.txt") calls answered alike"
for p in wgmma cluster_answers; do
    "$bankshot" cc -O1 -arch=sm_90a -o "$tmp/$p" "$here/$p.cu" >"$tmp/log" 2>&1 || {
        cat "$tmp/log"
        exit 1
    }
    BANKSHOT_QUIET=1 LD_PRELOAD=$preload "$tmp/$p" >"$tmp/$p.txt" 2>&1 # refused launches are told by their error codes
    if ! diff "$here/$p.txt" "$tmp/$p.txt"; then
        echo "$p: < an H200, > here"
        exit 1
    fi
    echo "$p: $(grep -c : "$here/$p.txt") lines as an H200 prints them"
done
