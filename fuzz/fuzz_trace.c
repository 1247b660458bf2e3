/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a trace: no crash, no leak, no unbounded memory; what is accepted has sound kernels, and streams that stay
 * inside them or end with a complaint. */
#include "trace_file.h"

enum { MAX_STEPS = 20000, MAX_CTAS = 64 };

/* ---- what is accepted ---- */

static void check_addresses(const struct tr_insn *in, const struct tr_step *s)
{
    uint64_t lanes[TR_LANES];
    for (unsigned i = 0; i < in->naddr; i++) {
        CHECK(s->addr[i].form >= TF_STRIDE && s->addr[i].form <= TF_LIST && s->addr[i].space <= SPACE_PARAM);
        tr_expand(&s->addr[i], s->mask, lanes);
    }
}

static void check_step(const struct tr_kernel *k, const struct tr_step *s)
{
    CHECK(s->at < k->n);
    const struct tr_insn *in = &k->insns[s->at];
    unsigned words = 0;
    if (!s->mask)
        return;
    check_addresses(in, s);
    for (unsigned i = 0; i < in->ndst; i++)
        words += in->dst[i].kind == TO_REG ? in->dst[i].n : 0;
    for (unsigned i = 0; i < words && i < sizeof s->values; i++)
        CHECK(s->values[i] < TV_COUNT);
}

/* The steps of a warp by runs, of which several are known before their data are read. */
static void read_runs(struct tr_cta *c, const struct tr_kernel *k, uint32_t warp, uint64_t max)
{
    struct tr_run runs[4];
    struct tr_step s;
    enum tr_status st = TR_STEP;
    while (max && st == TR_STEP) {
        uint32_t n;
        while (max && (n = tr_next_runs(c, warp, 4, runs)))
            for (uint32_t i = 0; i < n; i++) {
                CHECK(runs[i].lanes == (uint32_t)__builtin_popcount(runs[i].mask));
                CHECK(runs[i].n && runs[i].at < k->n && runs[i].n <= k->n - runs[i].at);
                for (uint32_t at = runs[i].at; max && at < runs[i].at + runs[i].n; at++, max--)
                    if (runs[i].mask && (k->insns[at].naddr || k->insns[at].nparam) &&
                        tr_next_data(c, warp, at, runs[i].mask, &s))
                        check_addresses(&k->insns[at], &s);
            }
        if (!max--)
            return;
        bool over = tr_runs_over(c, warp);
        st = tr_next(c, warp, &s);
        CHECK(!over || st != TR_STEP);
    }
}

/* Steps read; the warps take turns, so that chunks come and go. */
static uint64_t read_cta(struct tr_reader *r, uint32_t launch, uint32_t cta, uint64_t max)
{
    struct diag d = {0};
    struct tr_cta *c = tr_open_cta(r, launch, cta, &d);
    const struct tr_launch_info *l = tr_launch(r, launch);
    uint64_t steps = 0;
    uint32_t open = l->nwarps;
    bool ended[TR_WARPS] = {0};
    CHECK((c == NULL) == (d.errors > 0));
    while (c && open && steps < max)
        for (uint32_t w = 0; w < l->nwarps; w++)
            for (unsigned i = 0; i < 16 && !ended[w]; i++, steps++) {
                struct tr_step s;
                enum tr_status st = tr_next(c, w, &s);
                CHECK((st == TR_BAD) <= (tr_cta_error(c)[0] != 0));
                if (st == TR_STEP)
                    check_step(tr_kernel(r, l->l.kernel), &s);
                ended[w] = st != TR_STEP;
                open -= ended[w];
            }
    struct tr_cta *again = c ? tr_open_again(c, &d) : NULL;
    if (again)
        tr_drop_values(again);
    for (uint32_t w = 0; again && w < l->nwarps; w++)
        read_runs(again, tr_kernel(r, l->l.kernel), w, max / l->nwarps);
    tr_close_cta(again);
    tr_close_cta(c);
    diag_free(&d);
    return steps;
}

static void check_reader(struct tr_reader *r)
{
    uint64_t steps = 0;
    CHECK(tr_info(r)->program && tr_info(r)->maker);
    for (uint32_t i = 0; i < tr_nkernels(r); i++) {
        struct tr_kernel *k = r->kernels.at[i];
        CHECK(!tr_kernel_check(k));
    }
    for (uint32_t i = 0; i < tr_ncopies(r); i++)
        CHECK(tr_copy(r, i)->before <= tr_nlaunches(r));
    for (uint32_t i = 0; i < tr_nlaunches(r); i++) {
        const struct reader_launch *l = &r->launches.at[i];
        CHECK(l->info.l.kernel < tr_nkernels(r) && l->info.nwarps >= 1 && l->info.nwarps <= TR_WARPS);
        for (uint32_t a = 0; a < l->info.l.nafter; a++)
            CHECK(l->info.l.after[a] < i);
        for (uint32_t p = 0; p < l->places.n && p < MAX_CTAS && steps < MAX_STEPS; p++) {
            CHECK(tr_has_cta(r, i, l->places.at[p].cta));
            steps += read_cta(r, i, l->places.at[p].cta, MAX_STEPS / 4);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int fd = open_input(data, size);
    struct diag d = {0};
    struct tr_reader *r = tr_open_fd(fd, "fuzz.bst", &d);
    CHECK((r == NULL) == (d.errors > 0));
    if (r)
        check_reader(r);
    tr_free(r);
    diag_free(&d);
    return 0;
}
