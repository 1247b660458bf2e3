#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bankshot explore: mistakes, all points, the search beside all points, limits, statistics, resuming. Usage: test_explore.sh BANKSHOT
set -u
. "$(dirname "$0")/frame.sh"

cd "$tmp" || exit 1
record_saxpy s.bst
"$bankshot" exec "$kernels/sgemm_tiled.ptx" --grid 3,3 --block 16,16 --show 0 --arg s32:48 --arg s32:48 \
    --arg buf:f32:2304=rand:1 --arg buf:f32:2304=rand:2 --arg out:f32:2304 --record g.bst >out 2>&1 || cat out
record_reduce r.bst
cat >small.ini <<'END'
[explore]
goals = cycles rf_energy area
limits = area<=1.3

[space]
workloads = s.bst g.bst r.bst
gpus = volta
mechs = base rba bow
mechs2 = base shuffle
sm.banks = 2 4
sm.collectors = 2 4 8
gpu.sms = 2
END

# ---- what a specification means ----
check "points" 0 '^36 points by 3 programs; 24 over the limits, 0 that the preset does not take$' explore small.ini --dry-run
check "a point over a limit" 0 '^bow,shuffle sm.banks=4 sm.collectors=8  limit: area$' explore small.ini --dry-run
check "sweep takes the same file" 0 '^108 points of 3 workloads on 36 machines$' sweep small.ini --dry-run
check "a database is needed" 2 '--db FILE is missing' explore small.ini
bad() { # NAME PATTERN [EXPLORE] [SPACE]
    printf '[explore]\n%b\n[space]\nworkloads = s.bst\ngpus = volta\n%b\n' "$3" "${4:-}" >bad.ini
    check "$1" 2 "$2" explore bad.ini --db x.db
}
bad "unknown goal" 'bad.ini:2: error: \[explore\] speed: goals are cycles' 'goals = speed'
bad "a goal twice" 'bad.ini:2: .*cycles: is there twice' 'goals = cycles area cycles'
bad "unknown key" "bad.ini:2: .*goal: unknown key; did you mean 'goals'" 'goal = cycles'
bad "no limit" 'bad.ini:2: .*area: a limit is GOAL<=RATIO' 'limits = area'
bad "a limit without a number" 'a limit is GOAL' 'limits = area<='
bad "a limit of nothing" 'a limit is GOAL' 'limits = cycles<=0'
bad "a limit that is no number" 'a limit is GOAL' 'limits = area<=nan'
bad "no budget" 'one number from 1 to' 'whole = 0'
bad "two budgets" 'one number from 1 to' 'whole = 3 4'
bad "no share" 'above 0, up to 0.5' 'sample = 0.6'
bad "no seed" 'a number for sm.seed' 'seeds = 1 x'
bad "no goals" 'has no goals' 'goals ='
bad "an unknown mechanism" "bad.ini:6: .*xyzzy.*unknown mechanism" 'goals = cycles' 'mechs = base xyzzy'
bad "a value that no machine has" "bad.ini:6: .*99 is outside" 'goals = cycles' 'sm.banks = 2 99'
bad "two presets" 'of one preset' 'goals = cycles' 'gpus = turing'
printf '[explore]\n[a]\nworkloads = s.bst\ngpus = volta\n[b]\nworkloads = r.bst\ngpus = volta\nmechs = rba\n' >two.ini
check "two sets of programs" 2 'the same workloads' explore two.ini --db x.db
verdict "no database from mistakes" "$([ ! -e x.db ] && echo 1)"
printf '[explore]\ngoals = cycles\n[a]\nworkloads = s.bst\ngpus = volta\nmechs = base malekeh\nmechs2 = base rba\n' >clash.ini
check "combinations that exclude each other are left out" 0 '^not taken: .*do not combine' explore clash.ini --dry-run
check "the first point must run" 2 'the first point is what all others are compared with' explore "$(
    printf '[a]\nworkloads = s.bst\ngpus = volta\nsm.threads = 32 2048\n' >first.ini
    echo first.ini
)" --db first.db --quiet

