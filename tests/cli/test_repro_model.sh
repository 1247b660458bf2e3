#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/repro-model: a page of another model's results is found out, and so is one that does not say whose they are. And repro --stored answers
# nothing from a database that has not all of an experiment's points.
set -u
bankshot=$1
tool=$(dirname "$0")/../../tools/repro-model
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0
expect() { # what, status, text on standard output or error, command...
    what=$1 status=$2 text=$3
    shift 3
    "$@" >"$tmp/out" 2>&1
    got=$?
    if [ $got != "$status" ] || ! grep -q -e "$text" "$tmp/out"; then
        echo "FAILED: $what: status $got, wanted $status and '$text':"
        cat "$tmp/out"
        failed=1
    fi
}

echo 'const char db_model_digest[] = "0123456789abcdef";' >"$tmp/model.c"
printf '# Reproduction\n\nEvery run below is by the model `0123456789abcdef`, a digest\n' >"$tmp/same.md"
printf '# Reproduction\n\nEvery run below is by the model `fedcba9876543210`, a digest\n' >"$tmp/other.md"
printf '# Reproduction\n' >"$tmp/silent.md"
expect "the same model" 0 "this tree's model, 0123456789abcdef" "$tool" "$tmp/model.c" "$tmp/same.md"
expect "another model" 1 "by the model fedcba9876543210, this tree's is 0123456789abcdef" "$tool" "$tmp/model.c" "$tmp/other.md"
expect "a page that does not say" 1 "does not say which model" "$tool" "$tmp/model.c" "$tmp/silent.md"
expect "no page" 2 "cannot be read" "$tool" "$tmp/model.c" "$tmp/none.md"

# Results of another model: two runs whose model is renamed hold, since they are the same; with one counter changed they do not.
tool=$(realpath "$tool")
cd "$tmp" || exit 1
printf '[a]\nworkloads = vectoradd sobol\nsizes = small\ngpus = volta\nmechs = base rba\n' >a.ini
alter() { python3 -c "import sqlite3, sys; c = sqlite3.connect('a.db'); c.execute(sys.argv[1]); c.commit()" "$1"; }
"$bankshot" sweep a.ini --db a.db --quiet >out 2>&1 || { cat out; exit 1; }
expect "results of this model" 2 "no runs of another model" "$tool" --carry a.db "$bankshot"
alter "UPDATE run SET model = 'fedcba9876543210'"
expect "equal results" 0 "on 4 of 4 runs, 2 of 2 presets" "$tool" --carry a.db "$bankshot" --page "$tmp/other.md"
grep -q 'Carried over to the model `[0-9a-f]*`: .* on 4 of its runs' "$tmp/other.md" || { echo "FAILED: the page is not told"; failed=1; }
model=$(sed -n 's/Carried over to the model `\([0-9a-f]*\)`.*/\1/p' "$tmp/other.md")
echo "const char db_model_digest[] = \"$model\";" >"$tmp/ours.c"
expect "a page that was carried over" 0 "hold for this tree's" "$tool" "$tmp/ours.c" "$tmp/other.md"
alter "UPDATE counter SET value = value + 1 WHERE name = 'sm.issued' AND run = (SELECT id FROM run WHERE mechs = 'rba' AND workload = 'sobol')"
expect "one counter" 1 "sobol:small volta rba: counter sm.issued" "$tool" --carry a.db "$bankshot"
expect "no database" 2 "none.db" "$tool" --carry none.db "$bankshot"
expect "nothing stored" 1 "stealing.fig3 " "$bankshot" repro stealing/fig3 --stored --db empty.db --out page
grep -q "Done without: 10 of 10 points" page.md || { echo "FAILED: the page does not tell that points are missing"; failed=1; }
grep -q "Every run below is by the model" page.md || { echo "FAILED: the page does not name its model"; failed=1; }
grep -q -e "| within |" -e "\*\*missed\*\*" page.md && { echo "FAILED: a claim was answered from nothing"; failed=1; }
expect "all papers: no script is run" 1 "silicon" "$bankshot" repro --stored --db empty.db --out all
grep -q "a script: name its paper" all.md || { echo "FAILED: the page does not tell of scripts that were left out"; failed=1; }
exit $failed
