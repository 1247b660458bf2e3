/* SPDX-License-Identifier: Apache-2.0 */
/* The files that commands use beside the program itself (api/home.h), and what to say where they are not. */
#ifndef CLI_RESOURCE_H
#define CLI_RESOURCE_H

#include "base/arena.h"

#include <stdbool.h>

/* The absolute path of the home folder, without a slash at its end, in the arena. The environment variable
 * BANKSHOT_HOME names another one. NULL after printing a message (status CLI_USAGE). */
const char *cli_home(struct arena *a);

/* The absolute path of home/name, which must exist. NULL after printing a message. */
const char *cli_resource(struct arena *a, const char *name);

/* A path as messages name it: a file of the home folder by its place in there, any other as it is. */
const char *cli_shown_path(struct arena *a, const char *path);

#endif
