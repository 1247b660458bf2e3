#!/bin/sh
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
"$bankshot" cc -O1 -arch=sm_90a -o "$tmp/wgmma" "$here/wgmma.cu" >"$tmp/log" 2>&1 || {
    cat "$tmp/log"
    exit 1
}
LD_PRELOAD=$preload "$tmp/wgmma" >"$tmp/wgmma.txt" 2>&1
if ! diff "$here/wgmma.txt" "$tmp/wgmma.txt"; then
    echo "wgmma: < an H200, > here"
    exit 1
fi
echo "wgmma: $(grep -c checksum "$here/wgmma.txt") products with an H200's checksums"
