/* SPDX-License-Identifier: Apache-2.0 */
/* The answer of bankshot sweep as JSON. */
#ifndef CLI_VIEW_SWEEP_JSON_H
#define CLI_VIEW_SWEEP_JSON_H

#include "cli/lab/sweep.h"

/* False after a message. */
bool sweep_json(const struct sweep_opts *o, const struct plan *p);

#endif
