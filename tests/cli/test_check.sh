#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bankshot check: a mistake of each kind is found with its line, and correct programs are left alone. Usage: test_check.sh BANKSHOT
set -u
. "$(dirname "$0")/frame.sh"

cp "$here"/check/*.cu "$tmp" && cd "$tmp" || exit 1
for f in *.cu; do
    "$bankshot" cc "$f" -o "${f%.cu}" >out 2>&1 || verdict "$f compiles" 0
done

# The line with that word in a comment.
line() { grep -n "// $2\$" "$1.cu" | cut -d: -f1; }
# found NAME PATTERN PROGRAM...: it is told, and the status says so.
found() {
    name=$1 pattern=$2
    shift 2
    check "$name" 1 "$pattern" check -- "$@"
}

w=$(line missing_sync WRITE) r=$(line missing_sync READ)
found "a missing __syncthreads" "^bankshot: race: missing_sync\.cu:$w, kernel 'reverse', CTA \(0,0,0\), warp 2, lanes ffffffff: thread \(64,0,0\) writes shared memory at 0x[0-9a-f]+ that warp 1, lane 31 has read at missing_sync\.cu:$r; no barrier" ./missing_sync
verdict "told once, with how often" "$([ "$(grep -c '^bankshot: race' out)" = 1 ] && grep -q '(512 times)' out && echo 1)"
c=$(line counter COUNT)
found "a counter without an atomic" "race: counter\.cu:$c, kernel 'count', .* writes global memory .* at counter\.cu:$c;" ./counter
g=$(line unwritten GLOBAL) s=$(line unwritten SHARED) l=$(line unwritten LOCAL)
found "global memory that nothing has written" "uninitialised: unwritten\.cu:$g, kernel 'sum', .* byte 3[0-9]+ of an allocation of 4000, which nothing has written \(100 times\)" ./unwritten
verdict "shared memory" "$(grep -q "uninitialised: unwritten.cu:$s, .* of shared memory" out && echo 1)"
verdict "local memory" "$(grep -q "uninitialised: unwritten.cu:$l, .* of local memory .*(32 times)" out && echo 1)"
b=$(line off_by_one BEYOND)
found "an element too many" "kernel 'differences', CTA \(1,0,0\), warp 3, lane 31, off_by_one\.cu:$b: global load of 4 bytes .* 0 bytes past the end" ./off_by_one
i=$(line divergent INNER) o=$(line divergent OUTER)
found "a barrier for half a warp" "barrier: divergent\.cu:$i, kernel 'halves', .* lanes 0000ffff: these threads wait at barrier 0, and lanes ffff0000 of warp 0 wait for them at another place, divergent\.cu:$o" ./divergent
f1=$(line warp_synchronous FIRST) f2=$(line warp_synchronous SECOND)
found "a warp that relies on being together" "race: warp_synchronous\.cu:$f1, .* that lane 0 of the same warp has read at warp_synchronous\.cu:$f2; no __syncwarp" ./warp_synchronous
t=$(line streams TWICE) fill=$(line streams FILL)
found "two streams" "race: streams\.cu:$t, kernel 'twice', .* of kernel fill has written at streams\.cu:$fill; no stream or event" ./streams
check "two streams and an event" 0 'nothing was found' check -- ./streams ordered
sum=$(line last_block SUM) part=$(line last_block PART)
found "a missing fence between CTAs" "race: last_block\.cu:$sum, kernel 'add<false>', CTA \(7,0,0\), .* that CTA 0, warp 0, lane 0 has written at last_block\.cu:$part; nothing orders the two CTAs" ./last_block without
check "with it" 0 'nothing was found' check -- ./last_block
check "orders that are fine" 0 'nothing was found' check -- ./fine

check "one check alone" 0 'nothing was found' check --only sync,memory -- ./counter
check "a check that is not there" 2 "there is no check 'rase'" check --only rase -- ./counter
check "a source" 2 'compile it first' check counter.cu
check "a program that is not there" 2 'nowhere' check -- ./nowhere
"$bankshot" record -o c.bst -- ./counter >out 2>&1
check "a trace" 2 'is a trace' check c.bst
check "a program without kernels" 2 'nothing was checked' check -- true
BANKSHOT_CHECK='' ./counter >out 2>&1
verdict "off: nothing is told" "$([ ! -s out ] && echo 1)"

# Bundled programs that synchronise in several ways have nothing to find.
for p in pathfinder histo scalarprod; do
    "$bankshot" cc "$here/../../workloads/$p/$p.cu" -o "$p" >out 2>&1
    check "$p is clean" 0 'nothing was found' check -- "./$p" --size small
done

echo "$passed passed, $failed failed"
[ $failed = 0 ]
