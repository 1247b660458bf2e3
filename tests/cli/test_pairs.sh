#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# silicon/pairs.cu passes its own check; where the SASS traces of its programs are at hand ($SILICON, or ../shared beside the checkout)
# our code and NVIDIA's take the same time. Usage: test_pairs.sh BANKSHOT
set -u
. "$(dirname "$0")/frame.sh"
top=$here/../..
data=${SILICON:-$top/../shared/silicon/h200-sass}

verdict "compiled" "$(truth "$bankshot" cc "$top/silicon/pairs.cu" -o "$tmp/pairs")"
verdict "its own check" "$(truth "$tmp/pairs")"
"$top/tools/silicon-pairs" "$bankshot" "$tmp" >"$tmp/out" 2>&1
[ $? = 0 ] && grep -q 'no trace of softmax .*: skipped$' "$tmp/out" && ok=1 || ok=0
verdict "skips without traces" "$ok"
if [ -f "$data/softmax.tar.xz" ]; then
    verdict "within 15% of NVIDIA's code" "$(truth "$top/tools/silicon-pairs" "$bankshot" "$data")"
else
    echo "no traces in $data: not compared"
fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
