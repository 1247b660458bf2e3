/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* dladdr */
#include "api/home.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_dir(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static const char *folder_of(struct arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? arena_strndup(a, path, slash == path ? 1 : (size_t)(slash - path)) : NULL;
}

const char *home_of_program(struct arena *a)
{
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path);
    return n > 0 && (size_t)n < sizeof path ? folder_of(a, arena_strndup(a, path, (size_t)n)) : NULL;
}

const char *home_of_library(struct arena *a)
{
    static const char here;
    char real[PATH_MAX];
    Dl_info info;
    return dladdr(&here, &info) && info.dli_fname && realpath(info.dli_fname, real) ? folder_of(a, real)
                                                                                    : NULL;
}

const char *home_find(struct arena *a, const char *dir, const char **why)
{
    char real[PATH_MAX];
    const char *env = getenv("BANKSHOT_HOME");
    if (env && *env) {
        if (realpath(env, real) && is_dir(real))
            return arena_strndup(a, real, strlen(real));
        *why = arena_printf(a, "BANKSHOT_HOME=%s: no such folder", env);
        return NULL;
    }
    /* The program in a build tree, the program and the library in an installation. */
    static const char *const places[] = {"lib/bankshot", "../lib/bankshot", "bankshot"};
    for (size_t i = 0; dir && i < sizeof places / sizeof *places; i++) {
        const char *path = arena_printf(a, "%s/%s", dir, places[i]);
        if (is_dir(path) && realpath(path, real))
            return arena_strndup(a, real, strlen(real));
    }
    *why = arena_printf(
        a, "the folder lib/bankshot with headers and libraries is not beside %s; set BANKSHOT_HOME",
        dir ? dir : "the executable");
    return NULL;
}

const char *home_file(struct arena *a, const char *home, const char *name, const char **why)
{
    const char *path = arena_printf(a, "%s/%s", home, name);
    if (access(path, R_OK) == 0)
        return path;
    *why = arena_printf(a, "%s is missing: the installation is not complete (BANKSHOT_HOME may name another)",
                        path);
    return NULL;
}
