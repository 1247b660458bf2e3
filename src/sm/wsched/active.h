/* SPDX-License-Identifier: Apache-2.0 */
/* The options that schedulers with an active set share (two-level, strands). */
#ifndef SM_WSCHED_ACTIVE_H
#define SM_WSCHED_ACTIVE_H

#include "conf/conf.h"

#define ACTIVE_OPTIONS(T, OPT, NAME)                                                                         \
    OPT(T, warps, U32, 8, 1, 64, "warps of a scheduler that may issue")                                      \
    OPT(T, turn, BOOL, 0, 0, 1,                                                                              \
        "a place in the set goes to the slot that has been outside for longest, with a ready warp or not; "  \
        "else to the oldest ready warp")
CONF_STRUCT(active_cfg, ACTIVE_OPTIONS);
extern const struct conf_table active_options;

#endif
