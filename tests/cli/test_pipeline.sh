#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bankshot run --pipeline: the Kanata log and the JSON of it. Usage: test_pipeline.sh BANKSHOT
# shellcheck disable=SC2086 # lists of words
set -u
. "$(dirname "$0")/frame.sh"

t=$tmp/s.bst
record_saxpy "$t"
run="run $t --set gpu.sms=2 --quiet"

# ---- the log ----
# Read as a viewer does: commands of cycles that go up, instructions numbered as they appear, each stage begun and ended, no two of a
# lane at a time, everything retired once, and nothing of what was not begun or has been retired.
cat >"$tmp/kanata.awk" <<'AWK'
BEGIN { FS = "\t" }
function bad(why) { print "line " NR ": " why ": " $0; failed = 1; exit 1 }
NR == 1 { if ($0 != "Kanata\t0004") bad("no header"); next }
NR == 2 { if ($1 != "C=") bad("no cycle"); now = $2; next }
$1 == "C" { if ($2 < 1) bad("time stands"); now += $2; next }
$1 == "I" { if ($2 != n++) bad("out of order"); alive[$2] = 1; next }
!($2 in alive) { bad("not alive") }
$1 == "L" { label[$2] = label[$2] $4; next }
$1 == "S" { if (($2, $3) in open) bad("two stages"); open[$2, $3] = $4; begun[$2, $3] = now; stages[$4]++; next }
$1 == "E" { if (open[$2, $3] != $4 || begun[$2, $3] >= now) bad("no such stage"); delete open[$2, $3]; next }
$1 == "W" { if ($3 >= n) bad("a producer that is not known"); needs++; next }
$1 == "R" { if (($2, 0) in open || ($2, 1) in open) bad("a stage is open"); delete alive[$2]; retired++; next }
{ bad("unknown") }
END {
    if (failed) exit 1
    for (i in alive) { print i " is not retired"; exit 1 }
    if (n != retired || !needs || !stages["F"] || !stages["Is"] || !stages["Op"] || !stages["X"] || !stages["M"] || !stages["Wb"]) {
        print n " instructions, " retired " retired, " needs " dependences"
        exit 1
    }
    print n
}
AWK
for gpu in volta hopper fermi volta-accelsim; do
    "$bankshot" $run --gpu $gpu --pipeline "$tmp/p.kanata" >"$tmp/out" 2>&1
    verdict "log on $gpu" "$(truth awk -f "$tmp/kanata.awk" "$tmp/p.kanata")"
done
"$bankshot" $run --pipeline "$tmp/p.kanata" >"$tmp/out" 2>&1
verdict "the code is its label" "$(truth grep -Eq '^L	[0-9]+	0	CTA [0-9]+ warp [0-9]+  [0-9a-f]{4}  FFMA ' "$tmp/p.kanata")"
verdict "operands have banks" "$(truth grep -Eq '^L	[0-9]+	1	.*; R[0-9]+: bank [01]' "$tmp/p.kanata")"
verdict "conflicts are told" "$(truth grep -Eq 'R[0-9]+: bank [01], conflict: waited [0-9]+' "$tmp/p.kanata")"
verdict "and drawn" "$(truth grep -Eq '^S	[0-9]+	1	bank$' "$tmp/p.kanata")"

# ---- what is shown ----
count() { grep -c '^ *{"id":' "$1"; }
"$bankshot" $run --pipeline "$tmp/p.json" --json "$tmp/watched.json" >"$tmp/out" 2>&1
verdict "JSON by its name" "$(truth grep -q '"command": "run --pipeline"' "$tmp/p.json")"
all=$(count "$tmp/p.json")
"$bankshot" $run --json "$tmp/plain.json" >/dev/null 2>&1
for f in watched plain; do grep -Ev '"seconds"|"kwips"|"peak_rss_mb"|"threads"' "$tmp/$f.json" >"$tmp/$f"; done
verdict "being watched changes nothing" "$(truth cmp "$tmp/watched" "$tmp/plain")"
"$bankshot" $run --pipeline "$tmp/q.json" --threads 2 >/dev/null 2>&1
verdict "the same on two threads" "$(truth cmp "$tmp/p.json" "$tmp/q.json")"
"$bankshot" $run --pipeline - >"$tmp/q.kanata" 2>/dev/null
verdict "standard output" "$(truth cmp "$tmp/p.kanata" "$tmp/q.kanata")"
"$bankshot" $run --pipeline "$tmp/q.json" --pipeline-most 100 >/dev/null 2>&1
verdict "so many at most" "$([ "$(count "$tmp/q.json")" = 100 ] && grep -q '"cut": "there are 100 instructions' "$tmp/q.json" && echo 1)"
"$bankshot" $run --pipeline "$tmp/q.json" --pipeline-warps 3 >/dev/null 2>&1
verdict "so many warps" "$(grep -q '"cut": "only the first 3 warps' "$tmp/q.json" && [ "$(grep -c '^ *{"launch":' "$tmp/q.json")" = 3 ] && echo 1)"
from=$(sed -n 's/^ "from": \([0-9]*\),/\1/p' "$tmp/p.json")
"$bankshot" $run --pipeline "$tmp/q.json" --pipeline-from $((from + 50)) --pipeline-to $((from + 80)) >/dev/null 2>&1
some=$(count "$tmp/q.json")
verdict "a window" "$([ "$some" -gt 0 ] && [ "$some" -lt "$all" ] && echo 1)"
"$bankshot" $run --pipeline "$tmp/q.json" --pipeline-sm 1 >/dev/null 2>&1
verdict "another SM has other CTAs" "$(! cmp -s "$tmp/p.json" "$tmp/q.json" && echo 1)"
"$bankshot" $run --mech malekeh --pipeline "$tmp/q.json" >/dev/null 2>&1
verdict "operands of a caching collector" "$(truth grep -q '"from":"collector","bank":null' "$tmp/q.json")"
"$bankshot" $run --gpu fermi --mech rfc --pipeline "$tmp/q.json" >/dev/null 2>&1
verdict "results that are kept" "$(truth grep -q '"to":"kept","bank":null' "$tmp/q.json")"

# ---- mistakes ----
check "no such SM" 2 '^bankshot: error: --pipeline-sm 2: the machine has 2 SMs, counted from 0$' $run --pipeline "$tmp/none.json" --pipeline-sm 2
verdict "and no file" "$([ ! -e "$tmp/none.json" ] && echo 1)"
check "nothing in it" 0 'warning: pipeline: SM 0 issued no such instruction' $run --pipeline "$tmp/q.json" --pipeline-from 100000000
check "no such launch" 0 'warning: pipeline: SM 0 issued no such instruction' $run --pipeline "$tmp/q.json" --pipeline-launch 7
check "no folder" 2 'cannot write .*nowhere/p.json: No such file' $run --pipeline "$tmp/nowhere/p.json"
check "one standard output" 2 'only one of them can be -' $run --pipeline - --json -

echo "$passed passed, $failed failed"
[ $failed = 0 ]
