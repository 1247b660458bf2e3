/* SPDX-License-Identifier: Apache-2.0 */
/* The SM of a preset: what the section [sm] of its file sets. */
#ifndef TESTS_SM_PRESET_H
#define TESTS_SM_PRESET_H

#include "sm/sm.h"

struct preset {
    struct conf conf;
    struct sm_cfg sm;
};

void preset_init(struct preset *p, const char *name); /* NULL: the defaults */
void preset_set(struct preset *p, const char *assignment);
void preset_free(struct preset *p);

#endif
