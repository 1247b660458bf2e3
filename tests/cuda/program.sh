#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A CUDA program that checks itself, built by `bankshot cc`, on the runtime stand-in. Each is a test of its own (cmake/tests.cmake).
# Usage: program.sh BANKSHOT PROGRAM
set -u
bankshot=$1 p=$2
here=$(cd "$(dirname "$0")" && pwd)
home=$(cd "$(dirname "$bankshot")" && pwd)/lib/bankshot
# Libraries with a sanitizer inside want its runtime first in a program that has none.
preload=
if nm -D "$home/libbankshot-cuda.so" | grep -q '__asan_init'; then
    preload=$(gcc -print-file-name=libasan.so):$(gcc -print-file-name=libubsan.so)
elif nm -D "$home/libbankshot-cuda.so" | grep -q '__tsan_init'; then
    echo "skipped: programs without the thread sanitizer cannot load libraries with it"
    exit 0
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
libs= arch=sm_80
case $p in
driver) libs=-lcuda ;;
rand_host) libs=-lcurand ;;
blas) libs="-lcublas -lcusparse" ;;
bulk | scopes) libs=-lcuda arch=sm_90a ;;
clusters | fp8 | dependent | hopper_code) arch=sm_90 ;;
wgmma) arch=sm_90a ;;
esac
if ! "$bankshot" cc -std=c++17 -O1 -arch=$arch -o "$tmp/$p" "$here/$p.cu" $libs >"$tmp/$p.build" 2>&1; then
    echo "$p: does not build:" && head -20 "$tmp/$p.build"
    exit 1
fi
if [ -z "$preload" ] && [ -s "$tmp/$p.build" ]; then
    echo "$p: builds with messages:" && head -20 "$tmp/$p.build"
    exit 1
fi
LD_PRELOAD=$preload "$tmp/$p" >"$tmp/$p.out" 2>"$tmp/$p.err"
status=$?
if [ $status != 0 ] || [ "$(tail -1 "$tmp/$p.out")" != PASS ]; then
    echo "$p: status $status" && tail -n 5 "$tmp/$p.out" && tail -n 5 "$tmp/$p.err"
    exit 1
fi
# What the manuals leave open is as on an H200 (bulk.txt).
if [ "$p" = bulk ] && ! grep -v -e '^box of' -e '^PASS$' "$tmp/$p.out" | cmp -s - "$here/bulk.txt"; then
    echo "$p: answers are not an H200's:" && grep -F -x -v -f "$here/bulk.txt" "$tmp/$p.out" | grep -v '^box of' | head -5
    exit 1
fi
for n in 0 1 2; do
    [ "$p" = bulk ] || break
    if [ "$(LD_PRELOAD=$preload "$tmp/$p" refused $n 2>/dev/null | tail -1)" != PASS ]; then
        echo "$p: refused $n is not an illegal instruction"
        exit 1
    fi
done
echo "$p: passed"
