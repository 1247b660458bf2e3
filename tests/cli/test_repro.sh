#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bankshot repro: experiments, claims, figures, and what happens when something is missing. Usage: test_repro.sh BANKSHOT
# shellcheck disable=SC2086 # lists of words
set -u
. "$(dirname "$0")/frame.sh"
root=$(cd "$here/../.." && pwd)

cd "$tmp" || exit 1
record_saxpy s.bst

# A home of its own: real presets, other experiments.
mkdir -p home/experiments/alpha home/experiments/beta home/workloads
ln -s "$root/conf" home/conf
cp "$root/experiments/style.gp" home/experiments/
echo 'name,family,program,args,uses,about,arch' >home/workloads/manifest.csv
export BANKSHOT_HOME="$tmp/home"
e=home/experiments
cat >$e/claims.csv <<'END'
id,paper,where,claim,paper_value,unit,lo,hi
alpha.fig1.one,alpha,Fig. 1,one,1.0,ratio,0.5,1.5
alpha.fig1.two,alpha,Fig. 1,two,9,ratio,8,10
alpha.fig1.none,alpha,Fig. 1,nothing,9,ratio,8,10
alpha.fig2,alpha,Fig. 2,no experiment,3,%,2,4
beta.t1,beta,Table 1,instructions,1216,n,1216,1216
END
cat >$e/alpha/fig1.ini <<END
; A title | with a bar
[a]
workloads = $tmp/s.bst
gpus = volta
mechs = base cu4 clairvoyant
gpu.sms = 4
END
cat >$e/alpha/fig1.sql <<'END'
-- data
SELECT workload || '_x' AS workload, max(CASE mechs WHEN 'cu4' THEN speedup END) AS cu4, NULL AS gone
FROM asked JOIN speedup USING (point) GROUP BY workload;
SELECT 'alpha.fig1.one' AS claim, geomean(speedup) AS value FROM mine WHERE mechs = 'cu4'
UNION ALL SELECT 'alpha.fig1.two', 2 * count(*) FROM asked
UNION ALL SELECT 'alpha.fig1.none', avg(speedup) FROM asked JOIN speedup USING (point) WHERE mechs = 'clairvoyant';
-- the end
END
printf -- '-- for all of alpha\nCREATE TEMP VIEW mine AS SELECT * FROM asked JOIN speedup USING (point);\n-- no more\n' >$e/alpha/views.sql
echo "plot data using 2:xtic(1) title 'four'" >$e/alpha/fig1.gp
printf '## fig1\nA person wrote <this>.\n\nTwice.\n## other\nNot this.\n' >$e/alpha/analysis.md
printf '; Beta\n[b]\nworkloads = %s\ngpus = volta fermi\n' "$tmp/s.bst" >$e/beta/t1.ini
cat >$e/beta/t1.sql <<'END'
SELECT 'beta.t1' AS claim, sum(value) AS value FROM (SELECT DISTINCT run FROM asked JOIN result USING (point) WHERE gpu = 'fermi')
    JOIN counter USING (run) WHERE name = 'sm.warp_insts';
END

# ---- what is found early, and what is told on the way ----
check "CSV nowhere: nothing is run" 2 'cannot write /nowhere/x.csv' repro --out early --csv /nowhere/x.csv
verdict "CSV nowhere: no database" "$([ ! -e early/results.db ] && echo 1)"
check "database nowhere" 2 'cannot write /nowhere/x.db' repro --out early --db /nowhere/x.db
"$bankshot" repro beta/t1 --out fresh >/dev/null 2>log
verdict "a line for each run" "$([ "$(grep -Ec '^\[[0-9]+/3\] .*s\.bst (fermi|volta) base$' log)" = 2 ] && echo 1)"
"$bankshot" repro beta/t1 --out fresher --quiet >/dev/null 2>out
verdict "--quiet: none" "$([ ! -s out ] && echo 1)"

