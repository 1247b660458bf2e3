#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bankshot report: what is refused, that names in a database cannot become markup, and where Chromium is installed the page in
# use: sorting, filtering, charts, details. Usage: test_report.sh BANKSHOT
set -u
. "$(dirname "$0")/frame.sh"

cd "$tmp" || exit 1
: >out
record_saxpy s.bst
record_reduce r.bst
cp s.bst '<img src=x onerror="hacked=1">.bst'
"$bankshot" compare s.bst r.bst '<img src=x onerror="hacked=1">.bst' --mech base --mech cu4 --mech cu8 --set gpu.sms=4 \
    --db results.db >out 2>&1
"$bankshot" compare r.bst --mech base --mech cu4 --set gpu.sms=4 --db results.db --profile >/dev/null 2>&1
# A run that was refused, and text that tries everything.
"$bankshot" compare s.bst --gpu volta --set sm.registers=1024 --set gpu.sms=4 --db results.db >/dev/null 2>&1
sqlite3 results.db "UPDATE trace SET program = '</script><script>hacked=1</script>' || char(8232) || '\\u003c';
    UPDATE profile SET text = '<b>' || text, source = '<i>x</i>' WHERE insn = 1;
    INSERT INTO claim VALUES ('a.fig1', 'a', 'one <b>thing</b>', '', '%', 2.5, 2, 3, 2.7, ''), ('a.fig2', 'a', 'two', '', 'x', 2.5, 2, 3, 9, ''),
        ('a.fig3', 'a', 'three', '', 'x', 2.5, 2, 3, NULL, 'no mechanism <zz> yet'), ('a.fig4', 'a', 'four', 'small', 'x', 2.5, 2, 3, 2.5, '');
    INSERT INTO claim VALUES ('bytes', CAST(X'ff3c80' AS TEXT), CAST(X'f09f98803c' AS TEXT), '', CAST(X'eda080' AS TEXT), 9e999, -9e999, 1, 1, '');
    UPDATE run SET reason = '<!--<script>' || reason, version = '<svg onload=hacked=1>'" >out 2>&1

"$bankshot" compare r.bst --mech base --mech cu4 --set gpu.sms=4 --db results.db --interval 100 >/dev/null 2>out
[ "$(sqlite3 results.db 'SELECT count(*) FROM interval')" = 2 ] && ok=1 || ok=0
verdict "counters over time of known runs" "$ok"
[ "$(sqlite3 results.db "SELECT count(*) FROM (SELECT c.value - sum(o.value) AS rest FROM over_time o JOIN counter c USING (run, name)
    GROUP BY run, name) WHERE rest <> 0")" = 0 ] && ok=1 || ok=0
verdict "... add up to the counters" "$ok"
# Picojoules are rounded, row by row.
[ "$(sqlite3 results.db "SELECT count(*) > 5 AND max(abs(rest) - rows) <= 0 FROM (SELECT e.name, e.pj - sum(o.value) AS rest, count(*) AS rows
    FROM over_time o JOIN energy e ON e.run = o.run AND o.name = 'energy.' || e.name GROUP BY e.run, e.name)")" = 1 ] && ok=1 || ok=0
verdict "... and energies over time to the energies" "$ok"
before=$(sqlite3 results.db 'SELECT group_concat(ends) FROM interval')
"$bankshot" compare r.bst --mech base --mech cu4 --set gpu.sms=4 --db results.db --interval 1 >/dev/null 2>out
[ "$(sqlite3 results.db 'SELECT max(json_array_length(ends)) <= 1024 AND min(every_cyc) = 1 FROM interval')" = 1 ] &&
    [ "$(sqlite3 results.db 'SELECT group_concat(ends) FROM interval')" != "$before" ] && ok=1 || ok=0
verdict "... are made anew for another length" "$ok"
check "counters over time go into a database" 2 'needs --db' compare r.bst --interval 100
check "... of whole runs" 2 'does not simulate all' compare r.bst --interval 100 --sample --db x.db

