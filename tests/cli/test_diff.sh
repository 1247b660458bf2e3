#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bankshot diff: two runs beside each other. Usage: test_diff.sh BANKSHOT
set -u
. "$(dirname "$0")/frame.sh"

t=$tmp/s.bst
record_saxpy "$t"
"$bankshot" run "$t" --quiet --set gpu.sms=4 --json "$tmp/a.json" >/dev/null 2>&1
"$bankshot" run "$t" --quiet --set gpu.sms=2 --mech cu4 --json "$tmp/b.json" >/dev/null 2>&1
cycles() { sed -n 's/^ "kernel_cycles": \([0-9]*\),/\1/p' "$1"; }

check "cycles" 0 "^  kernel_cycles +$(cycles "$tmp/a.json") +$(cycles "$tmp/b.json") +[+-][0-9.]+%$" diff "$tmp/a.json" "$tmp/b.json"
check "kernels" 0 "^  saxpy +$(cycles "$tmp/a.json") +$(cycles "$tmp/b.json") " diff "$tmp/a.json" "$tmp/b.json"
check "options" 0 '^  gpu.sms +4 +2$' diff "$tmp/a.json" "$tmp/b.json"
check "who is who" 0 '^B: s\.bst on volta with cu4$' diff "$tmp/a.json" "$tmp/b.json"
check "what is the same" 0 '^  warp_insts +1216 +1216 +=$' diff "$tmp/a.json" "$tmp/b.json"
check "nothing differs" 0 '^  none$' diff "$tmp/a.json" "$tmp/a.json"
check "traces are run" 0 "^  kernel_cycles +$(cycles "$tmp/a.json") +$(cycles "$tmp/b.json") " diff "$t" "$tmp/b.json" --set gpu.sms=4
check "another machine" 0 '^B: s\.bst on fermi$' diff "$t" "$t" --gpu2 fermi
check "json" 0 '"command": "diff"' diff "$tmp/a.json" "$tmp/b.json" --json -
check "one is missing" 2 'A and B' diff "$tmp/a.json"
echo '{"command": "list"}' >"$tmp/l.json"
check "another answer" 2 'l\.json: it is no answer of bankshot run --json' diff "$tmp/a.json" "$tmp/l.json"
printf '{' >"$tmp/cut.json"
check "no JSON" 2 'cut\.json: ' diff "$tmp/a.json" "$tmp/cut.json"
check "no file" 2 'none\.json: ' diff "$tmp/a.json" "$tmp/none.json"
check "options for nothing" 2 'both are results already' diff "$tmp/a.json" "$tmp/b.json" --mech rba

echo "$passed passed, $failed failed"
[ $failed = 0 ]
