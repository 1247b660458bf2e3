#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A region of interest: what lies between cudaProfilerStart and cudaProfilerStop is all that is timed. Usage: test_region.sh BANKSHOT
set -u
. "$(dirname "$0")/frame.sh"

cp "$here/data/region.cu" "$tmp/region.cu"
cd "$tmp" || exit 1
"$bankshot" cc region.cu -o region >out 2>&1 && "$bankshot" record -o region.bst -- ./region >out 2>&1
verdict "a program with a region" "$([ -s region.bst ] && echo 1)"
"$bankshot" run region.bst --quiet --set gpu.region=true --json r.json >out 2>&1
verdict "its launches only" "$([ "$(grep -c '"launch":' r.json)" = 2 ] && ! grep -q '"kernel": ".*after' r.json && ! grep -q '"kernel": ".*before' r.json && echo 1)"
check "in the summary" 0 '^ +1  measured ' run region.bst --quiet --set gpu.region=true
check "and the next" 0 '^ +2  measured ' run region.bst --quiet --set gpu.region=true --check --threads 2
verdict "names as people write them" "$(grep -q '"kernel": "_Z8measuredPf"' r.json && grep -q '"name": "measured"' r.json && echo 1)"
check "all of it without" 0 '^ +3  after ' run region.bst --quiet
insts() { sed -n 's/^ "warp_insts": \([0-9]*\),/\1/p' "$1"; }
"$bankshot" run region.bst --quiet --json all.json >out 2>&1
verdict "counters are of the region" "$([ "$(insts r.json)" -lt "$(insts all.json)" ] && echo 1)"
check "two programs" 0 'region' corun region.bst region.bst --set gpu.region=true --set gpu.sms=2 --quiet
check "an estimate is of all" 2 'gpu\.region: an estimate' run region.bst --quiet --set gpu.region=true --sample
# NVTX ranges: by name, nested, of domains, started in one place and ended in another.
cp "$here/data/ranges.cu" . && "$bankshot" cc ranges.cu -o ranges >out 2>&1
verdict "a program with ranges compiles" "$([ -x ranges ] && echo 1)"
kernels_of() { # NAME: the kernels of its region, in order
    "$bankshot" record --quiet --nvtx "$1" -o n.bst -- ./ranges >out 2>&1
    "$bankshot" run n.bst --quiet --set gpu.region=true 2>out | awk '/^launch/ { on = 1; next } !NF { on = 0 } on { printf "%s ", $2 }'
}
verdict "a range" "$([ "$(kernels_of solve)" = "solve inner " ] && echo 1)"
verdict "a nested one" "$([ "$(kernels_of inside)" = "inner " ] && echo 1)"
verdict "of a domain, registered" "$([ "$(kernels_of domain)" = "domain " ] && echo 1)"
verdict "started and ended" "$([ "$(kernels_of whole)" = "solve inner domain " ] && echo 1)"
verdict "any" "$([ "$(kernels_of '*')" = "solve inner domain " ] && echo 1)"
"$bankshot" record --quiet --nvtx nowhere -o n.bst -- ./ranges >out 2>&1
check "a range that is not there" 2 'nor in a range of record --nvtx' run n.bst --quiet --set gpu.region=true
# NVIDIA's header has pointers that are set by injection: the same, where the toolkit is.
nv=/usr/local/cuda
if [ -f $nv/include/nvtx3/nvToolsExt.h ] && [ -x $nv/bin/nvcc ] && $nv/bin/nvcc -arch=sm_90 -cudart shared ranges.cu -o ranges -ldl >out 2>&1; then
    verdict "by injection" "$([ "$(kernels_of solve)" = "solve inner " ] && echo 1)"
    verdict "by injection, of a domain" "$([ "$(kernels_of domain)" = "domain " ] && echo 1)"
fi
record_saxpy s.bst
check "a program without a region" 2 'gpu\.region: the program launched no kernel between cudaProfilerStart' run s.bst --quiet --set gpu.region=true

echo "$passed passed, $failed failed"
[ $failed = 0 ]
