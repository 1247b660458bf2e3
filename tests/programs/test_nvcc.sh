#!/bin/sh
# The same programs built by NVIDIA's compiler, where it is installed, on the stand-in's libcudart.so.13.
set -u
here=$(cd "$(dirname "$0")" && pwd)
PATH=$PATH:/usr/local/cuda/bin
if ! command -v nvcc >/dev/null || ! nvcc --version | grep -q 'release 13'; then
    echo "no nvcc 13 here, nothing built"
    exit 0
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
status=0
for p in imgfilter topwords tcgemm; do
    sh "$here/run_one.sh" nvcc "$1" "$tmp" "$here/../../programs/$p/$p.cu" --size small || status=1
done
ls "$here"/many/*.cu "$here/groups.cu" | xargs -P 2 -I FILE sh "$here/run_one.sh" nvcc "$1" "$tmp" FILE || status=1
exit $status
