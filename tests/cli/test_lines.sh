#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Lines of CUDA source in messages and profiles, and traces that do not tell where a program was compiled.
# Usage: test_lines.sh BANKSHOT
# shellcheck disable=SC2086 # lists of words
set -u
. "$(dirname "$0")/frame.sh"
home=$(cd "$(dirname "$bankshot")/lib/bankshot" && pwd -P)
[ -f "$home/device.bc" ] || {
    echo "no device functions: clang-19 is missing"
    exit 0
}

# line PATTERN: its number in walk.cu
line() { grep -n -- "$1" "$here/lines/walk.cu" | head -n 1 | cut -d: -f 1; }
load=$(line 'scaled(in')
divide=$(line 'x / 7')
store=$(line 'out\[i\] =')
spin=$(line 'while (atomicAdd')
barrier=$(grep -n '__syncthreads' "$here/lines/walk.cu" | tail -n 1 | cut -d: -f 1)

# Two places, the same words.
for place in "$tmp/one" "$tmp/a/longer/way"; do
    mkdir -p "$place/src"
    cp "$here"/lines/* "$place/src"
    (cd "$place" && "$bankshot" cc src/walk.cu -o walk && "$bankshot" record --quiet -o walk.bst -- ./walk) >"$tmp/out" 2>&1
    verdict "compiled and recorded" "$([ -f "$place/walk.bst" ] && echo 1)"
done
cd "$tmp/one" || exit 1
verdict "the same trace" "$(truth cmp walk.bst "$tmp/a/longer/way/walk.bst")"

"$bankshot" cc -ptx src/walk.cu -o walk.ptx
grep '\.file\|\.loc' walk.ptx >"$tmp/out"
! grep -q "//\|$tmp\|$home" "$tmp/out" && grep -q '\.file.1 "./src/walk.cu"' "$tmp/out" && ok=1 || ok=0
verdict "no folders and no comments in the PTX" "$ok"

# ---- messages ----
timeout 600 ./walk 5000 >"$tmp/out" 2>&1
grep -q "kernel 'walk', CTA (64,0,0), warp 0, lane 0, src/walk.cu:$load: global load of 4 bytes" "$tmp/out" && ok=1 || ok=0
verdict "an illegal address in a function of a header: the line that calls it" "$ok"
timeout 600 ./walk 0 >"$tmp/out" 2>&1
grep -q "CTA (0,0,0), src/walk.cu: deadlock: " "$tmp/out" && grep -q "warp 0 lanes ffffffff line $barrier: barrier 0" "$tmp/out" &&
    grep -q "warp 1 lanes ffffffff line $spin: spins" "$tmp/out" && ok=1 || ok=0
verdict "deadlock" "$ok"

# ---- profiles ----
run="run walk.bst --set gpu.sms=2"
check "hottest lines" 0 '^hottest lines of src/walk.cu$' $run --profile
"$bankshot" $run --profile >profile.txt 2>&1
for row in "$load  tile\[threadIdx.x\] = scaled(in, i);" "$divide  return x / 7.0f + __shfl_xor_sync" "$store  out\[i\] = weight"; do
    cp profile.txt "$tmp/out"
    sed -n '/^hottest lines/,/^hottest instr/p' profile.txt | grep -q "^ *[0-9.]*% .*  $row" && ok=1 || ok=0
    verdict "a row: $row" "$ok"
done
cp profile.txt "$tmp/out"
sed -n '/^hottest lines/,/^$/p' profile.txt | awk '/%/ { sum += $1 } END { exit sum < 99.5 || sum > 100.5 }' && ok=1 || ok=0
verdict "lines add up" "$ok"
sed -n '/^kernel walk/,$p' profile.txt |
    awk -v want="; $store: out" 'index($0, want) { seen = 1 } seen && / STG/ { found = 1 } END { exit !found }' && ok=1 || ok=0
verdict "the listing" "$ok"
check "csv" 0 "^walk,.*,$store,.*STG.*,out\[i\] = weight" $run --profile-csv -
check "json" 0 '"file": "src/walk.cu"' $run --profile --json -
# From elsewhere the text is not found; the numbers are.
cd "$tmp" || exit 1
check "without the source" 0 "^ *[0-9.]+% .*  $store   " run one/walk.bst --set gpu.sms=2 --profile

# ---- a bundled program, in two installations ----
cp -rL "$home" "$tmp/home"
export BANKSHOT_CACHE="$tmp/cache"
BANKSHOT_HOME=$home timeout 1000 "$bankshot" run vectoradd:small --profile --json 1.json >1.txt 2>"$tmp/out"
export BANKSHOT_CACHE="$tmp/other" # nor does it matter where it was recorded
BANKSHOT_HOME=$tmp/home timeout 1000 "$bankshot" run vectoradd:small --json 2.json >2.txt 2>"$tmp/out"
[ "$(grep '"trace"' 1.json)" = "$(grep '"trace"' 2.json)" ] && grep -q '"trace": "[0-9a-f]' 1.json && ok=1 || ok=0
verdict "its trace is the same" "$ok"
grep -q '^hottest lines of workloads/vectoradd/vectoradd.cu' 1.txt && grep -q '^ .* [0-9]*  .*c\[i\] = ' 1.txt && ok=1 || ok=0
cp 1.txt "$tmp/out"
verdict "its source is found" "$ok"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
