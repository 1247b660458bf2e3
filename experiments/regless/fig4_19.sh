# SPDX-License-Identifier: Apache-2.0
# Preloads of a region, registers it occupies at a time, and the deviation of these (Fig. 4.19)
# shellcheck shell=sh
set -e
echo 'workload,preloads,registers,deviation'
for w in $("$BANKSHOT" list workloads | awk '/regless:/ {print $1}'); do
    # regions N, instructions I, per region X, preloads P, registers M deviation D, ...: by kernel
    "$BANKSHOT" inspect "$w@sm1x" --regions | awk -v w="$w" '
        /^regions / {gsub(",", ""); n += $2; pre += $2 * $9; sum += $2 * $11; squares += $2 * ($13 * $13 + $11 * $11)}
        END {m = sum / n; v = squares / n - m * m; printf "%s,%.2f,%.2f,%.2f\n", w, pre / n, m, (v > 0 ? sqrt(v) : 0)}'
done
