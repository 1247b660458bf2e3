/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/watch/pipeline.h"

#include "cli/cli.h"
#include "cli/output.h"
#include "sm/watch/step.h"

enum {
    BUFFER = 16,  /* more than a warp's buffer holds */
    SLOTS = 64,   /* of a partition */
    NAMES = 1024, /* registers and predicates of all kinds, side by side */
};

/* A warp slot, with what its warp has in its buffer. */
struct slot {
    uint64_t age; /* 1 + that of its warp; 0: it has had none */
    uint64_t asked;
    struct {
        uint64_t asked, fetched;
    } buffer[BUFFER];
    uint32_t head, n;
    uint32_t warp;  /* 1 + number in the list; 0: it is not shown */
    uint32_t *last; /* by name: 1 + instruction that has written it last; NULL: none */
};

struct pipeline {
    struct pipeline_seen seen;
    struct pipeline_opts o;
    struct pipeline_head head;
    struct gpu_observer watch;
    struct sm_observer sm;
    struct slot *slots; /* by partition and slot */
    struct {
        VEC(uint32_t) insns; /* by flight: 1 + instruction */
    } * parts;
    /* By kernel and instruction: 1 + number; NULL: none of the kernel was seen */
    uint32_t **codes[GPU_TENANTS];
    bool started; /* seen.from and seen.to are known */
};

/* ---- warps ---- */

static struct slot *slot_of(struct pipeline *p, const struct sm_step *s)
{
    struct slot *w = &p->slots[s->part * SLOTS + s->slot % SLOTS];
    if (w->age == s->age + 1)
        return w;
    free(w->last);
    *w = (struct slot){.age = s->age + 1, .asked = PIPELINE_NEVER};
    return w;
}

static void fetched(struct slot *w, const struct sm_step *s)
{
    for (uint32_t i = 0; i < s->n && w->n < BUFFER; i++) {
        uint32_t at = (w->head + w->n++) % BUFFER;
        w->buffer[at].asked = w->asked;
        w->buffer[at].fetched = s->at;
    }
}

/* The warp's number; 0: it is one too many. */
static uint32_t warp_of(struct pipeline *p, struct slot *w, const struct sm_step *s)
{
    if (w->warp)
        return w->warp;
    if (p->seen.warps.n == p->o.warps) {
        if (!*p->seen.cut)
            snprintf(p->seen.cut, sizeof p->seen.cut, "only the first %u warps are shown", p->o.warps);
        return 0;
    }
    vec_push(&p->seen.warps,
             ((struct pipeline_warp){s->place.tenant, s->launch, s->cta, s->warp, s->part, s->slot}));
    return w->warp = p->seen.warps.n;
}

/* ---- instructions ---- */

static const struct tr_kernel *kernel_of(const struct pipeline *p, const struct sm_place *at)
{
    return tr_kernel(p->seen.programs[at->tenant].trace, at->kernel);
}

static uint32_t code_of(struct pipeline *p, const struct sm_place *at)
{
    uint32_t ***kernels = &p->codes[at->tenant];
    if (!*kernels)
        *kernels = xcalloc(tr_nkernels(p->seen.programs[at->tenant].trace), sizeof **kernels);
    if (!(*kernels)[at->kernel])
        (*kernels)[at->kernel] = xcalloc(kernel_of(p, at)->n, sizeof(uint32_t));
    uint32_t *code = &(*kernels)[at->kernel][at->insn];
    if (!*code) {
        vec_push(&p->seen.codes, ((struct pipeline_code){at->tenant, at->kernel, at->insn}));
        *code = p->seen.codes.n;
    }
    return *code - 1;
}

/* The first of an operand's n names; NAMES: it is no register. */
static uint32_t name_of(const struct tr_opnd *o)
{
    static const uint32_t at[] = {[TO_NONE] = NAMES, [TO_REG] = 0,     [TO_PRED] = 256,   [TO_UREG] = 512,
                                  [TO_UPRED] = 768,  [TO_IMM] = NAMES, [TO_CONST] = NAMES};
    return at[o->kind] == NAMES || o->val + o->n > 256 ? NAMES : at[o->kind] + o->val;
}

