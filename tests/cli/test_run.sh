#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bankshot run: results, what is refused and why, exit statuses. Usage: test_run.sh BANKSHOT
# shellcheck disable=SC2086 # lists of words
set -u
. "$(dirname "$0")/frame.sh"

t=$tmp/s.bst
record_saxpy "$t"
run="run $t"

# ---- the summary ----
check "header" 0 's\.bst on volta$' $run
check "cycles" 0 '^[0-9]+ kernel cycles, 1216 warp instructions, IPC [0-9.]+' $run
check "cycles of the program" 0 '^[0-9]+ cycles with the 4[0-9]{3} in which no kernel runs \(launch latency\)$' $run
check "kernel row" 0 '^ +0  saxpy +4[0-9]{3} +[0-9]+ +1216 +[0-9.]+$' $run
check "causes" 0 'stall_memory +[0-9.]+%' $run
verdict "no launch among the causes" "$([ "$(grep -c stall_launch "$tmp/out")" = 0 ] && echo 1)"
check "memory" 0 'DRAM +[0-9]+ sectors, [0-9.]+% of accesses to an open row' $run
check "speed" 0 'simulated in [0-9.]+ s: .* [0-9]+ threads?, [0-9]+ MiB' $run
check "checked" 0 '^check +every operand was .*: [1-9][0-9]* comparisons, [1-9][0-9]* lines of memory in order$' $run --check --threads 3
"$bankshot" $run >"$tmp/out" 2>&1
verdict "not checked, not said" "$(grep -q '^check' "$tmp/out" || echo 1)"
check "energy in units" 0 '^energy +[0-9.]+ [um]J, [0-9.]+ [mk]?W on average$' $run
export BANKSHOT_HOME="$tmp/nowhere"
check "a machine that is not there" 2 'BANKSHOT_HOME=.*nowhere: no such folder' $run
unset BANKSHOT_HOME
check "one is singular" 0 '^every 1 cycle: ' $run --interval 1 --interval-csv "$tmp/one.csv" --set gpu.sms=1
for gpu in ada ampere fermi fermi-gpgpusim3 fermi-warppool hopper maxwell throughput turing volta-fc volta volta-accelsim; do
    check "on $gpu" 0 "on $gpu" $run --gpu $gpu --check
done
# 8 CTAs of 8 warps, of which 4 fit an SM; what they do not need of the pool is cache.
check "division of a pool" 0 '^division +[0-9.]+ KB of registers, 0\.0 of shared memory, [0-9.]+ of L1; up to 1000 threads$' $run --gpu throughput --mech unified --check
check "pool elsewhere" 2 'sm.onchip = unified: one pool has 32 banks in one partition' $run --gpu volta --mech unified
check "pool too small" 2 'a CTA needs [0-9]+ bytes of registers and 0 of shared memory, the pool has 32768' $run --gpu throughput --mech unified --set sm.onchip_kb=32 --set sm.reg_unit=2048
check "option" 0 'cycles' $run --set sm.wsched=two-level --set active.warps=1
check "last word counts" 0 'cycles' $run --set gpu.sms=1 --set gpu.sms=2
check "preset by path" 0 'cycles' $run --gpu "$here/../../conf/gpus/fermi.ini"

# ---- JSON ----
"$bankshot" $run --json "$tmp/j.json" --set gpu.sms=2 --set sm.wsched=lrr >"$tmp/out" 2>&1
verdict "json and summary" "$([ -s "$tmp/j.json" ] && grep -q 'cycles, 1216' "$tmp/out" && echo 1)"
"$bankshot" $run --json - --set gpu.sms=2 --set sm.wsched=lrr >"$tmp/j2.json" 2>"$tmp/out"
verdict "json only" "$(head -c 1 "$tmp/j2.json" | grep -q '{' && ! grep -q 'cycles, 1216' "$tmp/j2.json" && echo 1)"
# All but the time it took is the same every time.
drop='"seconds"|"kwips"|"peak_rss_mb"|"threads"'
grep -Ev "$drop" "$tmp/j.json" >"$tmp/a"
grep -Ev "$drop" "$tmp/j2.json" >"$tmp/b"
verdict "same result twice" "$(truth cmp "$tmp/a" "$tmp/b")"
"$bankshot" $run --json - --set gpu.sms=2 --set sm.wsched=lrr --threads 4 2>&1 | grep -Ev "$drop" >"$tmp/b"
verdict "as many threads as processors" "$(taskset -c 0 "$bankshot" $run 2>&1 | grep -q ' 1 thread, ' && echo 1)"
verdict "same result on four threads" "$(truth cmp "$tmp/a" "$tmp/b")"
for key in schema command workload gpu mechs set key status check version trace partial cycles kernel_cycles warp_insts thread_insts ipc kernels stats sim seconds kwips \
    threads peak_rss_mb options launch kernel start; do
    verdict "json has $key" "$(truth grep -q "\"$key\":" "$tmp/j.json")"
