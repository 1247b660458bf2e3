/* SPDX-License-Identifier: Apache-2.0 */
/* Two results of bankshot run beside each other: kernel by kernel, cause by cause, unit by unit, counter by counter. */
#ifndef CLI_VIEW_DIFF_H
#define CLI_VIEW_DIFF_H

#include "cli/json.h"

/* Both are whole answers of run (docs/json.md). */
void diff_print(const json_t *a, const json_t *b, FILE *to);
/* The same as an answer of its own. */
json_t *diff_answer(const json_t *a, const json_t *b);
extern const struct json_shape diff_shape;
/* NULL, or why it is no answer of run that this program can compare. */
const char *diff_refuses(const json_t *answer);

#endif