# ---- all of it ----
check "within" 0 '^alpha.fig1.one +1.0 +[01]\.?[0-9]* +0.5 to 1.5 +within +ratio$' repro --out o --csv o.csv
check "missed" 0 '^alpha.fig1.two +9 +4 +8 to 10 +MISSED' repro --out o
check "mechanism that is missing" 0 "^alpha.fig1.none +9 +8 to 10 +missing: unknown mechanism 'clairvoyant'" repro --out o
check "experiment that is missing" 0 '^alpha.fig2 +3 +2 to 4 +missing: no experiment yet$' repro --out o
check "exact" 0 '^beta.t1 +1216 +1216 +1216 to 1216 +within' repro --out o
check "sum" 0 '^5 claims, 3 measured, 2 within their accepted range\.$' repro --out o
check "does without" 0 "alpha/fig1 does without: unknown mechanism 'clairvoyant'" repro --out o
verdict "CSV: header" "$([ "$(head -n 1 o.csv)" = id,paper,measured,lo,hi,within ] && echo 1)"
verdict "CSV: a row each" "$([ "$(wc -l <o.csv)" = 6 ] && echo 1)"
verdict "CSV: no measurement" "$(truth grep -q '^alpha.fig2,3,,2,4,$' o.csv)"
verdict "CSV: yes" "$(truth grep -q '^beta.t1,1216,1216,1216,1216,yes$' o.csv)"
verdict "CSV: no" "$(truth grep -q '^alpha.fig1.two,9,4,8,10,no$' o.csv)"
check "CSV alone" 0 '^id,paper,measured,lo,hi,within$' repro --out o --csv -
verdict "nothing else" "$([ "$(wc -l <out)" = 6 ] && echo 1)"
verdict "four runs" "$([ "$(sqlite3 o/results.db 'SELECT count(*) FROM run')" = 4 ] && echo 1)"

# ---- another size decides nothing ----
check "small" 0 '^alpha.fig1.two +9 +4 +8 to 10 +small +ratio$' repro --out z --csv z.csv --size small
check "small: said" 0 '^5 claims, 3 measured, 3 of them at size small, which decides nothing\.$' repro --out z --size small
verdict "small: neither within nor missed" "$([ "$(grep -ciE 'within|missed' out)" = 0 ] && echo 1)"
verdict "small: CSV" "$([ "$(grep -cE ',$' z.csv)" = 5 ] && grep -q '^alpha.fig1.two,9,4,8,10,$' z.csv && echo 1)"
verdict "small: text" "$([ "$(grep -cE '\| (within|\*\*missed\*\*) \|' z.md)" = 0 ] && grep -q '| ratio | small |$' z.md && echo 1)"
verdict "small: page" "$([ "$(grep -cE 'class="(within|missed)"' z/index.html)" = 0 ] && grep -q '<td>small</td>' z/index.html && echo 1)"
verdict "small: nothing about full sizes" "$([ "$(cat z.md z/index.html | grep -c 'A person wrote')" = 0 ] && echo 1)"
verdict "small: kept as such" "$([ "$(sqlite3 z/results.db "SELECT count(*) FROM claim WHERE size = 'small'")" = 4 ] && echo 1)"

# ---- files ----
verdict "data" "$(truth grep -q "^s.bst_x	[0-9.]*	?$" o/alpha/fig1.dat)"
verdict "names of columns" "$(truth grep -q '^# workload	cu4	gone$' o/alpha/fig1.dat)"
verdict "SVG" "$(truth grep -q '<svg' o/alpha/fig1.svg)"
verdict "PDF" "$([ "$(head -c 4 o/alpha/fig1.pdf)" = %PDF ] && echo 1)"
verdict "text: claims" "$(truth grep -q '^| alpha.fig1.two | Fig. 1 | two | 9 | 4 | 8 to 10 | ratio | \*\*missed\*\* |$' o.md)"
verdict "text: analysis" "$(truth grep -q '^A person wrote <this>.$' o.md)"
verdict "text: no verdict" "$(truth grep -q '^| no verdict yet | `alpha.fig1.two` |$' o.md)"
printf '## fig1\nAs `alpha.fig1.two`: no.\n- `alpha.fig1.two`: *our fault*. It counts.\n- `alpha.fig1.one`: *within*.\n' >$e/alpha/verdict.md
mv $e/alpha/analysis.md $e/alpha/before.md && mv $e/alpha/verdict.md $e/alpha/analysis.md
"$bankshot" repro --out v >/dev/null 2>&1
verdict "text: verdict" "$(truth grep -q '^| our fault | `alpha.fig1.two` |$' v.md)"
verdict "text: of what is missed alone" "$([ "$(grep -c '^| within |' v.md)" = 0 ] && echo 1)"
mv $e/alpha/before.md $e/alpha/analysis.md
verdict "text: not the others'" "$([ "$(grep -c 'Not this' o.md)" = 0 ] && echo 1)"
verdict "text: figure" "$(truth grep -q '(o/alpha/fig1.svg)' o.md)"
verdict "page: escaped" "$(truth grep -q 'A person wrote &lt;this&gt;.' o/index.html)"
verdict "page: figure inside" "$(truth grep -q 'src="data:image/svg+xml;base64,' o/index.html)"
verdict "page: nothing from outside" "$([ "$(grep -c 'https*://' o/index.html)" = 0 ] && echo 1)"

