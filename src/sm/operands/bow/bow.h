/* Inside the bypassing collectors, for bow.c and its tests. */
#ifndef SM_OPERANDS_BOW_H
#define SM_OPERANDS_BOW_H

#include "sm/core.h"

enum { BOW_SRCS = 6, BOW_DSTS = 2, BOW_WINDOW = 16 };

#define BOW_OPTIONS(T, OPT, NAME)                                                                            \
    OPT(T, window, U32, 3, 1, BOW_WINDOW, "instructions whose operands a collector keeps")
CONF_STRUCT(bow_cfg, BOW_OPTIONS);

struct bow_value {
    bool valid;
    uint8_t reg;
    uint32_t version; /* --check */
};

/* One instruction of the window: sources, then destinations. */
struct bow_slot {
    uint32_t flight; /* 1 +; 0: none */
    struct bow_value v[BOW_SRCS + BOW_DSTS];
};

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
