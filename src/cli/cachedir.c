/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cachedir.h"

#include <errno.h>
#include <sys/stat.h>

bool cache_folder(const char *path, struct diag *d)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return true;
    diag_plain(d, "%s: cannot be made: %s", path, strerror(errno));
    return false;
}

const char *cache_home(struct arena *a, struct diag *d)
{
    const char *own = getenv("BANKSHOT_CACHE"), *xdg = getenv("XDG_CACHE_HOME"), *user = getenv("HOME");
    if (own && *own)
        return cache_folder(own, d) ? own : NULL;
    if (!xdg || *xdg != '/') {
        if (!user || *user != '/') {
            diag_plain(d, "no folder for the cache: neither BANKSHOT_CACHE nor HOME is set");
            return NULL;
        }
        xdg = arena_printf(a, "%s/.cache", user);
    }
    const char *path = arena_printf(a, "%s/bankshot", xdg);
    return cache_folder(xdg, d) && cache_folder(path, d) ? path : NULL;
}
