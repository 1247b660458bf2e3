#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Accel-Sim traces in and out: hand-written files of every line form, what is refused, round trips.
# Usage: test_accelsim.sh BANKSHOT
set -u
. "$(dirname "$0")/frame.sh"
shared=${SHARED_DIR:-$here/../../../shared}

# trace DIR VERSION LINEINFO INSTS <lines: one warp of one thread block.
trace() {
    rm -rf "$1"
    mkdir -p "$1"
    printf 'MemcpyHtoD,0x00007f0000000000,4096\nkernel-1.traceg\n' >"$1/kernelslist.g"
    {
        printf -- '-kernel name = k\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (%s,1,1)\n' "${THREADS:-32}"
        printf -- '-shmem = 256\n-nregs = 24\n-binary version = %s\n-cuda stream id = 0\n' "${ARCH:-80}"
        printf -- '-shmem base_addr = 0x00007f8000000000\n-local mem base_addr = 0x00007f9000000000\n'
        printf -- '-nvbit version = 1.5.5\n-accelsim tracer version = %s\n-enable lineinfo = %s\n\n' "$2" "$3"
        printf '#traces format = PC mask\n\n#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = %s\n' "$4"
        cat
        printf '\n#END_TB\n'
    } >"$1/kernel-1.traceg"
}

# stream NAME PATTERN: of the last import.
stream() { check "$1" 0 "$2" inspect "$tmp/t.bst" --stream 0,0; }
import() { check "$1" 0 "$2" import accelsim "$tmp/d" -o "$tmp/t.bst"; }
# refuse NAME LINE PATTERN: the file is kernel-1.traceg.
refuse() { check "$1" 2 "kernel-1\.traceg:$2: error: .*$3" import accelsim "$tmp/d" -o "$tmp/bad.bst"; }

# ---- address modes ----
trace "$tmp/d" 5 0 7 <<'X'
0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x7f0000000000 4 0
0010 00000005 1 R4 LDG.E.64 1 R2 8 0 0x7f0000000100 0x7f0000000500 0
0020 80000003 1 R4 LDG.E.U8 1 R2 1 2 0x7f0000000200 16 -8 0
0030 00000008 0 STS 2 R5 R4 4 2 0x40 0
0040 00000000 0 STG.E.128 2 R2 R4 16 1 0x0 0 0
0050 0000ffff 1 R6 LDS.U.128 1 R5 16 1 0x0 16 0
0060 ffffffff 0 EXIT 0 0 0
X
import "modes" '1 launch of 1 kernel, 7 warp instructions'
stream "stride" '^/\*0+\*/ ffffffff LDG\.E .*global\[0x7f0000000000\]\+4/lane'
stream "list" '00000005 LDG\.E\.64 R4-5 <- R2-3 .*global'
stream "lone lane" '00000008 STS .*shared\[0x40\]'
stream "no lanes" '00000000 STG\.E\.128'
check "copies" 0 '1 to the device \(4096 bytes\)' inspect "$tmp/t.bst"
check "widths" 0 'STG\.E\.128 .*R4-7.*\{STG store global 16 B' inspect "$tmp/t.bst" --code
check "shared vector" 0 'LDS\.U\.128 R6-9 <- R5 .*shared 16 B' inspect "$tmp/t.bst" --code
check "reuse of imported code" 0 'from R2-3  near  near 2, far 0; read again 2, 1\.0 instructions later' inspect "$tmp/t.bst" --reuse
check "share of the warps" 0 '^k: 1 of 1 warp$' inspect "$tmp/t.bst" --reuse --share 0.01 --near 3
check "share is a percentage" 2 'share 101: expected a percentage' inspect "$tmp/t.bst" --reuse --share 101
check "share of what" 2 'share is for --reuse' inspect "$tmp/t.bst" --share 1
check "memory of the block" 0 '^ +0 k +1 +32 +24 +256 ' inspect "$tmp/t.bst"
check "it runs" 0 '7 warp instructions' run "$tmp/t.bst" --gpu volta
check "copies are in L2" 0 '"mem.dram_reads": 0,' run "$tmp/t.bst" --gpu volta --json -
check "or L2 is emptied" 0 '"mem.dram_reads": [1-9]' run "$tmp/t.bst" --gpu volta --set gpu.l2_flush=true --json -

