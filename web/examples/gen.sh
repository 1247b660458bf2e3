#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes the examples' PTX from their CUDA source: needed only after a .cu file changed. usage: web/examples/gen.sh BANKSHOT
set -eu
bankshot=$(realpath "$1")
cd "$(dirname "$0")"
for f in *.cu; do
    "$bankshot" cc -ptx "$f" -o "${f%.cu}.ptx"
done
