#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bankshot corun: programs that share a GPU, what is printed of them, and what is refused. Usage: test_corun.sh BANKSHOT
# shellcheck disable=SC2086 # lists of words
set -u
. "$(dirname "$0")/frame.sh"

cd "$tmp" || exit 1
"$bankshot" exec "$kernels/saxpy.ptx" --kernel saxpy --grid 64 --block 250 --arg f32:2 --arg buf:f32:16000=iota \
    --arg out:f32:16000=const:1 --arg s32:16000 --record s.bst >/dev/null 2>&1 || echo "no trace"
"$bankshot" exec "$kernels/sgemm_tiled.ptx" --grid 3,3 --block 16,16 --show 0 --arg s32:48 --arg s32:48 \
    --arg buf:f32:2304=rand:1 --arg buf:f32:2304=rand:2 --arg out:f32:2304 --record g.bst >out 2>&1 || cat out
small="--set gpu.sms=4"
# Intervals so short that all of Scavenger happens in a few thousand cycles.
short="--set share.profile_cyc=256 --set share.run_most_cyc=1000 --set share.tolerance=0.5 --set share.ctas_cyc=256"

# ---- the table ----
for way in alone temporal spatial smk scavenger; do
    check "$way" 0 '^STP [0-9.]+, ANTT [0-9.-]+, fairness [0-9.]+; the target of 90% is (met|missed)$' corun g.bst s.bst --share $way $small --check
done
check "a row for each" 0 '^s\.bst +[0-9]+ +[0-9]+ +[0-9]+ +[0-9.]+ +[0-9.]+ +[0-9.]+% +[0-9]+$' corun g.bst s.bst --share smk $small
check "target" 0 'the target of 70% is' corun g.bst s.bst --share spatial --target 0.7 $small
check "Scavenger's time" 0 '^SM time   profile [0-9.]+%, run [1-9][0-9.]*%' corun g.bst s.bst --share scavenger $small $short --check
check "three programs" 0 '^s\.bst' corun g.bst s.bst g.bst --share spatial $small
check "cut" 0 ', cut$' corun g.bst s.bst --share smk --insts 50000 $small

"$bankshot" corun s.bst g.bst --share alone $small --json part.json >/dev/null
verdict "of a part of a run the same part alone" "$(truth python3 -c "
import json
p = json.load(open('part.json'))['programs'][1]
assert p['passes'] == 0 and p['thread_insts'] <= p['alone_thread_insts'] < 1.2 * p['thread_insts'], p")"

# ---- nobody ----
"$bankshot" run g.bst --gpu maxwell $small --json run.json >/dev/null
"$bankshot" corun g.bst - --share alone $small --json corun.json >/dev/null
for f in run corun; do python3 -c "import json, sys; print(json.dumps(json.load(open('$f.json'))['stats'], sort_keys=True))" >$f.stats; done
verdict "with nobody, it is run" "$(truth cmp run.stats corun.stats)"
check "its speed" 0 '^g\.bst .* 100\.0% +1$' corun g.bst - --share alone $small
check "Scavenger of one" 0 '^g\.bst .* 100\.0% +1$' corun g.bst - --share scavenger $small $short

# ---- the same on any number of threads ----
for n in 1 2; do
    "$bankshot" corun g.bst s.bst --share scavenger $small $short --threads $n --json - | grep -v '"seconds"' >threads$n
done
verdict "threads" "$(truth cmp threads1 threads2)"

# ---- pairs in a sweep ----
cat >pairs.ini <<'END'
[together]
workloads = g.bst+s.bst
gpus = maxwell
mechs = scavenger
gpu.sms = 4
gpu.most_cyc = 50000
share.target = 0.9 0.5
share.profile_cyc = 256
share.run_most_cyc = 1000
share.tolerance = 0.5
share.ctas_cyc = 256
[alone]
workloads = g.bst s.bst
gpus = maxwell
mechs = scavenger
gpu.sms = 4
gpu.most_cyc = 50000
gpu.share = alone
sm.tenant = free
END
check "a pair is a workload" 0 '^g.bst\+s.bst maxwell scavenger gpu.sms=4 gpu.most_cyc=50000 .*share.target=0.5' sweep pairs.ini --dry-run
check "sweep" 0 '4 points' sweep pairs.ini --db p.db
verdict "tenants" "$([ "$(sqlite3 p.db 'SELECT count(*), sum(tenant), count(DISTINCT trace) FROM tenant')" = "6|2|2" ] && echo 1)"
verdict "speeds" "$([ "$(sqlite3 p.db 'SELECT count(*) FROM corun WHERE speed BETWEEN 0.1 AND 1.1 AND second_speed > 0')" = 2 ] && echo 1)"
# Of the second, too, the speed is over the time that the same instructions take alone: here the first half of a run takes a quarter of it.
half="UPDATE tenant SET thread_insts = 2000, cycles = 4 * 8192, progress = '[1000,1200,1600,2000]' WHERE tenant = 0 AND run = (SELECT run FROM point WHERE workload = 's.bst')"
for want in "500 4096" "1000 8192" "1800 28672" "5000 73728"; do
    cp p.db q.db
    sqlite3 q.db "$half; UPDATE tenant SET thread_insts = ${want% *} WHERE tenant = 1"
    verdict "the second's first ${want% *} instructions" "$([ "$(sqlite3 q.db "SELECT count(*) FROM corun WHERE abs(second_speed * cycles - ${want#* }) < 1e-6")" = 2 ] && echo 1)"
