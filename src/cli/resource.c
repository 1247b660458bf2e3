/* SPDX-License-Identifier: Apache-2.0 */
/* Finding the headers and libraries that belong to this executable. */
#include "cli/resource.h"
#include "api/home.h"
#include "cli/cli.h"

const char *cli_home(struct arena *a)
{
    const char *why, *home = home_find(a, home_of_program(a), &why);
    if (!home)
        cli_error("%s", why);
    return home;
}

const char *cli_resource(struct arena *a, const char *name)
{
    const char *why, *home = cli_home(a), *path = home ? home_file(a, home, name, &why) : NULL;
    if (home && !path)
        cli_error("%s", why);
    return path;
}

const char *cli_shown_path(struct arena *a, const char *path)
{
    const char *home = path[0] == '/' ? cli_home(a) : NULL;
    size_t n = home ? strlen(home) : 0;
    return n && strncmp(path, home, n) == 0 && path[n] == '/' ? path + n + 1 : path;
}
