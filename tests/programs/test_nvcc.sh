#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Programs built by NVIDIA's compiler, where it is installed, on the stand-in's libcudart.so.13: those of programs/, and of
# many/ the ones that ask most of the runtime (nvcc takes seconds for each).
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
printf '%s\n' groups many/objects many/memory many/streams many/solvers many/search |
    xargs -P 2 -I NAME sh "$here/run_one.sh" nvcc "$1" "$tmp" "$here/NAME.cu" || status=1
exit $status
