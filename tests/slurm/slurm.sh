#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bankshot sweep --slurm on a real Slurm of one node with four slots: an array of tasks one of which is killed, a submission that is
# cancelled and taken up again, each database compared with that of a run without Slurm. Prints what it does; status 77 where Slurm
# or root is missing. Usage: tests/slurm/slurm.sh BANKSHOT
set -u
. "$(dirname "$0")/../cli/frame.sh"
. "$here/../cli/dump.sh"
. "$here/cluster.sh"

missing=$(cluster_missing | tr '\n' ' ')
if [ -n "$missing" ]; then
    echo "skipped: not here: $missing(Debian: slurm-wlm, munge)"
    exit 77
fi
trap 'cluster_stop; rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
export BANKSHOT_CACHE="$tmp/cache"

begin=$(date +%s)
say() { echo "[$(($(date +%s) - begin)) s] $*"; }
until_true() { # SECONDS COMMAND...
    tries=$(($1 * 5))
    shift
    while [ $tries -gt 0 ]; do
        "$@" >/dev/null 2>&1 && return 0
        tries=$((tries - 1))
        sleep 0.2
    done
    return 1
}
queue_is_empty() { [ -z "$(squeue -h)" ]; }
runs_in() { sqlite3 "$1" 'SELECT count(*) FROM run' 2>/dev/null || echo 0; }
has_runs() { [ "$(runs_in "$1")" -ge "$2" ]; }
sum_runs() { for f in "$1"/*.db; do runs_in "$f"; done | awk '{ s += $1 } END { print s }'; }
has_in_all() { [ "$(sum_runs "$1")" -ge "$2" ]; }
job_of() { sed -n "s/^submitted.* as job \([0-9]*\); job \([0-9]*\) merges.*/\\$1/p" "$tmp/out"; }
field() { scontrol show job "$1" | tr ' ' '\n' | sed -n "s/^$2=//p" | head -n 1; }
say_is() { # NAME WANT GOT
    echo "$3" >"$tmp/out"
    [ "$2" = "$3" ] && ok=1 || ok=0
    verdict "$1: $2" "$ok"
}

for n in 128 64 96; do
    "$bankshot" exec "$kernels/sgemm_tiled.ptx" --grid $((n / 16)),$((n / 16)) --block 16,16 --show 0 --arg s32:$n --arg s32:$n \
        --arg buf:f32:$((n * n))=rand:1 --arg buf:f32:$((n * n))=rand:2 --arg out:f32:$((n * n)) --record g$n.bst >out 2>&1 || cat out
done
cat >spec.ini <<'END'
[points]
workloads = g128.bst g64.bst g96.bst
gpus = volta
gpu.sms = 4
sm.banks = 2 4
sm.collectors = 1 2 4
mechs = base rba
END
"$bankshot" sweep spec.ini --db local.db --quiet >out 2>&1
say "without Slurm: $(tail -n 1 out)"
dump local.db >local.txt
all=$(runs_in local.db)

cluster_start || exit 1
say "Slurm $(sinfo --version | cut -d ' ' -f 2): $(sinfo -h -o '%n, %c slots, %m MB, partition %P' | head -n 1)"

# ---- a task is killed ----
check "submits" 0 "^submitted $all runs in 4 tasks as job" \
    sweep spec.ini --db one.db --slurm 4 --partition other --time 5 --memory 200M
say "$(head -n 1 out)"
array=$(job_of 1) last=$(job_of 2)
cp one.db.parts/1/tasks tasks
say "dealt by cost: $(awk -F '\t' '{ n[$1]++; s[$1] += $2 } END { for (t = 1; t in n; t++) printf "%s%d runs %.2f s", (t == 1 ? "" : ", "), n[t], s[t] }' tasks)"
say_is "partition" other "$(field "$array" Partition)"
say_is "time limit" 00:05:00 "$(field "$array" TimeLimit)"
say_is "memory" 200M "$(field "$array" MinMemoryNode)"
# The number of task 2's process, in $pid. It is looked for before the task has done anything, and with few processes of its own: a
# busy machine should still find it alive.
find_task() {
    pid=$(grep -lzsx -- '2/[4]' /proc/[0-9]*/cmdline | xargs -r grep -lzs -- "$tmp" | sed -n '1s,/proc/\([0-9]*\)/.*,\1,p')
    [ -n "$pid" ]
}
until_true 60 find_task
until_true 60 has_runs one.db.parts/1/2.db 1
kill -9 "$pid" 2>/dev/null && say "task 2 killed (process $pid) after $(runs_in one.db.parts/1/2.db) of $(grep -c '^2' tasks) runs"
verdict "a task was killed" "$([ -n "$pid" ] && echo 1)"
check "not twice at a time" 2 "^bankshot: error: jobs $array,$last are at work for one.db" sweep spec.ini --db one.db --slurm 4
until_true 120 queue_is_empty
say "queue empty: $(scontrol show job "$array" | tr ' ' '\n' | sed -n 's/^ArrayTaskId=/task /p; s/^JobState=//p' | tr '\n' ' ')"
say_is "the merge" COMPLETED "$(field "$last" JobState)"
cat one.db.parts/1/merge.log >out
say "merge: $(tail -n 1 out)"
grep -q "$all points, " out && ! grep -q "$all points, $all of them" out && ok=1 || ok=0
verdict "the last job did what the killed task had left" "$ok"
dump one.db >one.txt
verdict "the same database" "$(truth cmp local.txt one.txt)"
verdict "no part is left" "$(truth sh -c '! ls one.db.parts/1 | grep -v log$')"

# ---- all is cancelled, and taken up again ----
check "submits" 0 '^submitted' sweep spec.ini --db two.db --slurm 3
say "$(head -n 1 out)"
array=$(job_of 1) last=$(job_of 2)
until_true 60 has_in_all two.db.parts/1 8
scancel "$last" "$array"
until_true 60 queue_is_empty
done_before=$(sum_runs two.db.parts/1)
say "cancelled after $done_before of $all runs"
check "takes it up" 0 "^submitted $((all - done_before)) runs in 3 tasks" sweep spec.ini --db two.db --slurm 3
say "$(cat out | tr '\n' ';')"
until_true 120 queue_is_empty
dump two.db >two.txt
verdict "the same database" "$(truth cmp local.txt two.txt)"
check "nothing is left to do" 0 "$all points, $all of them from before" sweep spec.ini --db two.db --slurm 3

# ---- a search, round by round; killed in one of them, and started again ----
cat >search.ini <<'END'
[explore]
goals = edp
whole = 12

[space]
workloads = g128.bst g96.bst
gpus = volta
gpu.sms = 1
sm.banks = 2 4 8
sm.collectors = 1 2 4
mechs = base rba
END
same_answer() { grep -Ev '"(known|db)"' "$1" >1 && grep -Ev '"(known|db)"' "$2" >2 && cmp 1 2; }
"$bankshot" explore search.ini --db here.db --quiet --json here.json >out 2>&1 || cat out
runs_of() { dump "$1" | grep -v '^fact'; } # a sweep also keeps what traces add up to
runs_of here.db >here.txt
check "a search in rounds" 0 '^explore: [0-9]+ whole run' explore search.ini --db away.db --slurm 3 --json away.json
say "$(grep -c '^submitted' out) rounds: $(sed -n 's/^submitted \([0-9]* runs\) in \([0-9]* tasks\).*/\1 in \2/p' out | tr '\n' ',')"
verdict "several rounds were submitted" "$([ "$(grep -c '^submitted' out)" -ge 3 ] && echo 1)"
verdict "the same answer as here" "$(truth same_answer here.json away.json)"
verdict "that nothing was known" "$(truth grep -q '"known": 0' away.json)"
runs_of away.db >away.txt
verdict "the same database" "$(truth cmp here.txt away.txt)"
verdict "no round is left" "$(truth sh -c '! ls away.db.round.ini 2>/dev/null && ! ls away.db.parts/*/*.db 2>/dev/null')"
"$bankshot" explore search.ini --db cut.db --slurm 3 --json cut.json >out 2>&1 &
pid=$!
until_true 60 has_in_all cut.db.parts/1 3
kill -9 $pid
wait $pid 2>/dev/null
say "killed after $(sum_runs cut.db.parts/1) runs; $(squeue -h | wc -l) jobs are in the queue"
check "started again, it waits for them" 0 '^explore: [0-9]+ whole run' explore search.ini --db cut.db --slurm 3 --json cut.json
verdict "the same answer" "$(truth same_answer here.json cut.json)"
runs_of cut.db >cut.txt
verdict "the same database" "$(truth cmp here.txt cut.txt)"

# ---- what Slurm refuses ----
check "no such partition" 2 'sbatch refused the job' sweep spec.ini --db three.db --slurm 3 --partition nowhere
verdict "... leaves nothing" "$(truth test ! -e three.db.parts/1)"
say "done"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
