# SPDX-License-Identifier: Apache-2.0
# Storage that WarpPool adds to an SM (Table 3.1)
set -eu
"$BANKSHOT" list storage --gpu fermi-warppool --mech warppool | awk -F, '
    { print }
    $1 == "all" { printf "claim,warppool.table3_1,%.4f\n", $4 / 1024 }'
