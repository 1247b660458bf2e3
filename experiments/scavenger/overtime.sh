# SPDX-License-Identifier: Apache-2.0
# A pair over time: the first program's speed beside its goal, warps that may issue and requests on their way of both (no figure of the thesis)
# sgemm keeps 90% beside stencil; a row for every 5,000 cycles. Speed: of the mean alone, percent. Warps and requests: of an SM.
# Profile: percent of the SMs' time in which the second program leaves or is gone.
set -eu
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
"$BANKSHOT" corun sgemm:large@sm1x stencil:large@sm1x --share scavenger --target 0.9 --set gpu.most_cyc=500000 --quiet --interval 5000 \
    --interval-csv "$tmp/rows" --json "$tmp/result" >/dev/null 2>&1
awk -F, -v result="$tmp/result" '
    BEGIN {
        while ((getline line < result) > 0)
            if (line ~ /"alone_(cycles|thread_insts)"/ && n < 2) { gsub(/[^0-9]/, "", line); n++ ? insts = line : cycles = line }
        alone = insts / cycles
        print "cycle,speed,goal,warps of the first,warps of the second,requests of the first,requests of the second,profile"
    }
    NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; next }
    {
        t = ($2 - $1) * 16
        printf "%d,%.1f,90,%.2f,%.2f,%.2f,%.2f,%.1f\n", $1, 100 * $col["program1.thread_insts"] / ($2 - $1) / alone,
            $col["scavenger.first_warps"] / t, $col["scavenger.second_warps"] / t, $col["scavenger.first_requests"] / t,
            $col["scavenger.second_requests"] / t, 100 * $col["scavenger.profile_cycles"] / t
    }' "$tmp/rows"
