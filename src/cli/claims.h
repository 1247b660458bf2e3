/* What the papers claim: home/experiments/claims.csv, a row for each figure, table or sentence with a number in it: id, paper, where,
 * claim, paper_value, unit, lo, hi. Cells hold no commas. lo to hi is what a measurement may be to count as reproduced. */
#ifndef CLI_CLAIMS_H
#define CLI_CLAIMS_H

#include "base/diag.h"

struct claim {
    const char *id, *paper, *where, *text, *unit;
    const char *value_text, *lo_text, *hi_text; /* as in the file */
    double value, lo, hi;
    bool has_measured;
    double measured;
    const char *why; /* has not: what is missing */
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
bool claim_within(const struct claim *c);                    /* false also where it is not measured */

#endif
