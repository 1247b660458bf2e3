#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/papers-pages: the pages of docs/papers take a run's figures, keep those before, say what was not measured, and stay as they are the
# second time. Usage: test_papers_pages.sh BANKSHOT (which is not needed)
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
old=$(sed -n 's/^| `warppool.fig3_12` | .* | \([0-9.]*\) | [0-9. to]* | [a-z* ]* |$/\1/p' "$tmp/papers/warppool.md")
echo 'Every run below is by the model `0123456789abcdef`, a digest' >"$tmp/page.md"
awk -F, 'NR == 1 { print "id,paper,measured,lo,hi,within"; next }
    { v = $1 == "warppool.fig3_12" ? 1.23456 : $1 == "warppool.fig3_13" ? 7 : ""; print $1 "," $5 "," v "," $7 "," $8 "," (v == "" ? "" : v == 7 ? "no" : "yes") }' \
    "$root/experiments/claims.csv" >"$tmp/claims.csv"
expect "it runs" "$tool" "$tmp/claims.csv" "$tmp/page.md" "$tmp/papers"
expect "one figure, and the one before" grep -q "^| .warppool.fig3_12. | .* | ${old:-none} | 1.235 | 1.03 to 1.25 | within |$" "$tmp/papers/warppool.md"
expect "a miss" grep -q '^| .warppool.fig3_13. | .* | 7 | 0.6 to 0.95 | \*\*missed\*\* |$' "$tmp/papers/warppool.md"
expect "not measured" grep -q '^| .warppool.fig3_14. | .* |  | 0.35 to 0.75 | not measured now |$' "$tmp/papers/warppool.md"
expect "the count" grep -q '^"Now" is by the model `0123456789abcdef`: 2 of 9 claims measured, 1 within their range\.' "$tmp/papers/warppool.md"
expect "other papers" grep -q '0 of 16 claims measured, 0 within' "$tmp/papers/malekeh.md"
cp -r "$tmp/papers" "$tmp/once"
expect "again" "$tool" "$tmp/claims.csv" "$tmp/page.md" "$tmp/papers"
expect "nothing changes" diff -r "$tmp/once" "$tmp/papers"
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
