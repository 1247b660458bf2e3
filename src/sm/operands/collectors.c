/* SPDX-License-Identifier: Apache-2.0 */
/* Plain collector units: every operand comes from its bank. */
#include "sm/operands/operands.h"

void operands_keep_nothing(void *st, uint32_t warp, const struct kinsn *k) { (void)st, (void)warp, (void)k; }

const struct operands_ops operands_collectors = {
    .is = {.name = "collectors", .help = "collector units over banked registers"},
    .latched = true,
    .sets = true,
    .past = operands_keep_nothing,
};
