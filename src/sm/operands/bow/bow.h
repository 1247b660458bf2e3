/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the bypassing collectors, for bow.c and its tests. */
#ifndef SM_OPERANDS_BOW_H
#define SM_OPERANDS_BOW_H

#include "sm/core.h"

enum { BOW_SRCS = 6, BOW_DSTS = 2, BOW_WINDOW = 16 };

#define BOW_OPTIONS(T, OPT, NAME)                                                                            \
    OPT(T, window, U32, 3, 1, BOW_WINDOW, "instructions whose operands a collector keeps")
CONF_STRUCT(bow_cfg, BOW_OPTIONS);

/* The window of a warp, whose instructions are numbered as they come. A register's value is here while the instruction that
 * brought it last is among the last `window` ones: its copies are all of one version, since a write ends those before it. */
struct bow_warp {
    uint64_t owner;              /* 1 + number of the warp (its age) */
    uint64_t issued;             /* number of its last instruction, from BOW_WINDOW on */
    uint32_t flight[BOW_WINDOW]; /* 1 + the flight of each of the last, by the low bits of their numbers */
    uint64_t brought[256]; /* by register: number of the instruction that brought it last; 0: none has */
    uint32_t version[256]; /* --check */
};

struct bow {
    struct part *p;
    struct bow_warp *warps; /* by slot */
    uint32_t window;
};

extern const struct operands_ops operands_bow;

#endif