static void needs(const struct slot *w, struct pipeline_insn *i, const struct tr_opnd *o)
{
    for (uint32_t at = name_of(o), n = 0; at != NAMES && n < o->n; n++) {
        uint32_t by = w->last[at + n], k = 0;
        while (k < i->nneeds && i->needs[k] != by - 1)
            k++;
        if (by && k == i->nneeds && k < PIPELINE_NEEDS)
            i->needs[i->nneeds++] = by - 1;
    }
}

/* What it uses, and that it is the one who writes now. */
static void depend(const struct pipeline *p, struct slot *w, const struct sm_place *at,
                   struct pipeline_insn *i)
{
    const struct tr_insn *t = &kernel_of(p, at)->insns[at->insn];
    if (!w->last)
        w->last = xcalloc(NAMES, sizeof *w->last);
    needs(w, i, &t->guard);
    for (uint32_t k = 0; k < t->nsrc; k++)
        needs(w, i, &t->src[k]);
    for (uint32_t k = 0; k < t->ndst; k++)
        for (uint32_t name = name_of(&t->dst[k]), n = 0; name != NAMES && n < t->dst[k].n; n++)
            w->last[name + n] = p->seen.insns.n + 1;
}

/* Is one that issues then, of this launch, to be shown? */
static bool in_window(struct pipeline *p, const struct sm_step *s)
{
    struct pipeline_seen *e = &p->seen;
    if (s->at < p->o.from || (p->o.launch != PIPELINE_ANY && s->launch != p->o.launch))
        return false;
    if (!p->started) {
        p->started = true;
        e->from = p->o.from ? p->o.from : s->at;
        e->to = p->o.to != UINT64_MAX ? p->o.to : s->at + PIPELINE_CYCLES;
    }
    if (s->at >= e->to)
        return false;
    if (e->insns.n < p->o.most)
        return true;
    e->to = s->at;
    snprintf(e->cut, sizeof e->cut,
             "there are %u instructions before cycle %llu, which are all that are kept", p->o.most,
             (unsigned long long)s->at);
    return false;
}

static struct pipeline_insn *of_flight(struct pipeline *p, const struct sm_step *s)
{
    if (s->flight == SM_STEP_NONE || s->flight >= p->parts[s->part].insns.n)
        return NULL;
    uint32_t i = p->parts[s->part].insns.at[s->flight];
    return i ? &p->seen.insns.at[i - 1] : NULL;
}

static void note_flight(struct pipeline *p, const struct sm_step *s, uint32_t insn)
{
    if (s->flight == SM_STEP_NONE)
        return;
    while (p->parts[s->part].insns.n <= s->flight)
        vec_push(&p->parts[s->part].insns, 0u);
    p->parts[s->part].insns.at[s->flight] = insn;
}

static void issued(struct pipeline *p, struct slot *w, const struct sm_step *s)
{
    struct pipeline_insn i = {.code = UINT32_MAX,
                              .lanes = (uint32_t)__builtin_popcount(s->mask),
                              .unit = s->unit,
                              .asked = PIPELINE_NEVER,
                              .fetched = PIPELINE_NEVER,
                              .issued = s->at,
                              .collects = PIPELINE_NEVER,
                              .left = PIPELINE_NEVER,
                              .started = PIPELINE_NEVER,
                              .result = PIPELINE_NEVER,
                              .over = PIPELINE_NEVER,
                              .collector = SM_STEP_NONE};
    if (w->n) {
        i.asked = w->buffer[w->head].asked;
        i.fetched = w->buffer[w->head].fetched;
        w->head = (w->head + 1) % BUFFER;
        w->n--;
    }
    bool shown = in_window(p, s) && warp_of(p, w, s);
    note_flight(p, s, shown ? p->seen.insns.n + 1 : 0);
    if (!shown)
        return;
    i.warp = w->warp - 1;
    i.code = code_of(p, &s->place);
    depend(p, w, &s->place, &i);
    vec_push(&p->seen.insns, i);
}

