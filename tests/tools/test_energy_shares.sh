#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/energy-shares: shares of a result add up, stand beside the published ones, and every part has a group.
# Usage: test_energy_shares.sh BANKSHOT
set -u
. "$(dirname "$0")/../cli/frame.sh"
shares=$here/../../tools/energy-shares

record_saxpy "$tmp/s.bst"
mkdir "$tmp/results"
"$bankshot" run "$tmp/s.bst" --gpu hopper --json "$tmp/results/kmeans.json" >"$tmp/out" 2>&1
"$shares" "$tmp/results" >"$tmp/table" 2>&1
cp "$tmp/table" "$tmp/out"
awk -F'|' '/^\| `kmeans` \| H200/ {for (i = 4; i <= 12; i++) sum += $i; n++} END {exit !(n == 1 && sum > 96 && sum < 104)}' "$tmp/table"
verdict "shares add up" $((! $?))
verdict "AccelWattch's beside them" "$(grep -A 1 '^| `kmeans`' "$tmp/table" | grep -q '^|  | AccelWattch, 167 W | 25.9% ' && echo 1)"
verdict "operand path" "$(grep -Eq '^operand path: [0-9.]+% of what is not static on average over 1 programs' "$tmp/table" && echo 1)"
# Issue is a part of the front end and lanes: without a price it has no share.
"$bankshot" run "$tmp/s.bst" --gpu hopper --set energy.issue_pj=0 --json "$tmp/results/kmeans.json" >"$tmp/out" 2>&1
"$shares" "$tmp/results" >"$tmp/out" 2>&1
verdict "no issue" "$(awk -F'|' '/^\| `kmeans`/ {exit $5 + 0 != 0}' "$tmp/out" && echo 1)"
sed 's/"rf_banks"/"rf_other"/' "$tmp/results/kmeans.json" >"$tmp/results/other.json"
verdict "a part without a group" "$(! "$shares" "$tmp/results" >"$tmp/out" 2>&1 && grep -q 'other.json has a part that is in no group: rf_other' "$tmp/out" && echo 1)"
verdict "no results" "$(! "$shares" "$tmp" >"$tmp/out" 2>&1 && grep -q 'has no results' "$tmp/out" && echo 1)"

echo "$passed passed, $failed failed"
[ $failed = 0 ]
