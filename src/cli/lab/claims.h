/* SPDX-License-Identifier: Apache-2.0 */
/* What the papers claim: home/experiments/claims.csv, a row for each figure, table or sentence with a number in it: id, paper,
 * where, claim, paper_value, unit, lo, hi. Cells hold no commas. lo to hi is what a measurement may be to count as reproduced. */
#ifndef CLI_LAB_CLAIMS_H
#define CLI_LAB_CLAIMS_H

#include "base/diag.h"

struct claim {
    const char *id, *paper, *where, *text, *unit;
    const char *value_text, *lo_text, *hi_text; /* as in the file */
    double value, lo, hi;
    bool has_measured;
    double measured;
    const char *why; /* has not: what is missing */
    /* Size of the workloads that it was measured with, where that is not its experiment's own; "" otherwise. */
    const char *size;
};

struct claims {
    struct arena arena;
    VEC(struct claim) rows;
};

/* False after reporting file, line and reason. claims_free in either case. */
bool claims_read(struct claims *c, const char *path, struct diag *d);
/* The installed ones. */
bool claims_load(struct claims *c, struct diag *d);
void claims_free(struct claims *c);
struct claim *claims_find(struct claims *c, const char *id); /* NULL: none */
/* Both are false where it is not measured, or at another size. */
bool claim_within(const struct claim *c);
bool claim_missed(const struct claim *c);
/* "within" or "missed"; at another size, which decides nothing, that size; "" where it is not measured. */
const char *claim_verdict(const struct claim *c);

#endif