# ---- compression ----
"$bankshot" inspect "$tmp/t.bst" --stream 0,0 >"$tmp/plain.txt"
for pack in 'xz:xz -k' 'gz:gzip -k' 'zst:zstd -q'; do
    suffix=${pack%%:*} tool=${pack#*:}
    command -v "${tool%% *}" >/dev/null || continue
    rm -f "$tmp"/d/kernel-1.traceg.*
    $tool "$tmp/d/kernel-1.traceg"
    mkdir -p "$tmp/p"
    rm -f "$tmp"/p/*
    mv "$tmp/d/kernel-1.traceg.$suffix" "$tmp/p/"
    echo "kernel-1.traceg.$suffix" >"$tmp/p/kernelslist.g"
    check "$suffix" 0 '7 warp' import accelsim "$tmp/p" -o "$tmp/t.bst"
    "$bankshot" inspect "$tmp/t.bst" --stream 0,0 >"$tmp/out"
    ok=0
    cmp -s "$tmp/out" "$tmp/plain.txt" && ok=1
    verdict "$suffix: the same stream" $ok
    echo "kernel-1.traceg" >"$tmp/p/kernelslist.g"
    check "$suffix by the plain name" 0 '7 warp' import accelsim "$tmp/p/kernelslist.g" -o "$tmp/t.bst"
    head -c 200 "$tmp/p/kernel-1.traceg.$suffix" >"$tmp/cut"
    mv -f "$tmp/cut" "$tmp/p/kernel-1.traceg.$suffix"
    check "$suffix cut short" 2 "traceg\.$suffix(:[0-9]+)?: error: .*(early|damaged)" import accelsim "$tmp/p" -o "$tmp/bad.bst"
done

# ---- versions ----
trace "$tmp/d" 2 0 2 <<'X'
0 0 0 0 0008 ffffffff 1 R4 IADD 2 R4 R5 0
0 0 0 0 0010 ffffffff 0 EXIT 0 0
X
ARCH=35 import "tracer 2" '2 warp instructions'
trace "$tmp/d" 5 1 2 <<'X'
17 0000 ffffffff 1 R4 IADD3 3 R4 R5 R255 0 0
18 0010 ffffffff 0 EXIT 0 0 0
X
import "line numbers" '2 warp'
check "zero register" 0 'IADD3 R4 <- R4,? R5 ' inspect "$tmp/t.bst" --code
trace "$tmp/d" 6 0 6 <<'X'
0000 ffffffff 1 UR4 UIADD3 2 UR4 UR63 0 1 0 NoVal
0010 ffffffff 1 P0 ISETP.GE.AND 2 R4 UR4 0 0 0 Val 1 0x5 32 0x0 0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x8 0x9 0xa 0xb 0xc 0xd 0xe 0xf 0x0 0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x8 0x9 0xa 0xb 0xc 0xd 0xe 0xf
0020 ffffffff 1 R24 HGMMA.64x16x16.F32 2 R24 UR8 1 0 0 0 NoVal
0030 00000001 0 UTMALDG.2D 2 UR8 UR10 16 0x80 0 2048 0 3 2 0x7f0000000000 0x7f0000000800 0 0 NoVal
0040 00000001 0 UBLKCP 2 UR8 UR10 16 0x80 1 0x3 2048 0 4 0x7f0000000000 2 2048 0 0 NoVal
0050 ffffffff 0 EXIT 0 0 0 0 NoVal
X
ARCH=90 import "tracer 6" '6 warp'
check "uniform registers" 0 'UIADD3 UR4 <- UR4' inspect "$tmp/t.bst" --code
check "predicates" 0 'ISETP\.GE\.AND P0 <- R4,? UR4' inspect "$tmp/t.bst" --code
check "warp group" 0 'HGMMA\S+ R24-31 .*\{GMMA' inspect "$tmp/t.bst" --code
check "bulk copy" 0 'UTMALDG\.2D .*\{TMA' inspect "$tmp/t.bst" --code
trace "$tmp/d" 7 0 1 </dev/null
refuse "tracer 7" 12 'a tracer version after 6'

# ---- control flow: a loop of two turns, then lanes part ----
trace "$tmp/d" 5 0 12 <<'X'
0000 ffffffff 1 R0 S2R 0 0 0
0010 ffffffff 1 R1 IADD3 2 R1 R0 0 1
0020 ffffffff 0 BRA 0 0 0
0010 ffffffff 1 R1 IADD3 2 R1 R0 0 1
0020 00000000 0 BRA 0 0 0
0030 ffffffff 0 BSSY 0 0 0
0040 0000ffff 0 BRA 0 0 0
0050 ffff0000 1 R2 MOV 1 R1 0 0
0060 ffff0000 0 BSYNC 0 0 0
0070 0000ffff 1 R2 FADD 2 R1 R1 0 0
0080 0000ffff 0 BSYNC 0 0 0
0090 ffffffff 0 EXIT 0 0 0
X
import "control flow" '12 warp'
check "loop" 0 'BRA.* -> 1 ' inspect "$tmp/t.bst" --code
trace "$tmp/d" 5 0 6 <<'X'
0000 ffffffff 1 R0 S2R 0 0 0
0010 ffffffff 0 ISETP.GE.AND 1 R0 0 7
0020 0000000f 0 BRA 0 0 64
0030 fffffff0 1 R2 MOV 1 R1 0 0
0040 ffffffff 1 R2 MOV 1 R1 0 0
0050 ffffffff 0 EXIT 0 0 0
X
import "a branch with its target" '6 warp'
check "target, guard and comparison" 0 '@P0 BRA 0x40 -> 4 ' inspect "$tmp/t.bst" --code
check "comparison" 0 'ISETP\.GE\.AND P0 <- R0, 0x7' inspect "$tmp/t.bst" --code

# ---- opcodes ----
trace "$tmp/d" 5 0 3 <<'X'
0000 ffffffff 1 R0 FZORK.X 1 R1 0 0
0010 ffffffff 1 R0 FZORK.Y 1 R1 0 0
0020 ffffffff 0 EXIT 0 0 0
X
import "unknown opcode" 'unknown opcode FZORK, 2 times: taken for class FP32'
check "strict" 2 'unknown opcode FZORK, 2 times' import accelsim "$tmp/d" -o "$tmp/bad.bst" --strict
trace "$tmp/d" 5 0 8 <<'X'
0000 ffffffff 1 R8 HMMA.16816.F32 3 R16 R20 R8 0 0
0010 ffffffff 1 R8 DFMA 3 R2 R4 R8 0 0
0020 ffffffff 1 R6 IMAD.WIDE 2 R5 R6 0 4
0030 ffffffff 1 R7 F2F.F32.F64 1 R8 0 0
0040 ffffffff 1 R4 LDSM.16.M88.4 1 R3 16 1 0x0 16 0
0050 ffffffff 1 R2 CS2R 0 0 0
0060 ffffffff 0 DEPBAR.LE 0 0 1
0070 ffffffff 0 EXIT 0 0 0
X
import "operand widths" '8 warp'
check "tensor" 0 'HMMA\.16816\.F32 R8-11 <- R16-19,? R20-21,? R8-11' inspect "$tmp/t.bst" --code
check "double" 0 'DFMA R8-9 <- R2-3,? R4-5,? R8-9' inspect "$tmp/t.bst" --code
check "wide" 0 'IMAD\.WIDE R6-7 <- R5,? R6-7' inspect "$tmp/t.bst" --code
check "conversion" 0 'F2F\.F32\.F64 R7 <- R8-9' inspect "$tmp/t.bst" --code
check "matrices" 0 'LDSM\.16\.M88\.4 R4-7 <- R3 .*16 B' inspect "$tmp/t.bst" --code
check "clock" 0 'CS2R R2-3' inspect "$tmp/t.bst" --code

# ---- generic addresses ----
trace "$tmp/d" 5 0 4 <<'X'
0000 0000000f 1 R4 LD.E 1 R2 4 1 0x7f0000000000 4 0
0010 0000000f 1 R4 LD.E 1 R2 4 1 0x7f8000000010 4 0
0020 0000000f 1 R4 LD.E 1 R2 4 1 0x7f9000000020 4 0
0030 ffffffff 0 EXIT 0 0 0
X
import "generic" '4 warp'
stream "generic global" 'LD\.E .*global\[0x7f0000000000\]'
stream "generic shared" 'LD\.E .*shared\[0x10\]'
stream "generic local" 'LD\.E .*local\[0x20\]'

# ---- malformed ----
one='0000 ffffffff 0 EXIT 0 0 0'
bad() { # NAME LINE PATTERN TEXT: one instruction line; it is line 23
    printf '%s\n' "$4" | trace "$tmp/d" 5 0 1
    refuse "$1" "$2" "$3"
}
bad "mask too long" 23 'the mask' '0000 1ffffffff 0 EXIT 0 0 0'
bad "no PC" 23 'the PC' 'zz ffffffff 0 EXIT 0 0 0'
bad "no opcode" 23 'the opcode is missing' '0000 ffffffff 0 0 0 0'
bad "register" 23 'a register' '0000 ffffffff 1 R256 MOV 0 0 0'
bad "too many registers" 23 'registers is missing or too large' '0000 ffffffff 9 R1 MOV 0 0 0'
bad "mode" 23 'address mode' '0000 ffffffff 1 R1 LDG.E 1 R2 4 7 0x0 0'
bad "few addresses" 23 'fewer than active lanes' '0000 00000007 1 R1 LDG.E 1 R2 4 0 0x10 0x20'
bad "few differences" 23 'fewer than active lanes' '0000 00000007 1 R1 LDG.E 1 R2 4 2 0x10 4'
bad "rest" 23 'something follows' '0000 ffffffff 0 EXIT 0 0 0 1 2'
bad "cut" 23 'the width' '0000 ffffffff 0 EXIT 0'
echo "$one" | trace "$tmp/d" 5 0 2
refuse "fewer instructions" 25 'fewer instructions than it says'
printf '%s\n%s\n' "$one" "$one" | trace "$tmp/d" 5 0 1
refuse "more instructions" 24 'more instructions'
echo "$one" | THREADS=20 trace "$tmp/d" 5 0 1
refuse "lanes" 23 'lanes that the warp does not have'
echo "$one" | trace "$tmp/d" 5 0 1
sed 's/^warp = 0/warp = 1/' "$tmp/d/kernel-1.traceg" >"$tmp/x" && cp "$tmp/x" "$tmp/d/kernel-1.traceg"
refuse "warp number" 21 'a warp that the block does not have'
echo "$one" | THREADS=64 trace "$tmp/d" 5 0 1
refuse "a warp is missing" 25 'warps of the thread block are missing'
check "a warp is missing, allowed" 0 '1 warp without instructions' \
    import accelsim "$tmp/d" -o "$tmp/bad.bst" --missing-warps
rm -f "$tmp/bad.bst"
echo "$one" | trace "$tmp/d" 5 0 1
sed -i.orig 's/grid dim = (1,/grid dim = (2,/' "$tmp/d/kernel-1.traceg"
refuse "thread blocks" 25 'the file has 1 thread blocks, its grid 2'
sed 's/thread block = 0/thread block = 3/' "$tmp/d/kernel-1.traceg" >"$tmp/x" && cp "$tmp/x" "$tmp/d/kernel-1.traceg"
refuse "outside" 19 'outside the grid'
head -n 24 "$tmp/d/kernel-1.traceg.orig" >"$tmp/d/kernel-1.traceg"
refuse "truncated" 24 'ends inside a thread block'
head -n 7 "$tmp/d/kernel-1.traceg.orig" >"$tmp/d/kernel-1.traceg"
refuse "only a header" 7 'ends in its header'
sed 's/block dim = (32,/block dim = (3x,/' "$tmp/d/kernel-1.traceg.orig" >"$tmp/d/kernel-1.traceg"
refuse "block" 4 'a value out of range'
rm "$tmp/d/kernel-1.traceg"
check "no file" 2 'kernel-1\.traceg: error: cannot be read' import accelsim "$tmp/d" -o "$tmp/bad.bst"
echo "kernel-1.tracez" >"$tmp/d/kernelslist.g"
check "tracez" 2 'kernelslist\.g:1: error: .*\.tracez form is not read' import accelsim "$tmp/d" -o "$tmp/bad.bst"
echo "MemcpyHtoD,zz" >"$tmp/d/kernelslist.g"
check "copy" 2 'kernelslist\.g:1: error: a copy without' import accelsim "$tmp/d" -o "$tmp/bad.bst"
check "no folder" 2 'cannot be read' import accelsim "$tmp/nowhere" -o "$tmp/bad.bst"
check "no output" 2 'give -o' import accelsim "$tmp/d"
check "format" 2 "unknown format 'zsim'" import zsim "$tmp/d" -o "$tmp/bad.bst"
: >"$tmp/out"
ok=0
[ ! -e "$tmp/bad.bst" ] && ok=1
verdict "nothing is left of refused traces" $ok

# ---- round trips ----
# same NAME A B: kernels, streams of the first warps, and timing.
same() {
    ok=1
    for t in "$2" "$3"; do
        "$bankshot" inspect "$t" --code | sed 's/  *maker.*//' >"$t.code"
        "$bankshot" inspect "$t" --stream 0,0 --launch 0 | sed 's/  =[a-z0-9,=]*//' >"$t.stream" # classes of values are not in such traces
        "$bankshot" run "$t" --gpu volta --json "$t.json" >/dev/null || ok=0
        sed -i -e '/"workload"\|"file"\|"key"\|"trace"\|"seconds"\|"kwips"\|"peak_rss/d' "$t.json"
    done
    for part in code stream json; do
        cmp "$2.$part" "$3.$part" >>"$tmp/out" 2>&1 || ok=0
    done
    verdict "$1" $ok
}
round() { # NAME TRACE
    rm -rf "$tmp/r" "$tmp/back.bst"
    ok=0
    "$bankshot" export accelsim "$2" -o "$tmp/r" >"$tmp/out" 2>&1 && ok=1
    verdict "$1: out" $ok
    check "$1: in" 0 'warp instructions' import accelsim "$tmp/r" -o "$tmp/back.bst"
    same "$1: the same" "$2" "$tmp/back.bst"
}
args="--arg f32:2 --arg buf:f32:2000=iota --arg out:f32:2000=const:1 --arg s32:2000"
# shellcheck disable=SC2086
"$bankshot" exec "$kernels/saxpy.ptx" --kernel saxpy --grid 8 --block 250 $args --record "$tmp/s.bst" >/dev/null
round saxpy "$tmp/s.bst"
# Reductions have names that binary version 80 has: Accel-Sim stops at any other.
"$bankshot" exec "$kernels/reduce.ptx" --kernel reduce_sum --grid 4 --block 256 --arg buf:s32:5000=iota --arg out:s32:1 --arg s32:5000 \
    --record "$tmp/red.bst" >/dev/null
