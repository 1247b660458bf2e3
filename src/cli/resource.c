/* Finding the headers and libraries that belong to this executable. */
#include "cli/resource.h"
#include "cli/cli.h"

#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_dir(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* The folder of the running executable; links are followed, so a link in ~/bin works. */
static const char *exe_dir(struct arena *a)
{
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path);
    if (n <= 0 || (size_t)n >= sizeof path)
        return NULL;
    while (n > 0 && path[n - 1] != '/')
        n--;
    return arena_strndup(a, path, n > 1 ? (size_t)n - 1 : (size_t)n);
}

const char *cli_home(struct arena *a)
{
    char real[PATH_MAX];
    const char *env = getenv("BANKSHOT_HOME");
    if (env && *env) {
        if (!realpath(env, real) || !is_dir(real)) {
            cli_error("BANKSHOT_HOME=%s: no such folder", env);
            return NULL;
        }
        return arena_strndup(a, real, strlen(real));
    }
    const char *dir = exe_dir(a);
    static const char *const places[] = {"lib/bankshot", "../lib/bankshot"}; /* build tree, installation */
    for (size_t i = 0; dir && i < sizeof places / sizeof *places; i++) {
        const char *path = arena_printf(a, "%s/%s", dir, places[i]);
        if (is_dir(path) && realpath(path, real))
            return arena_strndup(a, real, strlen(real));
    }
    cli_error("the folder lib/bankshot with headers and libraries is not beside %s; set BANKSHOT_HOME",
              dir ? dir : "the executable");
    return NULL;
}

const char *cli_resource(struct arena *a, const char *name)
{
    const char *home = cli_home(a);
    if (!home)
        return NULL;
    const char *path = arena_printf(a, "%s/%s", home, name);
    if (access(path, R_OK) != 0) {
        cli_error("%s is missing: the installation is not complete (BANKSHOT_HOME may name another)", path);
        return NULL;
    }
    return path;
}

const char *cli_shown_path(struct arena *a, const char *path)
{
    const char *home = path[0] == '/' ? cli_home(a) : NULL;
    size_t n = home ? strlen(home) : 0;
    return n && strncmp(path, home, n) == 0 && path[n] == '/' ? path + n + 1 : path;
}