# ---- a script instead of runs ----
cat >$e/beta/t2.sh <<'END'
#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A script
"$BANKSHOT" --version >/dev/null || exit 9
echo 'part,mm2'
echo 'banks,1.5'
echo 'claim,beta.t2,7.5'
echo 'wires,'
END
echo 'beta.t2,beta,Table 2,from a script,8,mm2,7,9' >>$e/claims.csv
check "script" 0 '^beta.t2 +8 +7.5 +7 to 9 +within' repro beta/t2 --out s
check "script: stored, answers a claim" 1 '^beta.t2 +8 +7.5 +7 to 9 +within' repro --stored --out s --db s/none.db
check "script: stored, claims" 1 '^beta.t2 +8 +7.5 +7 to 9 +within' repro --stored --claims --out s --db s/none.db
check "script: no size" 0 '^beta.t2 +8 +7.5 +7 to 9 +within' repro beta/t2 --out s --size small
verdict "script: the licence is no title" "$(truth grep -q '^### beta/t2: A script$' s.md)"
verdict "script: data" "$(truth grep -q '^wires	?$' s/beta/t2.dat)"
verdict "script: title" "$(truth grep -q '^### beta/t2: A script$' s.md)"
echo 'exit 3' >>$e/beta/t2.sh
check "script fails" 1 't2.sh: error: failed with status 3' repro beta/t2 --out s
printf '# x\necho claim,beta.zz,1\n' >$e/beta/t2.sh
check "script: unknown claim" 1 "there is no claim 'beta.zz'" repro beta/t2 --out s
printf '# x\necho claim,beta.t2,many\n' >$e/beta/t2.sh
check "script: no number" 1 "'many' is no number" repro beta/t2 --out s
printf '# x\necho a,b; echo 1\n' >$e/beta/t2.sh
check "script: ragged" 1 'a row with 1 cell under 2 names' repro beta/t2 --out s
rm $e/beta/t2.sh
sed -i '/^beta.t2,/d' $e/claims.csv

# ---- a part of it ----
check "one paper" 0 '^1 claim, 1 measured' repro beta --out p
check "one experiment" 0 '^3 claims, 2 measured' repro alpha/fig1 --out p
check "by a claim's id" 0 '^3 claims, 2 measured' repro alpha.fig1.two --out p
check "database of another" 0 'within' repro beta --out p --db o/results.db
check "unknown paper" 2 "no experiments of 'alhpa'; did you mean 'alpha'" repro alhpa --out p
check "unknown experiment" 2 "no experiment of alpha is called 'fig3'; did you mean 'fig1'" repro alpha/fig3 --out p
check "claim without experiment" 2 'no experiment answers claim alpha.fig2 yet' repro alpha.fig2 --out p
check "list" 0 '^alpha.fig1.two +9 ratio +two \(8 to 10\)$' list claims

check "dry run" 0 '^  2 points; claims: alpha.fig1.one alpha.fig1.two alpha.fig1.none$' repro --dry-run --out never
check "dry run: what is missing" 0 "^  does without: unknown mechanism 'clairvoyant'$" repro --dry-run
verdict "dry run: no folder" "$([ ! -e never ] && [ ! -e never.md ] && echo 1)"

