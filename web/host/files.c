/* SPDX-License-Identifier: Apache-2.0 */
/* base/place.h and base/aside.h where there are no links, no other processes and no signals: a file is written in place. */
#include "base/aside.h"
#include "base/place.h"
#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int place_find(const char *path, struct place *out)
{
    size_t n = strlen(path);
    *out = (struct place){.path = xmalloc(n + 2)}; /* absolute: callers look for its folder */
    out->path[0] = '/';
    memcpy(out->path + (path[0] != '/'), path, n + 1);
    out->exists = stat(path, &out->st) == 0;
    return out->exists || errno == ENOENT ? 0 : errno;
}

bool place_same(const struct place *a, const struct place *b) { return strcmp(a->path, b->path) == 0; }

void place_free(struct place *p)
{
    free(p->path);
    *p = (struct place){0};
}

struct aside {
    int fd;
    FILE *f;
};

bool aside_is_ours(const struct place *p) { return (void)p, false; }

struct aside *aside_open(const char *path, int *why)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    *why = fd < 0 ? errno : 0;
    if (fd < 0)
        return NULL;
    struct aside *a = xcalloc(1, sizeof *a);
    a->fd = fd;
    return a;
}

int aside_fd(const struct aside *a) { return a->fd; }
bool aside_is_file(const struct aside *a) { return (void)a, true; }

FILE *aside_stream(struct aside *a)
{
    if (!a->f)
        a->f = fdopen(a->fd, "w");
    return a->f;
}

int aside_keep(struct aside *a)
{
    int why = a->f && ferror(a->f) ? EIO : 0;
    if ((a->f ? fclose(a->f) : close(a->fd)) != 0)
        why = errno;
    free(a);
    return why;
}

void aside_drop(struct aside *a) { aside_keep(a); }

char *aside_draft(const char *path, int *why)
{
    *why = 0;
    return xstrdup(path);
}

int aside_take(const char *draft, const char *path)
{
    return strcmp(draft, path) == 0 || rename(draft, path) == 0 ? 0 : errno;
}
