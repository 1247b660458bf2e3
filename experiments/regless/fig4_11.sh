# SPDX-License-Identifier: Apache-2.0
# Area of the register structures by capacity of the staging units, over the baseline's 2048 registers (Fig. 4.11); cells
# shellcheck shell=sh
set -e
area() { "$BANKSHOT" run --area --gpu maxwell --set energy.rf_model=cells "$@" | awk '$1 == "total" {print $2; exit}'; }
base=$(area --mech base)
echo 'registers,area'
for n in 128 192 256 384 512 768 1024; do
    area --mech regless --set "regless.regs=$n" | awk -v n="$n" -v base="$base" '{printf "%d,%.4f\n", n, $1 / base}'
done
