#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Estimates: what they say of themselves, in every command and in the database, and what is refused. Usage: test_sample.sh BANKSHOT
set -u
. "$(dirname "$0")/frame.sh"
cd "$tmp" || exit 1

# Hundreds of short launches of two kernels.
check "run tells the interval and the share" 0 'estimate: [0-9]+ \+- [0-9]+ kernel cycles \(95%\), from [0-9.]+% of the instructions: [0-9]+ of [0-9]+ launches, in [0-9]+ groups' \
    run gaussian:small --sample
"$bankshot" run gaussian:small --json full.json >/dev/null 2>&1
"$bankshot" run gaussian:small --sample --json one.json >/dev/null 2>&1
"$bankshot" run gaussian:small --sample --threads 2 --json two.json >/dev/null 2>&1
strip() { jq -S 'del(.sim)' "$1"; }
verdict "same on two threads" "$(truth test "$(strip one.json)" = "$(strip two.json)")"
verdict "full and estimate have the same instructions" \
    "$(truth test "$(jq .warp_insts full.json)" = "$(jq .warp_insts one.json)")"
verdict "a full run is no estimate" "$(truth jq -e '.sampled_insts == null and .stats["sample.insts"] == 0' full.json)"
verdict "an estimate simulates less than half" \
    "$(truth jq -e '.sampled_insts > 0 and .sampled_insts < .warp_insts / 2 and .kernel_cycles_pm > 0' one.json)"
verdict "the interval holds the truth" \
    "$(truth jq -es '(.[0].kernel_cycles - .[1].kernel_cycles | fabs) <= .[1].kernel_cycles_pm' full.json one.json)"
check "--set has another share" 0 'estimate' run gaussian:small --sample --set gpu.sample=0.2
check "--check goes with it" 0 'every operand was the one' run gaussian:small --sample --check
check "what is short is simulated whole" 0 '\+- 0 kernel cycles .* from 100.0% of the instructions' run conv2d:small --sample

check "compare" 0 '\+-[0-9.]+%, [0-9.]+% simulated' compare gaussian:small --sample --mech base --mech rba --db r.db
printf '[a]\nworkloads = gaussian:small\ngpus = volta\n' >a.ini
check "sweep finds what compare has measured" 0 '1 point, 1 of them from before' sweep a.ini --sample --db r.db
check "a full run is another point" 0 '1 point, 0 of them from before' sweep a.ini --db r.db
verdict "the database has both" "$(truth test "$(sqlite3 r.db \
    "SELECT count(DISTINCT options) FROM point WHERE mechs = 'base'")" = 2)"

check "a timeline is refused" 2 'gpu.sample estimates sums' run gaussian:small --sample --timeline t.json
check "a profile is refused" 2 'gpu.sample estimates sums' run gaussian:small --sample --profile
check "compare refuses a profile" 2 '\-\-profile has every instruction' compare gaussian:small --sample --profile --db r.db
check "an early end is refused" 2 'gpu.sample estimates a whole program' run gaussian:small --sample --set gpu.most_cyc=1000
check "a co-run is refused" 2 'gpu.sample estimates one program' corun gaussian:small conv2d:small --set gpu.sample=0.06
# The form of cmocka's summary, which tools/run-tests adds up.
echo "[  PASSED  ] $passed test(s)."
[ $failed = 0 ] || echo "[  FAILED  ] $failed test(s), listed above"
[ $failed = 0 ]