check "an option of Slurm without it" 2 'are for --slurm N' explore small.ini --db x.db --partition cpu
check "Slurm and nothing to do" 2 'does not go with --dry-run' explore small.ini --dry-run --slurm 2
mkdir bin
printf "#!/bin/sh\nexit 1\n" >bin/sbatch
chmod +x bin/sbatch
PATH=$tmp/bin:$PATH check "sbatch refuses" 2 "sbatch refused the job" explore small.ini --db none.db --slurm 2 --quiet
verdict "... leaves no round" "$([ ! -e none.db.round.ini ] && [ ! -e none.db.parts/1 ] && echo 1)"

# ---- all points, beside sweep ----
check "all points" 0 '^36 whole runs; 0 of all from before$' explore small.ini --db all.db --json all.json --csv all.csv
check "again: all from before" 0 '^36 whole runs; 36 of all from before$' explore small.ini --db all.db --json again.json
verdict "the same answer" "$(truth sh -c 'sed "/\"known\"/d" all.json >1; sed "/\"known\"/d" again.json >2; cmp 1 2')"
check "one at a time: the same" 0 '^36 whole' explore small.ini --db one.db --jobs 1 --quiet --json one.json
verdict "... to the bit" "$(truth sh -c 'sed "/\"db\"/d" all.json >1; sed "/\"db\"/d" one.json >2; cmp 1 2')"
python3 - all.db all.json >out 2>&1 <<'END'
import json, math, sqlite3, sys
db, a = sqlite3.connect(sys.argv[1]), json.load(open(sys.argv[2]))
PARTS = "('rf_banks','rf_crossbar','rf_arbiter','collectors','rf_cache','osu_tags','compressor','product_rf','leak_rf')"
cycles, rf = {}, {}
for w, mechs, options, c, e in db.execute(
        f"SELECT p.workload, p.mechs, p.options, r.kernel_cycles, (SELECT sum(pj) FROM energy WHERE run = r.id AND name IN {PARTS}) "
        "FROM point p JOIN run r ON r.id = p.run"):
    at = (frozenset(mechs.split(",")) - {"base"}, frozenset(options.split()))
    cycles.setdefault(at, {})[w] = c
    rf.setdefault(at, {})[w] = e
def at(p):
    return frozenset(p["mechs"]), frozenset(f"{k}={v}" for k, v in p["set"].items())
ref = at(a["points"][0])
def mean(of, x):
    return math.exp(sum(math.log(of[x][w] / of[ref][w]) for w in of[ref]) / len(of[ref]))
tried = [p for p in a["points"] if p["state"] in ("front", "whole")]
assert len(tried) == 12, len(tried)
v = {}
for p in tried:
    v[p["point"]] = (mean(cycles, at(p)), mean(rf, at(p)), p["area_mm2"] / a["points"][0]["area_mm2"])
    for k, g in enumerate(("cycles", "rf_energy", "area")):
        assert abs(p["mean"][g] - v[p["point"]][k]) < 1e-9, (p, g)
        assert p["lo"][g] <= p["mean"][g] + 1e-12 and p["mean"][g] <= p["hi"][g] + 1e-12
beats = lambda x, y: all(i <= j for i, j in zip(x, y)) and x != y
for i in v:  # what is not told from the best, by its pairs
    goal = [p for p in a["points"] if p["point"] == i][0]["as_best"]
    best = a["best"]["cycles"]
    d = [math.log(cycles[at(a["points"][i])][w] / cycles[at(a["points"][best])][w]) for w in cycles[ref]]
    assert ("cycles" in goal) == (i == best or min(d) <= 0), (i, goal, d)  # of three programs, the interval goes to their least
