/* SPDX-License-Identifier: Apache-2.0 */
/* Strands of a kernel (annotate/strands.h) as the SM needs them: for the software-managed files, which find their places there,
 * and for the scheduler that changes its active set between strands. */
#ifndef SM_OPERANDS_SWRFC_STRANDS_H
#define SM_OPERANDS_SWRFC_STRANDS_H

#include "conf/conf.h"

struct sm_cfg;
struct sm_kernel;

#define STRANDS_OPTIONS(T, OPT, NAME)                                                                        \
    OPT(T, lrf_entries, U32, 1, 0, 4, "entries of the last-result file for each active warp")                \
    OPT(T, orf_entries, U32, 4, 0, 32, "entries of the operand file for each active warp")
CONF_STRUCT(strands_cfg, STRANDS_OPTIONS);
extern const struct conf_table strands_options;

/* A kernel's strands; and with them marks where one starts (KM_STARTS), and where it does so when all results from memory are
 * there. */
void *strands_note(struct sm_kernel *k, const struct sm_cfg *cfg);
void *strands_mark(struct sm_kernel *k, const struct sm_cfg *cfg);
void strands_forget(void *note);

#endif
