/* SPDX-License-Identifier: Apache-2.0 */
/* The same as JSON, an instruction in each line. */
#include "cli/watch/pipeline.h"

#include "base/demangle.h"
#include "cli/json.h"
#include "sm/watch/step.h"

/* clang-format off */
#define SPAN(X, T)                                                                                           \
    X(T, TEXT, OPEN, stage, "what it did", .words = PIPELINE_STAGES)                                         \
    X(T, COUNT, OPEN, from, "first cycle")                                                                   \
    X(T, COUNT, OPEN, to, "cycle after the last")
#define READ(X, T)                                                                                           \
    X(T, COUNT, OPEN, reg, "number of the register")                                                         \
    X(T, TEXT, OPEN, from, "what gave it: its bank, or a place of the operands' policy; "                    \
                           "ahead: its bank, before the instruction issued",                                 \
      .words = "bank cache reuse collector bypass ahead")                                                    \
    X(T, COUNT, NULLABLE, bank, "number of the bank in its partition; null: it was none")                    \
    X(T, COUNT, OPEN, at, "cycle")                                                                           \
    X(T, COUNT, OPEN, waited, "cycles before that in which the bank served others: a bank conflict")
#define WRITE(X, T)                                                                                          \
    X(T, COUNT, OPEN, reg, "number of the register")                                                         \
    X(T, TEXT, OPEN, to, "where to: its bank, or kept by the operands' policy", .words = "bank kept")        \
    X(T, COUNT, NULLABLE, bank, "number of the bank in its partition; null: it was none")                    \
    X(T, COUNT, OPEN, at, "cycle")                                                                           \
    X(T, COUNT, OPEN, waited, "cycles since the result was there")
/* clang-format on */

struct span_row {
    SPAN(JSON_FIELD, )
};
struct read_row {
    READ(JSON_FIELD, )
};
struct write_row {
    WRITE(JSON_FIELD, )
};
static const struct json_member span_members[] = {SPAN(JSON_MEMBER, struct span_row)};
static const struct json_member read_members[] = {READ(JSON_MEMBER, struct read_row)};
static const struct json_member write_members[] = {WRITE(JSON_MEMBER, struct write_row)};
static const struct json_shape span_shape = {.name = "pipeline_stage", .parts = {JSON_PART(span_members, 0)}},
                               read_shape = {.name = "pipeline_read", .parts = {JSON_PART(read_members, 0)}},
                               write_shape = {.name = "pipeline_write",
                                              .parts = {JSON_PART(write_members, 0)}};

/* clang-format off */
#define KERNEL(X, T)                                                                                         \
    X(T, TEXT, OPEN, name, "the kernel")                                                                     \
    X(T, TEXT, NULLABLE, file, "source of its lines; null: not known")
#define CODE(X, T)                                                                                           \
    X(T, COUNT, OPEN, kernel, "number in kernels")                                                           \
    X(T, COUNT, OPEN, insn, "number of the instruction in the kernel")                                       \
    X(T, COUNT, OPEN, pc, "its address in the kernel")                                                       \
    X(T, COUNT, OPEN, line, "line of the source; 0: not known")                                              \
    X(T, TEXT, OPEN, text, "the instruction")
#define WARP(X, T)                                                                                           \
    X(T, COUNT, OPEN, launch, "number of the launch in the trace")                                           \
    X(T, COUNT, OPEN, cta, "its CTA")                                                                        \
    X(T, COUNT, OPEN, warp, "its number in that")                                                            \
    X(T, COUNT, OPEN, partition, "of the SM")                                                                \
    X(T, COUNT, OPEN, slot, "of the partition")
#define INSN(X, T)                                                                                           \
    X(T, COUNT, OPEN, id, "number of the row")                                                               \
    X(T, COUNT, OPEN, warp, "number in warps")                                                               \
    X(T, COUNT, OPEN, code, "number in code")                                                                \
    X(T, COUNT, OPEN, lanes, "active")                                                                       \
    X(T, TEXT, NULLABLE, unit, "that executes it; null: none, as of branches and barriers")                  \
    X(T, COUNT, NULLABLE, collector, "that holds it until its operands are there; null: none")               \
    X(T, COUNT, OPEN, lines, "of memory that it touches")                                                    \
    X(T, COUNT, OPEN, passes, "cycles that it takes in shared memory; of an atomic elsewhere: lanes that "   \
                              "meet in a word")                                                              \
    X(T, ROWS, OPEN, stages, "in their order, without gap or overlap", .shape = &span_shape)                 \
    X(T, ROWS, OPEN, reads, "registers that it reads", .shape = &read_shape)                                 \
    X(T, ROWS, OPEN, writes, "registers that it writes", .shape = &write_shape)                              \
    X(T, NUMBERS, OPEN, needs, "instructions shown before whose results it uses, by id")
/* clang-format on */

