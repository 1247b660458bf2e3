# SPDX-License-Identifier: Apache-2.0
# Live registers after each instruction of particle_filter's longest kernel, and where regions begin (Fig. 4.5)
# shellcheck shell=sh
set -e
echo 'instruction,live,begins'
"$BANKSHOT" inspect particlefilter_float@sm1x --regions | awk '
    /^regions / {if (n > best) {best = n; text = out} n = 0; out = ""}
    /^region / {begins = 1}
    /^  \/\*/ {out = out n++ "," $2 "," begins + 0 "\n"; begins = 0}
    END {printf "%s", text}'
