#!/bin/sh
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
echo "$passed passed, $failed failed"
[ $failed = 0 ]
