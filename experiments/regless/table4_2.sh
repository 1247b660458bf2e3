# SPDX-License-Identifier: Apache-2.0
# Static instructions in a region, without those that only mark where lanes part and meet (Table 4.2)
# shellcheck shell=sh
set -e
echo 'workload,instructions,regions'
for w in $("$BANKSHOT" list workloads | awk '/regless:/ {print $1}'); do
    "$BANKSHOT" inspect "$w@sm1x" --regions | awk -v w="$w" '
        /^regions / {gsub(",", ""); r += $2; i += $4}
        END {printf "%s,%.2f,%d\n", w, i / r, r}'
done | awk -F, '{print; sum += $2; n++} END {printf "claim,regless.table4_2,%.3f\n", sum / n}'
