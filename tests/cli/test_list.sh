#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bankshot list. Usage: test_list.sh BANKSHOT
set -u
. "$(dirname "$0")/frame.sh"

for gpu in fermi fermi-gpgpusim3 fermi-warppool throughput maxwell volta volta-fc volta-accelsim turing hopper ampere ada; do
    check "gpus has $gpu" 0 "^$gpu +[A-Z]" list gpus
done
check "mechs" 0 '' list mechs
check "options" 0 '^sm.banks +2 +register banks per partition \(1 to 64\)$' list options
check "option of names" 0 '^sm.wsched +gto +warp scheduler: gto, lrr, two-level' list options
check "option of a class" 0 '^latency.FP32 +[0-9]+ +single-precision' list options
check "values of a GPU" 0 '^sm.partitions +1 ' list options --gpu throughput
check "big numbers in full" 0 '\(0 to 4294967295\)' list options
check "header" 0 'with their values on hopper' list options --gpu hopper
check "stats" 0 '^sm.issued +cycle +' list stats
check "stats of memory" 0 '^mem.dram_row_hits +access +' list stats
check "storage of WarpPool" 0 '^miss metadata,1024,23,2944$' list storage --gpu fermi --mech warppool
check "its sum" 0 '^all,,,5361$' list storage --gpu fermi --mech warppool
check "storage of Malekeh" 0 '^registers kept,64,1024,8192$' list storage --gpu turing --mech malekeh
check "less what was there" 0 '^operands of plain collectors,-48,1024,-6144$' list storage --gpu turing --mech malekeh
check "storage of BOW" 0 '^registers kept,768,1024,98304$' list storage --gpu turing --mech bow
check "storage of RFC" 0 '^all,,,6207$' list storage --gpu turing --mech rfc
check "storage of Scavenger" 0 '^all,,,1553$' list storage --gpu maxwell --mech scavenger
check "storage of a refused one" 2 'sm.operands = ltrf: .*sm.bank_write_port' list storage --gpu hopper --mech ltrf
check "storage of nothing" 0 '^all,,,0$' list storage
check "values of a mechanism" 0 '^sm.lsu +mrpb ' list options --gpu fermi --mech mrpb
check "near list" 2 "there is no list 'option'; did you mean 'options'" list option
check "far list" 2 "there is no list 'zebras'" list zebras
check "no list" 2 'what to list is missing' list
check "unknown GPU" 2 "unknown GPU 'volat'; did you mean 'volta'\?" list options --gpu volat
# Descriptions are whole sentences, of however many lines of comment.
for what in gpus mechs; do
    "$bankshot" list $what | grep -v '[.)]$' >"$tmp/out"
    verdict "$what: whole sentences" "$([ ! -s "$tmp/out" ] && echo 1)"
done
check "a sentence of two lines" 0 '^volta-fc .* in one; operands of every warp may lie in any of the eight banks\.$' list gpus
check "only the first sentence" 0 '^volta +Tesla V100\.$' list gpus
check "a full stop inside" 0 '^rfc +The register file cache of Gebhart et al\. \(ISCA 2011\) .*\.$' list mechs

# ---- patterns ----
"$bankshot" list options BANK >"$tmp/out" 2>&1
verdict "part of a name" "$([ "$(grep -c '^[a-z]*\.' "$tmp/out")" = "$(grep -c '^[a-z]*\.[A-Za-z0-9_]*bank' "$tmp/out")" ] &&
    grep -q '^sm.banks ' "$tmp/out" && echo 1)"
"$bankshot" list options 'sm.l1_*' >"$tmp/out" 2>&1
verdict "glob" "$(grep -q '^sm.l1_kb ' "$tmp/out" && ! grep '^[a-z]*\.' "$tmp/out" | grep -qv '^sm\.l1_' && echo 1)"
check "of mechanisms" 0 '^cu16 ' list mechs 'cu*'
check "of claims" 0 '^partition.fig12.cu4 ' list claims fig12
check "of counters" 0 '^sm.bank_conflicts +access' list stats conflict
check "of workloads" 0 '^hotspot3d ' list workloads hotspot
check "near pattern" 2 "no option matches 'bnaks'; did you mean 'banks'\?" list options bnaks
check "near GPU" 2 "no GPU matches 'volat'; did you mean 'volta'\?" list gpus volat
check "far pattern" 2 "no mechanism matches 'zzz'; bankshot list mechs has all of them" list mechs zzz
check "pattern and JSON" 2 "no option matches" list options zzz --json
"$bankshot" list options sm.banks --json >"$tmp/out" 2>&1
verdict "one row of JSON" "$([ "$(grep -c '"name":' "$tmp/out")" = 1 ] && grep -q '"value": 2,' "$tmp/out" && echo 1)"
check "help" 0 'bankshot list gpus' list --help

# A row each, no name twice.
for what in options stats gpus; do
    "$bankshot" list $what | awk '/^[a-z]+[.-]?[A-Za-z0-9_-]* / {print $1}' | sort | uniq -d >"$tmp/out"
    if [ -s "$tmp/out" ]; then
        failed=$((failed + 1))
        echo "FAIL list $what names twice: $(cat "$tmp/out")"
    else
        passed=$((passed + 1))
    fi
done

echo "$passed passed, $failed failed"
[ $failed = 0 ]
