#!/bin/sh
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

cd "$tmp" || exit 1
expect "nothing stored" 1 "stealing.fig3 " "$bankshot" repro stealing/fig3 --stored --db empty.db --out page
grep -q "Done without: 10 of 10 points" page.md || { echo "FAILED: the page does not tell that points are missing"; failed=1; }
grep -q "Every run below is by the model" page.md || { echo "FAILED: the page does not name its model"; failed=1; }
grep -q -e "| within |" -e "\*\*missed\*\*" page.md && { echo "FAILED: a claim was answered from nothing"; failed=1; }
expect "all papers: no script is run" 1 "silicon" "$bankshot" repro --stored --db empty.db --out all
grep -q "a script: name its paper" all.md || { echo "FAILED: the page does not tell of scripts that were left out"; failed=1; }
exit $failed
