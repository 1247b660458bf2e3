/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the renamed register file, for rfv.c and its tests. */
#ifndef SM_OPERANDS_RFV_H
#define SM_OPERANDS_RFV_H

#include "annotate/regions.h"
#include "sm/core.h"
#include "sm/operands/lanes.h"

#define RFV_OPTIONS(T, OPT, NAME)                                                                            \
    OPT(T, regs, U32, 1024, 8, 65536, "physical registers of an SM, each of all lanes of a warp")            \
    OPT(T, starve_cyc, U32, 256, 1, 100000, "cycles without a register to give before a warp is spilled")
CONF_STRUCT(rfv_cfg, RFV_OPTIONS);

#define RFV_STATS(STAT)                                                                                      \
    STAT(RFV, taken, "access", "physical registers taken by results")                                        \
    STAT(RFV, freed, "access", "physical registers given back because nobody wants the value any more")      \
    STAT(RFV, kept, "access", "registers that the code gave up and another lane wanted after all")           \
    STAT(RFV, spills, "access", "registers of a warp that were moved out so that others could go on")
enum { RFV_STATS(STAT_ID) };

struct rfv_warp {
    regset mapped;   /* registers that have a physical one */
    regset deferred; /* given up by the code, and wanted by lanes that were elsewhere then */
    regset spilled;  /* moved out; the warp waits until they have room again */
    uint64_t ready_at;
    uint16_t n[REGION_BANKS]; /* mapped, by bank */
    struct lanes lanes;
};

struct rfv_note {
    struct regions *r;
    uint32_t named[REGION_BANKS]; /* by bank, register modulo banks: registers that the code names */
};

/* The oldest CTA in the partition. */
struct rfv_oldest {
    bool known;
    uint64_t used, drained;      /* part.used and its drained warps then */
    uint32_t cta;                /* UINT32_MAX: there is none */
    uint32_t need[REGION_BANKS]; /* by bank: what its warps may yet take */
    bool leaves_room;            /* ... and each bank has room for any instruction beside that */
};

struct rfv {
    struct part *p;
    uint64_t *count;
    uint32_t lines; /* physical registers of a bank */
    uint32_t starve_cyc;
    struct rfv_warp *warps;
    uint32_t *free;     /* by bank */
    uint64_t here;      /* warps that have not ended, to the last result */
    uint64_t spilled;   /* warps that wait for their registers */
    uint64_t coming;    /* of these: have room, and wait for the data */
    uint64_t denied;    /* warps that could issue but for a register */
    uint64_t looked;    /* warps whose next instruction was looked at for that */
    uint64_t issued_at; /* cycle of the last issue, or spill */
    bool look;          /* a register was taken or has become free, or a warp has ended */
    struct rfv_oldest oldest;
};

extern const struct operands_ops operands_rfv;

#endif