done
# Every counter and every option that list knows is there.
{
    "$bankshot" list stats | awk '$1 ~ /^(sm|mem)\.[a-z0-9_]+$/ {print $1}'
    "$bankshot" list options | awk '$1 ~ /^[a-z]+\.[A-Za-z0-9_]+$/ {print $1}'
} >"$tmp/names"
missing=0
: >"$tmp/out"
while read -r name; do
    grep -Fq "\"$name\"" "$tmp/j.json" || {
        missing=$((missing + 1))
        echo "$name is missing" >>"$tmp/out"
    }
done <"$tmp/names"
verdict "json is complete ($(wc -l <"$tmp/names") names)" "$([ $missing = 0 ] && [ "$(wc -l <"$tmp/names")" -gt 150 ] && echo 1)"
verdict "json has the scheduler in effect" "$(truth grep -q '"sm.wsched": "lrr"' "$tmp/j.json")"
verdict "json has the SMs in effect" "$(truth grep -q '"gpu.sms": 2,' "$tmp/j.json")"
if command -v python3 >/dev/null 2>&1; then
    sums='import json,sys; r=json.load(open(sys.argv[1])); s=r["stats"]
assert s["sm.cycles"] == r["cycles"] * 2 * r["options"]["sm.partitions"] * r["options"]["sm.schedulers"]
assert s["sm.stall_launch"] * r["cycles"] == s["sm.cycles"] * (r["cycles"] - r["kernel_cycles"])
assert r["kernel_cycles"] == sum(k["kernel_cycles"] for k in r["kernels"]) < r["cycles"]
assert abs(r["ipc"] * r["kernel_cycles"] - r["warp_insts"]) < 1e-6
assert s["sm.cycles"] == s["sm.issued"] + sum(v for k, v in s.items() if k.startswith("sm.stall_"))'
    verdict "json is JSON, and adds up" "$(truth python3 -c "$sums" "$tmp/j.json")"
fi
check "json nowhere" 2 'cannot write /nowhere/x.json' $run --json /nowhere/x.json

# ---- names ----
check "unknown option" 2 "unknown option --jsn; did you mean --json\?" $run --jsn x
check "unknown setting" 2 "unknown option 'sm.bank'; did you mean 'sm.banks'\?" $run --set sm.bank=2
check "unknown section" 2 "unknown option 'zz.banks'" $run --set zz.banks=2
check "no setting" 2 "section.option=value is expected" $run --set banks
check "unknown policy" 2 "sm.wsched: unknown 'gtoo'; did you mean 'gto'\?" $run --set sm.wsched=gtoo
check "far policy" 2 "unknown 'clairvoyant'; there are gto, lrr, two-level" $run --set sm.wsched=clairvoyant
check "unknown GPU" 2 "unknown GPU 'volt'; did you mean 'volta'\?" $run --gpu volt
check "far GPU" 2 "unknown GPU 'abacus'; there are .*fermi, hopper" $run --gpu abacus
check "unknown mechanism" 2 "unknown mechanism 'nonesuch'" $run --mech nonesuch
mkdir "$tmp/gpus" && printf '[gpu]\nsms = 3\n' >"$tmp/gpus/bare.ini" &&
    printf '[preset]\nbase = turing\n[gpu]\nsms = 3\n' >"$tmp/gpus/based.ini"
check "a GPU without a base" 2 'bare.ini:1: error: it has no base, and [0-9]+ options' $run --gpu "$tmp/gpus/bare.ini"
check "a GPU with a base" 0 'cycles' $run --gpu "$tmp/gpus/based.ini"

# What has no effect is said, and nothing else.
warns() { # NAME PATTERN ARGS...: one warning, or none where the pattern is empty
    name=$1 pattern=$2
    shift 2
    "$bankshot" $run "$@" 2>&1 >/dev/null | grep warning >"$tmp/out"
    if [ -z "$pattern" ]; then
        [ ! -s "$tmp/out" ] && ok=1 || ok=0
    else
        [ "$(wc -l <"$tmp/out")" = 1 ] && grep -Eq -- "$pattern" "$tmp/out" && ok=1 || ok=0
    fi
    verdict "warning: $name" "$ok"
}
warns "collectors that a mechanism does not have" \
    'mechanism cu16 has no effect: sm.collectors is not read where sm.operands is bow' --mech bow,cu16
warns "warps of an SM that is not divided" 'mechanism srr has no effect: sm.assign .* sm.partitions is 1' --mech fullyconnected,srr
warns "an option of another scheduler" 'active.warps has no effect: .* here sm.wsched is gto' --set active.warps=4
warns "an overlay that --set overrules" 'mechanism cu16 has no effect: --set overrules sm.collectors' --mech cu16 --set sm.collectors=2
warns "an overlay on another machine" 'fullyconnected is made for a GPU with sm.warps = 16, .*; here: 8' --gpu turing --mech fullyconnected
warns "an option that is read" '' --mech rfc --set active.warps=4
for mech in $(cd "$here/../../conf/mechs" && ls | sed 's/\.ini$//'); do
    case $mech in subcore-*) gpu=volta-accelsim ;; *) gpu=volta ;; esac
    warns "$mech by itself" '' --gpu $gpu --mech "$mech"
