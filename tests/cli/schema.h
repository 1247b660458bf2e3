/* SPDX-License-Identifier: Apache-2.0 */
/* A validator for the part of JSON Schema that bankshot help --json-schema uses. A keyword that it does not know is a failure, so
 * that nothing the schema says goes unchecked. */
#ifndef TESTS_CLI_SCHEMA_H
#define TESTS_CLI_SCHEMA_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* False: `why` tells where and what. */
bool schema_holds(const json_t *schema, const json_t *value, char *why, size_t cap);

#endif
