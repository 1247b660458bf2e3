# SPDX-License-Identifier: Apache-2.0
# Delay, energy of an access and leakage of the register file with 4 to 32 banks (Fig. 2c to e)
# shellcheck shell=sh
set -e
echo 'banks,bank ns,crossbar ns,access pJ,crossbar pJ,banks mW,crossbar mW'
for b in 4 8 16 32; do
    "$BANKSHOT" run --area --gpu fermi-stealing --set sm.banks="$b" | awk -v banks="$b" '
        NF > 2 && !($1 in v) { v[$1] = $2 }
        END {
            printf "%d,%.4f,%.4f,%.2f,%.2f,%.2f,%.2f\n", banks, v["bank_ns"], v["crossbar_ns"],
                (v["read_pj"] + v["write_pj"]) / 2, v["crossbar_pj"], v["banks_mw"], v["crossbar_mw"]
        }'
done
