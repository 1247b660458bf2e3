/* Textures and surfaces, as the executor core sees them: one call per TEX, SULD, SUST or TXQ instruction.
 * The core keeps one opaque pointer per device for the handle table; everything else is texture code's own. */
#ifndef EXEC_TEXOP_H
#define EXEC_TEXOP_H

#include "exec/exec.h"
#include "exec/xop.h"

/* Executes for the lanes in mask (never 0). addr_out, indexed by lane, gets the global address of the first texel that
 * takes part. False: *bad_lane and *why say what is wrong, addr_out[*bad_lane] where. */
bool exec_tex_op(struct exec_dev *d, const struct xop *x, struct xwarp *w, uint32_t mask, uint64_t addr_out[32],
                 uint32_t *bad_lane, const char **why);

/* Provided by the core (dev): the device's slot for the handle table, NULL until the first texture. */
void **exec_tex_table(struct exec_dev *d);
/* Called by exec_dev_free. NULL is fine. */
void exec_tex_table_free(void *table);

#endif
