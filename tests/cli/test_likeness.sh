#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/likeness: what it measures of a listing of SASS and of one of ours, counted by hand; the table; what it refuses.
# Usage: test_likeness.sh BANKSHOT
set -u
. "$(dirname "$0")/frame.sh"
tools=$here/../../tools

# figures NAME LISTING: the rows are the lines of stdin.
figures() {
    cat >"$tmp/want"
    awk -v reference=r -v name=n -f "$tools/likeness.d/measure.awk" "$2" >"$tmp/got" 2>&1
    diff "$tmp/want" "$tmp/got" >"$tmp/out" && ok=1 || ok=0
    verdict "$1" "$ok"
}

# SASS. The loads: 50 is read at 80 (its second word), 3 further on, with 60 in flight too; 60 at 90, in the next block; c0 at 90, along
# the backward branch; f0 is replaced at 100, so nobody reads it: 4 to the end. R8 of a0 comes from the reuse cache, which leaves R10 and
# R12, both even; 80 reads R7 and R9. NOP and the branch to itself do not count statically.
cat >"$tmp/sass" <<'END'
Resource usage:
 Common:
  GLOBAL:0
 Function other:
  REG:40 STACK:0
 Function f:
  REG:14 STACK:0
counted over 2 launches:
		Function : f
        /*0000*/ 10 LDC R1, c[0x0][0x28] ;                          /* 0x00000a00ff017b82 */
                                                                    /* 0x000fe20000000800 */
        /*0010*/ 10 S2R R0, SR_TID.X ;                              /* 0x0000000000067919 */
        /*0020*/ 10 IMAD.MOV.U32 R2, RZ, RZ, 0x4 ;
        /*0030*/ 10 ULDC.64 UR4, c[0x0][0x208] ;
        /*0040*/ 10 IMAD.WIDE R4, R0, R2, c[0x0][0x210] ;
        /*0050*/ 10 LDG.E.64 R6, desc[UR4][R4.64] ;
        /*0060*/ 10 LDG.E R8, desc[UR4][R4.64+0x10] ;
        /*0070*/ 10 LDS R9, [R0.X4+UR6+0x20] ;
        /*0080*/ 10 FMUL R10, |R7|, -R9 ;
        /*0090*/ 30 FFMA R11, R8.reuse, R10, R11 ;
        /*00a0*/ 30 FFMA R12, R8, R10, R12 ;
        /*00b0*/ 30 @P1 FADD R13, R10, 1 ;
        /*00c0*/ 30 LDG.E R8, desc[UR4][R4.64+0x4] ;
        /*00d0*/ 30 ISETP.GE.AND P0, PT, R0, 0x5, PT ;
        /*00e0*/ 30 @!P0 BRA 0x90 ;
        /*00f0*/ 10 LDG.E R3, desc[UR4][R4.64] ;
        /*0100*/ 10 MOV R3, R11 ;
        /*0110*/ 10 STG.E desc[UR4][R4.64], R3 ;
        /*0120*/ 10 EXIT ;
        /*0130*/ 0 BRA 0x130;
        /*0140*/ 0 NOP;
END
figures "SASS, executed" "$tmp/sass" <<'END'
r,static,n,f,0,14,19,4,2,3,0,0,0,4,1,1,0,0,1,2,1,0,4,13,1,4,1,1,0,1,2,2,1,0,1,1
r,executed,n,f,2,14,310,100,40,30,0,0,0,60,10,10,0,0,10,40,10,0,60,190,10,60,10,10,0,10,40,40,30,0,30,30
END

# Without counts there is the static row only; it is the same one.
sed 's|\(\*/\) [0-9]* |\1 |; /^counted/d' "$tmp/sass" >"$tmp/plain"
figures "SASS, static" "$tmp/plain" <<'END'
r,static,n,f,0,14,19,4,2,3,0,0,0,4,1,1,0,0,1,2,1,0,4,13,1,4,1,1,0,1,2,2,1,0,1,1
END

# Results that SASS does not show as the first operand, moves in disguise, a subroutine, and widths: 40 is first read at 80, by the upper
# half of a pair that STG stores.
cat >"$tmp/forms" <<'END'
 Function h:
  REG:20 STACK:0
		Function : h
        /*0000*/                   CS2R R2, SRZ ;
        /*0010*/                   HFMA2.MMA R4, -RZ, RZ, 0, 0 ;
        /*0020*/                   IMAD.U32 R5, RZ, RZ, UR4 ;
        /*0030*/                   LDSM.16.M88.4 R8, [R5+0x10] ;
        /*0040*/                   LDG.E R7, desc[UR4][R2.64] ;
        /*0050*/                   HMMA.16816.F32 R12, R8, R4, R12 ;
        /*0060*/                   ATOMG.E.ADD.STRONG.GPU PT, R16, desc[UR4][R2.64], R4 ;
        /*0070*/                   SHFL.BFLY PT, R17, R16, 0x1, 0x1f ;
        /*0080*/                   STG.E.64 desc[UR4][R2.64], R6 ;
        /*0090*/                   LOP3.LUT P0, RZ, R17, 0x1, RZ, 0xc0, !PT ;
        /*00a0*/                   DFMA R10, R12, R14, R10 ;
        /*00b0*/                   MUFU.RCP R9, R9 ;
        /*00c0*/                   CALL.REL.NOINC 0x100 ;
        /*00d0*/                   LDL R9, [R1] ;
        /*00e0*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;
        /*00f0*/                   EXIT ;
        /*0100*/                   STS.U8 [R9], R4 ;
        /*0110*/                   RET.REL.NODEC R10 0x0 ;
END
figures "other forms of SASS" "$tmp/forms" <<'END'
r,static,n,h,0,20,18,0,1,3,1,1,1,1,1,1,1,1,0,4,0,2,1,4,0,1,1,2,0,1,0,0,0,0,0,0
END

