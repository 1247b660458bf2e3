/* SPDX-License-Identifier: Apache-2.0 */
/* Speed of light: how near a run came to what each part of the machine can do. */
#ifndef CLI_VIEW_RUN_LIGHT_H
#define CLI_VIEW_RUN_LIGHT_H

#include "cli/json.h"
#include "cli/view/run_print.h"
#include "cli/watch/census.h"

void run_print_light(const struct run_story *s, FILE *to);
extern const struct json_shape light_shape;
extern const struct json_keys light_kind_keys;
json_t *run_json_light(const struct run_story *s);
json_t *run_json_flops(const struct light_work *w); /* by kind */

#endif