struct kernel_row {
    KERNEL(JSON_FIELD, )
};
struct code_row {
    CODE(JSON_FIELD, )
};
struct warp_row {
    WARP(JSON_FIELD, )
};
struct insn_row {
    INSN(JSON_FIELD, )
};
static const struct json_member kernel_members[] = {KERNEL(JSON_MEMBER, struct kernel_row)};
static const struct json_member code_members[] = {CODE(JSON_MEMBER, struct code_row)};
static const struct json_member warp_members[] = {WARP(JSON_MEMBER, struct warp_row)};
static const struct json_member insn_members[] = {INSN(JSON_MEMBER, struct insn_row)};
static const struct json_shape kernel_shape = {.name = "pipeline_kernel",
                                               .parts = {JSON_PART(kernel_members, 0)}},
                               code_shape = {.name = "pipeline_code", .parts = {JSON_PART(code_members, 0)}},
                               warp_shape = {.name = "pipeline_warp", .parts = {JSON_PART(warp_members, 0)}},
                               insn_shape = {.name = "pipeline_insn", .parts = {JSON_PART(insn_members, 0)}};

/* clang-format off */
#define PIPELINE(X, T)                                                                                       \
    X(T, TEXT, OPEN, workload, "the program, or the trace, as it was given; of several: with + between")     \
    X(T, TEXT, OPEN, gpu, "preset, or the file, as it was given")                                            \
    X(T, TEXTS, OPEN, mechs, "mechanisms; empty: none (base)")                                               \
    X(T, COUNT, OPEN, sm, "the SM that is shown")                                                            \
    X(T, COUNT, OPEN, from, "first cycle: instructions that issue from it on")                               \
    X(T, COUNT, OPEN, to, "... and before this one are shown, with all that happens to them later")          \
    X(T, TEXT, NULLABLE, cut, "why some of these are not; null: all are")                                    \
    X(T, TEXT, OPEN, operands, "policy of the operands: sm.operands")                                        \
    X(T, COUNT, OPEN, partitions, "of an SM")                                                                \
    X(T, COUNT, OPEN, banks, "of a partition's registers")                                                   \
    X(T, COUNT, OPEN, collectors, "of a partition")                                                          \
    X(T, ROWS, OPEN, kernels, "that code is of", .shape = &kernel_shape)                                     \
    X(T, ROWS, OPEN, code, "instructions that are shown, once each", .shape = &code_shape)                   \
    X(T, ROWS, OPEN, warps, "in the order in which they first issue", .shape = &warp_shape)                  \
    X(T, ROWS, OPEN, insns, "warp instructions, by their cycle of issue", .shape = &insn_shape)
/* clang-format on */

struct pipeline_answer {
    struct json_head head;
    PIPELINE(JSON_FIELD, )
};
static const struct json_member members[] = {PIPELINE(JSON_MEMBER, struct pipeline_answer)};
const struct json_shape pipeline_shape = {
    .name = "pipeline", .command = "run --pipeline", .parts = {JSON_HEAD_PART, JSON_PART(members, 0)}};

/* ---- an instruction ---- */

static uint64_t bank_number(uint32_t bank) { return bank == SM_STEP_NONE ? JSON_NO_COUNT : bank; }

static json_t *stages(const struct pipeline_insn *i)
{
    struct pipeline_span spans[PIPELINE_SPANS];
    json_t *a = json_array();
    for (uint32_t k = 0, n = pipeline_spans(i, spans); k < n; k++) {
        struct span_row row = {spans[k].stage, spans[k].from, spans[k].to};
        json_array_append_new(a, json_of(&span_shape, &row));
    }
    return a;
}

static json_t *reads(const struct pipeline_insn *i)
{
    json_t *a = json_array();
    for (uint32_t k = 0; k < i->nreads; k++) {
        const struct pipeline_operand *r = &i->reads[k];
        struct read_row row = {.reg = r->reg,
                               .from = r->bank == SM_STEP_NONE ? r->from : "bank",
                               .bank = bank_number(r->bank),
                               .at = r->at,
                               .waited = r->waited};
        json_array_append_new(a, json_of(&read_shape, &row));
    }
    return a;
}

static json_t *writes(const struct pipeline_insn *i)
{
    json_t *a = json_array();
    for (uint32_t k = 0; k < i->nwrites; k++) {
        const struct pipeline_operand *r = &i->writes[k];
        struct write_row row = {.reg = r->reg,
                                .to = r->bank == SM_STEP_NONE ? "kept" : "bank",
                                .bank = bank_number(r->bank),
                                .at = r->at,
                                .waited = r->at - i->result};
        json_array_append_new(a, json_of(&write_shape, &row));
    }
    return a;
}

