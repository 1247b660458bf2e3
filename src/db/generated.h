/* SPDX-License-Identifier: Apache-2.0 */
/* What the build makes for this module (cmake/generate.cmake). */
#ifndef DB_GENERATED_H
#define DB_GENERATED_H

extern const char db_model_digest[]; /* of the sources that decide a result: 16 hex digits */
extern const char db_schema_sql[];   /* schema.sql */

#endif
