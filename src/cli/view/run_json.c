/* SPDX-License-Identifier: Apache-2.0 */
/* A result as JSON: everything that was counted, and every option in effect, so that it can be reproduced from itself. */
#include "base/demangle.h"
#include "cli/view/advice.h"
#include "cli/view/json_point.h"
#include "cli/view/json_schema.h"
#include "cli/view/occupancy_tell.h"
#include "cli/view/run_light.h"
#include "cli/view/run_print.h"
#include "cli/watch/profile.h"
#include "cli/whole.h"

/* clang-format off */
#define RUN_KERNEL(X, T)                                                                                     \
    X(T, COUNT, OPEN, launch, "number of the launch in the trace")                                           \
    X(T, TEXT, OPEN, kernel, "its name, as the linker has it")                                               \
    X(T, TEXT, OPEN, name, "the same as people write it: without parameters, demangled")                     \
    X(T, COUNT, NULLABLE, sm, "architecture of NVIDIA's code that it has; null: compiled here")              \
    X(T, COUNT, OPEN, start, "cycle of its turn")                                                            \
    X(T, COUNT, OPEN, cycles, "from there to its last CTA's end")                                            \
    X(T, COUNT, OPEN, kernel_cycles, "from its first CTA's start on an SM to its last CTA's end")            \
    X(T, COUNT, OPEN, warp_insts, "warp instructions")                                                       \
    X(T, COUNT, OPEN, thread_insts, "thread instructions")                                                   \
    X(T, ROW, OPEN, occupancy, "CTAs and warps of an SM, what limits them, waves", .shape = &occupancy_shape) \
    X(T, REALS, NULLABLE, flops, "floating-point operations by unit; null: of an estimate, or of a run that was cut", \
      .keys = &light_kind_keys)
#define RUN_CHECK(X, T)                                                                                      \
    X(T, COUNT, OPEN, operands, "register operands compared with the program's order; all were right")       \
    X(T, COUNT, OPEN, lines, "lines of memory whose order was compared; all were right")
#define RUN_SIM(X, T)                                                                                        \
    X(T, REAL, OPEN, seconds, "of host time")                                                                \
    X(T, REAL, OPEN, kwips, "thousand warp instructions per second of host time")                            \
    X(T, COUNT, OPEN, threads, "host threads")                                                               \
    X(T, REAL, OPEN, peak_rss_mb, "most memory of the process, in MiB")
/* clang-format on */

struct run_kernel {
    RUN_KERNEL(JSON_FIELD, )
};
struct run_check {
    RUN_CHECK(JSON_FIELD, )
};
struct run_sim {
    RUN_SIM(JSON_FIELD, )
};
static const struct json_member kernel_members[] = {RUN_KERNEL(JSON_MEMBER, struct run_kernel)};
static const struct json_member check_members[] = {RUN_CHECK(JSON_MEMBER, struct run_check)};
static const struct json_member sim_members[] = {RUN_SIM(JSON_MEMBER, struct run_sim)};
static const struct json_shape kernel_shape = {.name = "kernel", .parts = {JSON_PART(kernel_members, 0)}};
static const struct json_shape check_shape = {.name = "check", .parts = {JSON_PART(check_members, 0)}};
static const struct json_shape sim_shape = {.name = "sim", .parts = {JSON_PART(sim_members, 0)}};

/* ---- names of counters and parts ---- */

static void add_key(json_t *to, const char *section, const char *name, const char *unit, const char *help)
{
    char full[96], text[512];
    snprintf(full, sizeof full, "%s%s%s", section, *section ? "." : "", name);
    snprintf(text, sizeof text, "%s%s%s%s", help, *unit ? " (" : "", unit, *unit ? ")" : "");
    json_object_set_new(to, full, json_pack("{s:s}", "description", text));
}

