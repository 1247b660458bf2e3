#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Bundled programs that run NVIDIA's machine code for sm_75 (NAME@sm75, order = sm75), and record --cubin, which does that. Nothing of
# NVIDIA's is needed: the code is in workloads/. Usage: test_sm75.sh BANKSHOT
set -u
. "$(dirname "$0")/frame.sh"
code=$here/../../workloads
cd "$tmp" || exit 1

# ---- names, without a compiler ----
check "not with the order of the PTX" 2 "sgemm@ptx@sm75: machine code \(@sm75\) has its own registers" run sgemm@ptx@sm75 --gpu turing
check "nor with registers" 2 "has its own registers, order and addresses" run sgemm@sm75@32 --gpu turing
check "not sm76" 2 "not 'sm76'; or ptx, or sm1x, or sm75" run sgemm@sm76 --gpu turing
printf '[a]\nworkloads = vectoradd sobol@ptx\nsizes = small\norder = scheduled sm75\ngpus = turing\n' >o.ini
check "order of a specification" 0 '^vectoradd:small@sm75 turing base$' sweep o.ini --dry-run
check "not where a name has one" 0 '^3 points of 3 workloads' sweep o.ini --dry-run
printf '[a]\nworkloads = vectoradd\nregisters = 32\norder = sm75\ngpus = turing\n' >r.ini
check "no limit of registers" 2 'vectoradd@32@sm75: machine code' sweep r.ini --dry-run
printf '[a]\nworkloads = vectoradd@ptx@sm75\ngpus = turing\n' >p.ini
check "two orders of a name" 2 'vectoradd@ptx@sm75: machine code' sweep p.ini --dry-run
printf '[a]\nworkloads = lud+sgemm\nsizes = small\norder = sm75\ngpus = turing\n' >t.ini
check "of programs together" 0 '^lud:small@sm75\+sgemm:small@sm75 turing base$' sweep t.ini --dry-run

# ---- files that are no machine code ----
echo "no code" >text
head -c 1500 "$code/lud/sm_75.fatbin" >cut.fatbin
check "text" 2 'text: it is PTX, no machine code|text: it is neither' record -o t.bst --cubin text -- /bin/true
check "cut short" 2 'cut.fatbin: fat binary: [0-9]+ bytes of entries, but 1500 are there' record -o t.bst --cubin cut.fatbin -- /bin/true
check "not there" 2 'nowhere: No such file' record -o t.bst --cubin nowhere -- /bin/true
check "a folder" 2 'directory' record -o t.bst --cubin . -- /bin/true

# ---- a program and what is known of its run ----
"$bankshot" cc "$code/lud/lud.cu" -o lud >log 2>&1 || {
    grep -q 'clang' log && [ $failed = 0 ] && exit 77
    verdict "compiled" 0
}
check "no machine code" 2 "aes@sm75: aes has no machine code for sm_75 .*workloads/aes/sm_75.fatbin.*tools/machine-code aes" run aes:small@sm75 --gpu turing
check "recorded from a file" 0 "NVIDIA's code for sm_75" record -o l.bst --cubin "$code/lud/sm_75.fatbin" -- ./lud --size small
check "its own code without" 0 'launches, [0-9]+ warp' record -o p.bst -- ./lud --size small
check "another program's" 1 "kernel '_Z8diagonalPfii' cannot be run from its machine code: there is no kernel of that name" \
    record -o x.bst --cubin "$code/sgemm/sm_75.fatbin" -- ./lud --size small
check "in a run" 0 "^lud:small@sm75 on turing-accelsim, NVIDIA's code for sm_75" run lud:small@sm75 --gpu turing-accelsim --check
check "in JSON" 0 . run lud:small@sm75 --gpu turing-accelsim --json r.json
verdict "as an order" "$(truth grep -q '"code_order": "sm75"' r.json)"
verdict "as what was executed" "$(truth grep -q '"code": "sass"' r.json)"
printf '[a]\nworkloads = lud\nsizes = small\norder = sm75 scheduled\ngpus = turing-accelsim\n' >d.ini
check "in a database" 0 '2 points' sweep d.ini --db d.db
if command -v sqlite3 >/dev/null; then
    sqlite3 d.db "SELECT group_concat(code_order) FROM (SELECT code_order FROM point ORDER BY 1)" >orders
    verdict "both orders" "$(truth grep -qx 'scheduled,sm75' orders)"
fi

echo "$passed passed, $failed failed"
[ $failed = 0 ]
