#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/repro-pack: what it packs measures a paper's claim where there is no compiler and no cache, and its results answer it here.
# Usage: test_repro_pack.sh BANKSHOT
set -u
bankshot=$(realpath "$1")
tool=$(dirname "$0")/../../tools/repro-pack
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
fail() {
    echo "FAILED: $1"
    cat "$tmp/log" "$tmp/out/log" 2>/dev/null
    exit 1
}
real=$(command -v clang-19 || command -v clang) || exit 77
mkdir "$tmp/cc"
ln -s "$real" "$tmp/cc/clang"
BANKSHOT_CLANG=$tmp/cc/clang BANKSHOT_CACHE=$tmp/cache "$tool" "$bankshot" "$tmp/pack" warppool/fig3_2 >"$tmp/log" 2>&1 || fail "it does not pack"
[ "$(ls "$tmp"/cache/*.bst 2>/dev/null | wc -l)" = 0 ] || fail "it records"
rm "$tmp/cc/clang"
mkdir "$tmp/out"
env -i PATH=/usr/bin:/bin OUT="$tmp/out" LIMIT=600 sh "$tmp/pack/run.sh" >"$tmp/log" 2>&1 || fail "run.sh"
grep -q '^warppool.fig3_2.coalescer,40,[0-9.]*,40,100,yes$' "$tmp/out/claims.csv" || fail "no claim"
[ -x "$tmp/cc/clang" ] && [ "$("$tmp/cc/clang")" = "$("$real" -dumpversion)" ] || fail "nothing says which compiler it was"
xz -dc "$tmp/out/results.db.xz" >"$tmp/results.db"
"$bankshot" repro warppool/fig3_2 --stored --db "$tmp/results.db" --out "$tmp/page" >"$tmp/log" 2>&1 || fail "its results do not count here"
grep -q '^warppool.fig3_2.coalescer .* within' "$tmp/log" || fail "another answer here"
echo "tools/repro-pack: a claim measured without a compiler"