static void add_stat_keys(json_t *to)
{
    const struct stat_table *t;
    for (uint32_t n = 0; (t = gpu_stats(n, NULL, NULL)); n++)
        for (uint32_t i = 0; i < t->n; i++)
            add_key(to, t->section, t->rows[i].name, t->rows[i].unit, t->rows[i].help);
}

static void add_array_keys(json_t *to)
{
    for (uint32_t i = 0; i < sm_arrays.n; i++)
        add_key(to, sm_arrays.section, sm_arrays.rows[i].name, sm_arrays.rows[i].unit,
                sm_arrays.rows[i].help);
}

static void add_energy_keys(json_t *to)
{
    for (uint32_t i = 0; i < EP_COUNT; i++)
        add_key(to, "", energy_parts[i].name, "", energy_parts[i].help);
}

const struct json_keys run_stat_keys = {"counters", add_stat_keys};
static const struct json_keys array_keys = {"distributions", add_array_keys},
                              energy_keys = {"energy_parts", add_energy_keys};

/* ---- the answer ---- */

/* clang-format off */
#define RUN_ANSWER(X, T)                                                                                     \
    X(T, ROWS, OPEN, kernels, "launches in the order of their turns", .shape = &kernel_shape)                \
    X(T, COUNTS, OPEN, stats, "every counter of bankshot list stats", .keys = &run_stat_keys)                 \
    X(T, LISTS, OPEN, arrays, "every distribution of bankshot list stats", .keys = &array_keys)               \
    X(T, REALS, OPEN, energy_parts_pj, "what energy_pj adds up from", .keys = &energy_keys)                   \
    X(T, ROW, OPEN, light, "how near each part of the machine came to what it can do", .shape = &light_shape) \
    X(T, ROWS, OPEN, advice, "patterns that cost time, the largest first", .shape = &advice_shape)            \
    X(T, REAL, OPEN, issue_cov, "coefficient of variation of issues over an SM's partitions, mean of SMs")   \
    X(T, ROW, NULLABLE, check, "what --check compared; null: it was not asked for", .shape = &check_shape)   \
    X(T, ROW, OPEN, sim, "the simulation itself; the only part that differs from run to run",                \
      .shape = &sim_shape)                                                                                   \
    X(T, ROWS, NULLABLE, profile, "by instruction; null: --profile was not asked for",                       \
      .shape = &profile_shape)                                                                               \
    X(T, VALUES, OPEN, options, "every option of bankshot list options, as in effect",                       \
      .keys = &json_option_keys)
/* clang-format on */

struct run_answer {
    struct json_head head;
    struct json_point point;
    RUN_ANSWER(JSON_FIELD, )
};
static const struct json_member members[] = {RUN_ANSWER(JSON_MEMBER, struct run_answer)};
const struct json_shape run_shape = {
    .name = "run",
    .command = "run",
    .parts = {JSON_HEAD_PART, JSON_POINT_PART(offsetof(struct run_answer, point)), JSON_PART(members, 0)}};

static void add_stats(json_t *to, const struct stat_table *t, const uint64_t *v)
{
    char name[96];
    for (uint32_t i = 0; i < t->n; i++) {
        snprintf(name, sizeof name, "%s.%s", t->section, t->rows[i].name);
        json_object_set_new(to, name, cli_json_number(v[i]));
    }
}