front = {i for i in v if not any(beats(v[k], v[i]) for k in v)}
assert front == set(a["front"]), (front, a["front"])
# a change: over all pairs that differ in nothing else
logs = {w: [] for w in ("s.bst", "g.bst", "r.bst")}
for p in tried:
    for q in tried:
        if set(q["mechs"]) == set(p["mechs"]) | {"rba"} and "rba" not in p["mechs"] and p["set"] == q["set"]:
            for w in logs:
                logs[w].append(math.log(cycles[at(q)][w] / cycles[at(p)][w]))
want = math.exp(sum(sum(x) / len(x) for x in logs.values()) / 3)
got = [e for e in a["effects"] if e["change"] == "rba"][0]
assert abs(got["mean"]["cycles"] - want) < 1e-9 and got["pairs"] == len(logs["s.bst"]), (got, want)
END
verdict "means, front and effects are what the database says" "$([ ! -s out ] && echo 1)"

# ---- intervals ----
printf '[explore]\ngoals = cycles\n[a]\nworkloads = s.bst g.bst r.bst\ngpus = volta\nsm.const_b = 65536 32768\ngpu.sms = 2\n' >same.ini
check "points that are as good as the best are counted" 0 '^cycles: no difference from the best is shown by 1 of 1 other point with whole runs$' explore same.ini --db all.db --quiet
check "no difference is said" 0 '^sm.const_b 65536 -> 32768 \(1 pair\) +1.000 \[1.000, 1.000\] =$' explore same.ini --db all.db --quiet
check "and that points are equal" 0 'and 1 more that are equal$' explore same.ini --db all.db --quiet
printf '[explore]\ngoals = cycles\nseeds = 1 2 3\n[a]\nworkloads = g.bst r.bst\ngpus = volta\nmechs = base random\ngpu.sms = 2\n' >seeds.ini
check "seeds are runs of their own" 0 '^12 whole runs' explore seeds.ini --db all.db --quiet
printf '[explore]\ngoals = cycles\n[a]\nworkloads = g.bst\ngpus = volta\nmechs = base rba\ngpu.sms = 2\n' >lone.ini
check "one program has no interval" 0 '^rba +[01]\.[0-9]{3} *$' explore lone.ini --db all.db --quiet

# ---- the search: few whole runs find what all have ----
"$bankshot" exec "$kernels/sgemm_tiled.ptx" --grid 8,8 --block 16,16 --show 0 --arg s32:128 --arg s32:128 \
    --arg buf:f32:16384=rand:1 --arg buf:f32:16384=rand:2 --arg out:f32:16384 --record G.bst >out 2>&1 || cat out
"$bankshot" exec "$kernels/reduce.ptx" --kernel reduce_sum --grid 128 --block 256 --arg buf:s32:524288=iota \
    --arg out:s32:1 --arg s32:524288 --record R.bst >out 2>&1 || cat out
cat >known.ini <<'END'
[explore]
goals = edp
whole = 12

[space]
workloads = G.bst R.bst
gpus = volta
mechs = base rba
sm.collectors = 1 2 4
sm.banks = 2 4 8
sm.warps = 4 8 16
gpu.sms = 1
END
"$bankshot" explore known.ini --db truth.db --whole 1000 --quiet --json truth.json >out 2>&1 || cat out
for seed in 1 2 3; do
    "$bankshot" explore known.ini --db seed.db --seed $seed --quiet --json seed$seed.json >out 2>&1 || cat out
done
python3 - truth.json seed1.json seed2.json seed3.json >out 2>&1 <<'END'
import json, sys
truth, *found = [json.load(open(f)) for f in sys.argv[1:]]
edp = {p["point"]: p["mean"]["edp"] for p in truth["points"]}
assert truth["whole_runs"] == 108 and truth["estimates"] == 0
for a in found:
    assert a["whole_runs"] <= 12, a["whole_runs"]
    assert a["estimates"] >= 108, a["estimates"]
    assert edp[a["best"]["edp"]] == min(edp.values()), (a["best"], edp[a["best"]["edp"]], min(edp.values()))
