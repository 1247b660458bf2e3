#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bankshot run --profile and --interval: both add up to the run's counters, do not change it, and do not depend on threads.
# Usage: test_profile.sh BANKSHOT
# shellcheck disable=SC2086 # lists of words
set -u
. "$(dirname "$0")/frame.sh"

cd "$tmp" || exit 1
cp "$kernels/reduce.ptx" "$kernels/sgemm_tiled.ptx" .
"$bankshot" exec reduce.ptx --kernel reduce_sum --grid 24 --block 256 --arg buf:s32:16384=iota --arg out:s32:1 \
    --arg s32:16384 --record r.bst >/dev/null 2>&1 || echo "no trace"
run="run r.bst --set gpu.sms=4"

# counters JSON: the run's counters as "name value", as the columns of the CSV files name them
counters() { sed -n '/^ "stats": {/,/^ }/s/^  "\([a-z0-9_.]*\)": \([0-9]*\),*$/\1 \2/p' "$1"; }
# sums FILE: "column sum" of every column of a CSV without quotes but in the columns before FROM
sums() {
    awk -F, -v from="$2" 'NR == 1 { for (i = from; i <= NF; i++) name[i] = $i; n = NF; next }
        { for (i = from; i <= n; i++) sum[i] += $i } END { for (i = from; i <= n; i++) printf "%s %d\n", name[i], sum[i] }' "$1"
}

for config in "" "--gpu fermi" "--mech rba" "--set sm.operands=stealing" "--set sm.sleep=false" "--gpu volta-fc"; do
    "$bankshot" $run $config --json plain.json >/dev/null 2>&1
    "$bankshot" $run $config --json j.json --profile-csv p.csv --interval 300 --interval-csv i.csv --timeline t.json >/dev/null 2>out
    counters plain.json >plain.txt
    counters j.json >seen.txt
    verdict "watching changes nothing ($config)" "$(truth cmp plain.txt seen.txt)"
    # Quotes hold operands with commas: they go.
    sed 's/"[^"]*"/x/g' p.csv >bare.csv
    sums bare.csv 7 | sed 's/^/sm./' >sums.txt
    {
        grep -E '^sm\.(issued|stall_[a-z0-9_]*) ' plain.txt
        sed -n 's/^sm.bank_conflict /sm.bank_conflicts /p; s/^sm.reg_read_wait /sm.read_wait /p; s/^sm.shared_conflicts /&/p
            s/^sm.thread_insts /sm.lanes /p; s/^sm.cycles /&/p' plain.txt
    } | sort >want.txt
    sort sums.txt >got.txt
    verdict "the profile adds up ($config)" "$(truth diff want.txt got.txt)"
    sums i.csv 4 | grep -v "^watts" | sort >got.txt # watts are no counters
    grep -Ev '^(sm.cycles|sample\.[a-z_]*) ' plain.txt | sort >want.txt # estimates have no intervals
    verdict "intervals add up ($config)" "$(truth diff want.txt got.txt)"
    awk -F, 'NR > 1 { if ($1 != end || $2 <= $1) bad = 1; end = $2; n++ } END { exit bad || n < 3 }' i.csv && ok=1 || ok=0
    verdict "intervals follow each other ($config)" "$ok"
    "$bankshot" $run $config --threads 3 --profile-csv p2.csv --interval 300 --interval-csv i2.csv >/dev/null 2>out
    verdict "threads, profile ($config)" "$(truth cmp p.csv p2.csv)"
    verdict "threads, intervals ($config)" "$(truth cmp i.csv i2.csv)"
done
cycles=$(sed -n 's/^ "cycles": \([0-9]*\),/\1/p' plain.json)
[ "$(tail -n 1 i.csv | cut -d, -f 2)" = "$cycles" ] && ok=1 || ok=0
verdict "the last interval ends with the run" "$ok"

check "hottest" 0 '^hottest instructions' $run --profile
check "listing" 0 '^kernel reduce_sum\(int const\*, int\*, int\): [0-9.]+% of the cycles, lines of .*reduce.ptx|^kernel reduce_sum.*reduce.ptx' $run --profile
check "a row" 0 '^ *[0-9.]+% +[0-9]+ +[0-9.]+ +.* BAR\.SYNC .* barrier [0-9]+%' $run --profile
check "source lines" 0 '; [0-9]+: bar\.sync' $run --profile
check "json" 0 '"profile": \[' $run --profile --json -
check "csv on standard output" 0 '^kernel,insn,pc,line,instruction,source,cycles,' $run --profile-csv -
check "intervals on standard output" 0 '^from,to,ipc,sm\.issued,' $run --interval 500 --interval-csv -
check "intervals by default" 0 '^every 500 cycles: r.intervals.csv$' $run --interval 500
verdict "their name" "$(truth grep -q '^from,to,ipc' r.intervals.csv)"
check "interval file without interval" 2 'needs --interval' $run --interval-csv x.csv
check "interval 0" 2 'expected a number from 1' $run --interval 0
check "two samplings" 2 'must be the same' $run --interval 400 --timeline t.json --timeline-every 300
check "two outputs" 2 'only one of' $run --json - --profile-csv -
check "nowhere" 2 'cannot write no/x.csv' $run --profile-csv no/x.csv
check "nowhere either" 2 'cannot write no/x.csv' $run --interval 100 --interval-csv no/x.csv
check "full disk" 2 'cannot write /dev/full' $run --interval 10 --interval-csv /dev/full

# A trace may name any file: only source is shown.
cp reduce.ptx secret.txt
"$bankshot" exec secret.txt --kernel reduce_sum --grid 2 --block 256 --arg buf:s32:16384=iota --arg out:s32:1 \
    --arg s32:16384 --record s.bst >/dev/null 2>&1
"$bankshot" run s.bst --profile >out 2>&1
! grep -q 'bar\.sync' out && grep -q '^kernel reduce_sum' out && ok=1 || ok=0
verdict "other files stay closed" "$ok"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
