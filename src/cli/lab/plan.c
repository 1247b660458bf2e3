/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/lab/plan.h"

#include "cli/lab/pool.h"
#include "cli/lab/workload.h"
#include "cli/output.h"
#include "cli/whole.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

static struct db_point point_of(struct arena *a, const char *name)
{
    const char *slash = strrchr(name, '/');
    if (workload_is_file(name))
        return (struct db_point){.workload = slash ? slash + 1 : name, .size = ""};
    size_t head = strcspn(name, ":@");
    const char *colon = name[head] == ':' ? name + head + 1 : NULL;
    struct db_point p = {.workload = arena_strndup(a, name, head),
                         .size = colon ? arena_strndup(a, colon, strcspn(colon, "@")) : "default"};
    for (const char *at = strchr(name, '@'); at; at = strchr(at + 1, '@')) {
        if (workload_is_ptx(at))
            p.ptx_order = true;
        else if (workload_is_sm1x(at))
            p.short_addr = true;
        else if (workload_is_sm75(at))
            p.sm75 = true;
        else
            p.max_regs = (uint32_t)strtoul(at + 1, NULL, 10);
    }
    return p;
}

struct db_point plan_point(struct arena *a, const char *name)
{
    size_t n = workload_part(name);
    struct db_point p = point_of(a, name[n] ? arena_strndup(a, name, n) : name);
    for (name += n; *name; name += n) {
        n = workload_part(++name);
        const char *text = arena_strndup(a, name, n);
        struct db_point one = point_of(a, text);
        p.workload =
            arena_printf(a, "%s+%s", p.workload, strcmp(one.size, p.size) == 0 ? one.workload : text);
    }
    return p;
}

static uint32_t trace_of(struct plan *p, const char *name)
{
    for (uint32_t i = 0; i < p->traces.n; i++)
        if (strcmp(p->traces.at[i].name, name) == 0)
            return i;
    vec_push(&p->traces, (struct plan_trace){.name = arena_strndup(&p->arena, name, strlen(name))});
    return p->traces.n - 1;
}

const char *plan_mechs(struct arena *a, const char *mechs)
{
    const char *out = "";
    for (const char *p = mechs; p && *p;) {
        size_t n = strcspn(p, ",");
        if (n && !(n == 4 && memcmp(p, "base", 4) == 0))
            out = arena_printf(a, "%s%s%.*s", out, *out ? "," : "", (int)n, p);
        p += n + (p[n] == ',');
    }
    return *out ? out : "base";
}

struct listing {
    struct arena *a;
    const struct conf *c;
    const char *text;
};

/* Options as they are in effect, in the order of the tables: one name for one machine. */
static void list_user(void *ctx, const char *section, const struct conf_opt *o, const char *value,
                      const char *source)
{
    struct listing *l = ctx;
    (void)source;
    for (uint32_t i = 0; i < l->c->n; i++) {
        const struct conf_section *s = &l->c->sec[i];
        if (strcmp(s->name, section) == 0 && s->layer[o - s->opts] == CONF_USER)
            l->text =
                arena_printf(l->a, "%s%s%s.%s=%s", l->text, *l->text ? " " : "", section, o->name, value);
    }
}

bool plan_machine(struct plan *p, const struct machine_opts *m, uint32_t *out, struct diag *d)
{
    struct gpu_conf c;
    struct machine_opts mine = *m;
    mine.sample |= p->sample;
    bool ok = machine_load(&mine, &c, d);
    if (ok) {
        machine_warn(&c, m->mechs, &p->warned);
        struct listing l = {.a = &p->arena, .c = &c.conf, .text = ""};
        conf_each(&c.conf, list_user, &l);
        struct plan_machine row = {.opts = mine, .mechs = plan_mechs(&p->arena, m->mechs), .options = l.text};
        char basis[128];
        row.energy = arena_strndup(&p->arena, basis, strlen(energy_words(&c.energy, basis, sizeof basis)));
        row.key = db_machine_key(&c);
        row.capability = c.gpu.capability;
        *out = p->machines.n;
        vec_push(&p->machines, row);
    }
    conf_free(&c.conf);
    return ok;
}

