/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the bypassing collectors, for bow.c and its tests. */
#ifndef SM_OPERANDS_BOW_H
#define SM_OPERANDS_BOW_H

#include "sm/core.h"

enum { BOW_SRCS = 6, BOW_DSTS = 2, BOW_WINDOW = 16 };

#define BOW_OPTIONS(T, OPT, NAME)                                                                            \
    OPT(T, window, U32, 3, 1, BOW_WINDOW, "instructions whose operands a collector keeps")
CONF_STRUCT(bow_cfg, BOW_OPTIONS);

/* One instruction of the window: its registers, a byte each, sources before destinations. */
struct bow_slot {
    uint64_t regs;
    uint32_t flight;                       /* 1 +; 0: none */
    uint8_t valid;                         /* by bit: the register's value is here */
    uint32_t version[BOW_SRCS + BOW_DSTS]; /* --check */
};
_Static_assert(BOW_SRCS + BOW_DSTS == sizeof(uint64_t), "a word has their numbers");

struct bow_warp {
    uint64_t owner; /* 1 + number of the warp (its age) */
    uint32_t next;  /* the slot that slides out: the oldest */
    struct bow_slot slot[BOW_WINDOW];
};

struct bow {
    struct part *p;
    struct bow_warp *warps; /* by slot */
    uint32_t window;
};

extern const struct operands_ops operands_bow;

#endif