# ---- a limit of time: what is cheap for its claims comes first, the same command goes on, results of another model stay ----
"$bankshot" exec "$kernels/saxpy.ptx" --kernel saxpy --grid 12000 --block 250 --arg f32:2 --arg buf:f32:3000000=iota \
    --arg out:f32:3000000=const:1 --arg s32:3000000 --record long.bst >/dev/null 2>&1
mkdir home/experiments/gamma
printf '; Long\n[b]\nworkloads = %s\ngpus = volta\nsm.l1_cyc = 20 21 22 23\nsm.collectors = 2 3\n' "$tmp/long.bst" \
    >$e/gamma/a.ini
printf '; Short\n[b]\nworkloads = %s\ngpus = volta\n' "$tmp/s.bst" >$e/gamma/z.ini
echo "SELECT 'gamma.a' AS claim, count(*) AS value FROM asked JOIN result USING (point);" >$e/gamma/a.sql
sed 's/gamma.a/gamma.z/' $e/gamma/a.sql >$e/gamma/z.sql
printf 'gamma.a,gamma,A,points,8,n,8,8\ngamma.z,gamma,Z,points,1,n,1,1\n' >>$e/claims.csv
check "limit: the cheap claim" 1 '^gamma.z +1 +1 +1 to 1 +within' repro gamma --out l --limit 1 --jobs 1
cp out first
verdict "limit: the dear one stays open" "$(truth grep -Eq '^gamma.a +8 +8 to 8 +missing: [0-9]+ of 8 points' first)"
verdict "limit: it says how to go on" "$(truth grep -q 'the same command goes on with what is missing' first)"
verdict "limit: it says what is to be done" "$(truth grep -Eq '9 runs are missing, about [0-9]+ seconds' first)"
before=$(sqlite3 l/results.db 'SELECT count(*) FROM run')
check "limit: goes on" 0 '^gamma.a +8 +8 +8 to 8 +within' repro gamma --out l --limit 1000
verdict "limit: what was there was not done again" \
    "$([ "$(sqlite3 l/results.db 'SELECT count(*) FROM run')" = 9 ] && [ "$before" -gt 0 ] && [ "$before" -lt 9 ] && echo 1)"
sqlite3 l/results.db "UPDATE run SET model = 'another'; UPDATE run SET key = key || 'x'"
sqlite3 l/results.db "INSERT INTO carried SELECT 'another', '$(sqlite3 o/results.db 'SELECT model FROM run LIMIT 1')', 'volta', 'base', code_order, 9, 3 FROM run GROUP BY code_order"
check "carry: results of another model count" 0 '^gamma.a +8 +8 +8 to 8 +within' repro gamma --out l --carry
verdict "carry: nothing was run" "$([ "$(sqlite3 l/results.db 'SELECT count(*) FROM run')" = 9 ] && echo 1)"
verdict "carry: the page says whose they are" "$(truth grep -q 'by the model .another.' l.md)"
sqlite3 l/results.db "DELETE FROM carried"
check "carry: without a sample they do not" 0 '^gamma.z +1 +1 +1 to 1 +within' repro gamma/z --out l --carry
verdict "carry: it was run" "$([ "$(sqlite3 l/results.db 'SELECT count(*) FROM run')" = 10 ] && echo 1)"
check "claims: experiments without one are left out" 0 '^gamma.z +1 +1 ' repro gamma --out l --claims
printf '; No claim\n[b]\nworkloads = %s\ngpus = volta\nsm.collectors = 9\n' "$tmp/s.bst" >$e/gamma/none.ini
echo "SELECT 1 AS one" >$e/gamma/none.sql
check "claims: said" 0 '^gamma/none: No claim' repro gamma --dry-run
"$bankshot" repro gamma --dry-run --claims >out 2>&1
verdict "claims: not said" "$([ "$(grep -c '^gamma/' out)" = 2 ] && echo 1)"
check "limit and stored" 2 '.--stored runs nothing' repro gamma --out l --stored --limit 5
check "no time at all" 2 'limit' repro gamma --out l --limit 0
rm -r $e/gamma
sed -i '/^gamma/d' $e/claims.csv