void plan_add(struct plan *p, const char *workload, uint32_t machine)
{
    const struct plan_machine *m = &p->machines.at[machine];
    size_t n = workload_part(workload);
    struct plan_job j = {.trace = trace_of(p, arena_strndup(&p->arena, workload, n)), .machine = machine};
    j.name = arena_strndup(&p->arena, workload, strlen(workload));
    for (const char *w = workload + n; *w && j.nothers < PLAN_OTHERS; w += n) {
        n = workload_part(++w);
        j.others[j.nothers++] = trace_of(p, arena_strndup(&p->arena, w, n));
    }
    j.point = plan_point(&p->arena, workload);
    j.point.gpu = m->opts.gpu;
    j.point.mechs = m->mechs;
    j.point.options = m->options;
    vec_push(&p->jobs, j);
}

/* Once for each preset that has a job with the trace. */
static void warn_code(struct plan *p, const struct plan_trace *t, const struct tr_reader *r)
{
    vec_each (&p->jobs, j) {
        const struct plan_machine *m = &p->machines.at[j->machine];
        const struct gpu_conf c = {.gpu.capability = m->capability};
        if (&p->traces.at[j->trace] == t)
            machine_warn_code(&c, r, arena_printf(&p->arena, "%s on %s", t->name, m->opts.gpu), &p->warned);
    }
}

static bool prepare_trace(struct plan *p, struct plan_trace *t, struct diag *d)
{
    t->path = workload_trace(&p->arena, t->name, true, d);
    struct tr_reader *r = t->path ? whole_open(t->path, t->name, p->partial_ok, d) : NULL;
    if (!r)
        return false;
    t->identity = tr_identity(r);
    warn_code(p, t, r);
    for (uint32_t i = 0; i < tr_nlaunches(r); i++)
        t->warp_insts += tr_launch(r, i)->warp_insts;
    const char *lacks = whole_lacks(&p->arena, r);
    t->partial = lacks;
    t->code = whole_code_word(r);
    if (lacks)
        fprintf(stderr, "bankshot: %s is partial: %s\n", t->name, lacks);
    tr_free(r);
    return true;
}

void plan_print_code(const struct plan *p, FILE *to)
{
    uint32_t theirs = 0;
    vec_each (&p->traces, t)
        theirs += t->code && strcmp(t->code, "ptx") != 0;
    if (!theirs)
        return;
    fprintf(to, "\ncode      NVIDIA's in %u of %u workloads:", theirs, p->traces.n);
    const char *between = " ";
    vec_each (&p->traces, u) {
        if (!u->code || strcmp(u->code, "ptx") == 0)
            continue;
        fprintf(to, "%s%s%s", between, u->name, strcmp(u->code, "both") == 0 ? " (in some kernels)" : "");
        between = ", ";
    }
    fputc('\n', to);
}

void plan_keep(struct plan *p, const bool *keep)
{
    uint32_t *at = xcalloc(p->traces.n + 1, sizeof *at), n = 0, kept = 0; /* at: a trace's new index + 1 */
    for (uint32_t i = 0; i < p->jobs.n; i++) {
        if (!keep[i])
            continue;
        struct plan_job *j = &p->jobs.at[n++];
        *j = p->jobs.at[i];
        at[j->trace] = 1;
        for (uint32_t k = 0; k < j->nothers; k++)
            at[j->others[k]] = 1;
    }
    p->jobs.n = n;
    for (uint32_t i = 0; i < p->traces.n; i++) {
        if (!at[i])
            continue;
        p->traces.at[kept] = p->traces.at[i];
        at[i] = ++kept;
    }
    p->traces.n = kept;
    vec_each (&p->jobs, j) {
        j->trace = at[j->trace] - 1;
        for (uint32_t k = 0; k < j->nothers; k++)
            j->others[k] = at[j->others[k]] - 1;
    }
    free(at);
}

