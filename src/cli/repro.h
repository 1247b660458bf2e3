/* What bankshot repro tells of experiments and claims, in its forms. */
#ifndef CLI_REPRO_H
#define CLI_REPRO_H

#include "cli/experiment.h"

struct repro {
    struct experiments experiments;
    struct claims claims;
    bool quiet;
    const char *paper; /* only these experiments; NULL: all */
    const char *name;  /* ... and of them only this one */
    const char *out;   /* folder */
    const char *size;  /* of all workloads, or NULL */
};

/* A claim that is part of this reproduction: what was asked for covers it. */
bool repro_covers(const struct repro *r, const struct claim *c);

void repro_print(const struct repro *r, FILE *to);
/* False after a message. */
bool repro_csv(const struct repro *r, const char *path);
bool repro_md(const struct repro *r, const char *path);   /* OUT.md: figures by their path from there */
bool repro_html(const struct repro *r, const char *path); /* self-contained */

#endif
