# SPDX-License-Identifier: Apache-2.0
# Load requests left as the window of merging grows from 0 to 128 (Fig. 3.5)
set -eu
first=1
for w in $("$BANKSHOT" list workloads | awk '/warppool:/ && !/warppool:transpose/ { print $1 }'); do
    "$BANKSHOT" inspect "$w" --interwarp 2>/dev/null | awk -v w="$w" -v first=$first '
        $1 == "kernel" { if (first) { printf "kernel"; for (i = 5; i <= NF; i++) printf ",%s", $i; print "" } next }
        $1 == "all" { exit }
        { printf "%s.%s", w, $1; for (i = NF - 8; i <= NF; i++) printf ",%s", $i; print "" }'
    first=0
done
