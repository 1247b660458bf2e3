/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/watch/profile.h"

#include "cli/source.h"

struct profile {
    struct gpu_observer watch;
    struct sm_observer sm; /* the same for all: additions are atomic, and their order does not matter */
    struct tr_reader *trace;
    uint32_t tenant;
    struct sm_charged **rows; /* by kernel and instruction */
    struct sm_charged nowhere;
    struct source *sources; /* by kernel */
    bool *sources_read;
    char *text; /* of profile_text */
    size_t text_n;
};

/* NOLINTNEXTLINE(readability-non-const-parameter): written, but by a builtin */
static void add(uint64_t *to, uint64_t n)
{
    if (n)
        __atomic_fetch_add(to, n, __ATOMIC_RELAXED);
}

/* NULL: it is another tenant's. */
static struct sm_charged *row_of(struct profile *p, const struct sm_place *at)
{
    if (at->kernel == SM_NOWHERE)
        return &p->nowhere;
    return at->tenant == p->tenant ? &p->rows[at->kernel][at->insn] : NULL;
}

static void on_charged(void *ctx, const struct sm_charged *sum, const struct sm_place *at)
{
    struct sm_charged *r = row_of(ctx, at);
    for (uint32_t i = 0; r && i < SM_CAUSES; i++)
        add(&r->causes[i], sum->causes[i]);
    if (!r)
        return;
    add(&r->lanes, sum->lanes);
    add(&r->bank_conflicts, sum->bank_conflicts);
    add(&r->read_wait, sum->read_wait);
    add(&r->shared_conflicts, sum->shared_conflicts);
}

/* What an observer must have and this one does not need. */
static void on_cta_begin(void *ctx, uint32_t slot, uint64_t at, uint32_t tenant, uint32_t launch,
                         uint32_t cta)
{
    (void)ctx, (void)slot, (void)at, (void)tenant, (void)launch, (void)cta;
}
static void on_cta_end(void *ctx, uint32_t slot, uint64_t at) { (void)ctx, (void)slot, (void)at; }
static void on_load(void *ctx, const struct sm_load *l) { (void)ctx, (void)l; }
static void on_kernel(void *ctx, const struct gpu_kernel_result *k) { (void)ctx, (void)k; }
static void on_window(void *ctx, uint64_t until) { (void)ctx, (void)until; }
static void on_sample(void *ctx, const struct gpu_sample *s)
{
    (void)ctx;
    (void)s;
}

static const struct sm_observer *on_sm(void *ctx, uint32_t sm)
{
    (void)sm;
    return &((struct profile *)ctx)->sm;
}

struct profile *profile_new(struct tr_reader *trace, uint32_t tenant)
{
    struct profile *p = xcalloc(1, sizeof *p);
    uint32_t n = tr_nkernels(trace);
    p->trace = trace;
    p->tenant = tenant;
    p->rows = xcalloc(n ? n : 1, sizeof *p->rows);
    p->sources = xcalloc(n ? n : 1, sizeof *p->sources);
    p->sources_read = xcalloc(n ? n : 1, sizeof *p->sources_read);
    for (uint32_t i = 0; i < n; i++)
        p->rows[i] = xcalloc(tr_kernel(trace, i)->n + 1u, sizeof **p->rows);
    p->sm = (struct sm_observer){
        .ctx = p, .cta_begin = on_cta_begin, .cta_end = on_cta_end, .load = on_load, .charged = on_charged};
    p->watch = (struct gpu_observer){.ctx = p,
                                     .any_order = true,
                                     .sample_cyc = UINT32_MAX,
                                     .sm = on_sm,
                                     .kernel = on_kernel,
                                     .window = on_window,
                                     .sample = on_sample};
    return p;
}

void profile_free(struct profile *p)
{
    for (uint32_t i = 0; p && i < tr_nkernels(p->trace); i++) {
        free(p->rows[i]);
        source_free(&p->sources[i]);
    }
    if (p) {
        free(p->rows);
        free(p->sources);
        free(p->sources_read);
        free(p->text);
    }
    free(p);
}

const struct gpu_observer *profile_observer(const struct profile *p) { return &p->watch; }
struct tr_reader *profile_trace(const struct profile *p) { return p->trace; }
const struct sm_charged *profile_nowhere(const struct profile *p) { return &p->nowhere; }

/* Partitions that fall asleep are charged a little beyond the run's end; without a warp, so nowhere. Whether a kernel was running
 * elsewhere only the GPU knows. */
void profile_end(struct profile *p, const struct gpu_result *r)
{
    p->nowhere.causes[SS_stall_launch - SS_issued] = r->sm[SS_stall_launch];
    p->nowhere.causes[SS_stall_no_warp - SS_issued] = r->sm[SS_stall_no_warp];
}

const struct sm_charged *profile_at(const struct profile *p, uint32_t kernel, uint32_t insn)
{
    return &p->rows[kernel][insn];
}

uint64_t profile_cycles(const struct sm_charged *r)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < SM_CAUSES; i++)
        sum += r->causes[i];
    return sum;
}

uint64_t profile_kernel_cycles(const struct profile *p, uint32_t kernel)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < tr_kernel(p->trace, kernel)->n; i++)
        sum += profile_cycles(&p->rows[kernel][i]);
    return sum;
}

const char *profile_text(struct profile *p, uint32_t kernel, uint32_t insn)
{
    free(p->text);
    p->text = NULL;
    FILE *f = open_memstream(&p->text, &p->text_n);
    if (!f)
        return "";
    tr_insn_print(f, &tr_kernel(p->trace, kernel)->insns[insn]);
    return fclose(f) == 0 && p->text ? p->text : "";
}

const char *profile_source(struct profile *p, uint32_t kernel, uint32_t line)
{
    if (!p->sources_read[kernel])
        source_read(&p->sources[kernel], tr_kernel(p->trace, kernel)->file);
    p->sources_read[kernel] = true;
    return source_line(&p->sources[kernel], line);
}
