#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bankshot plot: every chart as PDF, SVG and CSV, opened by other programs; its numbers beside those of the database; what is
# refused. Usage: test_plot.sh BANKSHOT
set -u
. "$(dirname "$0")/frame.sh"

cd "$tmp" || exit 1
: >out
record_saxpy s.bst
record_reduce r.bst
cp s.bst "it's a \"#name.bst"
printf '%s\n' '[two options]' 'workloads = ./s.bst ./r.bst' 'gpus = volta' 'gpu.sms = 2' 'mechs = base rba' 'sm.banks = 2 4' \
    'sm.collectors = 1 2' >two.ini
"$bankshot" sweep two.ini --db two.db >/dev/null 2>out || cat out
"$bankshot" compare "it's a \"#name.bst" s.bst --mech base --mech cu4 --mech rba --db odd.db --set gpu.sms=2 >/dev/null 2>out || cat out

# ---- every chart ----
for chart in speedup curves stack energy "lines --across sm.banks" "heat --across sm.banks --up sm.collectors" pareto "pareto --cost area" \
    "roofline --memory L2"; do
    figure=$(echo "$chart" | tr -c 'a-z\n' _)
    # shellcheck disable=SC2086 # a list of words
    for format in pdf svg csv; do check "$chart as $format" 0 "^$figure.$format: ${chart%% *}, [0-9]+ rows? of [0-9]+" plot two.db --chart $chart -o "$figure.$format"; done
    [ "$(head -c 5 "$figure.pdf")" = '%PDF-' ] && ok=1 || ok=0
    verdict "$figure.pdf is one" "$ok"
    if command -v pdfinfo >/dev/null 2>&1; then
        verdict "$figure.pdf has a page" "$(truth sh -c "pdfinfo $figure.pdf | grep -q '^Pages: *1$'")"
    fi
    if command -v rsvg-convert >/dev/null 2>&1; then
        verdict "$figure.svg is drawn by another program" "$(truth rsvg-convert "$figure.svg" -o "$figure.png")"
    else
        verdict "$figure.svg has an end" "$(truth sh -c "tail -n 3 $figure.svg | grep -q '</svg>'")"
    fi
    sqlite3 :memory: '.mode csv' ".import $figure.csv t" "SELECT count(*) > 0 FROM t" >out 2>&1
    [ "$(cat out)" = 1 ] && ok=1 || ok=0
    verdict "$figure.csv is read by another program" "$ok"
done
ls >out
verdict "nothing is left beside them" "$(truth sh -c '! ls | grep -E "\.(dat|gp|log)$"')"

# ---- the numbers ----
one() { sqlite3 two.db "SELECT printf('%.6f', $1)"; }
cell() { awk -F, -v r="$2" -v c="$3" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == c) at = i } $1 == r { printf "%.6f\n", $at }' "$1"; }
same() { # NAME WANT GOT
    echo "$2 $3" >out
    [ "$2" = "$3" ] && ok=1 || ok=0
    verdict "$1" "$ok"
}
"$bankshot" plot two.db --workload r.bst -o r.csv >out 2>&1
same "a speedup" "$(one "(SELECT speedup FROM speedup WHERE mechs = 'rba' AND workload = 'r.bst' AND options = 'gpu.sms=2 sm.banks=2 sm.collectors=1')")" \
    "$(cell r.csv 'r.bst sm.banks=2 sm.collectors=1' rba)"
"$bankshot" plot two.db --workload r.bst --cycles program -o p.csv >out 2>&1
same "of the program's cycles" "$(one "(SELECT program_speedup FROM speedup WHERE mechs = 'rba' AND workload = 'r.bst' AND options = 'gpu.sms=2 sm.banks=2 sm.collectors=1')")" \
    "$(cell p.csv 'r.bst sm.banks=2 sm.collectors=1' rba)"
