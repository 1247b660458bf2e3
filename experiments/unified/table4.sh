# SPDX-License-Identifier: Apache-2.0
# Energy of 16 bytes from a bank, pJ (Table 4)
# shellcheck shell=sh
# A register is eight such pieces; shared memory and cache have banks of as many rows as the registers' in one pool.
set -e
echo 'structure,bank KB,read pJ,write pJ,paper read,paper write'
row() { # name, KB of one of 32 banks, paper's read, write, then what makes them
    name=$1 kb=$2 r=$3 w=$4
    shift 4
    "$BANKSHOT" run --area --gpu throughput "$@" | awk -v name="$name" -v kb="$kb" -v r="$r" -v w="$w" '
        $1 == "read_pj" {read = $2 / 8} $1 == "write_pj" {write = $2 / 8}
        END {printf "%s,%d,%.1f,%.1f,%s,%s\n", name, kb, read, write, r, w}'
}
row '256 KB registers' 8 9.8 11.8
row '64 KB shared memory or cache' 2 3.9 5.1 --set sm.registers=16384
row '384 KB unified' 12 12.1 14.9 --mech unified
