#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bankshot sweep: specifications, resuming after kill -9, parts and merging. Usage: test_sweep.sh BANKSHOT
# shellcheck disable=SC2086 # lists of words
set -u
. "$(dirname "$0")/frame.sh"
. "$(dirname "$0")/dump.sh"

cd "$tmp" || exit 1
record_saxpy s.bst
"$bankshot" exec "$kernels/sgemm_tiled.ptx" --grid 3,3 --block 16,16 --show 0 --arg s32:48 --arg s32:48 \
    --arg buf:f32:2304=rand:1 --arg buf:f32:2304=rand:2 --arg out:f32:2304 --record g.bst >out 2>&1 || cat out
cat >spec.ini <<'END'
; two blocks, one with a cross product of options
[defaults]
workloads = s.bst g.bst
gpus = volta

[collectors]
mechs = base cu4 rba,cu4
  cu8

[banks]
gpus = turing volta
sm.banks = 2 4
gpu.sms = 3 5
END

# ---- what a specification means ----
check "points" 0 '^24 points of 2 workloads on 12 machines$' sweep spec.ini --dry-run
check "continued line" 0 '^s.bst volta cu8$' sweep spec.ini --dry-run
check "option values" 0 '^g.bst turing base gpu.sms=5 sm.banks=4$' sweep spec.ini --dry-run
check "a database is needed" 2 '--db FILE is missing' sweep spec.ini
check "no file" 2 'cannot read nowhere.ini' sweep nowhere.ini --db x.db
check "a folder" 2 'cannot read' sweep . --db x.db
bad() { # NAME PATTERN TEXT
    printf '%b' "$3" >bad.ini
    check "$1" 2 "$2" sweep bad.ini --db x.db
}
bad "unknown key" "bad.ini:2: error: unknown key 'workload'; did you mean 'workloads'" '[a]\nworkload = s.bst\n'
bad "unknown GPU" "bad.ini:3: error: \[a\] unknown GPU 'volt'; did you mean 'volta'" '[a]\nworkloads = s.bst\ngpus = volt\n'
bad "unknown mechanism" "bad.ini:5: .*unknown mechanism 'xyzzy'" '[a]\nworkloads = s.bst\ngpus = volta\nmechs = base\n  xyzzy\n'
bad "unknown option" "bad.ini:4: .*did you mean 'sm.banks'" '[a]\nworkloads = s.bst\ngpus = volta\nsm.bank = 1\n'
bad "value out of range" 'bad.ini:4: .*sm.banks: 99 is outside' '[a]\nworkloads = s.bst\ngpus = volta\nsm.banks = 2 99\n'
bad "unknown workload" "bad.ini:3: .*unknown workload 'zzz'" '[a]\nworkloads = s.bst\n  zzz\ngpus = volta\n'
bad "unknown size" "bad.ini:3: .*unknown size 'huge'" '[a]\nworkloads = vectoradd\nsizes = huge\ngpus = volta\n'
bad "registers out of range" "bad.ini:3: .*16 to 255, not '999'" '[a]\nworkloads = vectoradd\nregisters = 32 999\ngpus = volta\n'
bad "unknown use" "no workload has 'nobody'" '[a]\nworkloads = uses:nobody\ngpus = volta\n'
bad "no workloads" '\[a\] has no workloads' '[a]\ngpus = volta\n'
bad "no gpus" '\[a\] has no gpus' '[a]\nworkloads = s.bst\n'
bad "empty" 'has no' ''
bad "no key" 'neither \[block\] nor key = words' '[a]\nworkloads = s.bst\nhello\n'
bad "no values" 'sm.banks has no values' '[a]\nworkloads = s.bst\ngpus = volta\nsm.banks =\n'
bad "long line" 'too long' "[a]\nworkloads = $(head -c 500 /dev/zero | tr '\0' x)\ngpus = volta\n"
many=$(seq 1 40 | tr '\n' ' ')
bad "too many" 'combinations' "[a]\nworkloads = s.bst\ngpus = volta\nsm.banks = $many\nsm.collectors = $many\nsm.warps = $many\n"
verdict "no database from mistakes" "$([ ! -e x.db ] && echo 1)"
check "size of the command line" 0 '^vectoradd:small volta base$' sweep "$(
    printf '[a]\nworkloads = vectoradd vectoradd:large\ngpus = volta\n' >v.ini
    echo v.ini
)" --size small --dry-run
check "sizes and registers" 0 '^vectoradd:small@32 volta base$' sweep "$(
    printf '[a]\nworkloads = vectoradd\nsizes = small large\nregisters = none 32\ngpus = volta\n' >w.ini
    echo w.ini
)" --dry-run
check "order of instructions" 0 '^vectoradd@32@ptx volta base$' sweep "$(
    printf '[a]\nworkloads = vectoradd\nregisters = none 32\norder = scheduled ptx\ngpus = volta\n' >o.ini
    echo o.ini
)" --dry-run
check "an order of its own" 0 '^1 point of 1 workload on' sweep "$(
    printf '[a]\nworkloads = vectoradd@ptx\norder = scheduled ptx\ngpus = volta\n' >p.ini
    echo p.ini
)" --dry-run
bad "unknown order" "bad.ini:3: .*unknown order 'ptxx'; scheduled, ptx, sm1x, ptx-sm1x or sm75" '[a]\nworkloads = vectoradd\norder = ptxx\ngpus = volta\n'

