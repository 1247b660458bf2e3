# SPDX-License-Identifier: Apache-2.0
# Cycles of the workload suite, compiled here, beside those of an H200 (no figure of a paper)
# Every program at default size under the profiler's clocks, caches empty before each launch. Errors in percent.
set -eu
home=$(cd -P "$(dirname "$0")" && cd ../.. && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
"$home/tools/suite-table" "$BANKSHOT" "$home/silicon/suite-h200.csv" "$tmp/rows" >/dev/null
awk -F, '
    FNR == 1 { print "program,launches,H200 cycles,simulated,error,instructions over those of nvcc" }
    FNR > 1 && $7 > 0 { printf "%s,%d,%d,%d,%.1f,%.2f\n", $1, $4, $5, $7, 100 * ($7 - $5) / $5, $8 / $6 }' "$tmp/rows"
