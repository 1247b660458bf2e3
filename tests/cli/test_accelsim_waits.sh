#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Waits for barrier objects out of a SASS trace: polling, tests whose answers are used later, phases, and that no run gets stuck at them.
# Usage: test_accelsim_waits.sh BANKSHOT
set -u
. "$(dirname "$0")/frame.sh"

# same NAME WANT GOT
same() {
    echo "$3" >"$tmp/out"
    verdict "$1: want $2" "$([ "$2" = "$3" ] && echo 1)"
}

# trace DIR: a kernel of two warps; its files are $tmp/w0 and $tmp/w1
trace() {
    mkdir -p "$1"
    echo "kernel-1.traceg" >"$1/kernelslist.g"
    {
        printf -- '-kernel name = pipe\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (64,1,1)\n-shmem = 65536\n-nregs = 64\n'
        printf -- '-binary version = 90\n-cuda stream id = 0\n-shmem base_addr = 0x00007f0000000000\n-local mem base_addr = 0x00007e0000000000\n'
        printf -- '-nvbit version = 1.7\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n#traces format = x\n\n#BEGIN_TB\n\nthread block = 0,0,0\n\n'
        for w in 0 1; do
            printf 'warp = %d\ninsts = %d\n' "$w" "$(wc -l <"$tmp/w$w")"
            cat "$tmp/w$w"
            echo
        done
        printf '#END_TB\n'
    } >"$1/kernel-1.traceg"
}

# consume EARLY EMPTY [LOOP]: products of one stage, with the early test of the next one (- : none); its answer is no where the loop follows
consume() {
    cat <<X
0060 ffffffff 1 R24 HGMMA.64x8x16.F32.BF16 1 R24 0 0
X
    if [ "$1" = - ]; then
        echo '0070 00000000 0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R0 R4 4 1 0x0 0 0'
    else
        echo "0070 ffffffff 0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R0 R4 4 1 $1 0 0"
    fi
    cat <<X
0080 ffffffff 1 R24 HGMMA.64x8x16.F32.BF16 1 R24 0 0
0090 00000001 1 R255 SYNCS.ARRIVE.TRANS64.RED.A1T0 2 R7 R255 4 2 $2 0
00a0 ffffffff 0 BRA 0 0 512
X
    [ "${3:-}" = loop ] && poll "$1" || echo '00b0 ffffffff 0 BRA 0 0 96'
}

# poll OBJECT: the loop goes round twice
poll() {
    cat <<X
0200 ffffffff 0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R0 R4 4 1 $1 0 0
0210 ffffffff 0 NANOSLEEP.SYNCS 0 0 50000
0220 ffffffff 0 SYNCS.PHASECHK.TRANS64 2 R0 R4 4 1 $1 0 0
0230 ffffffff 0 BRA 0 0 512
0200 ffffffff 0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R0 R4 4 1 $1 0 0
0210 00000000 0 NANOSLEEP.SYNCS 0 0 50000
0220 00000000 0 SYNCS.PHASECHK.TRANS64 2 R0 R4 4 1 0x0 0 0
0240 ffffffff 0 BRA 0 0 96
X
}

# produce EMPTY FULL PLACE
produce() {
    cat <<X
0300 ffffffff 0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R0 R3 4 1 $1 0 0
0310 ffffffff 0 UTMALDG.3D 2 R0 R0 4 1 $3 0 0
0310 ffffffff 0 UTMALDG.3D 2 R0 R0 4 1 0x9a280300 0 0
0320 00000001 1 R255 SYNCS.ARRIVE.TRANS64.RED 2 R0 R6 4 2 $2 0
0330 ffffffff 0 BRA 0 0 768
X
}

begin() {
    n=0
    for at in 0x100 0x108 0x140 0x148; do
        echo "00${n}0 ffffffff 0 SYNCS.EXCH.64 1 R0 8 1 $at 0 0"
        n=$((n + 1))
    done
    echo '0040 ffffffff 0 BAR.SYNC 0 0 0'
    echo '0050 ffffffff 0 BRA 0 0 512'
    poll 0x100
}

# waits WARP: object and value of each wait of the imported stream, and A for an arrival of the consumer
waits() {
    "$bankshot" inspect "$tmp/t.bst" --stream "0,$1" | awk '/TRYWAIT.*shared/ { match($0, /0x[0-9a-f]*\]/); printf "%s%s ", substr($0, RSTART, RLENGTH - 1), $NF } /A1T0/ { printf "A " }'
}

# ---- a ring of two stages, filled twice; the first early test fails, with products and an arrival before the loop ----
{
    begin
    consume 0x108 0x140 loop
    consume 0x100 0x148
    consume 0x108 0x140
    consume - 0x148
    echo '00c0 ffffffff 0 EXIT 0 0 0'
} >"$tmp/w0"
{
    echo '0040 ffffffff 0 BAR.SYNC 0 0 0'
    produce 0x140 0x100 0x1000
    produce 0x148 0x108 0x3000
    produce 0x140 0x100 0x1000
    produce 0x148 0x108 0x3000
    echo '0340 ffffffff 0 EXIT 0 0 0'
} >"$tmp/w1"
trace "$tmp/d"
check "import" 0 'pipe|1 launch' import accelsim "$tmp/d" -o "$tmp/t.bst"
# 2 + n: until n phases are over. The answers that were yes are waited for behind the arrival, where the branch is.
same "the consumer's waits" "0x1003 A 0x1083 A 0x1004 A 0x1084 A " "$(waits 0)"
same "the producer's waits" "0x1402 0x1482 0x1403 0x1483 " "$(waits 1)"
check "the run ends" 0 'cycles' run "$tmp/t.bst" --gpu hopper --set gpu.sms=1 --check