done
check "overlays that differ, by their names" 2 '^ltrf.ini:[0-9]+: error: sm.operands is rfc in rfc.ini and ltrf in ltrf.ini: ' \
    $run --mech rfc,ltrf
printf '[preset]\nbase = volta\n[sm]\nbanks = many\n' >"$tmp/mine.ini"
check "a user's file, as given" 2 "^$tmp/mine.ini:4: error: sm.banks: 'many' is no number" $run --gpu "$tmp/mine.ini"
printf '[preset]\nbase = hopper\n\n[mem]\nl2_fetch_b = 108\n' >"$tmp/blocks.ini"
check "blocks that lines are not made of" 2 "^$tmp/blocks.ini:5: error: mem.l2_fetch_b: 108 is no power of two" $run --gpu "$tmp/blocks.ini"
check "no preset" 2 'cannot read /nowhere/x.ini' $run --gpu /nowhere/x.ini
check "threads" 2 'expected a number from 1 to 256' $run --threads 0
check "no trace named" 2 'TRACE or WORKLOAD is missing' run

# ---- machines that cannot be ----
check "zero banks" 2 'sm.banks: 0 is outside 1 to 64' $run --set sm.banks=0
check "65 warps" 2 'sm.warps: 65 is outside 1 to 64' $run --set sm.warps=65
check "half a collector" 2 'sm.collectors: 0.5 is no whole number' $run --set sm.collectors=0.5
check "slices" 2 'mem.slices = 63 is no multiple of mem.channels = 32' $run --set mem.slices=63
check "idle schedulers" 2 'sm.schedulers = 8 have only sm.warps = 4 slots' $run --set sm.schedulers=8 --set sm.warps=4
check "carved array" 2 'sm.onchip = carved: sm.shared_kb = 256 does not fit into the array of sm.l1_kb = 128' $run --set sm.shared_kb=256
check "registers divide" 2 'sm.registers = 65536 cannot be divided among sm.partitions = 3' $run --set sm.partitions=3
check "CTA too wide" 2 'fits no SM: a CTA has 250 threads, an SM holds 32' $run --set sm.threads=32
check "too few slots" 2 'a CTA has 8 warps, an SM 4 partitions x 1 slots = 4' $run --set sm.warps=1
check "too few registers" 2 'needs 2 warps x [0-9]+ = [0-9]+ registers in one partition, which has 1024 / 4 = 256' \
    $run --set sm.registers=1024
"$bankshot" exec "$kernels/saxpy.ptx" --kernel saxpy --grid 2 --block 64 --shared 20000 --arg f32:2 \
    --arg buf:f32:128=iota --arg out:f32:128=const:1 --arg s32:128 --record "$tmp/shared.bst" >"$tmp/out" 2>&1
if [ -s "$tmp/shared.bst" ]; then
    check "too much shared memory" 2 'a CTA needs 20000 bytes of shared memory, of which there are 16384' \
        run "$tmp/shared.bst" --set sm.shared_cta_kb=16
else
    verdict "a trace with shared memory" 0
fi

# ---- traces that are not whole ----
check "no such trace" 2 'nowhere.bst' run "$tmp/nowhere.bst"
check "not a trace" 2 'saxpy.ptx' run "$kernels/saxpy.ptx"
size=$(wc -c <"$t")
head -c $((size - 100)) "$t" >"$tmp/cut.bst"
check "partial" 2 'cut.bst is partial' run "$tmp/cut.bst"
check "partial in JSON" 0 '"partial": true' run "$tmp/cut.bst" --json - --allow-partial
head -c 20 "$t" >"$tmp/stub.bst"
check "hardly begun" 2 'stub.bst' run "$tmp/stub.bst"
# One byte of a chunk, wherever it is: never a result, never a crash.
at=60
while [ $at -lt "$size" ]; do
    cp "$t" "$tmp/bad.bst"
    printf '\252' | dd of="$tmp/bad.bst" bs=1 seek=$at conv=notrunc 2>/dev/null
    if ! cmp -s "$t" "$tmp/bad.bst"; then
        timeout 600 "$bankshot" run "$tmp/bad.bst" --set gpu.sms=2 >"$tmp/out" 2>&1
        got=$?
        ok=0
        [ $got = 2 ] && grep -q 'bad\.bst' "$tmp/out" && ok=1
        verdict "damaged at byte $at: status $got, and the file's name" $ok
    fi
    at=$((at + size / 12))
done

# ---- nothing moves ----
stuck="--gpu throughput --set mem.simple_cyc=100000 --set gpu.stuck_cyc=2000"
check "deadlock" 3 'deadlock at cycle [0-9]+: nothing was issued for gpu.stuck_cyc cycles' $run $stuck
check "deadlock table" 3 'SM 0 partition 0 slot 1  launch 0 CTA 0 warp 1  pc 0x[0-9a-f]+ [A-Z0-9.]+  waits for memory' \
    $run $stuck

echo "$passed passed, $failed failed"
[ $failed = 0 ]
