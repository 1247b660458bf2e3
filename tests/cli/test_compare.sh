#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bankshot compare: the table, the database behind it, what is refused and why. Usage: test_compare.sh BANKSHOT
# shellcheck disable=SC2086 # lists of words
set -u
. "$(dirname "$0")/frame.sh"

cd "$tmp" || exit 1
record_saxpy s.bst
record_reduce r.bst
c="compare s.bst r.bst --mech base --mech cu4 --mech cu8 --set gpu.sms=4"

# ---- the table ----
check "header" 0 '^volta, gpu.sms=4$' $c
check "row" 0 '^s\.bst +base +[0-9]+ +[0-9.]+ +1\.0000 +[0-9.]+$' $c
check "second mechanism" 0 '^ +cu4 +[0-9]+ +[0-9.]+ +[0-9.]+ +[0-9.]+$' $c
check "sums" 0 '^cu8 +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+  ' $c
check "over the first" 0 '^speedup over cu8, by kernel cycles$' compare s.bst --mech cu8 --mech base
check "base alone" 0 '^s\.bst +base ' compare s.bst
cycles=$("$bankshot" run s.bst --set gpu.sms=4 --mech cu4 --json - | sed -n 's/^ "cycles": \([0-9]*\),/\1/p')
kernel=$("$bankshot" run s.bst --set gpu.sms=4 --mech cu4 --json - | sed -n 's/^ "kernel_cycles": \([0-9]*\),/\1/p')
check "the same cycles as run" 0 "^s.bst,,0,,volta,cu4,gpu.sms=4,ok,$cycles,$kernel," $c --csv -
check "kernel cycles in the table" 0 "^ +cu4 +$kernel " $c
check "program cycles in the table" 0 "^ +cu4 +$cycles " $c --cycles program
check "which" 0 'mechs +kernel cycles +IPC +speedup' $c
check "which other" 0 '^speedup over base, by program cycles$' $c --cycles program
check "no other" 2 '--cycles host: it is kernel or program' $c --cycles host
# Speedup and IPC are of the cycles that the CSV names.
for which in kernel program; do
    "$bankshot" $c --cycles $which --csv - 2>/dev/null | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { c = $at[$at["speedup_by"]]; if ($at["mechs"] == "base") base = c
          if ($at["speedup_by"] != want) bad = 1
          if (($at["speedup"] - base / c) ^ 2 > 1e-11 || ($at["ipc"] - $at["warp_insts"] / c) ^ 2 > 1e-11) bad = 1; n++ }
        END { exit bad || n != 6 }' want="$([ $which = kernel ] && echo kernel_cycles || echo cycles)"
    verdict "CSV, $which cycles" "$([ $? = 0 ] && echo 1)"
done

# ---- the same for any number of jobs, and from the database ----
"$bankshot" $c --jobs 1 --db one.db --quiet >a 2>&1
"$bankshot" $c --jobs 2 --db two.db --quiet >b 2>&1
verdict "two jobs" "$(truth cmp a b)"
"$bankshot" $c --jobs 7 --quiet >b 2>&1
verdict "seven jobs" "$(truth cmp a b)"
"$bankshot" $c --db one.db >b 2>&1
verdict "a second time" "$(truth cmp a b)"
"$bankshot" $c --csv a.csv --json a.json >/dev/null 2>&1
"$bankshot" $c --csv b.csv --json b.json --jobs 1 >/dev/null 2>&1
verdict "CSV" "$(truth cmp a.csv b.csv)"
verdict "JSON" "$(truth cmp a.json b.json)"
: >out
verdict "CSV has a row for each" "$([ "$(wc -l <a.csv)" = 7 ] && echo 1)"
verdict "JSON alone on standard output" "$("$bankshot" $c --json - 2>/dev/null | head -n 1 | grep -q '^{$' && echo 1)"
if command -v sqlite3 >/dev/null 2>&1; then
    verdict "one run each" "$([ "$(sqlite3 one.db 'SELECT count(*) FROM run')" = 6 ] && echo 1)"
    before=$(sqlite3 one.db 'SELECT max(id), max(finished) FROM run')
    "$bankshot" $c --mech rba --db one.db >out 2>&1
    verdict "only the new one is run" "$([ "$(sqlite3 one.db 'SELECT count(*) FROM run')" = 8 ] && echo 1)"
    "$bankshot" compare s.bst --mech base --set gpu.sms=4 --set sm.collectors=4 --db one.db >out 2>&1
    verdict "other words for one machine" "$([ "$(sqlite3 one.db 'SELECT count(*), (SELECT count(*) FROM point) FROM run')" = '8|9' ] && echo 1)"
    verdict "facts of the trace" "$([ "$(sqlite3 one.db "SELECT count(*) FROM trace_fact WHERE name = 'class.FP32'")" -ge 1 ] && echo 1)"
    [ -n "$before" ] || verdict "times" 0
fi

# ---- no result ----
check "refused" 2 '^s\.bst +base +refused$' compare s.bst --set sm.threads=32
check "refused: why" 2 's\.bst, base: .* fits no SM: a CTA has 250 threads' compare s.bst --set sm.threads=32
stuck="--gpu throughput --set mem.simple_cyc=100000 --set gpu.stuck_cyc=2000"
check "deadlock" 3 '^s\.bst +base +deadlock$' compare s.bst $stuck
check "deadlock: why" 3 'deadlock at cycle' compare s.bst $stuck --db dead.db
check "deadlock from the database" 3 'deadlock at cycle' compare s.bst $stuck --db dead.db

