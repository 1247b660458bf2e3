#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/answers: the page of small specifications, its figures beside those of compare, and what it says of missing runs and traces.
# Usage: test_answers.sh BANKSHOT
set -u
. "$(dirname "$0")/frame.sh"

root=$(cd "$here/../.." && pwd)
cd "$tmp" || exit 1
mkdir specs traces
spec() { # NAME GPU WORKLOADS MECHS...
    printf '[explore]\ngoals = cycles rf_energy energy area\nwhole = 1000\n[defaults]\ngpus = %s\nworkloads = %s\n[m]\nmechs = %s\n' "$2" "$3" "$4" >specs/"$1".ini
}
# sass-sgemm.bst is not there: sgemm stands in; sass-heat2d.bst has nobody who does.
spec hopper hopper 'bank2:small sass-sgemm.bst sass-heat2d.bst' 'base rba malekeh'
spec volta-accelsim volta-accelsim 'bank2:small sgemm:small' 'base rba malekeh'
spec wgmma hopper 'bank2:small' 'base rba'
spec compiler hopper 'bank2:small' base
spec products hopper 'sass-sgemm.bst' base
for gpu in hopper volta-accelsim; do
    printf '[defaults]\ngpus = %s\nworkloads = bank2:small sgemm:small\n[a]\n[b]\nmem.simple = true\nmem.simple_cyc = 1\n' $gpu >specs/headroom-$gpu.ini
done
sed -i 's/sgemm:small/sass-sgemm.bst/' specs/headroom-hopper.ini
# The suite's programs are small here.
answers() { python3 "$root/tools/answers" "$bankshot" --specs specs --db a.db --out page.md --traces traces "$@" >"$tmp/out" 2>&1; }
if ! answers; then
    verdict "the page is made" 0
fi
verdict "what a trace is replaced by, or that it is left out, is said" "$(truth sh -c \
    "grep -q 'Left out, since their sources were not there: .sass-heat2d.\\.' page.md && grep -q 'From .bankshot cc., since .*: .sass-sgemm.\\.' page.md")"
verdict "a missing limit is named" "$(truth grep -q '| all (2) | 0 of 2 runs | 0 of 2 runs | [0-9.]* \[' page.md)"
verdict "a mechanism that was not run is named" "$(truth grep -Eq '^\| RegLess.*not taken by the preset' page.md)"
verdict "a program that was not run is named" "$(truth grep -q '^| .gemm_wgmma. | | not run |' page.md)"
"$bankshot" compare bank2:small sgemm --gpu hopper --mech base --mech malekeh --db a.db --json c.json --quiet >/dev/null
python3 - >out 2>&1 <<'END'
import json, math, re
rows = [r for r in json.load(open("c.json"))["rows"]]
cycles = {(r["workload"], ",".join(r["mechs"])): r["kernel_cycles"] for r in rows}
want = math.exp(sum(math.log(cycles[w, "malekeh"] / cycles[w, ""]) for w in ("bank2", "sgemm")) / 2)
page = open("page.md").read()
got = float(re.search(r"### hopper\n\n3 points.*?\| malekeh \| ([0-9.]+)", page, re.S).group(1))
assert abs(got - want) < 0.0006, (got, want)
END
verdict "a mean is that of compare" "$([ ! -s out ] && echo 1)"
# The commands of the page, followed by hand: they print what it says, and that is what the answer has.
python3 - >out 2>&1 <<'END'
import json, re, subprocess
page = open("page.md").read()
found = re.findall(r"```\n(sqlite3 .*?\")\n```\n\nIt prints `(.*?)`", page, re.S)
assert len(found) >= 2, found
for command, want in found:
    said = subprocess.run(command.replace("build/answers.db", "a.db"), shell=True, capture_output=True, text=True, check=True).stdout
    assert said == want + "\n", (command, said, want)
energy = re.findall(r": ([0-9.]+) in the answer of explore:.*?It prints `\d+\|([0-9.]+)`", page, re.S)
assert len(energy) == 2 and all(a == b for a, b in energy), energy
END
verdict "its commands give its numbers" "$([ ! -s out ] && echo 1)"
cp page.md first.md
answers --page
cp "$tmp/out" said
verdict "from the database alone: the same page" "$(truth cmp page.md first.md)"
python3 "$root/tools/answers" "$bankshot" --specs specs --db none.db --out page.md --traces traces --page >"$tmp/out" 2>&1
verdict "no database: an error, and the page stays" "$([ $? != 0 ] && cmp -s page.md first.md && grep -q 'no such database' "$tmp/out" && echo 1)"
if command -v gnuplot >/dev/null 2>&1; then
    verdict "three figures, without a complaint" "$(truth sh -c '! grep "answers: gnuplot" said && for f in headroom front products; do grep -q "</svg>" answers-$f.svg || exit 1; done')"
fi

echo "$passed passed, $failed failed"
[ $failed = 0 ]
