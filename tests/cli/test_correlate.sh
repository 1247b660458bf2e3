#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/correlate: a profiler's table beside the simulator's. Usage: test_correlate.sh BANKSHOT
bankshot=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)
tool=$here/../../tools/correlate
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0
check() {
    if [ "$2" != "$3" ] || ! grep -q -- "$4" "$tmp/out"; then
        failed=1
        echo "FAIL $1: status $2 (want $3), output lacks: $4"
        sed 's/^/    /' "$tmp/out" | head -n 10
    fi
}
cat >"$tmp/a.cu" <<'END'
__global__ void add(const float *a, float *b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) b[i] = a[i] + 1; }
int main() { float *a, *b; cudaMalloc(&a, 1 << 16); cudaMalloc(&b, 1 << 16); add<<<64, 256>>>(a, b, 1 << 14); return cudaDeviceSynchronize(); }
END
cat >"$tmp/wide.csv" <<'END'
==PROF== Connected to process 1
"ID","Kernel Name","Block Size","Grid Size","sm__cycles_elapsed.max","smsp__inst_executed.sum","dram__bytes_read.sum","dram__bytes_write.sum","l1tex__t_sector_hit_rate.pct","lts__t_sector_hit_rate.pct","smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio","smsp__average_warps_issue_stalled_wait_per_issue_active.ratio"
"","","","","cycle","inst","byte","byte","%","%","",""
"0","add(const float *, float *, int)","(256, 1, 1)","(64, 1, 1)","5,000","8,192","65,536","0","0","50","15","5"
"1","other(int)","(256, 1, 1)","(64, 1, 1)","4,000","77,824","524,288","0","0","50","12.5","2.5"
END
cat >"$tmp/long.csv" <<'END'
"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"
"0","add(const float *, float *, int)","sm__cycles_elapsed.max","cycle","5,000"
"0","add(const float *, float *, int)","smsp__inst_executed.sum","inst","8,192"
END
"$bankshot" cc -arch=sm_90 "$tmp/a.cu" -o "$tmp/a" && "$bankshot" record --quiet -o "$tmp/a.bst" -- "$tmp/a" >"$tmp/out" 2>&1
python3 "$tool" "$bankshot" --csv "$tmp/wide.csv" --html "$tmp/a.html" --out "$tmp/a.csv" "$tmp/a.bst" >"$tmp/out" 2>&1
check "a table of launches" $? 0 'add .*5000 .*long_scoreboard 75%, wait 25%'
check "launches on one side" 0 0 '1 launches on both sides, 1 on the GPU alone'
grep -q '<td>add</td>' "$tmp/a.html" && grep -q '^0,add,5000,' "$tmp/a.csv" || { failed=1; echo "FAIL page and CSV"; }
python3 "$tool" "$bankshot" --csv "$tmp/long.csv" "$tmp/a.bst" >"$tmp/out" 2>&1
check "a table of metrics" $? 0 '1 launches on both sides, 0 on the GPU alone'
python3 "$tool" "$bankshot" --csv "$tmp/a.cu" "$tmp/a.bst" >"$tmp/out" 2>&1
check "no profiler's table" $? 2 'no table of ncu --csv'
python3 "$tool" "$bankshot" --csv "$tmp/none" "$tmp/a.bst" >"$tmp/out" 2>&1
check "no such table" $? 2 'No such file'
python3 "$tool" "$bankshot" --cvs x "$tmp/a.bst" >"$tmp/out" 2>&1
check "unknown option" $? 2 'unknown option --cvs'
python3 "$tool" "$bankshot" --csv "$tmp/wide.csv" "$tmp/none.bst" >"$tmp/out" 2>&1
check "no such program" $? 2 'no such file'
PATH=/usr/bin:/bin python3 "$tool" "$bankshot" "$tmp/a.bst" >"$tmp/out" 2>&1
check "a trace without a table" $? 2 'correlate: '
# The command: the same script, behind options and files that are looked at first.
"$bankshot" correlate --csv "$tmp/wide.csv" --html "$tmp/b.html" --out "$tmp/b.csv" "$tmp/a.bst" >"$tmp/out" 2>&1
check "the command" $? 0 '1 launches on both sides, 1 on the GPU alone'
cmp -s "$tmp/a.csv" "$tmp/b.csv" && cmp -s "$tmp/a.html" "$tmp/b.html" || { failed=1; echo "FAIL the command writes the same files"; }
"$bankshot" correlate --csv "$tmp/wide.csv" --gpu hopper --set gpu.core_mhz=1980 --html "$tmp/b.html" "$tmp/a.cu" >"$tmp/out" 2>&1
check "a source, other clocks, a page again" $? 0 'add .*5000 '
"$bankshot" correlate --csv "$tmp/wide.csv" --out "$tmp/a.cu" "$tmp/a.bst" >"$tmp/out" 2>&1
check "over a source" $? 2 'is not a table of bankshot correlate in CSV'
"$bankshot" correlate >"$tmp/out" 2>&1
check "no program" $? 2 'PROGRAM is missing'
[ $failed = 0 ] && echo "test_correlate: passed"
exit $failed