check "no file" 2 'RESULTS.db is missing' report
check "a file that is not there" 2 'cannot open none.db' report none.db
check "a trace" 2 '' report s.bst
check "a folder that is not there" 2 'cannot write no/where.html' report results.db -o no/where.html
verdict "no half-written page" "$(truth test ! -e no)"
check "a page" 0 '^report.html: [0-9]+ bytes$' report results.db
verdict "its default name" "$(truth test -s report.html)"
"$bankshot" report results.db -o - >again.html 2>out
verdict "twice the same" "$(truth cmp report.html again.html)"
verdict "nothing left beside it" "$(truth sh -c '! ls | grep tmp')"
[ "$(grep -o '</script' report.html | wc -l)" = 2 ] && ok=1 || ok=0
verdict "only the page's own scripts end" "$ok"
verdict "no address of the network" "$(truth sh -c '! grep -E "(src|href)=\"?(http|//)|url\([^#]|@import" report.html')"
sed -n 's/.*<script type="application\/json" id="data">//p' report.html >data.txt
grep -q '<img' data.txt && ok=0 || ok=1
verdict "names are escaped" "$ok"
stalls=$(sqlite3 results.db "SELECT count(*) FROM (SELECT c.value - (SELECT sum(cycles) FROM profile_stall p WHERE p.run = c.run AND
    'sm.' || cause = c.name) AS rest FROM counter c WHERE c.run IN (SELECT run FROM profile) AND (name = 'sm.issued' OR name GLOB
    'sm.stall_*') AND c.value > 0 AND name NOT IN ('sm.stall_no_warp', 'sm.stall_launch')) WHERE rest IS NOT 0")
echo "$stalls" >out
[ "$stalls" = 0 ] && ok=1 || ok=0
verdict "profiles in the database add up" "$ok"
[ "$(sqlite3 results.db 'SELECT count(DISTINCT run) FROM profile')" = 2 ] && ok=1 || ok=0
verdict "profiles of known runs" "$ok"
check "profiles go into a database" 2 'needs --db' compare r.bst --profile
printf '[all]\nworkloads = ./s.bst\ngpus = volta\n' >spec.ini
"$bankshot" sweep spec.ini --merge results.db --db merged.db >out 2>&1
[ "$(sqlite3 merged.db 'SELECT sum(cycles), count(DISTINCT run) FROM profile_stall')" = \
    "$(sqlite3 results.db 'SELECT sum(cycles), count(DISTINCT run) FROM profile_stall')" ] && ok=1 || ok=0
verdict "a merge takes profiles" "$ok"
[ "$(sqlite3 merged.db 'SELECT sum(value), count(DISTINCT run) FROM over_time')" = \
    "$(sqlite3 results.db 'SELECT sum(value), count(DISTINCT run) FROM over_time')" ] && ok=1 || ok=0
verdict "... and counters over time" "$ok"
[ "$(sqlite3 merged.db 'SELECT count(*) FROM claim')" = 5 ] && ok=1 || ok=0
verdict "... and claims" "$ok"
printf '%s\n' '[together]' 'workloads = s.bst+r.bst r.bst+s.bst' 'gpus = maxwell' 'gpu.sms = 4' 'gpu.share = smk' 'gpu.most_cyc = 9000' \
    '[alone]' 'workloads = s.bst r.bst' 'gpus = maxwell' 'gpu.sms = 4' 'gpu.share = alone' 'gpu.most_cyc = 9000' >pairs.ini
"$bankshot" sweep pairs.ini --db pairs.db >out 2>&1 && check "pairs" 0 '^pairs.html' report pairs.db -o pairs.html
"$bankshot" compare s.bst --db one.db >/dev/null 2>&1 && check "one run" 0 '^one.html' report one.db -o one.html