round "reduction of global memory" "$tmp/red.bst"
verdict "reduction of global memory: RED" "$(grep -q ' RED\.ADD' "$tmp/r/kernel-1.traceg" && ! grep -q ' REDG' "$tmp/r/kernel-1.traceg" && echo 1)"
cat >"$tmp/reds.ptx" <<'END'
.version 7.0
.target sm_70
.address_size 64
.visible .entry reds(.param .u64 out)
{
    .reg .b32 %a, %b;
    .reg .b64 %p;
    .shared .align 4 .b32 sum;
    ld.param.u64 %p, [out];
    mov.u32 %a, sum;
    mov.u32 %b, 1;
    st.shared.u32 [%a], 0;
    bar.sync 0;
    red.shared.add.u32 [%a], %b;
    bar.sync 0;
    ld.shared.u32 %b, [%a];
    st.global.u32 [%p], %b;
    ret;
}
END
"$bankshot" exec "$tmp/reds.ptx" --kernel reds --grid 2 --block 64 --arg out:s32:1 --record "$tmp/reds.bst" >/dev/null
round "reduction of shared memory" "$tmp/reds.bst"
verdict "reduction of shared memory: ATOMS" "$(grep -q ' ATOMS\.ADD' "$tmp/r/kernel-1.traceg" && ! grep -q ' REDS' "$tmp/r/kernel-1.traceg" && echo 1)"
for example in h100-ffma sm80-bfs; do
    [ -d "$shared/traces/$example" ] || continue
    check "$example" 0 'warp instructions' import accelsim "$shared/traces/$example" -o "$tmp/e.bst"
    check "$example: no opcode unknown" 0 'warp instructions' import accelsim "$shared/traces/$example" -o "$tmp/e.bst" --strict
    round "$example" "$tmp/e.bst"
done
check "incomplete" 2 'not there|cannot|No such' export accelsim "$tmp/none.bst" -o "$tmp/r"

echo "$passed passed, $failed failed"
[ $failed = 0 ]
