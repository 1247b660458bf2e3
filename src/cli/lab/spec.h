/* SPDX-License-Identifier: Apache-2.0 */
/* What a sweep is to measure, as an INI file: a list of blocks, each the cross product of its workloads, sizes, register limits,
 * orders of instructions, GPUs, mechanisms and option values. docs/results.md describes it. */
#ifndef CLI_LAB_SPEC_H
#define CLI_LAB_SPEC_H

#include "cli/lab/plan.h"

/* Blank-separated words of a key, and the line that each is on. */
struct spec_words {
    VEC(const char *) at;
    VEC(uint32_t) lines;
};

struct spec_option {
    const char *name; /* section.option */
    struct spec_words values;
};
struct spec_options { /* as VEC */
    struct spec_option *at;
    uint32_t n, cap;
};

struct spec_block {
    const char *name;
    uint32_t line;
    /* Mechs2: joined to each of mechs */
    struct spec_words workloads, sizes, registers, order, gpus, mechs, mechs2;
    struct spec_options options;
};

struct spec {
    struct arena arena;
    const char *path;
    VEC(struct spec_block) blocks; /* without [defaults], which is in each of them */
    struct spec_options explore;   /* the keys of [explore], for bankshot explore alone */
};

/* False after reporting file, line and reason. spec_free in either case. */
bool spec_read(struct spec *s, const char *path, struct diag *d);
void spec_free(struct spec *s);

/* What a specification asks for and what is not there: texts of messages, in the specification's arena. */
struct spec_notes {
    VEC(const char *) texts;
    /* Machines that cannot be had are counted; a word that no machine can have is an error, and so is a missing workload. */
    bool machines_only;
    uint64_t refused; /* machines that cannot be had */
};

/* Adds the points of all blocks. size: instead of those in the file; NULL: as in the file. missing: machines and workloads that
 * cannot be had are noted there and left out; NULL: the first one is an error. The plan refers to s. False after reporting. */
bool spec_plan(struct spec *s, const char *size, struct spec_notes *missing, struct plan *p, struct diag *d);

#endif
