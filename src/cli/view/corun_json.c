/* SPDX-License-Identifier: Apache-2.0 */
/* The same as JSON, with all counters and options. */
#include "cli/view/corun.h"
#include "cli/view/json_point.h"
#include "cli/view/json_schema.h"
#include "cli/view/run_print.h"
#include "cli/watch/profile.h"
#include "cli/whole.h"

#include <math.h>

/* clang-format off */
#define CORUN_PROGRAM(X, T)                                                                                  \
    X(T, TEXT, OPEN, program, "workload or trace, as it was given")                                          \
    X(T, TEXT, OPEN, trace, "identity of the trace: 16 hexadecimal digits")                                  \
    X(T, TEXT, OPEN, code, "what was executed: compiled here from PTX, NVIDIA's machine code, or kernels of both",\
      .words = "ptx sass both")                                                                              \
    X(T, COUNT, OPEN, cycles, "from its first launch's turn to its end, or the end of the run")              \
    X(T, COUNT, OPEN, thread_insts, "thread instructions in these")                                          \
    X(T, COUNT, OPEN, alone_cycles, "the same alone: up to the same instruction, at most once")\
    X(T, COUNT, OPEN, alone_thread_insts, "thread instructions in these")                                    \
    X(T, REAL, OPEN, speed, "thread instructions per cycle, over those alone")                               \
    X(T, COUNT, OPEN, passes, "times that it came to its end")                                               \
    X(T, COUNTS, OPEN, stats, "counters that are its own, without those that are 0", .keys = &tenant_keys,   \
      .some = true)                                                                                          \
    X(T, ROWS, NULLABLE, profile, "by instruction; null: --profile was not asked for",                       \
      .shape = &profile_shape)
#define CORUN_ANSWER(X, T)                                                                                   \
    X(T, TEXT, OPEN, gpu, "preset, or the file, as it was given")                                            \
    X(T, TEXTS, OPEN, mechs, "mechanisms; empty: none (base)")                                               \
    X(T, TEXT, OPEN, share, "how the programs shared the GPU (gpu.share)")                                   \
    X(T, REAL, OPEN, target, "share of its speed alone that the first program was to keep")                  \
    X(T, FLAG, OPEN, met, "it has kept it, to within a hundredth")                                           \
    X(T, REAL, OPEN, stp, "system throughput: the sum of the speeds")                                        \
    X(T, REAL, NULLABLE, antt, "normalised turnaround: the mean of their inverses; null: one has done nothing")\
    X(T, REAL, OPEN, fairness, "the least speed over the greatest")                                          \
    X(T, FLAG, OPEN, cut, "the run ended before its time (gpu.insts, gpu.most_cyc)")                         \
    X(T, COUNT, OPEN, cycles, "of the run")                                                                  \
    X(T, ROWS, OPEN, programs, "in the order given", .shape = &program_shape)                                \
    X(T, COUNTS, OPEN, stats, "every counter of bankshot list stats, of all programs", .keys = &run_stat_keys)\
    X(T, REAL, OPEN, seconds, "of host time; the only member that differs from run to run")                  \
    X(T, VALUES, OPEN, options, "every option of bankshot list options, as in effect",                       \
      .keys = &json_option_keys)
/* clang-format on */

static void add_tenant_keys(json_t *to)
{
    for (uint32_t i = 0; i < sm_stats.n; i++)
        json_object_set_new(to, sm_stats.rows[i].name,
                            json_pack("{s:s}", "description", sm_stats.rows[i].help));
}
static const struct json_keys tenant_keys = {"tenant_counters", add_tenant_keys};

struct corun_row {
    CORUN_PROGRAM(JSON_FIELD, )
};
static const struct json_member program_members[] = {CORUN_PROGRAM(JSON_MEMBER, struct corun_row)};
static const struct json_shape program_shape = {.name = "corun_program",
                                                .parts = {JSON_PART(program_members, 0)}};

struct corun_answer {
    struct json_head head;
    CORUN_ANSWER(JSON_FIELD, )
};
static const struct json_member members[] = {CORUN_ANSWER(JSON_MEMBER, struct corun_answer)};
const struct json_shape corun_shape = {
    .name = "corun", .command = "corun", .parts = {JSON_HEAD_PART, JSON_PART(members, 0)}};

static json_t *own_stats(const struct gpu_tenant_result *t)
{
    json_t *to = json_object();
    for (uint32_t i = 0; i < sm_stats.n; i++)
        if (t->sm[i])
            json_object_set_new(to, sm_stats.rows[i].name, cli_json_number(t->sm[i]));
    return to;
}

static json_t *rows(struct arena *a, const struct corun_story *s)
{
    json_t *all = json_array();
    for (uint32_t i = 0; i < s->n; i++) {
        const struct corun_program *p = &s->programs[i];
        struct corun_row row = {
            .program = p->name,
            .trace = arena_printf(a, "%016llx", (unsigned long long)tr_identity(p->trace)),
            .code = whole_code_word(p->trace),
            .cycles = p->cycles,
            .thread_insts = p->thread_insts,
            .alone_cycles = p->alone_cycles,
            .alone_thread_insts = p->alone_thread_insts,
            .speed = corun_speed(p),
            .passes = s->result->tenants.at[i].passes,
            .stats = own_stats(&s->result->tenants.at[i]),
            .profile = p->profile ? profile_json(p->profile) : NULL,
        };
        json_array_append_new(all, json_of(&program_shape, &row));
    }
    return all;
}

bool corun_json(const struct corun_story *s, const char *path)
{
    struct arena a = {0};
    struct corun_sums sums = corun_sums(s);
    struct corun_answer o = {.head = json_head(&corun_shape),
                             .gpu = s->gpu,
                             .mechs = json_words(s->mechs ? s->mechs : "", ','),
                             .share = s->share,
                             .target = s->target,
                             .met = sums.met,
                             .stp = sums.stp,
                             .antt = isfinite(sums.antt) ? sums.antt : NAN,
                             .fairness = sums.fairness,
                             .cut = s->result->cut,
                             .cycles = s->result->cycles,
                             .programs = rows(&a, s),
                             .stats = run_json_stats(s->result),
                             .seconds = s->result->seconds,
                             .options = json_options(&s->conf->conf, CONF_DEFAULT)};
    bool ok = json_write(json_of(&corun_shape, &o), path);
    arena_free(&a);
    return ok;
}