# ---- a run without disturbance, and a second one ----
start=$(date +%s%N)
check "sweep" 0 '^whole.db: 24 points, 0 of them from before$' sweep spec.ini --db whole.db
spent=$(($(date +%s%N) - start))
"$bankshot" sweep spec.ini --db log.db 2>log >/dev/null
verdict "a line for each run and for what the traces add up to" "$([ "$(grep -Ec '^\[[0-9]+/[0-9]+\] [sg].bst (volta|turing) ' log)" = 24 ] &&
    [ "$(grep -c ' facts$' log)" = 2 ] && [ "$(wc -l <log)" = 26 ] && echo 1)"
check "JSON of a rehearsal" 2 'does not go with --dry-run' sweep spec.ini --db x.db --dry-run --json -
check "JSON nowhere" 2 'cannot write /nowhere/x' sweep spec.ini --db x.db --json /nowhere/x
check "again" 0 '^whole.db: 24 points, 24 of them from before$' sweep spec.ini --db whole.db
dump whole.db >whole.txt
verdict "a row for each" "$([ "$(grep -c '^point' whole.txt)" = 24 ] && echo 1)"
"$bankshot" sweep spec.ini --db one.db --jobs 1 >out 2>&1
dump one.db >one.txt
verdict "one job at a time" "$(truth cmp whole.txt one.txt)"

# ---- kill -9 at 20 moments ----
lost=0
: >rows.txt
for k in $(awk -v t=$spent 'BEGIN { srand(11); for (i = 0; i < 20; i++) printf "%.3f ", t * 1e-9 * 0.2 * rand() }'); do
    "$bankshot" sweep spec.ini --db killed.db >/dev/null 2>&1 &
    pid=$!
    sleep "$k"
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    [ -s killed.db ] || continue
    sqlite3 -cmd '.timeout 60000' killed.db 'SELECT id, key, finished, seconds FROM run ORDER BY id' >now.txt 2>out
    # What was there is there, unchanged.
    [ "$(head -n "$(wc -l <rows.txt)" now.txt | cmp - rows.txt && echo same)" = same ] || lost=$((lost + 1))
    cp now.txt rows.txt
done
echo "killed 20 times: $(wc -l <rows.txt) of 24 runs were done"
verdict "nothing lost, nothing done twice" "$([ $lost = 0 ] && echo 1)"
"$bankshot" sweep spec.ini --db killed.db >out 2>&1
dump killed.db >killed.txt
verdict "killed 20 times, the same database" "$(truth cmp whole.txt killed.txt)"
verdict "sound" "$([ "$(sqlite3 killed.db 'PRAGMA integrity_check; PRAGMA foreign_key_check')" = ok ] && echo 1)"

# ---- two at once, on a file that neither has seen ----
"$bankshot" sweep spec.ini --db both.db >log1 2>&1 &
"$bankshot" sweep spec.ini --db both.db >log2 2>&1
wait
dump both.db >both.txt
cat log1 log2 >out
verdict "two at once, the same database" "$(cmp -s whole.txt both.txt && echo 1)"

# ---- parts ----
for k in 1 2 3; do
    "$bankshot" sweep spec.ini --db part-$k.db --part $k/3 >log 2>&1
    verdict "part $k" "$(truth grep '^part-.* 8 points, 0 of' log)"
done
check "merged" 0 '24 points, 24 of them' sweep spec.ini --db merged.db --merge part-1.db --merge part-2.db --merge part-3.db
dump merged.db >merged.txt
verdict "merged, the same database" "$(truth cmp whole.txt merged.txt)"
"$bankshot" sweep spec.ini --db merged.db --merge whole.db --merge part-2.db >out 2>&1
dump merged.db >merged.txt
verdict "merged with what it has" "$(truth cmp whole.txt merged.txt)"
check "part of nothing" 2 '--part 4/3: K/N is expected' sweep spec.ini --db x.db --part 4/3
check "merge of nothing" 2 'cannot open nowhere.db' sweep spec.ini --db x.db --merge nowhere.db
ln -s merged.db link.db
check "merge with itself" 2 'merged.db is the same file as --merge' sweep spec.ini --db merged.db --merge merged.db
check "merge with itself by another name" 2 'merged.db is the same file as --merge link.db' sweep spec.ini --db merged.db --merge link.db
check "merge of a text" 2 'spec.ini is no results database' sweep spec.ini --db x.db --merge spec.ini

