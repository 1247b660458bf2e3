/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/view/json_point.h"

#include <math.h>

const struct json_member json_point_members[JSON_POINT_N] = {JSON_POINT(JSON_MEMBER, struct json_point)};

json_t *json_options(struct conf *c, enum conf_layer from)
{
    json_t *to = json_object();
    for (uint32_t i = 0; i < c->n; i++)
        for (uint32_t k = 0; k < c->sec[i].n; k++) {
            if (c->sec[i].layer[k] < from)
                continue;
            const char *name = arena_printf(&c->arena, "%s.%s", c->sec[i].name, c->sec[i].opts[k].name);
            json_object_set_new(to, name, json_option(&c->sec[i].opts[k], conf_get(c, name)));
        }
    return to;
}

json_t *json_set_words(struct arena *a, const char *words)
{
    struct gpu_conf c;
    struct diag d = {0};
    gpu_conf_init(&c);
    for (const char *p = words; *p; p += strspn(p, " ")) {
        size_t n = strcspn(p, " ");
        conf_set(&c.conf, arena_strndup(a, p, n), CONF_USER, &d);
        p += n;
    }
    json_t *o = json_options(&c.conf, CONF_USER);
    conf_free(&c.conf);
    diag_free(&d);
    return o;
}

static double ipc(const struct db_answer *a)
{
    return a->kernel_cycles ? (double)a->warp_insts / (double)a->kernel_cycles : 0;
}

/* Energy adds up from parts, which a database adds in another order: beyond this they need not agree. */
static double thousandths(double x) { return round(x * 1000) / 1000; }

struct json_point json_point(struct arena *a, const struct db_point *of, json_t *set, uint64_t trace,
                             const struct db_key *key, const struct db_answer *answer)
{
    static const char *const names[DB_MISSING + 1] = {
        [DB_OK] = "ok", [DB_REFUSED] = "refused", [DB_DEADLOCK] = "deadlock"};
    bool ok = answer->status == DB_OK, sampled = ok && answer->sampled_insts;
    return (struct json_point){.workload = of->workload,
                               .size = *of->size ? of->size : NULL,
                               .max_regs = of->max_regs ? of->max_regs : JSON_NO_COUNT,
                               .code_order = *of->size ? db_code_order(of) : NULL,
                               .gpu = of->gpu,
                               .mechs = json_words(strcmp(of->mechs, "base") == 0 ? "" : of->mechs, ','),
                               .set = set,
                               .trace = arena_printf(a, "%016llx", (unsigned long long)trace),
                               .key = key->text,
                               .status = names[answer->status],
                               .cycles = ok ? answer->cycles : JSON_NO_COUNT,
                               .kernel_cycles = ok ? answer->kernel_cycles : JSON_NO_COUNT,
                               .warp_insts = ok ? answer->warp_insts : JSON_NO_COUNT,
                               .thread_insts = ok ? answer->thread_insts : JSON_NO_COUNT,
                               .ipc = ok ? ipc(answer) : NAN,
                               .energy_pj =
                                   ok && answer->energy_pj > 0 ? thousandths(answer->energy_pj) : NAN,
                               .sampled_insts = sampled ? answer->sampled_insts : JSON_NO_COUNT,
                               .kernel_cycles_pm = sampled ? answer->kernel_cycles_pm : JSON_NO_COUNT};
}

struct json_point json_job(struct arena *a, const struct plan *p, const struct plan_job *j)
{
    const struct plan_trace *t = &p->traces.at[j->trace];
    struct json_point to =
        json_point(a, &j->point, json_set_words(a, j->point.options), t->identity, &j->key, &j->answer);
    to.partial = t->partial;
    to.code = t->code;
    to.reason = j->reason;
    return to;
}

static json_t *option_schema(const struct conf_opt *o)
{
    static const char *const types[] = {[CONF_BOOL] = "boolean",
                                        [CONF_U32] = "integer",
                                        [CONF_POW2] = "integer",
                                        [CONF_F64] = "number",
                                        [CONF_NAME] = "string"};
    json_t *s = json_object(), *names = o->type == CONF_NAME ? json_array() : NULL;
    json_object_set_new(s, "type", json_string(types[o->type]));
    for (uint32_t i = 0; names && o->names(i); i++)
        json_array_append_new(names, json_string(o->names(i)));
    if (names)
        json_object_set_new(s, "enum", names);
    if (conf_is_whole(o->type) || o->type == CONF_F64) {
        bool whole = conf_is_whole(o->type);
        json_object_set_new(s, "minimum", whole ? json_integer((json_int_t)o->lo) : json_real(o->lo));
        json_object_set_new(s, "maximum", whole ? json_integer((json_int_t)o->hi) : json_real(o->hi));
    }
    json_object_set_new(s, "description", json_string(o->help));
    return s;
}

static void add_options(json_t *to)
{
    struct gpu_conf c;
    gpu_conf_init(&c);
    for (uint32_t i = 0; i < c.conf.n; i++)
        for (uint32_t k = 0; k < c.conf.sec[i].n; k++) {
            const struct conf_opt *o = &c.conf.sec[i].opts[k];
            json_object_set_new(to, arena_printf(&c.conf.arena, "%s.%s", c.conf.sec[i].name, o->name),
                                option_schema(o));
        }
    conf_free(&c.conf);
}

const struct json_keys json_option_keys = {"option_values", add_options};
