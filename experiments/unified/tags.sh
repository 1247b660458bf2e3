# SPDX-License-Identifier: Apache-2.0
# Tags of the cache, KB (section 4.1)
# shellcheck shell=sh
set -e
echo 'design,lines,bits a line,KB,paper KB'
"$BANKSHOT" list storage --gpu throughput --mech unified | awk -F, '
    $1 == "tags of an L1 of 64 KB" {printf "partitioned 64 KB,%d,%d,%.3f,1.125\n", -$2, $3, -$2 * $3 / 8192}
    $1 == "tags of L1" {printf "unified 384 KB,%d,%d,%.3f,7.125\n", $2, $3, $2 * $3 / 8192}'