# A base that does not read the options of the mechanism: each value is a series of its own, over that base.
printf '[base]\nworkloads = r.bst\ngpus = volta20\nmechs = base\n[cache]\nworkloads = r.bst\ngpus = volta20\nmechs = rfc\nrfc.entries = 2 6\n' >one.ini
"$bankshot" sweep one.ini --db one.db --quiet >out 2>&1
"$bankshot" plot one.db -o one.csv >out 2>&1
verdict "series by value" "$([ "$(head -n 1 one.csv)" = 'name,rfc rfc.entries=2,rfc rfc.entries=6' ] && echo 1)"
speed() { sqlite3 one.db "SELECT printf('%.6f', 1.0 * (SELECT kernel_cycles FROM result WHERE mechs = 'base') / kernel_cycles) FROM result WHERE options = '$1'"; }
same "over the base that does not read it" "$(speed rfc.entries=2)" "$(cell one.csv r.bst 'rfc rfc.entries=2')"
same "which the view names" "$(sqlite3 one.db "SELECT group_concat(DISTINCT b.mechs) FROM speedup s JOIN result b ON b.point = s.base WHERE s.mechs = 'rfc'")" base
k() { echo "(SELECT 1.0 * kernel_cycles FROM result WHERE mechs = 'base' AND workload = '$1' AND options = 'gpu.sms=2 sm.banks=$2 sm.collectors=$3')"; }
same "a line's value is over all programs" \
    "$(one "pow($(k r.bst 2 1) / $(k r.bst 4 1) * $(k s.bst 2 1) / $(k s.bst 4 1) * $(k r.bst 2 2) / $(k r.bst 4 2) * $(k s.bst 2 2) / $(k s.bst 4 2), 0.25)")" \
    "$(cell lines___across_sm_banks.csv 4 base)"
same "a field's value" "$(one "sqrt($(k r.bst 2 1) / $(k r.bst 4 2) * $(k s.bst 2 1) / $(k s.bst 4 2))")" "$(cell heat___across_sm_banks___up_sm_collectors.csv 2 4)"
"$bankshot" plot two.db --chart heat --across sm.banks --up sm.collectors --measure sm.reg_reads --workload r.bst -o c.csv >out 2>&1
same "a counter" "$(one "(SELECT value FROM counter JOIN result USING (run) WHERE name = 'sm.reg_reads' AND workload = 'r.bst' AND mechs = 'base' AND options = 'gpu.sms=2 sm.banks=4 sm.collectors=2')")" \
    "$(cell c.csv 2 4)"
"$bankshot" plot two.db --chart roofline --memory L2 --workload r.bst --mech rba -o m.csv >out 2>&1
seen() { sqlite3 :memory: '.mode csv' ".import m.csv t" "SELECT printf('%.6f', $1(CAST(\"$2\" AS REAL))) FROM t WHERE \"$2\" <> ''"; }
same "marks below a roof" "$(one "(SELECT min(ipc) FROM result WHERE mechs = 'rba' AND workload = 'r.bst')")" "$(seen min r.bst)"
same "the roof is four slots of two SMs" 8.000000 "$(seen max "$(sed -n '1s/.*,//p' m.csv)")"
awk -F, 'NR > 1 { s = 0; for (i = 2; i <= NF; i++) s += $i; if (s < 90 || s > 100.001) exit 1 }' stack.csv && ok=1 || ok=0
cp stack.csv out
verdict "shares add up" "$ok"

# ---- names that are no help, and what is refused ----
check "odd names" 0 '^odd.svg: speedup' plot odd.db -o odd.svg --mech cu4
check "an odd file" 0 "^it's.svg: speedup" plot odd.db -o "it's.svg" --range 0.5:1.5
check "a range" 2 'LO:HI: two numbers' plot two.db --range 'system("x")'
check "no file" 2 'RESULTS.db is missing' plot
check "a file that is not there" 2 'cannot open none.db' plot none.db
check "a chart that is none" 2 "unknown chart 'line'; did you mean 'lines'" plot two.db --chart line
check "no option" 2 'across OPTION is missing' plot two.db --chart lines
check "no second option" 2 'up OPTION is missing' plot two.db --chart heat --across sm.banks
check "no such option" 2 'across sm.bank: no such option' plot two.db --chart lines --across sm.bank
check "an option with one value" 2 'all runs have the same value' plot two.db --chart lines --across gpu.sms
check "no such mechanism" 2 'mech rbaa: the database has no such run' plot two.db --mech rbaa
check "another format" 2 'must end in .pdf, .svg or .csv' plot two.db -o x.bmp
check "a cost" 2 'energy or area' plot two.db --chart pareto --cost money
check "a memory" 2 'DRAM or L2' plot two.db --chart roofline --memory L1
check "cycles" 2 'kernel or program' plot two.db --cycles all
check "nothing to draw" 2 "has nothing for the chart 'speedup'" plot two.db --mech base
check "no such measure" 2 "--measure nonsense: unknown measure; it is speed, kernel_cycles" plot two.db --chart lines --across sm.banks --measure nonsense
check "a folder that is not there" 2 'no/where' plot two.db -o no/where.pdf
printf '#!/bin/sh\nexit 127\n' >gnuplot && chmod +x gnuplot
PATH=$tmp:$PATH check "no gnuplot" 2 'package gnuplot-nox' plot two.db

echo "$passed passed, $failed failed"
[ $failed = 0 ]
