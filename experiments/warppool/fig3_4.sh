# SPDX-License-Identifier: Apache-2.0
# A stretch of gemm: arithmetic and memory take turns (Fig. 3.4)
# Percent of the cycles, of 100 each, by what schedulers did, and in which L1 was out of miss entries; 15 SMs, 2 schedulers each.
set -eu
"$BANKSHOT" run gemm_512 --gpu fermi-warppool --interval 100 --interval-csv - 2>/dev/null | awk -F, '
    /^from,/ { for (i = 1; i <= NF; i++) col[$i] = i; print "cycle,issued,waiting for the load-store unit,L1 full"; next }
    !("from" in col) || NF < 10 { next }
    $1 >= 40000 && $1 < 60000 {
        printf "%d,%.2f,%.2f,%.2f\n", $1, $col["sm.issued"] / 30, $col["sm.stall_lsu"] / 30, $col["sm.l1_stall"] / 15 }'
