# SPDX-License-Identifier: Apache-2.0
# Cycles of SASS traces that were recorded on an H200 beside those that it took, launch by launch (no figure of a paper)
# Traces: the folder in SILICON, with PROGRAM.tar.xz and cycles.csv (../shared/silicon/h200-sass beside the repository); without it there are
# no rows. The shares of hits, DRAM bytes read and issue are of a program, in the row of its first launch; what hits a line on its way is a hit.
set -eu
home=$(cd -P "$(dirname "$0")" && cd ../.. && pwd)
data=${SILICON:-$home/../shared/silicon/h200-sass}
echo "program,launch,H200 cycles,simulated,error,L1 hits H200,L1 hits,L2 hits H200,L2 hits,DRAM MB H200,DRAM MB,issue H200,issue"
[ -f "$data/cycles.csv" ] || exit 0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
SKIP="${SKIP-ai_hgemm ai_sdpa}" CSV=$tmp/launches DETAIL=$tmp/programs "$home/tools/silicon-sass" "$BANKSHOT" "$data" >/dev/null
awk -F, '
    FILENAME ~ /programs$/ { detail[$1] = sprintf("%.1f,%.1f,%.1f,%.1f,%.2f,%.2f,%.1f,%.1f", $2, $3, $4, $5, $6 / 1e6, $7 / 1e6, $8, $9); next }
    { printf "%s,%d,%d,%d,%.1f,%s\n", $1, $2, $3, $4, 100 * ($4 - $3) / $3, $1 in told ? ",,,,,,," : detail[$1]; told[$1] = 1 }
    ' "$tmp/programs" "$tmp/launches"
