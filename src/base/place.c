/* SPDX-License-Identifier: Apache-2.0 */
#include "base/place.h"

#include "base/arena.h"
#include "base/vec.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LINKS = 40 }; /* as Linux follows */

static const char *folder_of(struct arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');
    return !slash ? "." : slash == path ? "/" : arena_strndup(a, path, (size_t)(slash - path));
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Where a link to a file that is not there points to; the path itself where it is no link. */
static const char *behind_links(struct arena *a, const char *path)
{
    for (int i = 0; i < MOST_LINKS; i++) {
        char to[PATH_MAX];
        ssize_t n = readlink(path, to, sizeof to - 1);
        if (n <= 0)
            return path;
        to[n] = 0;
        path =
            to[0] == '/' ? arena_strndup(a, to, (size_t)n) : arena_printf(a, "%s/%s", folder_of(a, path), to);
    }
    return path;
}

static int find_missing(const char *path, struct place *out)
{
    struct arena a = {0};
    const char *end = behind_links(&a, path), *name = base_of(end);
    char *folder = *name ? realpath(folder_of(&a, end), NULL) : NULL;
    int why = folder ? 0 : *name ? errno : EISDIR;
    if (folder) {
        const char *full = arena_printf(&a, "%s%s%s", folder, folder[1] ? "/" : "", name);
        out->path = xstrdup(full);
    }
    free(folder);
    arena_free(&a);
    return why;
}

int place_find(const char *path, struct place *out)
{
    *out = (struct place){0};
    if (!*path)
        return ENOENT;
    out->exists = stat(path, &out->st) == 0;
    if (!out->exists)
        return errno == ENOENT ? find_missing(path, out) : errno;
    out->path = realpath(path, NULL);
    /* A pipe or a deleted file behind /dev/fd has no path of its own. */
    if (!out->path)
        out->path = xstrdup(path);
    return 0;
}

bool place_same(const struct place *a, const struct place *b)
{
    if (a->exists != b->exists)
        return false;
    if (a->exists)
        return a->st.st_dev == b->st.st_dev && a->st.st_ino == b->st.st_ino;
    return a->path && b->path && strcmp(a->path, b->path) == 0;
}

void place_free(struct place *p)
{
    free(p->path);
    *p = (struct place){0};
}
