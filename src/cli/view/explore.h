/* SPDX-License-Identifier: Apache-2.0 */
/* What an exploration found, for people, as JSON and as CSV. */
#ifndef CLI_VIEW_EXPLORE_H
#define CLI_VIEW_EXPLORE_H

#include "cli/lab/explore.h"

struct explore_found {
    const struct explore *x;
    const struct explore_study *study;
    const char *spec, *db; /* as they were given */
};

void explore_print(const struct explore_found *f, FILE *to);
/* False after a message. */
bool explore_json(const struct explore_found *f, const char *path);
bool explore_csv(const struct explore_found *f, const char *path);

/* front, whole, estimated, part (estimated on some programs), limit, refused, not tried */
const char *explore_state(const struct explore_found *f, uint32_t point);

#endif
