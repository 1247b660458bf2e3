# SPDX-License-Identifier: Apache-2.0
# Where the operands of an attention kernel live, over time (no figure of a paper)
# One SM begins with three attention programs of the suite at default size; about every 64 cycles: bytes a cycle into the SM, of the register
# file and of shared memory, the share of the tensor cores' time that products of warp groups take, picojoules a cycle.
set -eu
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
every=60 from=3180 cycles=${CYCLES:-9600}
echo "program,cycle,from L2,registers,accumulators,shared by loads,shared by products,tensor,issued,pJ registers,pJ shared"
for program in attention attention_mma attention_wgmma; do
    # A row of 128 bytes of the register file costs what the energy model says, on the whole run at small size; 16 bytes of shared memory
    # what it says of an SRAM bank of 512 rows.
    "$BANKSHOT" run $program:small --gpu hopper --json "$tmp/whole" >/dev/null 2>&1
    row=$(awk -F'[:,] *' '/"rf_banks":/ { e = $2 } /"sm.reg_reads":/ { r = $2 } /"sm.reg_writes":/ { w = $2 }
        END { print e / (r + w) }' "$tmp/whole")
    # The pipe is closed as soon as there is enough: the run need not end.
    "$BANKSHOT" run $program --gpu hopper --set gpu.sms=1 --interval $every --interval-csv - 2>/dev/null |
        head -n $(((from + cycles) / every + 1)) >"$tmp/rows" || :
    awk -F, -v program=$program -v every=$every -v from=$from -v row="$row" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $1 >= from {
            span = $2 - $1
            regs = 128 * ($at["sm.reg_reads"] + $at["sm.reg_writes"])
            loads = 128 * ($at["sm.shared_accesses"] + $at["sm.shared_conflicts"])
            # Products are counted when they issue, ahead of their turn: they take their cycles and bytes one after the other.
            wait += $at["sm.product_cycles"]
            wait_sums += 256 * $at["sm.product_regs"] # read and written
            wait_shared += $at["sm.product_shared_b"]
            busy = wait < 4 * span ? wait : 4 * span
            part = wait ? busy / wait : 0
            sums = wait_sums * part
            products = wait_shared * part
            wait -= busy
            wait_sums -= sums
            wait_shared -= products
            printf "%s,%d,%.1f,%.1f,%.1f,%.1f,%.1f,%.3f,%.3f,%.1f,%.1f\n", program, $1 - from, 32 * $at["mem.l2_reads"] / span,
                regs / span, sums / span, loads / span, products / span, busy / span / 4, $at["sm.issued"] / span / 4,
                row * (regs + sums) / 128 / span, 9.8 * (loads + products) / 16 / span
        }' "$tmp/rows"
done
