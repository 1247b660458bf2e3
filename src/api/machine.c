/* SPDX-License-Identifier: Apache-2.0 */
#include "api/machine.h"

#include "api/home.h"
#include "base/nearest.h"
#include "gpu/gpgpusim.h"

#include <dirent.h>
#include <sys/stat.h>

bool machine_files(const char *home, const char *kind, machine_visit *f, void *ctx, struct diag *d)
{
    struct arena a = {0};
    const char *why, *dir = home_file(&a, home, arena_printf(&a, "conf/%s", kind), &why);
    struct dirent **list;
    if (!dir)
        diag_plain(d, "%s", why);
    int n = dir ? scandir(dir, &list, NULL, alphasort) : -1;
    for (int i = 0; i < n; i++) {
        char *dot = strrchr(list[i]->d_name, '.');
        if (dot && strcmp(dot, ".ini") == 0) {
            const char *path = arena_printf(&a, "%s/%s", dir, list[i]->d_name);
            *dot = 0;
            f(ctx, list[i]->d_name, path);
        }
        free(list[i]);
    }
    if (n >= 0)
        free(list);
    arena_free(&a);
    return n >= 0;
}

struct search {
    struct arena *a;
    const char *name, *path;
    VEC(const char *) names;
};

static void look(void *ctx, const char *name, const char *path)
{
    struct search *s = ctx;
    vec_push(&s->names, arena_strndup(s->a, name, strlen(name)));
    if (strcmp(name, s->name) == 0)
        s->path = arena_strndup(s->a, path, strlen(path));
}

/* Files of GPGPU-Sim are known by their ending. */
static bool is_gpgpusim(const char *path)
{
    size_t n = strlen(path);
    return n > 7 && strcmp(path + n - 7, ".config") == 0;
}

static bool load_preset(struct gpu_conf *c, const char *path, const char **ignored, struct diag *d)
{
    return is_gpgpusim(path) ? gpgpusim_read(&c->conf, path, ignored, d)
                             : conf_read(&c->conf, path, CONF_PRESET, d);
}

/* The file of a preset or overlay; NULL after reporting the names there are. */
static const char *find_file(struct arena *a, const char *home, const char *kind, const char *what,
                             const char *name, struct diag *d)
{
    size_t len = strlen(name);
    if (strchr(name, '/') || (len > 4 && strcmp(name + len - 4, ".ini") == 0) || is_gpgpusim(name))
        return name;
    struct search s = {.a = a, .name = name};
    if (machine_files(home, kind, look, &s, d) && !s.path) {
        const char *near = nearest_name(name, len, s.names.at, s.names.n), *list = "";
        vec_each (&s.names, n)
            list = arena_printf(a, "%s%s%s", list, n == s.names.at ? "" : ", ", *n);
        if (near)
            diag_plain(d, "unknown %s '%s'; did you mean '%s'?", what, name, near);
        else
            diag_plain(d, "unknown %s '%s'; there are %s", what, name, s.names.n ? list : "none");
    }
    vec_free(&s.names);
    return s.path;
}

static bool load_mechs(const struct machine *m, struct gpu_conf *c, struct arena *a, struct diag *d)
{
    for (const char *p = m->mechs; p && *p;) {
        size_t n = strcspn(p, ",");
        const char *name = arena_strndup(a, p, n);
        p += n + (p[n] == ',');
        if (!*name || strcmp(name, "base") == 0)
            continue;
        const char *path = find_file(a, m->home, "mechs", "mechanism", name, d);
        if (!path || !conf_read(&c->conf, path, CONF_MECH, d))
            return false;
    }
    return true;
}

static bool is_bundled(struct gpu_conf *c, const char *path)
{
    const char *slash = strrchr(path, '/');
    struct stat a, b;
    return c->conf.presets && stat(path, &a) == 0 &&
           stat(arena_printf(&c->conf.arena, "%s/%s", c->conf.presets, slash ? slash + 1 : path), &b) == 0 &&
           a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Defaults are chosen for no machine in particular: all of them together are none. */
static bool has_ground(struct gpu_conf *c, const char *path, struct diag *d)
{
    uint32_t left = conf_count_default(&c->conf);
    if (c->conf.has_base || !left || is_gpgpusim(path) || is_bundled(c, path))
        return true;
    diag_error(d, path, NULL, 0, 1, 0,
               "it has no base, and %u options that it does not set would be those of no machine; begin with "
               "[preset] "
               "and base = NAME (see bankshot list gpus)",
               left);
    return false;
}

bool machine_make(const struct machine *m, struct gpu_conf *c, const char **ignored, struct diag *d)
{
    const char *why;
    *ignored = "";
    gpu_conf_init(c);
    struct arena *a = &c->conf.arena;
    c->conf.bundled = home_file(a, m->home, "conf", &why);
    if (!c->conf.bundled) {
        diag_plain(d, "%s", why);
        return false;
    }
    const char *path = find_file(a, m->home, "gpus", "GPU", m->gpu, d);
    if (path == m->gpu) /* a user's file may start from a bundled one */
        c->conf.presets = home_file(a, m->home, "conf/gpus", &why);
    bool ok = path && load_preset(c, path, ignored, d) && (path != m->gpu || has_ground(c, path, d)) &&
              load_mechs(m, c, a, d);
    for (uint32_t i = 0; i < m->nsets; i++)
        ok = ok && conf_set(&c->conf, m->sets[i], CONF_USER, d);
    return ok && gpu_conf_check(c, d);
}
