# SPDX-License-Identifier: Apache-2.0
# To be sourced with $bankshot set: libraries with a sanitizer inside want its runtime first in a program that has none. Sets
# $preload; where that cannot be, ends the test.
preload=
runtime=$(cd "$(dirname "$bankshot")" && pwd)/lib/bankshot/libbankshot-cuda.so
if nm -D "$runtime" | grep -q '__asan_init'; then
    preload=$(gcc -print-file-name=libasan.so):$(gcc -print-file-name=libubsan.so)
elif nm -D "$runtime" | grep -q '__tsan_init'; then
    echo "skipped: programs without the thread sanitizer cannot load libraries with it"
    exit 0
fi
