#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/papers-pages: the pages of docs/papers say what docs/generated/reproduction.md says; they take a run's figures, keep those before, say what
# was not measured, and stay as they are the second time. Usage: test_papers_pages.sh BANKSHOT (which is not needed)
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
tool=$root/tools/papers-pages
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0
expect() { # what, command...
    what=$1
    shift
    "$@" >"$tmp/out" 2>&1 || { echo "FAILED: $what"; cat "$tmp/out"; failed=1; }
}
cp -r "$root/docs/papers" "$tmp/papers"
old=$(sed -n 's/^| `warppool.fig3_12` | .* | \([0-9.]*\) | [0-9. to]* | [a-z* ]* |  |$/\1/p' "$tmp/papers/warppool.md")
echo 'Every run below is by the model `0123456789abcdef`, a digest' >"$tmp/page.md"
awk -F, 'NR == 1 { print "id,paper,measured,lo,hi,within"; next }
    { v = $1 == "warppool.fig3_12" ? 1.23456 : $1 == "warppool.fig3_13" ? 7 : ""; print $1 "," $5 "," v "," $7 "," $8 "," (v == "" ? "" : v == 7 ? "no" : "yes") }' \
    "$root/experiments/claims.csv" >"$tmp/claims.csv"
expect "it runs" "$tool" "$tmp/claims.csv" "$tmp/page.md" "$tmp/papers"
expect "one figure, and the one before" grep -q "^| .warppool.fig3_12. | .* | ${old:-none} | 1.235 | 1.03 to 1.25 | within |  |$" "$tmp/papers/warppool.md"
expect "a miss" grep -q '^| .warppool.fig3_13. | .* | 7 | 0.6 to 0.95 | \*\*missed\*\* |  |$' "$tmp/papers/warppool.md"
expect "not measured" grep -q '^| .warppool.fig3_14. | .* |  | 0.35 to 0.75 | not measured now |  |$' "$tmp/papers/warppool.md"
expect "the count" grep -q '^"Now" is by the model `0123456789abcdef`: 2 of 9 claims measured, 1 within their range\.' "$tmp/papers/warppool.md"
expect "other papers" grep -q '0 of 16 claims measured, 0 within' "$tmp/papers/malekeh.md"
cp -r "$tmp/papers" "$tmp/once"
expect "again" "$tool" "$tmp/claims.csv" "$tmp/page.md" "$tmp/papers"
expect "nothing changes" diff -r "$tmp/once" "$tmp/papers"
expect "a link to what was tried" grep -q '^| .warppool.fig3_11. | .* | not measured now | \[tried\](#warppool.fig3_11) |$' "$tmp/papers/warppool.md"
# The check: a figure, a verdict, a row that is not there, a miss that nothing is said of.
same() { "$tool" --check "$root/docs/generated/reproduction.md" "$tmp/checked"; }
differs() { # sed's command, what it says
    rm -rf "$tmp/checked"
    cp -r "$root/docs/papers" "$tmp/checked"
    sed -i "$1" "$tmp/checked/regless.md"
    same >"$tmp/said" 2>&1
    [ $? = 1 ] && [ "$(wc -l <"$tmp/said")" = 1 ] && grep -q "regless.md: $2" "$tmp/said"
}
expect "the pages say what was measured" "$tool" --check "$root/docs/generated/reproduction.md"
expect "another figure" differs '/^| .regless.fig4_2. /s/| [0-9.]* | 3 to 20/| 77 | 3 to 20/' 'regless.fig4_2: 77, 3 to 20, within; the reproduction has '
expect "another verdict" differs '/^| .regless.fig4_14.rfv. /s/within/**missed**/' 'regless.fig4_14.rfv: '
expect "a claim less" differs '/^| .regless.table4_2. /d' 'has no row for regless.table4_2'
expect "nothing tried" differs 's/<a id="regless.fig4_14.rfh"><.a>//' 'regless.fig4_14.rfh is missed, and no row says what was tried'
expect "another model" differs 's/by the model `[0-9a-f]*`/by the model `0123456789abcdef`/' 'is by the model 0123456789abcdef, '
echo 'no model' >"$tmp/none.md"
expect "a page without a model" sh -c "! '$tool' '$tmp/claims.csv' '$tmp/none.md' '$tmp/papers'"
sed -i /fig3_12/d "$tmp/claims.csv"
expect "a claim that the CSV lacks" sh -c "! '$tool' '$tmp/claims.csv' '$tmp/page.md' '$tmp/papers'"
# Every claim has its row.
for id in $(cut -d, -f1 "$root/experiments/claims.csv" | tail -n +2); do
    expect "a row for $id" grep -q "^| .$id. |" "$root/docs/papers/${id%%.*}.md"
done
[ $failed = 0 ] && echo "tools/papers-pages: as they should be"
exit $failed
