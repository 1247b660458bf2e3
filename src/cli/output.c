#include "cli/output.h"

#include "base/arena.h"
#include "base/aside.h"
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

struct output output_open(const char *path)
{
    struct output o = {.path = path};
    int why = 0;
    if (output_is_stdout(path)) {
        o.f = stdout;
        return o;
    }
    o.aside = aside_open(path, &why);
    int fd = o.aside ? fcntl(aside_fd(o.aside), F_DUPFD_CLOEXEC, 3) : -1;
    o.f = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!o.f) {
        cli_error("cannot write %s: %s", path, strerror(o.aside ? errno : why));
        if (o.aside)
            aside_drop(o.aside);
        o.aside = NULL;
    }
    return o;
}

bool output_close(struct output *o)
{
    int why = ferror(o->f) ? EIO : 0;
    errno = 0;
    if ((o->f == stdout ? fflush(o->f) : fclose(o->f)) != 0)
        why = errno;
    if (o->aside && !why)
        why = aside_keep(o->aside);
    else if (o->aside)
        aside_drop(o->aside);
    if (why)
        cli_error("cannot write %s: %s", o->path, strerror(why));
    *o = (struct output){0};
    return !why;
}

void output_drop(struct output *o)
{
    if (o->f && o->f != stdout)
        fclose(o->f);
    if (o->aside)
        aside_drop(o->aside);
    *o = (struct output){0};
}

const char *output_part(struct arena *a, const char *path) { return arena_printf(a, "%s.part", path); }

const char *output_draft(struct arena *a, const char *path)
{
    int why;
    char *draft = aside_draft(path, &why);
    const char *out = draft ? arena_strndup(a, draft, strlen(draft)) : NULL;
    if (!draft)
        cli_error("cannot write %s: %s", path, strerror(why));
    free(draft);
    return out;
}

bool output_take(const char *draft, const char *path)
{
    int why = aside_take(draft, path);
    if (why)
        cli_error("cannot write %s: %s", path, strerror(why));
    return !why;
}