# Ours, of the same program: R8, R10 and R12 are in one bank.
cat >"$tmp/ours" <<'END'
2 launches, 540 warp instructions, 270 of them counted

counted over 2 launches:
kernel g: 15 instructions, 14 registers, shared 0 B, local 0 B, 0 spill instructions
B0: // -> B1, meets at B1
  /*0000*/         10  MOV R1 <- c[0x0][0x28]  {INT} // line 1
  /*0010*/         10  S2R R0  {SREG} // line 2
  /*0020*/         10  IMAD.WIDE R4-5 <- R0, 0x4, c[0x0][0x160]  {WIDE}
  /*0030*/         10  LDG.E.64 R6-7 <- R4-5  {LDG load global 8 B}
  /*0040*/         10  LDG.E R8 <- R4-5  {LDG load global 4 B}
  /*0050*/         10  LDS R9  {LDS load shared 4 B}
  /*0060*/         10  FMUL R10 <- R7, R9  {FP32}
B1: // -> B1 B2, meets at B2
  /*0070*/         30  FFMA R11 <- R8, R10, R11  {FP32}
  /*0080*/         30  FFMA R12 <- R8, R10, R12  {FP32}
  /*0090*/         30  @P1 FADD R13 <- R10, 0x3f800000  {FP32}
  /*00a0*/         30  LDG.E R8 <- R4-5  {LDG load global 4 B}
  /*00b0*/         30  ISETP.GE.AND P0 <- R0, 0x5  {INT}
  /*00c0*/         30  @!P0 BRA -> 7  {BRANCH}
B2:
  /*00d0*/         10  STG.E R4-5, R11  {STG store global 4 B}
  /*00e0*/         10  EXIT  {EXIT}
END
figures "ours" "$tmp/ours" <<'END'
r,static,n,g,0,14,15,4,2,2,0,0,0,3,1,1,0,0,0,2,0,0,3,9,0,4,1,1,0,1,1,1,2,1,0,1
r,executed,n,g,2,14,270,100,40,20,0,0,0,50,10,10,0,0,0,40,0,0,50,150,0,60,10,10,0,10,10,10,60,30,0,30
END

# Executions of the profiler's page, with addresses for offsets and without .reuse, go to the kernel with the same template argument.
for k in 1 2; do
    printf ' Function _Z1kILi%dEEvPf:\n  REG:8 STACK:0\n\t\tFunction : _Z1kILi%dEEvPf\n' $k $k
    printf '        /*0000*/                   FADD R0, R1.reuse, 5 ;\n'
    printf '        /*0010*/              @!P0 BRA 0x0 ;\n        /*0020*/                   RET.REL.NODEC R4 0x0 ;\n'
done >"$tmp/static"
cat >"$tmp/dyn" <<'END'
"Kernel Name","void k<(int)2>(float *)",
"Address","Source","A","B","C","Instructions Executed","D"
"0x7f00","      FADD R0, R1, 5","1","2","3","40","4"
"0x7f10"," @!P0  BRA 0x7f00","1","2","3","40","4"
"0x7f20","      RET.REL.NODEC R4, 0x0","1","2","3","10","4"
END
awk -v launches=1 -v blocks=1 -f "$tools/likeness.d/names.awk" -f "$tools/likeness.d/counts.awk" "$tmp/static" "$tmp/dyn" >"$tmp/counted" 2>&1
figures "counts of the profiler" "$tmp/counted" <<'END'
r,static,n,_Z1kILi2EEvPf,0,8,3,1,0,0,0,0,0,0,0,0,0,0,0,2,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0
r,executed,n,_Z1kILi2EEvPf,1,8,90,40,0,0,0,0,0,0,0,0,0,0,0,50,0,0,0,0,0,0,0,0,0,0,0,0,0,0,40,0
END
sed 's/R1, 5/R1, 6/' "$tmp/dyn" >"$tmp/dyn2"
awk -v launches=1 -v blocks=1 -f "$tools/likeness.d/names.awk" -f "$tools/likeness.d/counts.awk" "$tmp/static" "$tmp/dyn2" >"$tmp/out" 2>&1
[ $? = 1 ] && grep -q 'k<2>: not in the listing' "$tmp/out" && ok=1 || ok=0
verdict "a kernel of the profiler with other instructions" "$ok"

# ---- the tool ----
BANKSHOT=$bankshot BANKSHOT_CACHE=$tmp/cache JOBS=1
export BANKSHOT BANKSHOT_CACHE JOBS
refused() { # PATTERN ARGS...
    pattern=$1
    shift
    "$tools/likeness" "$@" >"$tmp/out" 2>&1
    got=$?
    [ $got = 2 ] && grep -q -- "$pattern" "$tmp/out" && ok=1 || ok=0
    verdict "likeness $*: status $got" "$ok"
}
refused 'nosuch is no workload' nosuch
refused 'no figures of gcc, static' -r gcc vectoradd
refused 'no figures of clang90, executed' -r clang90 -w executed vectoradd
[ -f "$(dirname "$bankshot")/lib/bankshot/device.bc" ] || {
    echo "no device functions: clang-19 is missing"
    echo "$passed passed, $failed failed"
    [ $failed = 0 ]
    exit
}
"$tools/likeness" -r clang90 vectoradd >"$tmp/out" 2>&1
grep -q '^vectoradd  *vector_add  *[0-9]* *12 ' "$tmp/out" && grep -q '^registers  *[0-9.]* over 1 kernels' "$tmp/out" && ok=1 || ok=0
verdict "a table of one kernel" "$ok"

echo "$passed passed, $failed failed"
[ $failed = 0 ]
