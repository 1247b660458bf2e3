# Preloads of a region, registers it occupies at a time, and the deviation of these (Fig. 4.19)
# shellcheck shell=sh
set -e
echo 'workload,preloads,registers,deviation'
for w in $("$BANKSHOT" list workloads | awk '/regless:/ {print $1}'); do
    "$BANKSHOT" inspect "$w" --regions | awk -v w="$w" '
        /^region / {
            n++; regs = ""; p = 0
            for (k = 1; k <= NF; k++) if ($k ~ /^register/) regs = $(k - 1)
            if (match($0, /; preload[^;]*/)) p = gsub(/R/, "R", $0) - (match($0, /; invalidate.*/) ? gsub(/R/, "R", tail = substr($0, RSTART)) : 0)
            most += regs; squares += regs * regs
        }
        /^regions / {pre += $2 * $9}
        END {m = most / n; v = squares / n - m * m; printf "%s,%.2f,%.2f,%.2f\n", w, pre / n, m, v > 0 ? sqrt(v) : 0}'
done