done
sqlite3 p.db "CREATE TABLE kept AS SELECT * FROM point; UPDATE point SET code_order = 'sm1x' WHERE workload LIKE '%+%'"
verdict "other code alone is no base" "$([ "$(sqlite3 p.db 'SELECT count(*) FROM corun')" = 0 ] && echo 1)"
sqlite3 p.db "UPDATE point SET code_order = (SELECT code_order FROM kept WHERE kept.id = point.id); DROP TABLE kept"
printf '[c]\nworkloads = vectoradd+sobol vectoradd:small@ptx+sobol\nsizes = default\norder = sm1x\ngpus = maxwell\n' >code.ini
check "parts have the block's code" 0 '^vectoradd:default@sm1x\+sobol:default@sm1x maxwell' sweep code.ini --dry-run
check "or their own" 0 '^vectoradd:small@ptx\+sobol:default@sm1x maxwell' sweep code.ini --dry-run
check "parts" 0 '' sweep pairs.ini --db p1.db --part 1/2
check "other parts, and merged" 0 '' sweep pairs.ini --db p2.db --part 2/2 --merge p1.db
all="SELECT t.tenant, i.identity, t.cycles, t.thread_insts, t.passes, t.progress FROM tenant t JOIN trace i ON i.id = t.trace ORDER BY 2, 3, 1"
sqlite3 p.db "$all" >whole
sqlite3 p2.db "$all" >merged
verdict "merged" "$(truth cmp whole merged)"
check "unknown part" 2 "unknown workload 'zzz'" compare g.bst+zzz --mech base

# ---- over time ----
check "intervals" 0 '' corun g.bst s.bst --share smk --interval 700 --interval-csv rows.csv --json rows.json $small
sum() { awk -F, -v n="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == n) at = i } NR > 1 { s += $at } END { print s }' rows.csv; }
told() { grep '^   "thread_insts"' rows.json | sed -n "$1s/[^0-9]//gp"; }
verdict "rows add up for both programs" "$([ "$(sum program1.thread_insts)" = "$(told 1)" ] && [ "$(sum program2.thread_insts)" = "$(told 2)" ] && echo 1)"
check "rows without intervals" 2 '--interval-csv needs --interval N' corun g.bst s.bst --interval-csv rows.csv
check "two on standard output" 2 'only one of them can be -' corun g.bst s.bst --interval 9 --interval-csv - --json -

# ---- watched ----
check "timeline and profile" 0 '^g\.bst$' corun g.bst s.bst --share smk $small --timeline t.json --timeline-every 100 --profile --profile-csv p.csv --json p.json
verdict "each has its kernels, CTAs and rate" "$(python3 - <<'END'
import json
events, answer = json.load(open('t.json'))['traceEvents'], json.load(open('p.json'))
tracks = {e['args']['name'] for e in events if e['name'] == 'thread_name' and e['pid'] == 1}
rates = {e['name'] for e in events if e['ph'] == 'C'}
begun = lambda p: sum(e['ph'] == 'X' and e['name'].startswith(p + ': CTA ') for e in events)
per_cycle = ': thread instructions per cycle'
first, second = (begun(p['program']) - p['stats']['ctas'] for p in answer['programs']) # of the second some have not ended
print(int({'g.bst: kernels 0', 's.bst: kernels 0'} <= tracks and {'g.bst' + per_cycle, 's.bst' + per_cycle} <= rates and first == 0 and second >= 0))
END
)"
verdict "profiles are each program's own" "$(python3 - <<'END'
import csv, json
answer, rows = json.load(open('p.json')), list(csv.DictReader(open('p.csv')))
issued = lambda p: sum(int(r['issued']) for r in rows if r['program'] == p)
own = [issued(p['program']) == p['stats']['issued'] == sum(r['causes'].get('issued', 0) for r in p['profile']) > 0 for p in answer['programs']]
print(int(all(own) and rows[-1]['program'] == '' and len(own) == 2))
END
)"

# ---- refused ----
check "one name" 2 'PROGRAM' corun g.bst
check "unknown way" 2 "--share fast: it is alone, temporal, spatial, smk or scavenger" corun g.bst s.bst --share fast
check "three for Scavenger" 2 'shares an SM among 2 programs, not 3' corun g.bst s.bst s.bst --share scavenger $small
check "more programs than SMs" 2 '2 programs need an SM each, and gpu.sms = 1' corun g.bst s.bst --share spatial --set gpu.sms=1
check "halves of a policy" 2 'only gpu.share = quota follows it' run g.bst --set sm.tenant=scavenger
check "target out of range" 2 'share.target: 2 is outside' corun g.bst s.bst --target 2

echo "$passed passed, $failed failed"
[ $failed = 0 ]