# ---- mistakes in experiments ----
cp -r home bad
export BANKSHOT_HOME="$tmp/bad"
e=bad/experiments
echo "SELECT 1 AS x;
SELECT y FROM nowhere;" >$e/alpha/fig1.sql
check "dry run: bad query" 2 '^experiments/alpha/fig1.sql:2: error: no such table: nowhere' repro alpha/fig1 --dry-run
check "bad query: where" 1 'fig1.sql:2: error: no such table: nowhere' repro alpha/fig1 --out q
check "others go on" 1 '^beta.t1 .* within' repro --out q
echo "SELECT 'alpha.zz' AS claim, 1 AS value" >$e/alpha/fig1.sql
check "unknown claim" 1 "fig1.sql: error: there is no claim 'alpha.zz'" repro alpha/fig1 --out q
echo "DELETE FROM run" >$e/alpha/fig1.sql
check "queries change nothing" 1 'readonly database' repro alpha/fig1 --out q
cp home/experiments/alpha/fig1.sql $e/alpha/
for statement in "DELETE FROM run" "CREATE TEMP TABLE t (x)" "CREATE VIEW v AS SELECT 1" "ATTACH 'x.db' AS x" "PRAGMA query_only = OFF"; do
    printf '\n%s;\n' "$statement" >$e/alpha/views.sql
    check "no view: $statement" 1 'alpha/views.sql:2: error: not authorized' repro alpha/fig1 --out q
done
echo "SELEC 1" >$e/alpha/views.sql
check "bad view" 1 'alpha/views.sql:1: error: near "SELEC": syntax error' repro alpha/fig1 --out q
cp home/experiments/alpha/views.sql $e/alpha/
rm $e/alpha/fig1.sql
check "no query" 2 'fig1.sql' repro alpha/fig1 --out q
cp home/experiments/alpha/fig1.sql $e/alpha/
echo 'plot nonsense (' >$e/alpha/fig1.gp
check "bad figure" 1 'gnuplot could not draw .*fig1.gp' repro alpha/fig1 --out q
check "the claims are there" 1 '^alpha.fig1.one .* within' repro alpha/fig1 --out q
rm $e/alpha/fig1.gp
check "no figure" 0 'within' repro alpha/fig1 --out q
echo 'workloads = x' >$e/alpha/fig1.ini
check "bad specification" 2 'fig1.ini:1: error: \[defaults\] has no gpus' repro alpha/fig1 --out q
for line in 'a,b' 'x,p,w,c,1,u,2,3,4' 'x,p,w,c,one,u,2,3' 'x,p,w,c,1,u,3,2' 'alpha.fig2,p,w,c,1,u,2,3'; do
    cp home/experiments/claims.csv $e/claims.csv
    echo "$line" >>$e/claims.csv
    check "claims: $line" 2 'claims.csv:7: error: ' list claims
done
# ---- the ones that come with the program ----
unset BANKSHOT_HOME
check "folder that cannot be" 2 'cannot make the folder' repro --out /proc/nowhere
check "claims" 0 '^partition.fig12.cu4 +4.1 ' list claims
verdict "all of them" "$([ "$("$bankshot" list claims | wc -l)" = $(($(wc -l <"$root/experiments/claims.csv") - 1)) ] && echo 1)"
check "their queries" 0 '^partition/fig12: ' repro --dry-run
for sql in "$root"/experiments/*/*.sql; do
    [ "$(basename "$sql")" = views.sql ] && continue
    for id in $(grep -o "'[a-z]*\.[a-z0-9_.]*' AS claim\|SELECT '[a-z]*\.[a-z0-9_.]*'" "$sql" | grep -o "[a-z]*\.[a-z0-9_.]*"); do
        verdict "$sql: claim $id is one" "$(truth grep -q "^$id," "$root/experiments/claims.csv")"
    done
    verdict "$sql has a specification" "$([ -f "${sql%.sql}.ini" ] && echo 1)"
done

echo "$passed passed, $failed failed"
[ $failed = 0 ]
