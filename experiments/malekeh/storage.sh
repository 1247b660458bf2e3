# SPDX-License-Identifier: Apache-2.0
# Storage that register caches add to an SM, in bytes, and what the paper counts of it (section VI-D): registers beyond those that plain
# collectors have, as a share of the register file. What a mechanism keeps in all is beside it, since the paper compares that.
set -eu
file=$("$BANKSHOT" list options --gpu turing | awk '$1 == "sm.registers" { print $2 * 4 }')
echo "mechanism,registers kept,added registers,tags and state,share of the register file in %"
for mech in malekeh malekeh-pr bow rfc swrfc ltrf; do
    "$BANKSHOT" list storage --gpu turing --mech $mech | awk -F, -v mech=$mech -v file="$file" '
        NR == 1 || $1 == "all" { next }
        $3 == 1024 { added += $4; kept += $4 > 0 ? $4 : 0; next }
        { rest += $4 }
        END { printf "%s,%d,%d,%.10g,%.2f\n", mech, kept, added, rest, 100 * added / file }'
done
