#!/bin/sh
# tools/answers: the page of small specifications, its figures beside those of compare, and what it says of missing runs.
# Usage: test_answers.sh BANKSHOT
set -u
. "$(dirname "$0")/frame.sh"

root=$(cd "$here/../.." && pwd)
cd "$tmp" || exit 1
mkdir specs
for gpu in hopper volta-accelsim; do
    printf '[explore]\ngoals = cycles rf_energy energy area\nwhole = 1000\n[m]\ngpus = %s\nworkloads = bank2:small sgemm:small\nmechs = base rba malekeh\n' \
        $gpu >specs/$gpu.ini
done
printf '[a]\ngpus = hopper\nworkloads = bank2:small sgemm:small\n[b]\ngpus = hopper\nworkloads = bank2:small sgemm:small\nmem.simple = true\nmem.simple_cyc = 1\n' \
    >specs/headroom.ini
printf '[a]\ngpus = hopper\nworkloads = sgemm:small\n' >specs/products.ini
"$bankshot" list workloads >/dev/null 2>&1
if ! python3 "$root/tools/answers" "$bankshot" --specs specs --db a.db --out page.md >"$tmp/out" 2>&1; then
    verdict "the page is made" 0
fi
verdict "a missing limit is named" "$(truth grep -q '| all (2) | 0 of 2 runs | 0 of 2 runs | [0-9.]* \[' page.md)"
verdict "a mechanism that was not run is named" "$(truth grep -Eq '^\| RegLess.*not run, or not taken by the preset' page.md)"
verdict "a program that was not run is named" "$(truth grep -q '^| .gemm_wgmma. | | not run |' page.md)"
"$bankshot" compare bank2:small sgemm:small --gpu hopper --mech base --mech malekeh --db a.db --json c.json --quiet >/dev/null
python3 - >out 2>&1 <<'END'
import json, math, re
rows = [r for r in json.load(open("c.json"))["rows"]]
cycles = {(r["workload"], ",".join(r["mechs"])): r["kernel_cycles"] for r in rows}
want = math.exp(sum(math.log(cycles[w, "malekeh"] / cycles[w, ""]) for w in ("bank2", "sgemm")) / 2)
page = open("page.md").read().split("### hopper")[2]
got = float(re.search(r"\| malekeh \| ([0-9.]+)", page).group(1))
assert abs(got - want) < 0.0006, (got, want)
END
verdict "a mean is that of compare" "$([ ! -s out ] && echo 1)"
cp page.md first.md
python3 "$root/tools/answers" "$bankshot" --specs specs --db a.db --out page.md --page >"$tmp/out" 2>&1
verdict "from the database alone: the same page" "$(truth cmp page.md first.md)"
python3 "$root/tools/answers" "$bankshot" --specs specs --db none.db --out page.md --page >"$tmp/out" 2>&1
verdict "no database: an error, and the page stays" "$([ $? != 0 ] && cmp -s page.md first.md && grep -q 'no such database' "$tmp/out" && echo 1)"

echo "$passed passed, $failed failed"
[ $failed = 0 ]
