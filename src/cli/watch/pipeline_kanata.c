/* SPDX-License-Identifier: Apache-2.0 */
/* The Kanata log, version 4: tab-separated commands in the order of cycles. An instruction has its stages in lane 0, and in
 * lane 1, over these, the cycles in which an operand waited for its bank. */
#include "cli/watch/pipeline.h"

#include "base/demangle.h"
#include "sm/watch/step.h"

#include <inttypes.h>

/* In the order in which they stand in a cycle. */
enum kind { END, BEGIN, NEEDS, RETIRE };

struct command {
    uint64_t at;
    uint32_t insn;
    uint8_t kind, lane;
    const char *stage;
};
typedef VEC(struct command) commands;

/* Names of stages are drawn in cells that are a few letters wide. */
static const char *short_name(const char *stage)
{
    static const char *const names[][2] = {{"fetch", "F"},   {"buffer", "B"},    {"issue", "Is"},
                                           {"latch", "La"},  {"operands", "Op"}, {"wait", "Wt"},
                                           {"execute", "X"}, {"memory", "M"},    {"write", "Wb"}};
    for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i][0], stage) == 0)
            return names[i][1];
    return stage;
}

static void add_span(commands *all, uint32_t insn, uint8_t lane, const char *stage, uint64_t from,
                     uint64_t to)
{
    vec_push(all, ((struct command){from, insn, BEGIN, lane, stage}));
    vec_push(all, ((struct command){to, insn, END, lane, stage}));
}

/* Waits of several operands for banks are shown as one where they overlap. */
static void add_conflicts(commands *all, uint32_t n, const struct pipeline_insn *i)
{
    uint64_t from = PIPELINE_NEVER, to = 0;
    for (uint32_t k = 0; k < i->nreads; k++) {
        const struct pipeline_operand *r = &i->reads[k];
        if (!r->waited)
            continue;
        from = r->at - r->waited < from ? r->at - r->waited : from;
        to = r->at > to ? r->at : to;
    }
    if (from < to)
        add_span(all, n, 1, "bank", from, to);
}

static void add_insn(commands *all, uint32_t n, const struct pipeline_insn *i)
{
    struct pipeline_span spans[PIPELINE_SPANS];
    uint32_t count = pipeline_spans(i, spans);
    for (uint32_t k = 0; k < count; k++)
        add_span(all, n, 0, short_name(spans[k].stage), spans[k].from, spans[k].to);
    add_conflicts(all, n, i);
    if (i->nneeds)
        vec_push(all, ((struct command){i->issued, n, NEEDS, 0, NULL}));
    vec_push(all, ((struct command){spans[count - 1].to, n, RETIRE, 0, NULL}));
}

static int earlier(const void *a, const void *b)
{
    const struct command *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    if (x->insn != y->insn)
        return x->insn < y->insn ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return (int)x->lane - (int)y->lane;
}

static const struct tr_kernel *kernel_of(const struct pipeline_seen *s, const struct pipeline_code *c)
{
    return tr_kernel(s->programs[c->tenant].trace, c->kernel);
}

/* The first command of an instruction is its beginning, with its labels: the code, then where its operands came from. */
static void put_labels(const struct pipeline_seen *s, uint32_t insn, uint32_t n, FILE *to)
{
    const struct pipeline_insn *i = &s->insns.at[insn];
    const struct pipeline_warp *w = &s->warps.at[i->warp];
    const struct pipeline_code *c = &s->codes.at[i->code];
    const struct tr_kernel *k = kernel_of(s, c);
    char name[200];
    demangle(k->name, name, sizeof name);
    fprintf(to, "I\t%u\t%u\t%u\n", n, insn, i->warp);
    fprintf(to, "L\t%u\t0\tCTA %u warp %u  %04x  ", n, w->cta, w->warp, k->insns[c->insn].pc);
    tr_insn_print(to, &k->insns[c->insn]);
    fprintf(to, "\nL\t%u\t1\t%s, launch %u, partition %u, %u lane%s", n, name, w->launch, w->part, i->lanes,
            i->lanes == 1 ? "" : "s");
    if (k->insns[c->insn].line)
        fprintf(to, ", line %u", k->insns[c->insn].line);
    if (i->unit)
        fprintf(to, "; %s", i->unit);
    if (i->collector != SM_STEP_NONE)
        fprintf(to, ", collector %u", i->collector);
    if (i->lines)
        fprintf(to, "; %u line%s of memory", i->lines, i->lines == 1 ? "" : "s");
    if (i->passes > 1)
        fprintf(to, "; %u cycles in shared memory", i->passes);
    for (uint32_t k2 = 0; k2 < i->nreads; k2++) {
        const struct pipeline_operand *r = &i->reads[k2];
        if (r->bank == SM_STEP_NONE)
            fprintf(to, "; R%u: %s", r->reg, r->from);
        else
            fprintf(to, "; R%u: bank %u", r->reg, r->bank);
        if (r->waited)
            fprintf(to, ", conflict: waited %u", r->waited);
    }
    for (uint32_t k2 = 0; k2 < i->nwrites; k2++) {
        const struct pipeline_operand *r = &i->writes[k2];
        if (r->bank == SM_STEP_NONE)
            fprintf(to, "; writes R%u: kept", r->reg);
        else
            fprintf(to, "; writes R%u: bank %u", r->reg, r->bank);
    }
    fputc('\n', to);
}

/* ids: of instructions in the file. */
static void put(const struct pipeline_seen *s, const struct command *c, const uint32_t *ids,
                uint32_t *retired, FILE *to)
{
    const struct pipeline_insn *i = &s->insns.at[c->insn];
    uint32_t n = ids[c->insn] - 1;
    switch ((enum kind)c->kind) {
    case BEGIN: fprintf(to, "S\t%u\t%u\t%s\n", n, c->lane, c->stage); break;
    case END: fprintf(to, "E\t%u\t%u\t%s\n", n, c->lane, c->stage); break;
    case NEEDS:
        for (uint32_t k = 0; k < i->nneeds; k++)
            fprintf(to, "W\t%u\t%u\t0\n", n, ids[i->needs[k]] - 1);
        break;
    case RETIRE: fprintf(to, "R\t%u\t%u\t0\n", n, (*retired)++); break;
    }
}

bool pipeline_kanata(const struct pipeline_seen *s, FILE *to)
{
    commands all = {0};
    /* 1 + number in the file, which counts instructions as they appear there; 0: it has not. */
    uint32_t *ids = xcalloc(s->insns.n ? s->insns.n : 1, sizeof *ids), n = 0;
    for (uint32_t i = 0; i < s->insns.n; i++)
        add_insn(&all, i, &s->insns.at[i]);
    if (all.n)
        qsort(all.at, all.n, sizeof *all.at, earlier);
    uint64_t now = all.n ? all.at[0].at : 0;
    uint32_t retired = 0;
    fprintf(to, "Kanata\t0004\nC=\t%" PRIu64 "\n", now);
    vec_each (&all, c) {
        if (c->at != now)
            fprintf(to, "C\t%" PRIu64 "\n", c->at - now);
        now = c->at;
        if (!ids[c->insn]) {
            ids[c->insn] = ++n;
            put_labels(s, c->insn, n - 1, to);
        }
        put(s, c, ids, &retired, to);
    }
    free(ids);
    vec_free(&all);
    return !ferror(to);
}