printf '%s\n' '[two options]' 'workloads = s.bst r.bst' 'gpus = volta' 'gpu.sms = 2' 'mechs = base rba' 'sm.banks = 2 4' 'sm.collectors = 1 2' >two.ini
"$bankshot" sweep two.ini --db sweep.db --interval 100 >/dev/null 2>out
printf 'name,size,result,launches,cycles\nr.bst,,PASS,1,10000\ns.bst,,FAIL,1,5\nother,small,PASS,1,7\n' >v100.csv
check "a sweep of two options" 0 '^sweep.html: [0-9]+ bytes$' report sweep.db -o sweep.html --silicon volta=v100.csv
check "silicon without a GPU" 2 'it is GPU=FILE' report sweep.db --silicon v100.csv
check "silicon that is not there" 2 'none.csv' report sweep.db --silicon volta=none.csv
check "silicon that is none" 2 'two.ini:1: .*first line' report sweep.db --silicon volta=two.ini
printf 'name,size,result,launches,cycles\nr.bst,,PASS,one,10000\n' >broken.csv
check "a row that is none" 2 'broken.csv:2' report sweep.db --silicon volta=broken.csv
[ "$(wc -c <sweep.html)" -lt 2000000 ] && ok=1 || ok=0
verdict "the page is small" "$ok"

# Pipelines beside the database: names in them cannot become markup, and what is none is refused.
"$bankshot" run '<img src=x onerror="hacked=1">.bst' --gpu volta --set gpu.sms=4 --pipeline base.json --quiet >out 2>&1
"$bankshot" run r.bst --gpu volta --mech malekeh --set gpu.sms=4 --pipeline malekeh.json --quiet >out 2>&1
check "pipelines in the page" 0 'pipes.html: .* bytes' report results.db -o pipes.html --pipeline base.json --pipeline malekeh.json
[ "$(sed -n '/id="data"/,/<.script>/p' pipes.html | grep -c '<')" = 2 ] && ok=1 || ok=0
verdict "... whose data hold no markup" "$ok"
check "a pipeline that is not there" 2 'none.json' report results.db -o x.html --pipeline none.json
printf '{' >broken.json
check "a pipeline that is no JSON" 2 'broken.json:1' report results.db -o x.html --pipeline broken.json
"$bankshot" run r.bst --gpu volta --json other.json --quiet >/dev/null 2>&1
check "another answer's JSON" 2 'other.json: error: this is not what run --pipeline' report results.db -o x.html --pipeline other.json
sed 's/"warp":0,"code"/"warp":99999,"code"/' base.json >lost.json
check "an instruction of no warp" 2 'lost.json: error: an instruction of the pipeline is not complete' report results.db -o x.html --pipeline lost.json
sed 's/"stage":"issue"/"stage":"toString"/' base.json >odd.json
check "a stage that is none" 2 'odd.json: error: an instruction' report results.db -o x.html --pipeline odd.json
verdict "... leave no page" "$(truth test ! -e x.html)"

# In a folder that cannot be written, by somebody who cannot write everywhere.
mkdir frozen && cp results.db frozen && cp results.db 'frozen/re%73?#ults.db' && chmod 555 frozen && chmod 755 .
if [ "$(id -u)" != 0 ]; then
    nobody=
elif setpriv --reuid=65534 --regid=65534 --clear-groups test -r "$bankshot" 2>/dev/null; then
    nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'
else
    nobody=skip
fi
if [ "$nobody" = skip ]; then
    echo "skipped: a folder that cannot be written (root can)"
else
    (cd frozen && $nobody "$bankshot" report results.db -o -) >again.html 2>out
    verdict "a folder that cannot be written" "$(truth cmp report.html again.html)"
    $nobody "$bankshot" report 'frozen/re%73?#ults.db' -o - >again.html 2>out
    verdict "... and an odd name" "$(truth test -s again.html)"
    chmod 755 frozen && echo x >'frozen/re%73?#ults.db-wal' && chmod 555 frozen
    $nobody "$bankshot" report 'frozen/re%73?#ults.db' -o - >/dev/null 2>out
    [ $? = 2 ] && grep -q 'ults.db-wal with more results' out && ok=1 || ok=0
    verdict "... with a log beside it" "$ok"
fi
chmod 755 frozen

