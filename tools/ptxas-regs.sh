#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What NVIDIA's assembler makes of the bundled kernels: registers, spilled bytes and SASS instructions.
# The figures are kept in kernels/ptxas.csv, so nothing here needs ptxas; where it is installed this script
# compares the recorded figures with the installed version's, or writes them with --update.
set -eu
cd "$(dirname "$0")/../kernels"
PTXAS=${PTXAS:-$(command -v ptxas || echo /usr/local/cuda/bin/ptxas)}
ARCH=${ARCH:-sm_80}
[ -x "$PTXAS" ] || { echo "ptxas-regs: no ptxas here; kernels/ptxas.csv has the recorded figures"; exit 0; }
VERSION=$("$PTXAS" --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# Instructions of a kernel's section of a cubin: 16 bytes each on sm_70 and later; NOP (opcode 0x918) is padding.
sass() # cubin kernel
{
    readelf -SW "$1" 2>/dev/null | sed 's/^ *\[ *[0-9]*\] *//' | awk -v s=".text.$2" '$1 == s {print $4, $5}' |
        while read -r off size; do
            od -An -v -tx2 -w16 -j $((0x$off)) -N $((0x$size)) "$1" | awk 'substr($1, 2) != "918" {n++} END {print n + 0}'
        done
}

figures()
{
    echo "file,kernel,arch,ptxas,registers,spill_b,sass"
    for f in *.ptx clang/*.ptx; do
        "$PTXAS" -arch="$ARCH" -v -o "$tmp/out.cubin" "$f" 2>"$tmp/log"
        awk '/Compiling entry function/ {split($0, q, "\047"); k = q[2]}
             /spill stores/ {for (i = 1; i < NF; i++) if ($(i + 1) == "bytes" && $(i + 2) == "spill") s += $i; spill = s; s = 0}
             /Used [0-9]+ registers/ && k != "" {for (i = 1; i < NF; i++) if ($i == "Used") print k, $(i + 1), spill; k = ""}' \
            "$tmp/log" | sort | while read -r kernel regs spill; do
            echo "$f,$kernel,$ARCH,$VERSION,$regs,$spill,$(sass "$tmp/out.cubin" "$kernel")"
        done
    done
}

figures >"$tmp/new.csv"
if [ "${1:-}" = --update ]; then
    cp "$tmp/new.csv" ptxas.csv
elif diff -u ptxas.csv "$tmp/new.csv"; then
    echo "ptxas-regs: $VERSION agrees with kernels/ptxas.csv ($(($(wc -l <ptxas.csv) - 1)) kernels)"
else
    exit 1
fi