void plan_part(struct plan *p, uint32_t part, uint32_t of)
{
    bool *keep = xcalloc(p->jobs.n + 1, sizeof *keep);
    for (uint32_t i = part - 1; i < p->jobs.n; i += of)
        keep[i] = true;
    plan_keep(p, keep);
    free(keep);
}

/* Traces that are files, or those that are recorded where they are missing. */
static bool prepare_traces(struct plan *p, bool files, struct diag *d)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < p->traces.n; i++) {
        struct plan_trace *t = &p->traces.at[i];
        struct diag why = {0};
        if (workload_is_file(t->name) == files && !prepare_trace(p, t, p->lenient ? &why : d)) {
            t->path = NULL;
            ok = p->lenient;
        }
        diag_print(&why, stderr);
        diag_free(&why);
    }
    return ok;
}

bool plan_has_traces(const struct plan *p, const struct plan_job *j)
{
    bool ok = p->traces.at[j->trace].path;
    for (uint32_t i = 0; i < j->nothers; i++)
        ok = ok && p->traces.at[j->others[i]].path;
    return ok;
}

bool plan_check_db(const char *path, struct diag *d)
{
    struct stat st;
    if (stat(path, &st) != 0 || !st.st_size)
        return true;
    struct db *db = db_open(path, DB_AGAIN, d);
    db_close(db);
    return db;
}

const char *plan_job_text(struct arena *a, const struct plan_job *j)
{
    return arena_printf(a, "%s %s %s%s%s", j->name, j->point.gpu, j->point.mechs,
                        *j->point.options ? " " : "", j->point.options);
}

void plan_print_job(const struct plan_job *j, FILE *to)
{
    struct arena a = {0};
    fputs(plan_job_text(&a, j), to);
    arena_free(&a);
}

bool plan_prepare(struct plan *p, uint32_t jobs, struct diag *d)
{
    VEC(const char *) names = {0};
    vec_each (&p->traces, t)
        vec_push(&names, t->name);
    /* A file that is missing is found before minutes are spent on recording others. */
    bool ok =
        prepare_traces(p, true, d) &&
        (workload_prepare(names.at, names.n, jobs ? jobs : pool_processors(), p->quiet) || p->lenient) &&
        prepare_traces(p, false, d);
    vec_free(&names);
    vec_each (&p->jobs, j) {
        uint64_t traces[1 + PLAN_OTHERS] = {p->traces.at[j->trace].identity};
        for (uint32_t i = 0; i < j->nothers; i++)
            traces[1 + i] = p->traces.at[j->others[i]].identity;
        j->key = db_run_key(traces, 1 + j->nothers, &p->machines.at[j->machine].key);
    }
    return ok;
}

bool plan_compile(const struct plan *p, uint32_t jobs)
{
    VEC(const char *) names = {0};
    vec_each (&p->traces, t)
        vec_push(&names, t->name);
    bool ok = workload_compile(names.at, names.n, jobs ? jobs : pool_processors(), p->quiet);
    vec_free(&names);
    return ok;
}

void plan_free(struct plan *p)
{
    vec_free(&p->traces);
    vec_free(&p->machines);
    vec_free(&p->jobs);
    machine_warnings_free(&p->warned);
    arena_free(&p->arena);
    if (p->stopped)
        raise(p->stopped);
}

const char *plan_scratch(struct arena *a, struct diag *d)
{
    const char *tmp = getenv("TMPDIR");
    char *path = arena_printf(a, "%s/bankshot-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    int fd = mkstemp(path);
    if (fd < 0) {
        diag_plain(d, "no temporary file %s: %s", path, strerror(errno));
        return NULL;
    }
    close(fd);
    return path;
}

void plan_forget(const char *path)
{
    struct arena a = {0};
    unlink(path);
    unlink(arena_printf(&a, "%s-wal", path));
    unlink(arena_printf(&a, "%s-shm", path));
    arena_free(&a);
}
