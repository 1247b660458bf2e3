/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/machine.h"

#include "cli/resource.h"
#include "gpu/capable.h"

bool machine_each(const char *kind, machine_visit *f, void *ctx)
{
    struct arena a = {0};
    struct diag d = {0};
    const char *home = cli_home(&a);
    bool ok = home && machine_files(home, kind, f, ctx, &d);
    diag_print(&d, stderr);
    diag_free(&d);
    arena_free(&a);
    return ok;
}

struct warning {
    const char *which;
    struct machine_warnings *seen;
};

static void warn(void *ctx, const char *text)
{
    const struct warning *w = ctx;
    if (w->seen) {
        text = arena_printf(&w->seen->arena, "%s%s%s", w->which ? w->which : "", w->which ? ": " : "", text);
        vec_each (&w->seen->texts, t)
            if (strcmp(*t, text) == 0)
                return;
        vec_push(&w->seen->texts, text);
    }
    fprintf(stderr, "bankshot: warning: %s\n", text);
}

void machine_warn(struct gpu_conf *c, const char *which, struct machine_warnings *seen)
{
    struct warning w = {.which = which, .seen = seen};
    conf_each_idle(&c->conf, warn, &w);
}

void machine_warn_code(const struct gpu_conf *c, const struct tr_reader *t, const char *which,
                       struct machine_warnings *seen)
{
    struct warning w = {.which = which, .seen = seen};
    gpu_each_lack(c, t, warn, &w);
}

void machine_warnings_free(struct machine_warnings *w)
{
    vec_free(&w->texts);
    arena_free(&w->arena);
}

bool machine_load(const struct machine_opts *m, struct gpu_conf *c, struct diag *d)
{
    struct arena a = {0};
    VEC(const char *) sets = {0};
    if (m->sample)
        vec_push(&sets, "gpu.sample=" MACHINE_SAMPLE);
    vec_each (&m->sets.items, s)
        vec_push(&sets, *s);
    const char *home = cli_home(&a), *ignored = "";
    const struct machine of = {
        .home = home, .gpu = m->gpu, .mechs = m->mechs, .sets = sets.at, .nsets = sets.n};
    if (!home)
        gpu_conf_init(c); /* what can be freed */
    bool ok = home && machine_make(&of, c, &ignored, d);
    if (ok && *ignored)
        fprintf(stderr, "bankshot: %s: ignored, they mean nothing here: %s\n", m->gpu, ignored);
    vec_free(&sets);
    arena_free(&a);
    return ok;
}