# ---- names ----
check "unknown mechanism" 2 "unknown mechanism 'cu5'" $c --mech cu5
check "unknown GPU" 2 "unknown GPU 'volt'; did you mean 'volta'\?" $c --gpu volt
check "unknown option" 2 "did you mean 'sm.banks'\?" $c --set sm.bank=2
check "twice" 2 '--mech cu4 is there twice' $c --mech cu4
check "no workload" 2 'WORKLOAD is missing' compare --mech base
check "unknown workload" 2 "unknown workload 'nonesuch'" compare nonesuch
check "no such trace" 2 'nowhere.bst' compare nowhere.bst
check "not a trace" 2 'a.csv' compare ./a.csv
check "jobs" 2 'expected a number from 1' $c --jobs 0
check "CSV nowhere" 2 'cannot write /nowhere/x.csv' $c --csv /nowhere/x.csv
check "database nowhere" 2 'cannot write /nowhere/x.db: No such file' $c --db /nowhere/x.db
check "database that is none" 2 'a.csv: the file exists and is not a results database' $c --db a.csv
verdict "it was left alone" "$(truth cmp a.csv b.csv)"

# ---- how far it is, in a file ----
"$bankshot" $c --jobs 1 >/dev/null 2>log
sort log >out
cat >want <<'END'
[N/6] r.bst volta base gpu.sms=4
[N/6] r.bst volta cu4 gpu.sms=4
[N/6] r.bst volta cu8 gpu.sms=4
[N/6] s.bst volta base gpu.sms=4
[N/6] s.bst volta cu4 gpu.sms=4
[N/6] s.bst volta cu8 gpu.sms=4
END
sed 's/^\[[1-6]/[N/' log | sort | cmp - want >/dev/null && ok=1 || ok=0
verdict "a line for each run" $ok
verdict "counted from 1 to 6" "$([ "$(sed 's/^\[\([0-9]*\).*/\1/' log | tr '\n' ' ')" = '1 2 3 4 5 6 ' ] && echo 1)"
"$bankshot" $c --quiet >/dev/null 2>out
verdict "--quiet: nothing" "$([ ! -s out ] && echo 1)"

# ---- mistakes are found before the work: the program of the other workload has not been compiled ----
mkdir cache
BANKSHOT_CACHE=$tmp/cache check "missing trace, early" 2 'nosuch.bst' compare vectoradd:small nosuch.bst
BANKSHOT_CACHE=$tmp/cache check "CSV nowhere, early" 2 'cannot write /nowhere/x' compare vectoradd:small --csv /nowhere/x
BANKSHOT_CACHE=$tmp/cache check "JSON is a folder, early" 2 'cannot write cache: Is a directory' compare vectoradd:small --json cache
BANKSHOT_CACHE=$tmp/cache check "database nowhere, early" 2 'cannot write /nowhere/x' compare vectoradd:small --db /nowhere/x
BANKSHOT_CACHE=$tmp/cache check "no database, early" 2 'a.csv: the file exists and is not a results database' compare vectoradd:small --db a.csv
for out in --json --timeline --profile-csv '--interval 500 --interval-csv'; do
    BANKSHOT_CACHE=$tmp/cache check "run $out nowhere, early" 2 'cannot write /nowhere/x: No such file' run vectoradd:small $out /nowhere/x
done
printf '[a]\nworkloads = vectoradd:small\ngpus = volta\n' >v.ini
BANKSHOT_CACHE=$tmp/cache check "sweep, early" 2 'cannot write /nowhere/x.db' sweep v.ini --db /nowhere/x.db
ls cache >out
verdict "nothing was compiled" "$([ ! -s out ] && echo 1)"

# ---- nothing stays behind ----
mkdir left
TMPDIR=$tmp/left "$bankshot" $c >out 2>&1
verdict "no temporary file" "$([ -z "$(ls left)" ] && echo 1)"
TMPDIR=$tmp/left "$bankshot" $c 2>/dev/null | :
verdict "none where nobody reads the table" "$([ -z "$(ls left)" ] && echo 1)"

# Interrupted, with runs that take long: the status is the signal's, nothing is left, no run goes on.
"$bankshot" exec "$kernels/sgemm_tiled.ptx" --grid 40,40 --block 16,16 --show 0 --arg s32:640 --arg s32:640 \
    --arg buf:f32:409600=rand:1 --arg buf:f32:409600=rand:2 --arg out:f32:409600 --record long.bst >/dev/null 2>&1
TMPDIR=$tmp/left "$bankshot" compare long.bst --mech base --mech cu4 --mech cu8 >out 2>&1 &
pid=$!
tries=0
while jobs=$(pgrep -P $pid) || true; [ -z "$jobs" ] && [ $tries -lt 2400 ]; do # on a busy machine the first run begins late
    tries=$((tries + 1))
    sleep 0.05
done
kill -TERM $pid
wait $pid
status=$?
verdict "interrupted: status $status" "$([ $status = 143 ] && echo 1)"
verdict "interrupted: no temporary file" "$([ -z "$(ls left)" ] && echo 1)"
alive=0
for job in $jobs; do
    kill -0 "$job" 2>/dev/null && alive=1
done
verdict "interrupted: no run goes on" "$([ $alive = 0 ] && echo 1)"

echo "$passed passed, $failed failed"
[ $failed = 0 ]
