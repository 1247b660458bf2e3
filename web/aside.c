/* base/aside.h and base/place.h where files are in memory and last for one run: nobody else reads or writes them, so that they
 * are written in their place. */
#include "base/aside.h"
#include "base/arena.h"
#include "base/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct aside {
    FILE *f;
    char *path;
};

struct aside *aside_open(const char *path, int *why)
{
    FILE *f = fopen(path, "w");
    *why = f ? 0 : errno;
    if (!f)
        return NULL;
    struct aside *a = xcalloc(1, sizeof *a);
    *a = (struct aside){f, xstrdup(path)};
    return a;
}

int aside_fd(const struct aside *a) { return fileno(a->f); }
FILE *aside_stream(struct aside *a) { return a->f; }
bool aside_is_file(const struct aside *a) { return (void)a, true; }

static int end(struct aside *a)
{
    int why = fclose(a->f) != 0 ? errno : 0;
    free(a->path);
    free(a);
    return why;
}

int aside_keep(struct aside *a) { return end(a); }

void aside_drop(struct aside *a)
{
    if (!a)
        return;
    unlink(a->path);
    end(a);
}

char *aside_draft(const char *path, int *why) { return *why = 0, xstrdup(path); }
int aside_take(const char *draft, const char *path) { return strcmp(draft, path) == 0 ? 0 : EINVAL; }
bool aside_is_ours(const struct place *p) { return (void)p, false; }

/* There are no links: a path from the root is the place. */
int place_find(const char *path, struct place *out)
{
    size_t n = strlen(path);
    *out = (struct place){.path = xmalloc(n + 2)};
    out->path[0] = '/';
    memcpy(out->path + (path[0] != '/'), path, n + 1);
    out->exists = stat(path, &out->st) == 0;
    return 0;
}

bool place_same(const struct place *a, const struct place *b) { return strcmp(a->path, b->path) == 0; }
void place_free(struct place *p) { free(p->path); }
