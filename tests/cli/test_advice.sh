#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What bankshot run says of a run beside its cycles: speed of light and advice, with lines. Usage: test_advice.sh BANKSHOT
set -u
. "$(dirname "$0")/frame.sh"

cp "$here/data/advice.cu" "$tmp/advice.cu"
cd "$tmp" || exit 1
"$bankshot" cc advice.cu -o advice >out 2>&1 && "$bankshot" record -o advice.bst -- ./advice >out 2>&1
verdict "a program with bad habits" "$([ -s advice.bst ] && echo 1)"
line() { grep -n "$1" advice.cu | head -n 1 | cut -d: -f1; }

"$bankshot" run advice.bst --quiet --json a.json >out 2>&1
# advice KERNEL LINE RULE: a row of the JSON, on one line.
tr -d '\n' <a.json | sed 's/"advice": \[/\n&/; s/"issue_cov"/\n&/' | grep '^"advice"' | sed 's/}, */}\n/g' >rows
row() { grep "\"rule\": \"$3\"" rows | grep "$1" | grep -q "\"line\": $2," && echo 1; }
cp rows out
verdict "a division" "$(row divides "$(line 'b\[i\] / m')" division)"
verdict "a stride" "$(row strides "$(line 'i \* 16')" uncoalesced)"
verdict "words in a bank" "$(row conflicts "$(line 's\[x\]')" shared_conflicts)"
verdict "an array by index" "$(grep '"rule": "local_memory"' rows | grep -q indexed && echo 1)"
verdict "lanes that part" "$(row diverges null divergence)"
verdict "not of others" "$(! grep '"rule": "divergence"' rows | grep -q divides && echo 1)"
verdict "each is at most all" "$(grep -o '"gain": [0-9.e-]*' rows | awk '{ if ($2 > 1 || $2 < 0.01) bad = 1 } END { if (!bad && NR > 4) print 1 }')"

check "in the summary" 0 '^advice +at most +[0-9.]+%: [a-z]+' run advice.bst --quiet
check "SMs without work" 0 'at most +[0-9.]+%: diverges: 160 CTAs for 512 SMs: 352 have nothing to do' run advice.bst --quiet --set gpu.sms=512
check "speed of light" 0 '^speed of light, of the kernel cycles: [0-9.]+ [mu]s, [0-9.]+ GFLOP/s$' run advice.bst --quiet
check "by unit" 0 '^  dram +[0-9.]+%.* GB/s of [0-9.]+ GB/s$' run advice.bst --quiet
check "operations" 0 '"fp32": [0-9]+\.0' run advice.bst --quiet --json -
# 256 threads of 160 CTAs, 8 warps each, of which one lane does 400 times 2 operations; and ten CTAs more.
flops=$((2 * 400 * 8 * 170))
got=$(awk '/"kernel":/ { mine = /diverges/ } mine && /"fp32":/ { sub(",", "", $2); sum += $2 } /^ "stats"/ { exit } END { print sum }' a.json)
verdict "counted by hand: $got" "$(awk -v got="$got" -v want=$flops 'BEGIN { if (got >= want && got < want * 1.1) print 1 }')"
check "nor of a run that was cut" 0 '"flops": null' run advice.bst --quiet --set gpu.most_cyc=9000 --json -
check "not of an estimate" 0 '"flops": null' run advice.bst --quiet --sample --json -

# ---- memory in the timeline ----
"$bankshot" run advice.bst --quiet --timeline t.json --timeline-sms 0 --json j.json >out 2>&1
verdict "counters of memory" "$(grep -q '"pid":1000.*"name":"DRAM bytes read per cycle"' t.json && grep -q '"pid":1000.*"name":"L2 misses in flight"' t.json && echo 1)"

echo "$passed passed, $failed failed"
[ $failed = 0 ]
