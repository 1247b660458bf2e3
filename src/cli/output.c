/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/output.h"

#include "base/arena.h"
#include "base/aside.h"
#include "cli/cli.h"

#include <errno.h>

struct output output_open(const char *path)
{
    struct output o = {.path = path};
    int why = 0;
    if (output_is_stdout(path)) {
        o.f = stdout;
        return o;
    }
    o.aside = aside_open(path, &why);
    o.f = o.aside ? aside_stream(o.aside) : NULL;
    if (!o.f) {
        cli_error("cannot write %s: %s", path, strerror(o.aside ? errno : why));
        output_drop(&o);
    }
    return o;
}

bool output_close(struct output *o)
{
    int why = 0;
    if (o->aside)
        why = aside_keep(o->aside);
    else if (fflush(o->f) != 0 || ferror(o->f))
        why = errno ? errno : EIO;
    if (why)
        cli_error("cannot write %s: %s", o->path, strerror(why));
    *o = (struct output){0};
    return !why;
}

void output_drop(struct output *o)
{
    if (o->aside)
        aside_drop(o->aside);
    *o = (struct output){0};
}

bool output_end(FILE *f, const char *path)
{
    bool ok = f && !ferror(f);
    if (f && fclose(f) != 0)
        ok = false;
    if (!ok)
        cli_error("cannot write %s: %s", path, strerror(errno));
    return ok;
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
