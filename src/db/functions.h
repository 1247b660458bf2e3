/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that queries may use: geomean(x), the geometric mean; NULL of no values, or where one is not above 0. */
#ifndef DB_FUNCTIONS_H
#define DB_FUNCTIONS_H

#include <sqlite3.h>

int db_add_functions(sqlite3 *sql);

#endif
