/* Plain collector units: every operand comes from its bank. */
#include "sm/operands/operands.h"

const struct operands_ops operands_collectors = {
    .is = {.name = "collectors", .help = "collector units over banked registers"},
    .latched = true,
    .sets = true,
};
