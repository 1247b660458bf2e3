/* A result as JSON: everything that was counted, and every option in effect, so that it can be reproduced from itself. */
#include "cli/json.h"
#include "cli/profile.h"
#include "cli/run_print.h"

#include <errno.h>

static void add_stats(json_t *to, const struct stat_table *t, const uint64_t *v)
{
    char name[96];
    for (uint32_t i = 0; i < t->n; i++) {
        snprintf(name, sizeof name, "%s.%s", t->section, t->rows[i].name);
        json_object_set_new(to, name, cli_json_number(v[i]));
    }
}

static json_t *list(const uint64_t *v, uint32_t n)
{
    json_t *a = json_array();
    for (uint32_t i = 0; i < n; i++)
        json_array_append_new(a, cli_json_number(v[i]));
    return a;
}

/* Distributions: a list, or one list for each SM. */
static json_t *array_set(const struct run_story *s)
{
    json_t *to = json_object();
    for (uint32_t i = 0; i < SA_COUNT; i++) {
        char name[96];
        const uint64_t *v = s->result->arrays[i];
        uint32_t n = sm_array_n(&s->conf->sm, (enum sm_array)i);
        json_t *a = sm_arrays.rows[i].by_sm ? json_array() : list(v, n);
        for (uint32_t k = 0; sm_arrays.rows[i].by_sm && k < s->conf->gpu.sms; k++)
            json_array_append_new(a, list(v + (size_t)k * n, n));
        snprintf(name, sizeof name, "%s.%s", sm_arrays.section, sm_arrays.rows[i].name);
        json_object_set_new(to, name, a);
    }
    return to;
}

static void add_option(void *ctx, const char *section, const struct conf_opt *o, const char *value,
                       const char *source)
{
    (void)source;
    char name[96];
    snprintf(name, sizeof name, "%s.%s", section, o->name);
    json_t *v = o->type == CONF_NAME   ? json_string(value)
                : o->type == CONF_BOOL ? json_boolean(strcmp(value, "true") == 0)
                : o->type == CONF_U32  ? cli_json_number(strtoull(value, NULL, 10))
                                       : json_real(strtod(value, NULL));
    json_object_set_new(ctx, name, v);
}

static json_t *mech_list(const char *mechs)
{
    json_t *a = json_array();
    for (const char *p = mechs; p && *p;) {
        size_t n = strcspn(p, ",");
        json_array_append_new(a, json_stringn(p, n));
        p += n + (p[n] == ',');
    }
    return a;
}

static json_t *kernel_list(const struct run_story *s)
{
    json_t *a = json_array();
    vec_each (&s->result->kernels, k) {
        const struct tr_launch_info *l = tr_launch(s->reader, k->launch);
        json_t *o = json_object();
        json_object_set_new(o, "launch", cli_json_number(k->launch));
        json_object_set_new(o, "kernel", cli_json_text(tr_kernel(s->reader, l->l.kernel)->name));
        json_object_set_new(o, "start", cli_json_number(k->start));
        json_object_set_new(o, "cycles", cli_json_number(k->end - k->start));
        json_object_set_new(o, "kernel_cycles", cli_json_number(gpu_kernel_cycles(k)));
        json_object_set_new(o, "warp_insts", cli_json_number(l->warp_insts));
        json_object_set_new(o, "thread_insts", cli_json_number(l->thread_insts));
        json_array_append_new(a, o);
    }
    return a;
}

static json_t *energy_set(const struct run_story *s)
{
    struct energy_out e;
    json_t *to = json_object();
    gpu_energy(s->conf, s->result, &e);
    for (uint32_t i = 0; i < EP_COUNT; i++)
        json_object_set_new(to, energy_parts[i].name, json_real(e.pj[i]));
    json_object_set_new(to, "total", json_real(e.total_pj));
    return to;
}

static json_t *story(const struct run_story *s)
{
    const struct gpu_result *r = s->result;
    json_t *o = json_object(), *stats = json_object(), *options = json_object(), *sim = json_object();
    double insts = (double)r->sm[SS_warp_insts];
    json_object_set_new(o, "workload", cli_json_text(s->trace));
    json_object_set_new(o, "gpu", cli_json_text(s->gpu));
    json_object_set_new(o, "mechs", mech_list(s->mechs));
    json_object_set_new(o, "version", json_string(BANKSHOT_VERSION));
    char identity[20];
    snprintf(identity, sizeof identity, "%016llx", (unsigned long long)tr_identity(s->reader));
    json_object_set_new(o, "trace", json_string(identity));
    json_object_set_new(o, "partial", json_boolean(tr_partial(s->reader)));
    json_object_set_new(o, "cycles", cli_json_number(r->cycles));
    json_object_set_new(o, "kernel_cycles", cli_json_number(r->kernel_cycles));
    json_object_set_new(o, "warp_insts", cli_json_number(r->sm[SS_warp_insts]));
    json_object_set_new(o, "thread_insts", cli_json_number(r->sm[SS_thread_insts]));
    json_object_set_new(o, "ipc", json_real(gpu_ipc(r)));
    json_object_set_new(o, "kernels", kernel_list(s));
    add_stats(stats, &sm_stats, r->sm);
    add_stats(stats, &mem_stats, r->mem);
    json_object_set_new(o, "stats", stats);
    json_object_set_new(o, "arrays", array_set(s));
    json_object_set_new(o, "energy_pj", energy_set(s));
    json_object_set_new(o, "issue_cov", json_real(gpu_issue_cov(s->conf, r)));
    json_object_set_new(sim, "seconds", json_real(r->seconds));
    json_object_set_new(sim, "kwips", json_real(r->seconds > 0 ? insts / r->seconds * 1e-3 : 0));
    json_object_set_new(sim, "threads", cli_json_number(s->threads));
    json_object_set_new(sim, "peak_rss_mb", json_real(run_peak_rss_mb()));
    json_object_set_new(o, "sim", sim);
    if (s->profile)
        json_object_set_new(o, "profile", profile_json(s->profile));
    conf_each(&s->conf->conf, add_option, options);
    json_object_set_new(o, "options", options);
    return o;
}

bool run_json(const struct run_story *s, const char *path)
{
    FILE *f = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
    if (!f) {
        cli_error("cannot write %s: %s", path, strerror(errno));
        return false;
    }
    json_t *o = story(s);
    bool ok = json_dumpf(o, f, JSON_INDENT(1) | JSON_PRESERVE_ORDER) == 0 && fputc('\n', f) != EOF;
    json_decref(o);
    if (f != stdout && fclose(f) != 0)
        ok = false;
    if (!ok)
        cli_error("cannot write %s", path);
    return ok;
}
