#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/energy-fit: hopper's prices come of microbenchmarks alone, no program that the model is held against is among them, and the
# preset has what the fit says.
# Usage: test_energy_fit.sh BANKSHOT
set -u
. "$(dirname "$0")/../cli/frame.sh"
root=$(cd "$here/../.." && pwd)
python=/usr/bin/python3
# The fit wants Debian's python3-numpy and python3-scipy.
$python -c 'import numpy, scipy.optimize' 2>/dev/null || exit 77

# What is held against the H200: the suite's names and programs, kernels of several launches, AI kernels.
awk -F, 'FNR > 1 {print $1; if (FILENAME ~ /manifest/) print $3}' "$root/workloads/manifest.csv" "$root/silicon/energy-suite-h200.csv" >"$tmp/judges"
awk -F';' 'FNR > 1 {print $1}' "$root/silicon/tensors.csv" >>"$tmp/judges"
sort -u "$tmp/judges" -o "$tmp/judges"
awk -F, 'FNR > 1 {sub(/@.*/, "", $2); print $2}' "$root/silicon/energy-h200.csv" | sort -u >"$tmp/fitted"
awk -F, 'FNR > 1 {print $1}' "$root/silicon/energy-counters.csv" | sort -u >"$tmp/counted"
verdict "both halves are there" "$([ "$(wc -l <"$tmp/fitted")" -gt 100 ] && [ "$(wc -l <"$tmp/judges")" -gt 150 ] && echo 1)"
comm -12 "$tmp/fitted" "$tmp/judges" >"$tmp/out"
verdict "no program is in the fit" "$([ ! -s "$tmp/out" ] && echo 1)"
comm -12 "$tmp/counted" "$tmp/judges" >"$tmp/out"
verdict "no program has counters for the fit" "$([ ! -s "$tmp/out" ] && echo 1)"
comm -23 "$tmp/counted" "$tmp/fitted" >"$tmp/out"
verdict "what is counted was measured" "$([ ! -s "$tmp/out" ] && echo 1)"
# Every kernel of the fit is one of silicon/energy.cu.
grep -v '^idle$' "$tmp/fitted" | while read -r k; do
    grep -Eq "\"$k\"|[(, ]$k[,)(]" "$root/silicon/energy.cu" || echo "$k is not in energy.cu"
done >"$tmp/out"
verdict "the fit's kernels are energy.cu's" "$([ ! -s "$tmp/out" ] && echo 1)"

# Nothing else is there to be read, and the prices are the same.
mkdir -p "$tmp/alone/tools" "$tmp/alone/silicon"
cp "$root/tools/energy-fit" "$root/tools/energy-table" "$tmp/alone/tools/"
cp "$root/silicon/energy-h200.csv" "$root/silicon/energy-counters.csv" "$root/silicon/energy-values.csv" "$root/silicon/nodes-h200.csv" "$tmp/alone/silicon/"
"$python" "$root/tools/energy-fit" --ini >"$tmp/ini" 2>"$tmp/out"
"$python" "$tmp/alone/tools/energy-fit" --ini >"$tmp/alone.ini" 2>"$tmp/out"
verdict "prices" "$([ -s "$tmp/ini" ] && grep -q '^active_pj = ' "$tmp/ini" && echo 1)"
diff "$tmp/ini" "$tmp/alone.ini" >"$tmp/out"
verdict "prices come of the microbenchmarks' files alone" $((! $?))
# Another measurement of FFMA is another price of it: the files are what it is read from.
sed '/^1,ffma,random/s/,450.73,/,550.73,/' "$root/silicon/energy-h200.csv" >"$tmp/alone/silicon/energy-h200.csv"
"$python" "$tmp/alone/tools/energy-fit" --ini >"$tmp/other.ini" 2>"$tmp/out"
verdict "another measurement, another price" "$(! diff "$tmp/ini" "$tmp/other.ini" >"$tmp/out" && echo 1)"

# The preset has the fit's prices, to 2% or a twentieth of their deviation: so much a day of measurements more moved them.
record_saxpy "$tmp/s.bst"
"$bankshot" run "$tmp/s.bst" --gpu hopper --json "$tmp/s.json" --quiet >"$tmp/out" 2>&1
"$python" - "$tmp/ini" "$tmp/s.json" >"$tmp/out" 2>&1 <<'P'
import json, sys
has = json.load(open(sys.argv[2]))["options"]
number = wrong = 0
for line in open(sys.argv[1]):
    name, value = line.split(";")[0].split(" = ")
    name, value = "energy." + name.strip(), float(value)
    deviation = float(line.split("+-")[1]) if "+-" in line else 0
    number += 1
    if name not in has or abs(float(has[name]) - value) > max(0.02 * abs(value), deviation / 20):
        print(name, "is", has.get(name, "no option"), "and the fit says", value)
        wrong += 1
print(number, "prices")
sys.exit(wrong > 0 or number < 50)
P
verdict "hopper has the fit's prices" $((! $?))

# Watts of hopper that no event takes: the idle chip's, the mean of the days, and what a chip at work takes beyond it.
"$python" - "$root" "$tmp/s.json" >"$tmp/out" 2>&1 <<'P'
import csv, json, runpy, sys
run = json.load(open(sys.argv[2]))
still = sum(run["energy_parts_pj"][k] for k in ("idle", "leak_rf", "leak_sram", "leak_sm"))
watts = still * 1e-6 / (run["cycles"] / float(run["options"]["gpu.core_mhz"]))
days = [float(r["watts"]) for r in csv.DictReader(open(sys.argv[1] + "/silicon/energy-h200.csv")) if r["name"] == "idle"]
awake = runpy.run_path(sys.argv[1] + "/tools/energy-table")["awake"]()
print(watts, sum(days) / len(days), awake)
sys.exit(not (1.5 < awake < 3 and abs(watts - sum(days) / len(days) - awake) < 0.5))
P
verdict "hopper has the idle chip at work" $((! $?))

echo "$passed passed, $failed failed"
[ $failed = 0 ]
