/* Where the files are that commands use beside the program itself: the CUDA headers, the runtime
 * libraries. They lie together in one folder, "home", with the same layout in a build tree
 * (BUILD/lib/bankshot) and after installation (PREFIX/lib/bankshot); it is found from the place of the
 * running executable.
 *
 *   home/libcudart.so.13, ...   the runtime stand-in under all its names, and libcuda.so.1
 *   home/include/               the CUDA headers of this project */
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
