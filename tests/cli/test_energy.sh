#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Energy and area of bankshot run: every preset has both, the parts add up, the published file comes out. Usage: test_energy.sh BANKSHOT
set -u
. "$(dirname "$0")/frame.sh"

t=$tmp/s.bst
record_saxpy "$t"

# In JSON the parts are numbers that add up to the total.
for gpu in $("$bankshot" list gpus | awk '{print $1}'); do
    "$bankshot" run "$t" --gpu "$gpu" --json "$tmp/j" >"$tmp/out" 2>&1
    awk '/^ "energy_pj":/ {gsub(/[",:]/, ""); total = $2} /"energy_parts_pj": \{/ {in_it = 1; next} /}/ {in_it = 0}
        in_it {gsub(/[",:]/, ""); sum += $2; n++; if (!($2 >= 0)) bad = 1}
        END {print n, sum, total; exit !(n > 10 && !bad && total > 0 && (sum / total - 1) ^ 2 < 1e-20)}' "$tmp/j" >>"$tmp/out" 2>&1
    verdict "$gpu: parts and total" $((! $?))
    check "$gpu: area" 0 '^  total +[0-9]+\.[0-9]+$' run --area --gpu "$gpu"
done
check "summary" 0 '^energy +[0-9.]+ [um]J, [0-9.]+ [mk]?W on average$' run "$t"
check "share" 0 '^  dram +[0-9.]+%|^  leak_sm +[0-9.]+%  #+$' run "$t"
check "area behind a run" 0 'each bank accessed in 0\.[0-9]% of cycles' run "$t" --area

# The stealing paper's Table III: 0.565 mm2 of banks, 0.225 of crossbar.
"$bankshot" run --area --gpu fermi >"$tmp/out"
awk '$1 == "rf_cells" || $1 == "rf_periphery" {b += $2} $1 == "rf_crossbar" {x = $2}
    END {exit !((b - 0.565) ^ 2 < 1e-9 && (x - 0.225) ^ 2 < 1e-9)}' "$tmp/out"
verdict "Table III" $((! $?))
# AccelWattch: two banks and two collectors of a sub-core, and eight with BOW (the wires are 10 ports long, not 4)
check "crossbar of a sub-core" 0 '^  crossbar_pj +357\.2' run --area --gpu turing-accelsim
check "crossbar of eight collectors" 0 '^  crossbar_pj +893\.0' run --area --gpu turing-accelsim --mech bow
check "no arbiter" 0 '^  rf_arbiter +0\.00000 ' run --area --gpu fermi
check "arbiter" 0 '^  rf_arbiter +0\.00[1-9]' run --area --gpu fermi --mech steal
check "scores" 0 '^  osu +score +[1-9][0-9.]+ ' run --area --gpu volta --mech rba

# What the lanes do adds up to the lanes; watts over time add up to the energy, and so do the parts of a row.
"$bankshot" run "$t" --gpu hopper --json "$tmp/j" --interval 500 --interval-csv "$tmp/i.csv" >"$tmp/out" 2>&1
awk -F'[:,]' '/"sm.lanes_/ {sum += $2} /"sm.thread_insts"/ {all = $2} END {print sum, all; exit !(all > 0 && sum == all)}' "$tmp/j" >"$tmp/out"
verdict "kinds of work" $((! $?))
awk -F'[:,]' 'FNR == NR {if (/^ "energy_pj"/) total = $2; if (/"gpu.core_mhz"/) {gsub(/[ "]/, "", $2); mhz = $2} next}
    FNR == 1 {for (i = 1; i <= NF; i++) {if ($i == "watts") w = i; if ($i ~ /^watts\./) part[i] = 1} next}
    {pj += $w * ($2 - $1) / mhz * 1e6; s = 0; for (i in part) s += $i; if ((s - $w) ^ 2 > 0.01) bad++}
    END {print pj, total, bad; exit !(total > 0 && !bad && (pj / total - 1) ^ 2 < 1e-6)}' "$tmp/j" "$tmp/i.csv" >"$tmp/out"
verdict "watts over time" $((! $?))
check "what it rests on" 0 '^  energies measured on the chip' run "$t" --gpu hopper
check "scaled" 0 '^  energies scaled from a chip that was measured' run "$t" --gpu ampere
check "of a paper" 0 '^  energies of a paper' run "$t" --gpu fermi
check "a machine of papers" 0 '^  energies of a paper' run "$t" --gpu turing-accelsim
check "limit" 0 'held at 110 W \(gpu.power_w\): the clock gives way to [0-9]+ MHz of 1980' run "$t" --gpu hopper --set gpu.power_w=110
check "limit below the idle chip" 0 'cannot be held at 1 W' run "$t" --gpu hopper --set gpu.power_w=1
check "limit that nobody meets" 0 '^energy' run "$t" --gpu hopper --set gpu.power_w=5000
check "basis" 2 "energy.basis" run "$t" --gpu hopper --set energy.basis=guessed

check "nothing to run" 2 'TRACE or WORKLOAD is missing' run --gpu fermi
check "area of nothing" 2 "unknown GPU 'fermy'; did you mean 'fermi'" run --area --gpu fermy
check "contradiction" 2 'energy.rf_ref_mm2 is less than the cells' run --area --set energy.cell_um2=1
check "range" 2 'energy.dram_pj_bit: -1 is outside' run --area --set energy.dram_pj_bit=-1
check "options" 0 '^energy.rf_ref_pj +185 ' list options --gpu fermi

echo "$passed passed, $failed failed"
[ $failed = 0 ]
