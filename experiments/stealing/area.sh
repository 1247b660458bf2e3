# SPDX-License-Identifier: Apache-2.0
# Area of the register file by its parts, with 4 to 32 banks (Fig. 2b, section VI-A)
# shellcheck shell=sh
set -e
area() { # mechanisms: cells, periphery, crossbar, arbiter
    "$BANKSHOT" run --area --gpu fermi-stealing --mech "$1" | awk '$1 ~ /^rf_/ {printf " %s", $2}'
}
echo 'design,cells mm2,periphery mm2,crossbar mm2,arbiter mm2,all mm2'
for m in banks4 banks4,steal banks8 banks8,steal base steal banks32 banks32,steal; do
    printf '%s%s\n' "$m" "$(area "$m")"
done | awk '
    {
        all[$1] = $2 + $3 + $4 + $5
        name = $1
        gsub(",", "+", name)
        printf "%s,%s,%s,%s,%s,%.5f\n", name, $2, $3, $4, $5, all[$1]
    }
    END {
        printf "claim,stealing.area16,%.2f\n", 100 * (1 - all["banks8,steal"] / all["base"])
        printf "claim,stealing.area32,%.2f\n", 100 * (1 - all["banks8,steal"] / all["banks32"])
    }'
