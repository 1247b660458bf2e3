/* SPDX-License-Identifier: Apache-2.0 */
/* libbankshot: the functions of bankshot.h over the modules. What they find goes from a diag into the caller's error. */
#include "api/guest.h"
#include "api/home.h"
#include "api/machine.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

struct bankshot_trace {
    struct tr_reader *reader;
    uint64_t warp_insts;
};

struct bankshot_gpu {
    struct gpu_conf conf; /* points into itself */
    struct guest guest;
};

struct bankshot_result {
    struct gpu_result counted;
    double energy_pj;
    struct arena arena;
    VEC(const char *) names;
    VEC(uint64_t) values;
};

const char *bankshot_version(void) { return BANKSHOT_VERSION; }
uint32_t bankshot_abi(void) { return BANKSHOT_ABI; }

/* ---- errors ---- */

static void fail(struct bankshot_error *e, enum bankshot_status status, struct diag *d)
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = e ? open_memstream(&text, &n) : NULL;
    if (f) {
        diag_print(d, f);
        fclose(f);
        while (n && text[n - 1] == '\n')
            n--;
        e->status = status;
        n = n < sizeof e->text ? n : sizeof e->text - 1;
        memcpy(e->text, text, n);
        e->text[n] = 0;
        free(text);
    }
    diag_free(d);
}

static void fine(struct bankshot_error *e)
{
    if (e)
        *e = (struct bankshot_error){.status = BANKSHOT_OK};
}

/* ---- traces ---- */

static bool is_whole(const struct tr_reader *r, const char *path, struct diag *d)
{
    if (!tr_nlaunches(r))
        diag_plain(d, "%s has no launch: there is nothing to time", path);
    else if (tr_partial(r))
        diag_plain(d, "%s is partial: its recording did not come to its end", path);
    return d->errors == 0;
}

struct bankshot_trace *bankshot_trace_open(const char *path, struct bankshot_error *e)
{
    struct diag d = {0};
    struct tr_reader *r = tr_open(path, &d);
    fine(e);
    if (r && is_whole(r, path, &d)) {
        struct bankshot_trace *t = xcalloc(1, sizeof *t);
        t->reader = r;
        for (uint32_t i = 0; i < tr_nlaunches(r); i++)
            t->warp_insts += tr_launch(r, i)->warp_insts;
        return t;
    }
    if (r)
        tr_free(r);
    fail(e, BANKSHOT_INPUT, &d);
    return NULL;
}

void bankshot_trace_close(struct bankshot_trace *t)
{
    if (t)
        tr_free(t->reader);
    free(t);
}

uint32_t bankshot_trace_launches(const struct bankshot_trace *t) { return tr_nlaunches(t->reader); }
uint64_t bankshot_trace_warp_insts(const struct bankshot_trace *t) { return t->warp_insts; }

const char *bankshot_trace_kernel(const struct bankshot_trace *t, uint32_t launch)
{
    return launch < tr_nlaunches(t->reader)
               ? tr_kernel(t->reader, tr_launch(t->reader, launch)->l.kernel)->name
               : NULL;
}

/* ---- GPUs ---- */

struct bankshot_gpu *bankshot_gpu_new(const char *gpu, const char *mechs, struct bankshot_error *e)
{
    struct bankshot_gpu *g = xcalloc(1, sizeof *g);
    struct arena a = {0};
    struct diag d = {0};
    const char *why = "", *ignored;
    struct machine m = {.home = home_find(&a, home_of_library(&a), &why), .gpu = gpu, .mechs = mechs};
    fine(e);
    if (!m.home) {
        gpu_conf_init(&g->conf);
        diag_plain(&d, "%s", why);
    }
    if (!m.home || !machine_make(&m, &g->conf, &ignored, &d)) {
        fail(e, BANKSHOT_INPUT, &d);
        bankshot_gpu_free(g);
        g = NULL;
    }
    arena_free(&a);
    return g;
}

void bankshot_gpu_free(struct bankshot_gpu *g)
{
    if (g)
        conf_free(&g->conf.conf);
    free(g);
}

bool bankshot_gpu_set(struct bankshot_gpu *g, const char *assignment, struct bankshot_error *e)
{
    struct diag d = {0};
    fine(e);
    if (conf_set(&g->conf.conf, assignment, CONF_USER, &d))
        return true;
    fail(e, BANKSHOT_INPUT, &d);
    return false;
}

const char *bankshot_gpu_get(struct bankshot_gpu *g, const char *option)
{
    return conf_get(&g->conf.conf, option);
}

bool bankshot_gpu_scheduler(struct bankshot_gpu *g, const struct bankshot_scheduler *s,
                            struct bankshot_error *e)
{
    struct diag d = {0};
    fine(e);
    if (guest_put(&g->guest, s, &g->conf.sm, &d))
        return true;
    fail(e, BANKSHOT_INPUT, &d);
    return false;
}

/* ---- runs ---- */

static struct bankshot_result *keep(const struct gpu_conf *c, struct gpu_result *r)
{
    struct bankshot_result *out = xcalloc(1, sizeof *out);
    struct energy_out energy;
    const struct stat_table *t;
    const uint64_t *values;
    gpu_energy(c, r, &energy);
    out->energy_pj = energy.total_pj;
    for (uint32_t n = 0; (t = gpu_stats(n, r, &values)); n++)
        for (uint32_t i = 0; i < t->n; i++) {
            vec_push(&out->names, arena_printf(&out->arena, "%s.%s", t->section, t->rows[i].name));
            vec_push(&out->values, values[i]);
        }
    out->counted = *r;
    return out;
}

struct bankshot_result *bankshot_run(struct bankshot_gpu *g, struct bankshot_trace *t,
                                     const struct bankshot_run_opts *o, struct bankshot_error *e)
{
    struct diag d = {0};
    struct gpu_result r = {0};
    const struct gpu_opts opts = {.threads = o && o->threads ? o->threads : 1, .check = o && o->check};
    fine(e);
    enum gpu_status s =
        gpu_conf_check(&g->conf, &d) ? gpu_run(&g->conf, t->reader, &opts, &r, &d) : GPU_REFUSED;
    if (s == GPU_OK) {
        diag_free(&d);
        return keep(&g->conf, &r);
    }
    gpu_result_free(&r);
    fail(e, s == GPU_DEADLOCK ? BANKSHOT_DEADLOCK : BANKSHOT_INPUT, &d);
    return NULL;
}

void bankshot_result_free(struct bankshot_result *r)
{
    if (!r)
        return;
    gpu_result_free(&r->counted);
    vec_free(&r->names);
    vec_free(&r->values);
    arena_free(&r->arena);
    free(r);
}

uint64_t bankshot_cycles(const struct bankshot_result *r) { return r->counted.cycles; }
uint64_t bankshot_kernel_cycles(const struct bankshot_result *r) { return r->counted.kernel_cycles; }
double bankshot_energy_pj(const struct bankshot_result *r) { return r->energy_pj; }

bool bankshot_counter(const struct bankshot_result *r, const char *name, uint64_t *value)
{
    for (uint32_t i = 0; i < r->names.n; i++)
        if (strcmp(r->names.at[i], name) == 0) {
            *value = r->values.at[i];
            return true;
        }
    return false;
}

const char *bankshot_counter_name(const struct bankshot_result *r, uint32_t i)
{
    return i < r->names.n ? r->names.at[i] : NULL;
}
