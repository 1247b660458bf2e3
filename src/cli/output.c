#include "cli/output.h"

#include "base/arena.h"
#include "cli/cli.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* The folder that a new file would be in. */
static const char *folder_of(struct arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');
    return !slash ? "." : slash == path ? "/" : arena_strndup(a, path, (size_t)(slash - path));
}

static int obstacle(const char *path)
{
    struct stat st;
    if (stat(path, &st) == 0)
        return S_ISDIR(st.st_mode) ? EISDIR : access(path, W_OK) == 0 ? 0 : errno;
    if (errno != ENOENT || !*path)
        return errno;
    struct arena a = {0};
    const char *dir = folder_of(&a, path);
    int why = stat(dir, &st) != 0        ? errno
              : !S_ISDIR(st.st_mode)     ? ENOTDIR
              : access(dir, W_OK | X_OK) ? errno
                                         : 0;
    arena_free(&a);
    return why;
}

bool output_check(const char *path)
{
    int why = path && !output_is_stdout(path) ? obstacle(path) : 0;
    if (why)
        cli_error("cannot write %s: %s", path, strerror(why));
    return !why;
}

FILE *output_open(const char *path)
{
    FILE *f = output_is_stdout(path) ? stdout : fopen(path, "w");
    if (!f)
        cli_error("cannot write %s: %s", path, strerror(errno));
    return f;
}

bool output_close(FILE *f, const char *path)
{
    bool ok = !ferror(f);
    ok = (f == stdout ? fflush(f) : fclose(f)) == 0 && ok;
    if (!ok)
        cli_error("cannot write %s: %s", path, strerror(errno));
    return ok;
}
