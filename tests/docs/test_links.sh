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