# ---- where copies read: 1 MiB of a tensor, or what is said of it; two of 8 KB a stage are 64 rows of 128 bytes, and the next behind them ----
from() { "$bankshot" inspect "$tmp/t.bst" --stream 0,1 | sed -n 's/.*UTMALDG[^(]*(\(0x[0-9a-f]* \)0x[0-9a-f]* 0x[0-9a-f]* \(0x[0-9a-f]* 0x[0-9a-f]* 0x[0-9a-f]* \).*/\1\2/p' | tr '\n' ,; }
same "in one piece" "0x300000000000 0x2000 0x1 0x0 ,0x300000002000 0x2000 0x1 0x0 ,0x300000004000 0x2000 0x1 0x0 ,0x300000006000 0x2000 0x1 0x0 ," "$(from)"
check "a size" 0 'from its begin to its end, in turn' import accelsim "$tmp/d" --tensors 16k -o "$tmp/t.bst"
same "again and again" "0x300000000000 0x2000 0x1 0x0 ,0x300000002000 0x2000 0x1 0x0 ,0x300000000000 0x2000 0x1 0x0 ,0x300000002000 0x2000 0x1 0x0 ," "$(from)"
check "rows" 0 'in turn' import accelsim "$tmp/d" --tensors 1m/256 -o "$tmp/t.bst"
same "along the rows, then the next ones" "0x300000000000 0x80 0x40 0x100 ,0x300000000080 0x80 0x40 0x100 ,0x300000004000 0x80 0x40 0x100 ,0x300000004080 0x80 0x40 0x100 ," "$(from)"
check "the run with rows ends" 0 'cycles' run "$tmp/t.bst" --gpu hopper --set gpu.sms=1 --check
for wrong in 0 -1 1x 16k, 16k/0 16k/32k 1,,2 99999999999999999999 1k,1k,1k,1k,1k,1k,1k,1k,1k,1k,1k,1k,1k,1k,1k,1k,1k; do
    check "no tensors: '$wrong'" 2 'expected at most 16 sizes' import accelsim "$tmp/d" --tensors="$wrong" -o "$tmp/bad.bst"
done

# ---- a wait that nobody ends (its warp arrives behind it): it is said, and does not hold the run ----
sed -i '$d' "$tmp/w0"
cat >>"$tmp/w0" <<'X'
0300 ffffffff 0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R0 R3 4 1 0x180 0 0
0350 00000001 1 R255 SYNCS.ARRIVE.TRANS64.RED.A1T0 2 R7 R255 4 2 0x180 0
0360 ffffffff 0 EXIT 0 0 0
X
trace "$tmp/d"
check "a wait without arrivals" 0 '1 wait for barrier objects that no recorded arrival of the CTA ends' import accelsim "$tmp/d" -o "$tmp/t.bst"
same "it is over" "0x1003 A 0x1083 A 0x1004 A 0x1084 A 0x1802 A " "$(waits 0)"
check "that run ends, too" 0 'cycles' run "$tmp/t.bst" --gpu hopper --set gpu.sms=1 --check
# ---- lanes of one warp poll objects of their own and are through one after the other: the first test waits for all of them, of the rounds
# that follow nothing stays but what a lane that is through does meanwhile (here a move) ----
round() { # LANES REST
    printf '0200 %s 0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R0 R4 4 1 0x140 0 0\n0210 %s 0 NANOSLEEP.SYNCS 0 0 50000\n' "$1" "$2"
    printf '0220 %s 0 SYNCS.PHASECHK.TRANS64 2 R0 R4 4 1 0x140 0 0\n0230 %s 0 BRA 0 0 512\n' "$2" "$2"
}
{
    begin | sed '/^02/d; /BRA/d'
    round 00000007 00000007
    round 00000007 00000003
    round 00000003 00000003
    echo '0240 00000004 1 R5 MOV 1 R6 0 0'
    round 00000003 00000001
    round 00000001 00000001
    round 00000001 00000000
    echo '0240 00000003 1 R5 MOV 1 R6 0 0'
    echo '00c0 ffffffff 0 EXIT 0 0 0'
} >"$tmp/w0"
trace "$tmp/d"
check "lanes that are through" 0 'pipe|1 launch' import accelsim "$tmp/d" -o "$tmp/t.bst"
steps() { "$bankshot" inspect "$tmp/t.bst" --stream 0,0 | awk '/TRYWAIT/ { printf "wait " } /BRA/ { printf "branch " } /MOV/ { printf "move " } /EXIT/ { printf "exit" }'; }
same "one wait, and the branch of the last round" "wait move branch move exit" "$(steps)"

echo "$passed passed, $failed failed"
[ $failed = 0 ]