END
verdict "the best of 54 points from 6 with whole runs, three seeds" "$([ ! -s out ] && echo 1)"
# A front: all of it is within 1% of what was found.
sed 's/^goals.*/goals = cycles rf_energy/; s/^whole.*/whole = 40/' known.ini >wide.ini
"$bankshot" explore wide.ini --db truth.db --whole 1000 --quiet --json wide.json >out 2>&1 || cat out
"$bankshot" explore wide.ini --db seed.db --quiet --json front.json >out 2>&1 || cat out
python3 - wide.json front.json >out 2>&1 <<'END'
import json, sys
truth, found = [json.load(open(f)) for f in sys.argv[1:]]
v = {p["point"]: [p["mean"][g] for g in truth["goals"]] for p in truth["points"]}
behind = max(min(max(a / b for a, b in zip(v[f], v[t])) for f in found["front"]) for t in truth["front"])
assert found["whole_runs"] <= 40 and len(truth["front"]) > 2 and behind < 1.01, (found["whole_runs"], truth["front"], found["front"], behind)
END
verdict "the front of two goals from 40 of 108 runs" "$([ ! -s out ] && echo 1 || cat out >&2)"
# Each machine twice, which no program tells apart: whole runs go to one of the two.
sed 's/^gpu.sms/sm.const_b = 65536 32768\n&/' known.ini >twins.ini
"$bankshot" explore twins.ini --db seed.db --quiet --json twins.json >out 2>&1 || cat out
python3 - truth.json twins.json >out 2>&1 <<'END'
import json, sys
truth, found = [json.load(open(f)) for f in sys.argv[1:]]
edp = {p["point"]: p["mean"]["edp"] for p in found["points"]}
whole = [p["point"] for p in found["points"] if p["state"] in ("front", "whole")]
assert len(edp) == 108 and found["whole_runs"] <= 12 and len(whole) >= 2, (found["whole_runs"], whole)
assert len({edp[p] for p in whole}) == len(whole), [(p, edp[p]) for p in whole]
assert edp[found["best"]["edp"]] == min(p["mean"]["edp"] for p in truth["points"])
END
verdict "of machines that are the same one has whole runs" "$([ ! -s out ] && echo 1 || cat out >&2)"
# Estimates that simulate everything are told, and are not of the budget: all of g.bst is less than an estimate has.
sed 's/^workloads.*/workloads = g.bst G.bst/' known.ini >short.ini
"$bankshot" explore short.ini --db short.db --quiet --json short.json >out 2>&1 || cat out
check "estimates that simulate everything are told" 0 '^[0-9]+ whole runs, 54 of them estimates that had to simulate everything, ' explore short.ini --db short.db --quiet
python3 - short.json >out 2>&1 <<'END'
import json, sys
a = json.load(open(sys.argv[1]))
assert a["whole_estimates"] == 54 and 54 < a["whole_runs"] <= 54 + 12, (a["whole_estimates"], a["whole_runs"])
END
verdict "... and are not of the budget" "$([ ! -s out ] && echo 1 || cat out >&2)"
sed 's/^whole.*/whole = 12\nscreen = 20/' known.ini >few.ini
"$bankshot" explore few.ini --db few.db --quiet --csv few.csv >out 2>&1 || cat out
verdict "no more points are estimated than may be" "$(truth sh -c 'test "$(grep -c "not tried" few.csv)" -ge 34')"

# ---- killed, and started again ----
"$bankshot" explore known.ini --db killed.db --quiet >/dev/null 2>&1 &
pid=$!
sleep 1
kill -9 $pid 2>/dev/null
wait $pid 2>/dev/null
"$bankshot" explore known.ini --db killed.db --quiet --json killed.json >out 2>&1 || cat out
verdict "killed and started again: the same answer" "$(truth sh -c \
    'grep -Ev "\"(known|db)\"" killed.json >1; grep -Ev "\"(known|db)\"" seed1.json >2; cmp 1 2')"

echo "$passed passed, $failed failed"
[ $failed = 0 ]