static void operand(struct pipeline_operand *to, uint8_t *n, const struct sm_step *s)
{
    if (*n < PIPELINE_OPERANDS)
        to[(*n)++] = (struct pipeline_operand){s->at, s->waited, s->bank, s->from, s->reg};
}

/* What happens to one that has issued. */
static void on_its_way(struct pipeline_insn *i, const struct sm_step *s)
{
    switch ((enum sm_step_kind)s->kind) {
    case SM_STEP_COLLECTS:
        i->collects = s->at;
        i->collector = s->n;
        break;
    case SM_STEP_READ: operand(i->reads, &i->nreads, s); break;
    case SM_STEP_LEFT: i->left = s->at; break;
    case SM_STEP_STARTED:
        i->started = s->at;
        i->lines = s->lines;
        i->passes = s->passes;
        break;
    case SM_STEP_RESULT: i->result = s->at; break;
    case SM_STEP_WRITTEN: operand(i->writes, &i->nwrites, s); break;
    case SM_STEP_OVER: i->over = s->at; break;
    case SM_STEP_ASKED:
    case SM_STEP_FETCHED:
    case SM_STEP_ISSUED: break;
    }
}

static void on_step(void *ctx, const struct sm_step *s)
{
    struct pipeline *p = ctx;
    if (s->kind == SM_STEP_ASKED)
        slot_of(p, s)->asked = s->at;
    else if (s->kind == SM_STEP_FETCHED)
        fetched(slot_of(p, s), s);
    else if (s->kind == SM_STEP_ISSUED)
        issued(p, slot_of(p, s), s);
    else if (of_flight(p, s))
        on_its_way(of_flight(p, s), s);
}

/* ---- stages ---- */

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* The next one, from where the last ended; what has no length is left out. */
static void span(struct pipeline_span *to, uint32_t *n, const char *stage, uint64_t *at, uint64_t until)
{
    if (until == PIPELINE_NEVER || until <= *at)
        return;
    to[(*n)++] = (struct pipeline_span){stage, *at, until};
    *at = until;
}

/* The cycle after which all operands are there. In a collector, one without any that a bank gives has a cycle of reading all the
 * same, unless it leaves before. Past the collectors reading has a fixed time, but may take longer, beside the execution. */
static uint64_t all_read(const struct pipeline_insn *i, uint64_t entered)
{
    uint64_t last = PIPELINE_NEVER;
    for (uint32_t k = 0; k < i->nreads; k++)
        if (i->reads[k].bank != SM_STEP_NONE && (last == PIPELINE_NEVER || i->reads[k].at > last))
            last = i->reads[k].at;
    if (i->collects == PIPELINE_NEVER)
        return last != PIPELINE_NEVER && last >= i->started ? last + 1 : i->started;
    return last != PIPELINE_NEVER ? last + 1 : least(entered + 1, least(i->left, i->started));
}

uint32_t pipeline_spans(const struct pipeline_insn *i, struct pipeline_span to[PIPELINE_SPANS])
{
    uint32_t n = 0;
    uint64_t at = least(i->asked, least(i->fetched, i->issued));
    if (i->fetched != PIPELINE_NEVER)
        span(to, &n, "fetch", &at, least(i->fetched, i->issued));
    span(to, &n, "buffer", &at, i->issued);
    span(to, &n, "issue", &at, i->issued + 1);
    if (!i->unit)
        return n;
    if (i->collects != PIPELINE_NEVER && i->collects > i->issued)
        span(to, &n, "latch", &at, i->collects + 1);
    if (i->collects == PIPELINE_NEVER && i->started == PIPELINE_NEVER)
        return n;
    span(to, &n, "operands", &at, all_read(i, at));
    span(to, &n, "wait", &at, i->started);
    bool memory = strcmp(i->unit, "LSU") == 0 || strcmp(i->unit, "TEX") == 0;
    span(to, &n, memory ? "memory" : "execute", &at, i->result);
    if (i->result != PIPELINE_NEVER && i->over != PIPELINE_NEVER)
        span(to, &n, "write", &at, i->over + 1);
    return n;
}