# ---- Slurm, played by a script that does at once what it is asked for; tests/slurm has a real one ----
mkdir bin
cat >bin/sbatch <<'END'
#!/bin/sh
last=
for arg; do
    case $arg in
    --array=1-*) last=${arg#--array=1-} ;;
    --wrap=*) wrap=${arg#--wrap=} ;;
    esac
done
echo "$*" >>sbatch.log
for i in $(seq 1 "${last:-1}"); do
    [ -n "$last" ] && [ "$i" = 2 ] && continue # this task fails
    [ -n "$last" ] || [ ! -e no-merge ] || continue
    SLURM_ARRAY_TASK_ID=$i sh -c "$wrap" >/dev/null 2>&1
done
[ -n "$last" ] && echo "17;cluster" || echo 18
END
printf '#!/bin/sh\n[ ! -e queued ] || echo 17\n' >bin/squeue
chmod +x bin/*
PATH=$tmp/bin:$PATH check "submitted" 0 "submitted 24 runs in 3 tasks as job 17; job 18 merges them into it's.db" \
    sweep spec.ini --db "it's.db" --slurm 3 --partition 'a b' --time 2:00 --memory 3G --sbatch=--account=me --jobs 2
"$bankshot" sweep spec.ini --db "it's.db" >log 2>&1
verdict "by Slurm, all there" "$(truth grep '24 points, 24 of them' log)"
dump "it's.db" >slurm.txt
verdict "by Slurm, the same database" "$(truth cmp whole.txt slurm.txt)"
verdict "the merge waits" "$(truth grep -q -- '--dependency=afterany:17' sbatch.log)"
verdict "both have what sbatch is told" \
    "$(truth sh -c '[ $(grep -c -- "--cpus-per-task=2 .*--partition=a b --time=2:00 --mem=3G --account=me" sbatch.log) = 2 ]')"
verdict "nothing is left beside it" "$(truth sh -c '! ls "it'"'"'s.db.parts/1"')"
check "options without Slurm" 2 'are for --slurm N' sweep spec.ini --db x.db --time 2:00
check "parts of parts" 2 'makes the parts' sweep spec.ini --db x.db --slurm 2 --part 1/2

# A submission whose last job never came: the next one takes its results over, unless it is still at work.
touch no-merge
PATH=$tmp/bin:$PATH check "submitted without an end" 0 'in 4 tasks' sweep spec.ini --db late.db --slurm 4
cp -r late.db.parts/1 kept && cp -r kept changed
verdict "its results wait" "$(truth test -s late.db.parts/1/1.db)"
touch queued
PATH=$tmp/bin:$PATH check "still at work" 2 'jobs 17,18 are at work for late.db' sweep spec.ini --db late.db --slurm 4
rm queued no-merge
: >late.db.parts/1/9.db # killed as it began
PATH=$tmp/bin:$PATH check "submitted again" 0 'submitted 6 runs in 4 tasks' sweep spec.ini --db late.db --slurm 4
dump late.db >late.txt
verdict "again, the same database" "$(truth cmp whole.txt late.txt)"
PATH=$tmp/bin:$PATH check "nothing left to submit" 0 '24 points, 24 of them from before' sweep spec.ini --db late.db --slurm 4

# What each task gets: every run once, and none has more than its share by the cost of one run.
awk -F '\t' '{ n[$1]++; s[$1] += $2; all += $2; if ($2 > most) most = $2 }
    END { for (t in s) if (s[t] > all / 4 + most) exit 1; exit length(s) != 4 }' kept/tasks && ok=1 || ok=0
cp kept/tasks out
verdict "tasks have like loads" "$ok"
cut -f 3 kept/tasks | sort >listed && "$bankshot" sweep spec.ini --dry-run | sed '$d' | sort >asked
verdict "tasks have all points, each once" "$(truth cmp listed asked)"
check "a task's part" 0 '^[0-9]+ points of' sweep spec.ini --dry-run --part 3/4 --parts kept
sed 's/cu8/rba/' spec.ini >other.ini
for t in 1 2 3 4; do "$bankshot" sweep other.ini --dry-run --part $t/4 --parts kept; done >out 2>&1
grep -q 'kept/tasks:[0-9]*: error: the specification has no such point (any more): [sg].bst volta cu8' out && ok=1 || ok=0
verdict "another specification is noticed" "$ok"
printf 'x\t1\n' >changed/tasks
check "a list that is none" 2 'changed/tasks:1: error: task, cost and point' sweep spec.ini --dry-run --part 1/4 --parts changed
check "no list" 2 'cannot read nowhere/tasks' sweep spec.ini --dry-run --part 1/4 --parts nowhere

printf '#!/bin/sh\nexit 1\n' >bin/sbatch
PATH=$tmp/bin:$PATH check "sbatch refuses" 2 'sbatch refused the job' sweep spec.ini --db y.db --slurm 3
verdict "... and nothing is left" "$(truth test ! -e y.db.parts/1)"
command -v sbatch >/dev/null 2>&1 || check "no Slurm" 2 'there is no sbatch here' sweep spec.ini --db y.db --slurm 3

echo "$passed passed, $failed failed"
[ $failed = 0 ]
