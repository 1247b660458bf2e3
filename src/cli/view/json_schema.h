/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that is written as JSON: the shapes of whole answers. */
#ifndef CLI_VIEW_JSON_SCHEMA_H
#define CLI_VIEW_JSON_SCHEMA_H

#include "cli/json.h"

extern const struct json_shape run_shape, corun_shape, compare_shape, sweep_shape, pipeline_shape,
    occupancy_answer, diff_shape, explore_shape;
const struct json_shape *list_shape(uint32_t i); /* of bankshot list; NULL after the last */

#endif
