#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The map of files in docs/timing.md is true: what it names exists, and every .c file of src/gpu, src/sm and src/mem is in it.
# Usage: test_maps.sh BANKSHOT
set -u
. "$(dirname "$0")/../cli/frame.sh"
root=$(cd "$here/../.." && pwd)
cd "$root" || exit 1
# MODULE FILE, a line for each: a module's name begins its first line.
awk '/^```/ { inside = !inside; next }
    !inside { next }
    /^src\// { module = $1 }
    module == "src/gpu" || module == "src/sm" || module == "src/mem" {
        line = $0
        while (match(line, /[a-z0-9_\/]+\.[ch]/)) {
            print module "/" substr(line, RSTART, RLENGTH)
            line = substr(line, RSTART + RLENGTH)
        }
    }' docs/timing.md | sort -u >"$tmp/told"
verdict "the map names files" "$([ "$(wc -l <"$tmp/told")" -gt 60 ] && echo 1)"
while read -r f; do
    d=${f%/*} b=${f##*/}
    [ -f "$f" ] || ls "$d"/*/"$b" >"$tmp/rooms" 2>&1 || echo "$f is in the map of docs/timing.md and does not exist"
done <"$tmp/told" >"$tmp/gone"
for f in src/gpu/*.c src/sm/*.c src/mem/*.c src/sm/registers/*.c src/sm/l1/*.c src/sm/warps/*.c src/sm/code/*.c src/sm/cluster/*.c src/sm/watch/*.c; do
    echo "$(echo "$f" | cut -d/ -f1,2)/${f##*/}"
done | sort | comm -23 - "$tmp/told" | sed 's/$/ is not in the map of docs\/timing.md/' >"$tmp/missing"
cat "$tmp/gone" "$tmp/missing"
verdict "what the map names exists" "$([ -s "$tmp/gone" ] || echo 1)"
verdict "every file of the model is in the map" "$([ -s "$tmp/missing" ] || echo 1)"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
