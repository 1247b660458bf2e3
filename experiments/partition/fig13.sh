# SPDX-License-Identifier: Apache-2.0
# Area and power of more collector units, and of RBA: one synthesised partition with two banks (Fig. 13)
# shellcheck shell=sh
# docs/energy.md, "A synthesised partition", has the arithmetic.
set -e
total() { # mechanism, kit: um2 mW
    "$BANKSHOT" run --area --gpu volta --mech "$1" | awk -v kit="$2" '$1 == kit && $2 == "total" {print $3, $4}'
}
echo 'design,area OSU %,power OSU %,area NanGate %,power NanGate %'
for m in base cu4 cu8 cu16 rba; do
    printf '%s %s %s\n' "$m" "$(total "$m" osu)" "$(total "$m" nangate)"
done | awk '
    NR == 1 {for (i = 2; i <= 5; i++) base[i] = $i}
    {
        printf "%s", $1
        for (i = 2; i <= 5; i++) printf ",%.2f", 100 * ($i / base[i] - 1)
        print ""
    }
    $1 == "cu4" {printf "claim,partition.fig13.cu4_area,%.2f\nclaim,partition.fig13.cu4_power,%.2f\n", 100 * ($2 / base[2] - 1), 100 * ($3 / base[3] - 1)}
    $1 == "rba" {printf "claim,partition.fig13.rba_area,%.2f\n", 100 * ($2 / base[2] - 1)}'
