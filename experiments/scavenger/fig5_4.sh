# SPDX-License-Identifier: Apache-2.0
# A stretch of backprop: units and the load-store unit over time (Fig. 5.4)
# Percent of SM cycles in 100 each in which a unit got an instruction, and in which the load-store unit could not go on; 16 SMs.
set -eu
"$BANKSHOT" run backprop:large@sm1x --gpu maxwell --mech scavenger --interval 100 --interval-csv - 2>/dev/null | awk -F, '
    /^from,/ { for (i = 1; i <= NF; i++) col[$i] = i; print "cycle,compute,load-store unit stalled"; next }
    !("from" in col) || NF < 10 { next }
    $1 >= 20000 && $1 < 40000 {
        printf "%d,%.2f,%.2f\n", $1, $col["scavenger.compute_cycles"] / 16, $col["scavenger.lsu_stalled"] / 16 }'