json_t *run_json_stats(const struct gpu_result *r)
{
    json_t *to = json_object();
    const struct stat_table *table;
    const uint64_t *values;
    for (uint32_t i = 0; (table = gpu_stats(i, r, &values)); i++)
        add_stats(to, table, values);
    return to;
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

static json_t *kernel_list(const struct run_story *s)
{
    json_t *a = json_array();
    struct occupancy_of *of = occupancy_open(s->conf);
    vec_each (&s->result->kernels, k) {
        const struct tr_launch_info *l = tr_launch(s->reader, k->launch);
        struct occupancy_ask ask = occupancy_of_launch(s->reader, k->launch);
        struct occupancy o = occupancy_get(of, &ask);
        uint32_t arch = tr_kernel(s->reader, l->l.kernel)->arch;
        char name[256];
        demangle(tr_kernel(s->reader, l->l.kernel)->name, name, sizeof name);
        struct run_kernel row = {.launch = k->launch,
                                 .name = name,
                                 .kernel = tr_kernel(s->reader, l->l.kernel)->name,
                                 .sm = arch ? arch : JSON_NO_COUNT,
                                 .start = k->start,
                                 .cycles = k->end - k->start,
                                 .kernel_cycles = gpu_kernel_cycles(k),
                                 .warp_insts = l->warp_insts,
                                 .thread_insts = l->thread_insts,
                                 .occupancy = occupancy_json(s->conf, &ask, &o, k),
                                 .flops = s->census ? run_json_flops(&s->census->launches[k->launch]) : NULL};
        json_array_append_new(a, json_of(&kernel_shape, &row));
    }
    occupancy_close(of);
    return a;
}

static json_t *sim_row(const struct run_story *s)
{
    double insts = (double)s->result->sm[SS_warp_insts], seconds = s->result->seconds;
    struct run_sim row = {.seconds = seconds,
                          .kwips = seconds > 0 ? insts / seconds * 1e-3 : 0,
                          .threads = s->threads,
                          .peak_rss_mb = run_peak_rss_mb()};
    return json_of(&sim_shape, &row);
}

static json_t *check_row(const struct run_story *s)
{
    struct run_check row = {.operands = s->result->checked.operands, .lines = s->result->checked.lines};
    return s->checked ? json_of(&check_shape, &row) : NULL;
}

/* As the database would have it. */
static struct json_point point_of(struct arena *a, const struct run_story *s, const struct db_key *key,
                                  double energy_pj)
{
    const struct gpu_result *r = s->result;
    struct db_point of = plan_point(a, s->trace);
    struct db_answer answer = {.status = DB_OK,
                               .cycles = r->cycles,
                               .kernel_cycles = r->kernel_cycles,
                               .warp_insts = r->sm[SS_warp_insts],
                               .thread_insts = r->sm[SS_thread_insts],
                               .energy_pj = energy_pj,
                               .sampled_insts = r->sample[SAM_insts],
                               .kernel_cycles_pm = r->sample[SAM_cycles_pm]};
    of.gpu = s->gpu;
    of.mechs = plan_mechs(a, s->mechs);
    struct json_point to =
        json_point(a, &of, json_options(&s->conf->conf, CONF_USER), tr_identity(s->reader), key, &answer);
    to.partial = tr_partial(s->reader);
    to.code = whole_code_word(s->reader);
    return to;
}

json_t *run_answer(const struct run_story *s)
{
    struct arena a = {0};
    struct energy_out e;
    struct db_key machine = db_machine_key(s->conf), key;
    uint64_t trace = tr_identity(s->reader);
    key = db_run_key(&trace, 1, &machine);
    json_t *parts = json_object();
    gpu_energy(s->conf, s->result, &e);
    for (uint32_t i = 0; i < EP_COUNT; i++)
        json_object_set_new(parts, energy_parts[i].name, json_real(e.pj[i]));
    struct run_answer o = {.head = json_head(&run_shape),
                           .point = point_of(&a, s, &key, e.total_pj),
                           .kernels = kernel_list(s),
                           .stats = run_json_stats(s->result),
                           .arrays = array_set(s),
                           .energy_parts_pj = parts,
                           .light = run_json_light(s),
                           .advice = advice_json(s),
                           .issue_cov = gpu_issue_cov(s->conf, s->result),
                           .check = check_row(s),
                           .sim = sim_row(s),
                           .profile = s->profile ? profile_json(s->profile) : NULL,
                           .options = json_options(&s->conf->conf, CONF_DEFAULT)};
    json_t *all = json_of(&run_shape, &o);
    arena_free(&a);
    return all;
}

bool run_json(const struct run_story *s, const char *path) { return json_write(run_answer(s), path); }
