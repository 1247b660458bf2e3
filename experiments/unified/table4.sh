# Energy of 16 bytes from a bank, pJ (Table 4)
# shellcheck shell=sh
# A register is eight such pieces; shared memory and cache have banks of as many rows as the registers' in one pool.
set -e
echo 'structure,bank KB,read pJ,write pJ,paper read,paper write'
row() { # name, KB, paper's read, write, overlay
    "$BANKSHOT" run --area --gpu throughput --mech "$5" --set sm.registers=$(($2 * 32 * 256)) | awk -v name="$1" -v kb="$2" -v r="$3" -v w="$4" '
        $1 == "read_pj" {read = $2 / 8} $1 == "write_pj" {write = $2 / 8}
        END {printf "%s,%d,%.1f,%.1f,%s,%s\n", name, kb, read, write, r, w}'
}
row '256 KB registers' 8 9.8 11.8 base
row '64 KB shared memory or cache' 2 3.9 5.1 base
row '384 KB unified' 12 12.1 14.9 unified
