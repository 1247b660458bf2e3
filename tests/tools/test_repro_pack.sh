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
# pack EXPERIMENT ROW [MORE...]: packs it and others, runs what was packed where nothing else is, and wants that row of claims.csv and an answer
# here.
pack() {
    rm -rf "$tmp/pack" "$tmp/cache" "$tmp/out" "$tmp/page"
    mkdir "$tmp/out"
    ln -sf "$real" "$tmp/cc/clang"
    experiment=$1 row=$2
    shift 2
    BANKSHOT_CLANG=$tmp/cc/clang BANKSHOT_CACHE=$tmp/cache "$tool" "$bankshot" "$tmp/pack" "$experiment" "$@" >"$tmp/log" 2>&1 || fail "it does not pack"
    [ "$(ls "$tmp"/cache/*.bst 2>/dev/null | wc -l)" = 0 ] || fail "it records"
    rm "$tmp/cc/clang"
    env -i PATH=/usr/bin:/bin OUT="$tmp/out" LIMIT=600 WORK="$tmp/kept" sh "$tmp/pack/run.sh" >"$tmp/log" 2>&1 || fail "run.sh"
    grep -q "$row" "$tmp/out/claims.csv" || fail "no claim"
    [ "$(ls "$tmp"/kept/repro/cache/*.bst 2>/dev/null | wc -l)" -gt 0 ] || fail "its traces are not where WORK says"
    [ -x "$tmp/cc/clang" ] && [ "$("$tmp/cc/clang")" = "$("$real" -dumpversion)" ] || fail "nothing says which compiler it was"
    xz -dc "$tmp/out/results.db.xz" >"$tmp/results.db"
    "$bankshot" repro "$experiment" --stored --db "$tmp/results.db" --out "$tmp/page" >"$tmp/log" 2>&1 || fail "its results do not count here"
    grep -q "^${row%%,*} .* within" "$tmp/log" || fail "another answer here"
}
# Code of bankshot cc; NVIDIA's machine code, which is packed with the programs.
pack warppool/fig3_2 'warppool.fig3_2.coalescer,40,[0-9.]*,40,100,yes$'
pack partition/fig3 'partition.fig3.monolithic,1.0,[0-9.]*,0.95,1.08,yes$' warppool/fig3_2
grep -q '^warppool.fig3_2.coalescer,40,[0-9.]*,40,100,yes$' "$tmp/out/claims.csv" || fail "the second of two"
echo "tools/repro-pack: claims measured without a compiler"
