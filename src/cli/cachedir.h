/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of things that were made once and are kept for this user: traces and programs of the suite (lab/cache.h),
 * precompiled headers (cc/headers.c). */
#ifndef CLI_CACHEDIR_H
#define CLI_CACHEDIR_H

#include "base/arena.h"
#include "base/diag.h"

/* The cache's folder, made where it is missing; in the arena or the environment. NULL after reporting. */
const char *cache_home(struct arena *a, struct diag *d);
bool cache_folder(const char *path, struct diag *d); /* makes one; false after reporting */

#endif
