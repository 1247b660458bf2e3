#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every file that a document of the repository links to is there, and README.md's tables say what the results say.
# Usage: test_links.sh BANKSHOT
set -u
. "$(dirname "$0")/../cli/frame.sh"
root=$(cd "$here/../.." && pwd)

# link DOCUMENT TARGET for each "](TARGET)" outside of blocks of code, without anchors and addresses.
cd "$root" || exit 1
for doc in *.md docs/*.md docs/generated/*.md silicon/*.md python/*.md experiments/*/*.md; do
    [ -f "$doc" ] || continue
    awk -v doc="$doc" '
        /^```/ { inside = !inside }
        inside { next }
        {
            while (match($0, /\]\([^) ]+\)/)) {
                target = substr($0, RSTART + 2, RLENGTH - 3)
                $0 = substr($0, RSTART + RLENGTH)
                sub(/#.*/, "", target)
                if (target != "" && target !~ /^[a-z]+:/)
                    print doc, target
            }
        }' "$doc"
done >"$tmp/links"
: >"$tmp/out"
while read -r doc target; do
    [ -e "$(dirname "$doc")/$target" ] || echo "$doc: $target" >>"$tmp/out"
done <"$tmp/links"
verdict "links" "$([ -s "$tmp/out" ] || echo 1)"
verdict "there are links" "$([ "$(wc -l <"$tmp/links")" -gt 100 ] && echo 1)"

# Everything in docs/ is in its index.
: >"$tmp/out"
for doc in docs/*.md docs/generated/*.md; do
    name=${doc#docs/}
    [ "$name" = README.md ] || grep -q "($name)" docs/README.md || echo "$name" >>"$tmp/out"
done
verdict "docs/README.md has every document" "$([ -s "$tmp/out" ] || echo 1)"
verdict "tools/front --check" "$(truth tools/front --check)"
verdict "pages say what the published tables say" "$(truth tools/publish --check)"

# Which figures are older than the model is said (make test prints it), and wrong only in a release.
release=$(git describe --exact-match --match 'v[0-9]*' 2>/dev/null)
tools/publish --stamps "$bankshot" >"$tmp/stamps" 2>&1
status=$?
verdict "published figures of another model are named" "$([ "$status:$release" = 0: ] || [ "$status:$release" = 1: ] || [ "$status" = 0 ] && echo 1)"
[ "$status" = 0 ] || sed 's/^/note: /' "$tmp/stamps"
verdict "every line of it names figures and this model" "$(truth sh -c '! grep -Ev " is of (an older model|model .[0-9a-f]{16}.); this is model [0-9a-f]{16}$" '"$tmp/stamps")"
verdict "a program that has no model is refused" "$(tools/publish --stamps /nowhere/bankshot >"$tmp/out" 2>&1; [ $? = 2 ] && echo 1)"
verdict "a folder without results is refused" "$(tools/publish "$bankshot" /nowhere >"$tmp/out" 2>&1; [ $? = 2 ] && echo 1)"

# A measurement is published with its model, in tables and pages; one that was cut off is not. In a copy of what is published.
if command -v gnuplot >/dev/null; then
    mkdir -p "$tmp/copy" "$tmp/new/a"
    tar -c README.md bench conf/mechs docs experiments silicon/*.csv silicon/README.md tests/matrix tools workloads/manifest.csv | tar -x -C "$tmp/copy"
    rm -f "$tmp/copy/bench/steady.csv" # one program is a whole measurement where none is published
    echo 0123456789abcdef >"$tmp/new/a/model"
    sed 's/^bitonic-sort,.*/bitonic-sort,0,1000,3000,1,1/' bench/traces.csv | awk -F, -v OFS=, 'NR > 1 { print $1, 0, $3, $4, 1, 1 }' >"$tmp/new/a/traces.csv"
    head -n 20 bench/suite.csv >"$tmp/new/a/suite.csv"
    printf 'program,error of time,error of energy,error in the H200%ss time,half\nsgemm,-4.0,10.0,2.0,unseen\n' "'" >"$tmp/new/a/steady.csv"
    verdict "a measurement is published" "$(truth "$tmp/copy/tools/publish" "$bankshot" "$tmp/new")"
    verdict "what was cut off is left, and said" "$(grep -q '^bench/suite.csv was left: 154 lines are published' "$tmp/out" && cmp -s bench/suite.csv "$tmp/copy/bench/suite.csv" && echo 1)"
    verdict "its pages follow" "$(truth grep -q 'bitonic-sort | 1 | 1,000 | 3,000 | +200.0%' "$tmp/copy/docs/silicon.md")"
    verdict "... those of half of the programs, too" "$(truth grep -q '^| unseen | energy | 1 | 10.0% | 10.0% | 10% | 0 |' "$tmp/copy/docs/energy.md")"
    verdict "README names both models" "$(truth grep -q '^Measured with model `0123456789abcdef`; the suite with model `' "$tmp/copy/README.md")"

    # A model that moves no cycle has the figures of another. The matrix takes minutes: here it only says whether a run differs.
    matrix() { printf '#!/bin/sh\nexit %s\n' "$1" >"$tmp/copy/tools/matrix"; }
    rm -f "$tmp/copy/bench/same.csv"
    printf 'figures,model\nbench/micro.csv,fedcba9876543210\ntests/matrix/small.txt,fedcba9876543210\n' >"$tmp/copy/bench/models.csv"
    matrix 1
    verdict "a run differs: not noted" "$("$tmp/copy/tools/publish" --same "$bankshot" >"$tmp/out" 2>&1; [ $? = 1 ] && [ ! -e "$tmp/copy/bench/same.csv" ] && echo 1)"
    "$tmp/copy/tools/publish" --stamps "$bankshot" >"$tmp/stamps" 2>&1
    verdict "... its figures are old" "$(truth grep -q '^bench/micro.csv is of model .fedcba9876543210' "$tmp/stamps")"
    matrix 0
    verdict "none differs: noted" "$("$tmp/copy/tools/publish" --same "$bankshot" >"$tmp/out" 2>&1 && grep -Eqx '[0-9a-f]{16},fedcba9876543210,[0-9]+' "$tmp/copy/bench/same.csv" && echo 1)"
    "$tmp/copy/tools/publish" --stamps "$bankshot" >"$tmp/stamps" 2>&1
    verdict "... its figures are this model's" "$([ "$(grep -c '^bench/micro.csv' "$tmp/stamps")" = 0 ] && grep -q '^bench/race.csv is of' "$tmp/stamps" && echo 1)"
fi

# README's race names the model that was measured. Measuring it takes Accel-Sim and minutes, so that between releases a note is enough
# (make test prints it); a commit with a version's tag publishes figures of its own model.
if tools/race --check "$bankshot" >"$tmp/race" 2>&1; then
    verdict "README's race is of this model" 1
elif [ "$(git describe --exact-match --match 'v[0-9]*' 2>/dev/null)" ]; then
    verdict "README's race is of this release's model" ""
else
    verdict "README's race is of another model, by name" "$(truth grep -q 'measured with model [0-9a-f]' "$tmp/race")"
fi
# What names no model, or a program that is none, is a mistake and no answer.
sed 's/,model,/,modal,/' bench/race.csv >"$tmp/bad.csv"
verdict "figures without a model are refused" "$(tools/race --check "$bankshot" --out "$tmp/bad.csv" >"$tmp/out" 2>&1; [ $? = 2 ] && echo 1)"
verdict "a program that cannot be asked is refused" "$(tools/race --check /nowhere/bankshot >"$tmp/out" 2>&1; [ $? = 2 ] && echo 1)"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