# The program under sanitizers writes the page that it writes without: NO_BROWSER=1 leaves the browser out there.
browser=$([ "${NO_BROWSER:-0}" = 1 ] || command -v chromium || command -v chromium-browser || command -v google-chrome) || browser=
browse() { # PAGE SIZE [FLAG]: prints the page as it is after its scripts
    timeout 600 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$tmp/profile" \
        --window-size="$2" --enable-logging=stderr --virtual-time-budget=20000 ${3:-} --dump-dom "file://$tmp/$1" 2>"$tmp/log"
}
probe() { # PAGE SCRIPT: a copy that watches for errors and ends with the probe
    cat "$here/probe.js" "$here/$2" >probe.js
    awk -v probe=probe.js '
        /<style>/ && !seen++ { print "<script>window.pageErrors=[];addEventListener(\"error\",(e)=>pageErrors.push(e.message));</script>" }
        /<\/body>/ { print "<script>"; while ((getline line < probe) > 0) print line; print "</script>" }
        { print }' "$1" >"probe-$1"
}
if [ -z "$browser" ]; then
    echo "skipped: the page in a browser (no chromium, or NO_BROWSER)"
else
    used() { # NAME PAGE SIZE [FLAG]: the probe of the page found nothing wrong
        browse "probe-$2" "$3" "${4:-}" >dom
        { grep '^probe FAIL' dom; grep CONSOLE log; grep '^probe end' dom; } >out
        [ "$(cat out)" = "probe end" ] && ok=1 || ok=0
        verdict "$1" "$ok"
    }
    probe report.html report_probe.js
    for size in 1200,900 500,900; do used "the page in use at $size" report.html $size; done
    used "the page in the dark" report.html 1200,900 --blink-settings=preferredColorScheme=0
    probe pipes.html report_pipeline_probe.js
    for size in 1200,900 500,900; do used "pipelines in use at $size" pipes.html $size; done
    record_saxpy axis.bst
    printf '[base]\nworkloads = axis.bst\ngpus = volta\nmechs = base\n[entries]\nworkloads = axis.bst\ngpus = volta\nmechs = malekeh\nccu.entries = 2 4 8\n' >axis.ini
    "$bankshot" sweep axis.ini --db axis.db --quiet >/dev/null 2>&1 && "$bankshot" report axis.db -o axis.html >/dev/null
    probe axis.html report_axis_probe.js
    used "an option that only the mechanism reads" axis.html 1200,900
    probe sweep.html report_sweep_probe.js
    for size in 1200,900 500,900; do used "a sweep in use at $size" sweep.html $size; done
    # Files of charts, opened by other programs.
    sed -n 's/^probe file //p' dom | while read -r name text; do echo "$text" | base64 -d >"$name"; done
    ls -la ./*.png ./*.svg ./*.csv >out 2>&1
    [ "$(od -An -c -N 4 axes.png | tr -d ' ')" = '211PNG' ] && ok=1 || ok=0
    verdict "a chart as PNG" "$ok"
    if command -v rsvg-convert >/dev/null 2>&1; then
        for id in axes stalls pareto; do verdict "$id as SVG, drawn by another program" "$(truth rsvg-convert "$id.svg" -o "$id-again.png")"; done
    else
        echo "skipped: charts as SVG in another program (no rsvg-convert)"
    fi
    sqlite3 :memory: '.mode csv' ".import stalls.csv t" "SELECT count(*) FROM t" >out 2>&1
    [ "$(head -n 1 out)" = 16 ] && ok=1 || ok=0
    verdict "a chart as CSV, read by another program" "$ok"
    browse one.html 1200,900 >dom
    grep -E 'CONSOLE' log >out && ok=0 || ok=1
    verdict "a database with one run" "$ok"
    browse pairs.html 1200,900 >dom
    { grep CONSOLE log; grep -c 'of its speed alone</title>' dom; } >out
    [ "$(grep -o 'of its speed alone</title>' dom | wc -l)" = 4 ] && ! grep -q CONSOLE log && ok=1 || ok=0
    verdict "pairs have two bars each" "$ok"
fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
