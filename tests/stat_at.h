/* SPDX-License-Identifier: Apache-2.0 */
/* A counter of an SM by its name, "ltrf.prefetches": where it stands among all of them. */
#ifndef TESTS_STAT_AT_H
#define TESTS_STAT_AT_H

#include "sm/policy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline uint32_t stat_at(const char *name)
{
    for (uint32_t i = 0, at; sm_stat_table(i, &at); i++) {
        const struct stat_table *t = sm_stat_table(i, &at);
        size_t n = strlen(t->section);
        for (uint32_t k = 0; k < t->n && strncmp(name, t->section, n) == 0 && name[n] == '.'; k++)
            if (strcmp(t->rows[k].name, name + n + 1) == 0)
                return at + k;
    }
    fprintf(stderr, "no counter is called %s\n", name);
    abort();
}

#endif
