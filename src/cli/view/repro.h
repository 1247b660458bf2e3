/* SPDX-License-Identifier: Apache-2.0 */
/* What bankshot repro tells of experiments and claims, in its forms. */
#ifndef CLI_VIEW_REPRO_H
#define CLI_VIEW_REPRO_H

#include "cli/lab/experiment.h"

struct repro {
    struct experiments experiments;
    struct claims claims;
    bool quiet;
    bool stored;         /* nothing is run */
    bool claims_only;    /* experiments that answer a claim */
    bool carry;          /* what was carried over from another model is not run */
    uint32_t limit_s;    /* seconds after which runs are ended; 0: none */
    const char *paper;   /* only these experiments; NULL: all */
    const char *name;    /* ... and of them only this one */
    const char *out;     /* folder */
    const char *size;    /* of all workloads, or NULL */
    const char *carried; /* about results of other models, sentences or NULL */
};

/* A claim that is part of this reproduction: what was asked for covers it. */
bool repro_covers(const struct repro *r, const struct claim *c);

/* What a person wrote about an experiment, "" where there is nothing: it is about the experiment's own sizes. */
static inline const char *repro_analysis(const struct repro *r, const struct experiment *x)
{
    return r->size && !x->script ? "" : x->analysis;
}
#define REPRO_SIZE_NOTE                                                                                      \
    "All workloads at size %s: a quick look. The papers' numbers are of the experiments' own sizes, so no "  \
    "claim is decided "                                                                                      \
    "here, and what is known about those sizes is left out."
void repro_sum(const struct repro *r, FILE *to); /* a sentence: how many claims, measured, within */
void repro_print(const struct repro *r, FILE *to);
/* False after a message. */
bool repro_csv(const struct repro *r, const char *path);
bool repro_md(const struct repro *r, const char *path);   /* OUT.md: figures by their path from there */
bool repro_html(const struct repro *r, const char *path); /* self-contained */

#endif
