/* SPDX-License-Identifier: Apache-2.0 */
/* Where the files are that the program and the library use beside their code: presets, the CUDA headers, the runtime libraries,
 * bundled workloads. They lie together in one folder, "home", with the same layout in a build tree (BUILD/lib/bankshot) and after
 * installation (PREFIX/lib/bankshot); it is found from the place of whoever asks.
 *
 *   home/conf/                  presets and mechanisms
 *   home/libcudart.so.13, ...   the runtime stand-in under all its names, and libcuda.so.1
 *   home/include/               the CUDA headers of this project
 *   home/correlate              the script behind bankshot correlate */
#ifndef API_HOME_H
#define API_HOME_H

#include "base/arena.h"

/* The absolute path of the home folder for code that lies in `dir` (NULL: not known), without a slash at its end. The environment
 * variable BANKSHOT_HOME names another one. NULL: *why says it in a sentence; both are in the arena. */
const char *home_find(struct arena *a, const char *dir, const char **why);
/* The absolute path of home/name, which must be readable. NULL like the above. */
const char *home_file(struct arena *a, const char *home, const char *name, const char **why);

/* The folder of the running program, and that of the library that this code is in; links are followed. NULL: not known. */
const char *home_of_program(struct arena *a);
const char *home_of_library(struct arena *a);

#endif
