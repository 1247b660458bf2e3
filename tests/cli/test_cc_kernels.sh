#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The bundled kernels, compiled by `bankshot cc` with its own headers, give the same results as with nvcc's PTX: the golden
# tests of tests/kernels run once more, on the new PTX. Usage: test_cc_kernels.sh BANKSHOT
set -u
bankshot=$1
build=$(cd "$(dirname "$bankshot")" && pwd)
kernels=${KERNELS_DIR:-$(dirname "$0")/../../kernels}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0

cp "$kernels"/*.ptx "$tmp" # those without a .cu file
if ! (cd "$kernels" && ls ./*.cu) | sed 's,^\./,,;s,\.cu$,,' |
    xargs -P 2 -I NAME "$bankshot" cc -ptx -lineinfo "$kernels/NAME.cu" -o "$tmp/NAME.ptx"; then
    echo "a kernel does not compile"
    exit 1
fi
for t in basic control dense int math sort tex warp; do
    if [ ! -x "$build/test_kernels_$t" ]; then
        echo "test_kernels_$t is not built"
        failed=1
    elif ! KERNELS_DIR=$tmp "$build/test_kernels_$t" >"$tmp/out" 2>&1; then
        echo "kernels/$t fails on the PTX of bankshot cc:"
        grep -v ' OK \| RUN ' "$tmp/out" | head -n 20
        failed=1
    fi
done
exit $failed