/* ---- the run ---- */

static void on_cta_begin(void *ctx, uint32_t slot, uint64_t at, uint32_t tenant, uint32_t launch,
                         uint32_t cta)
{
    (void)ctx, (void)slot, (void)at, (void)tenant, (void)launch, (void)cta;
}
static void on_cta_end(void *ctx, uint32_t slot, uint64_t at) { (void)ctx, (void)slot, (void)at; }
static void on_load(void *ctx, const struct sm_load *l) { (void)ctx, (void)l; }
static void on_kernel(void *ctx, const struct gpu_kernel_result *k) { (void)ctx, (void)k; }
static void on_window(void *ctx, uint64_t until) { (void)ctx, (void)until; }
static void on_sample(void *ctx, const struct gpu_sample *s) { (void)ctx, (void)s; }

static const struct sm_observer *on_sm(void *ctx, uint32_t sm)
{
    const struct pipeline *p = ctx;
    return sm == p->o.sm ? &p->sm : NULL;
}

struct pipeline *pipeline_open(const struct pipeline_opts *o, const struct pipeline_head *h,
                               const struct gpu_conf *c, const struct watched *programs, uint32_t n)
{
    if (o->sm >= c->gpu.sms) {
        cli_error("--pipeline-sm %u: the machine has %u SM%s, counted from 0", o->sm, c->gpu.sms,
                  cli_s(c->gpu.sms));
        return NULL;
    }
    struct pipeline *p = xcalloc(1, sizeof *p);
    p->o = *o;
    p->head = *h;
    p->seen.o = &p->o;
    p->seen.head = &p->head;
    p->seen.c = c;
    p->seen.programs = programs;
    p->seen.nprograms = n;
    p->slots = xcalloc((size_t)c->sm.partitions * SLOTS, sizeof *p->slots);
    p->parts = xcalloc(c->sm.partitions, sizeof *p->parts);
    p->sm = (struct sm_observer){
        .ctx = p, .cta_begin = on_cta_begin, .cta_end = on_cta_end, .load = on_load, .step = on_step};
    p->watch = (struct gpu_observer){.ctx = p,
                                     .any_order = true,
                                     .sample_cyc = UINT32_MAX,
                                     .sm = on_sm,
                                     .kernel = on_kernel,
                                     .window = on_window,
                                     .sample = on_sample};
    return p;
}

const struct gpu_observer *pipeline_observer(const struct pipeline *p) { return &p->watch; }

static bool is_json(const char *path)
{
    size_t n = strlen(path);
    return n >= 5 && strcmp(path + n - 5, ".json") == 0;
}

static void release(struct pipeline *p)
{
    const struct gpu_conf *c = p->seen.c;
    for (uint32_t i = 0; i < c->sm.partitions * SLOTS; i++)
        free(p->slots[i].last);
    for (uint32_t i = 0; i < c->sm.partitions; i++)
        vec_free(&p->parts[i].insns);
    for (uint32_t t = 0; t < GPU_TENANTS; t++) {
        for (uint32_t k = 0; p->codes[t] && k < tr_nkernels(p->seen.programs[t].trace); k++)
            free(p->codes[t][k]);
        free(p->codes[t]);
    }
    vec_free(&p->seen.insns);
    vec_free(&p->seen.codes);
    vec_free(&p->seen.warps);
    free(p->slots);
    free(p->parts);
    free(p);
}

bool pipeline_close(struct pipeline *p)
{
    const struct pipeline_seen *s = &p->seen;
    struct output to = output_open(p->o.path);
    FILE *f = to.f;
    bool ok = f && (is_json(p->o.path) ? pipeline_json : pipeline_kanata)(s, f);
    ok = f && output_close(&to) && ok;
    if (ok && !s->insns.n)
        fprintf(stderr,
                "bankshot: warning: pipeline: SM %u issued no such instruction, %s has none; another SM "
                "(--pipeline-sm), cycle (--pipeline-from, --pipeline-to) or launch (--pipeline-launch) may\n",
                p->o.sm, p->o.path);
    release(p);
    return ok;
}