static json_t *insn(const struct pipeline_insn *i, uint32_t id)
{
    json_t *needs = json_array();
    for (uint32_t k = 0; k < i->nneeds; k++)
        json_array_append_new(needs, cli_json_number(i->needs[k]));
    struct insn_row row = {.id = id,
                           .warp = i->warp,
                           .code = i->code,
                           .lanes = i->lanes,
                           .unit = i->unit,
                           .collector = bank_number(i->collector),
                           .lines = i->lines,
                           .passes = i->passes,
                           .stages = stages(i),
                           .reads = reads(i),
                           .writes = writes(i),
                           .needs = needs};
    return json_of(&insn_shape, &row);
}

/* ---- tables ---- */

/* Kernels in the order in which their code is first seen; *code gets the rows of code. */
static json_t *kernels(const struct pipeline_seen *s, json_t *code)
{
    json_t *all = json_array();
    VEC(struct pipeline_code) known = {0};
    vec_each (&s->codes, c) {
        const struct tr_kernel *k = tr_kernel(s->programs[c->tenant].trace, c->kernel);
        uint32_t n = 0;
        while (n < known.n && (known.at[n].tenant != c->tenant || known.at[n].kernel != c->kernel))
            n++;
        if (n == known.n) {
            char name[512];
            demangle(k->name, name, sizeof name);
            struct kernel_row row = {name, *k->file ? k->file : NULL};
            json_array_append_new(all, json_of(&kernel_shape, &row));
            vec_push(&known, *c);
        }
        char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);
        if (f) {
            tr_insn_print(f, &k->insns[c->insn]);
            fclose(f);
        }
        struct code_row row = {n, c->insn, k->insns[c->insn].pc, k->insns[c->insn].line, text ? text : ""};
        json_array_append_new(code, json_of(&code_shape, &row));
        free(text);
    }
    vec_free(&known);
    return all;
}

static json_t *warps(const struct pipeline_seen *s)
{
    json_t *a = json_array();
    vec_each (&s->warps, w) {
        struct warp_row row = {w->launch, w->cta, w->warp, w->part, w->slot};
        json_array_append_new(a, json_of(&warp_shape, &row));
    }
    return a;
}

/* ---- the file ---- */

static void workload(const struct pipeline_seen *s, char *to, size_t size)
{
    size_t n = 0;
    to[0] = 0;
    for (uint32_t i = 0; i < s->nprograms && n < size; i++) {
        int k = snprintf(to + n, size - n, "%s%s", i ? "+" : "", s->programs[i].name);
        n += k > 0 ? (size_t)k : 0;
    }
}

/* Their names, without "base", which is none. */
static json_t *mechs(const char *text)
{
    json_t *all = json_words(text, ',');
    for (size_t i = json_array_size(all); i--;)
        if (strcmp(json_string_value(json_array_get(all, i)), "base") == 0)
            json_array_remove(all, i);
    return all;
}

/* A member of the answer; lists have a line for each row. */
static bool put_member(const char *name, const json_t *v, bool first, FILE *to)
{
    fprintf(to, "%s \"%s\": ", first ? "" : ",\n", name);
    if (!json_is_array(v) || !json_array_size(v) || !json_is_object(json_array_get(v, 0)))
        return json_dumpf(v, to, JSON_COMPACT | JSON_ENCODE_ANY) == 0;
    bool ok = fputc('[', to) != EOF;
    for (size_t i = 0; ok && i < json_array_size(v); i++) {
        fputs(i ? ",\n  " : "\n  ", to);
        ok = json_dumpf(json_array_get(v, i), to, JSON_COMPACT | JSON_PRESERVE_ORDER) == 0;
    }
    return ok && fputs("]", to) != EOF;
}

bool pipeline_json(const struct pipeline_seen *s, FILE *to)
{
    char name[512];
    json_t *code = json_array(), *insns = json_array(), *value;
    uint32_t n = 0;
    workload(s, name, sizeof name);
    vec_each (&s->insns, i)
        json_array_append_new(insns, insn(i, n++));
    struct pipeline_answer o = {.head = json_head(&pipeline_shape),
                                .workload = name,
                                .gpu = s->head->gpu,
                                .mechs = mechs(s->head->mechs),
                                .sm = s->o->sm,
                                .from = s->from,
                                .to = s->to,
                                .cut = *s->cut ? s->cut : NULL,
                                .operands = s->c->sm.operands,
                                .partitions = s->c->sm.partitions,
                                .banks = s->c->sm.banks,
                                .collectors = sm_collectors(&s->c->sm),
                                .kernels = kernels(s, code),
                                .code = code,
                                .warps = warps(s),
                                .insns = insns};
    json_t *all = json_of(&pipeline_shape, &o);
    bool ok = fputs("{\n", to) != EOF, first = true;
    const char *key;
    json_object_foreach (all, key, value) {
        ok = ok && put_member(key, value, first, to);
        first = false;
    }
    json_decref(all);
    return ok && fputs("\n}\n", to) != EOF;
}
