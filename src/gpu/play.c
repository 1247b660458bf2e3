/* SPDX-License-Identifier: Apache-2.0 */
/* What earlier launches left in L2, without their timing. The CTAs that were on the GPU last ran side by side, so their accesses
 * are played side by side: by how far each was in its warp's stream. */
#include "gpu/excerpt.h"

enum {
    STEPS = 256,    /* of a warp's stream */
    PLAY_TIMES = 8, /* what L2 holds, since sectors are used more than once */
    /* Instructions that are played, of a launch and altogether: so many times those of the launch that is to come, which cost ten
     * times as much, and in these limits. Of a wave that has more every k-th CTA is played. */
    PLAY_OWN = 3,
    PLAY_LEAST = 100000,
    PLAY_MOST = 2000000,
};

struct access {
    uint64_t sector2; /* twice its number, and 1 if it is written */
    uint64_t at;      /* instruction of the warp */
};

struct play {
    struct tr_reader *trace;
    struct diag *d;
    VEC(struct access) warp; /* of the warp at hand */
    VEC(uint64_t) step[STEPS];
    uint64_t n, want; /* sectors in the steps; how many are of use */
    uint64_t insts;   /* to be played at most */
    uint32_t from;    /* steps before it were dropped: what follows fills L2 */
};

uint64_t gpu_wave(const struct tr_reader *t, uint32_t launch, const struct gpu_conf *conf)
{
    const struct tr_launch_info *l = tr_launch(t, launch);
    const struct tr_kernel *k = tr_kernel(t, l->l.kernel);
    const struct sm_cfg *c = &conf->sm;
    uint64_t warps = l->nwarps ? l->nwarps : 1, shared = (uint64_t)k->shared_b + l->l.dyn_shared_b,
             n = c->ctas;
    uint64_t regs = (uint64_t)k->regs * TR_LANES * warps;
    const uint64_t room[] = {(uint64_t)c->warps * c->partitions / warps, c->threads / (warps * TR_LANES),
                             regs ? c->registers / regs : n,
                             shared ? (uint64_t)c->shared_kb * 1024 / shared : n};
    for (uint32_t i = 0; i < sizeof room / sizeof room[0]; i++)
        n = room[i] < n ? room[i] : n;
    return (n ? n : 1) * conf->gpu.sms;
}

static void add_step(struct play *p, const struct tr_insn *i, const struct tr_step *s, uint64_t n)
{
    uint64_t at[TR_LANES], last = UINT64_MAX;
    tr_expand(&s->addr[0], s->mask, at);
    for (uint32_t m = s->mask; m; m &= m - 1) {
        uint64_t a = at[__builtin_ctz(m)], from = a / SECTOR_B, to = (a + i->width_b - 1) / SECTOR_B;
        for (uint64_t k = from; k <= to && k - from < LINE_SECTORS; k++) {
            if (k != last)
                vec_push(&p->warp, (struct access){2 * k + !(i->mem & TM_LOAD), n});
            last = k;
        }
    }
}

static void drop_first(struct play *p)
{
    while (p->from < STEPS - 1 && p->n - p->step[p->from].n >= p->want) {
        p->n -= p->step[p->from].n;
        vec_free(&p->step[p->from]);
        memset(&p->step[p->from], 0, sizeof p->step[p->from]);
        p->from++;
    }
}

static enum tr_status add_warp(struct play *p, struct tr_cta *c, uint32_t warp, const struct tr_kernel *k)
{
    struct tr_step s;
    enum tr_status st;
    uint64_t n = 0;
    vec_clear(&p->warp);
    for (; (st = tr_next(c, warp, &s)) == TR_STEP; n++) {
        const struct tr_insn *i = &k->insns[s.at];
        if (s.mask && i->naddr && i->width_b && s.addr[0].space == SPACE_GLOBAL)
            add_step(p, i, &s, n);
    }
    vec_each (&p->warp, a) {
        uint32_t step = (uint32_t)(a->at * STEPS / n);
        if (step >= p->from) {
            vec_push(&p->step[step], a->sector2);
            p->n++;
        }
    }
    return st;
}

static bool add_cta(struct play *p, uint32_t launch, uint32_t cta)
{
    const struct tr_launch_info *l = tr_launch(p->trace, launch);
    struct tr_cta *c = tr_open_cta(p->trace, launch, cta, p->d);
    enum tr_status st = TR_END;
    for (uint32_t w = 0; c && w < l->nwarps && st == TR_END; w++)
        st = add_warp(p, c, w, tr_kernel(p->trace, l->l.kernel));
    if (c && st == TR_BAD)
        diag_plain(p->d, "%s", tr_cta_error(c));
    tr_close_cta(c);
    drop_first(p);
    return c && st == TR_END;
}

static void touch_all(struct play *p, struct memsys *mem)
{
    for (uint32_t s = 0; s < STEPS; s++) {
        vec_each (&p->step[s], a)
            memsys_touch(mem, *a / 2 / LINE_SECTORS * LINE_B, (uint8_t)(1u << *a / 2 % LINE_SECTORS), *a & 1);
        vec_clear(&p->step[s]);
    }
    p->from = 0;
    p->n = 0;
}

/* How many of the CTAs before `end` have what fills L2, going by the last of them. */
static bool ctas_of_use(struct play *p, uint32_t launch, uint64_t end, uint64_t *n)
{
    bool has = end && end <= UINT32_MAX && tr_has_cta(p->trace, launch, (uint32_t)end - 1);
    bool ok = !has || add_cta(p, launch, (uint32_t)end - 1);
    *n = p->n ? p->want / p->n + 1 : 1;
    for (uint32_t s = 0; s < STEPS; s++)
        vec_clear(&p->step[s]);
    p->from = 0;
    p->n = 0;
    return ok;
}

/* The last CTAs before `end`, wave by wave, one wave at least. */
static bool play_launch(struct play *p, const struct gpu_conf *c, uint32_t launch, uint64_t end,
                        struct memsys *mem)
{
    const struct tr_launch_info *l = tr_launch(p->trace, launch);
    double of_cta = l->nctas ? (double)l->warp_insts / (double)l->nctas : 0;
    uint64_t wave = gpu_wave(p->trace, launch, c), n,
             most = of_cta > 0 ? (uint64_t)((double)p->insts / of_cta) + 1 : 1;
    bool ok = ctas_of_use(p, launch, end, &n);
    n = n < most ? n : most;
    n = n > wave ? n : wave;
    n = n < end ? n : end;
    uint64_t step = (n + most - 1) / most;
    for (uint64_t from = end - n; from < end && ok; from += wave) {
        for (uint64_t i = from; i < end && i < from + wave && i < UINT32_MAX && ok; i += step)
            if (tr_has_cta(p->trace, launch, (uint32_t)i))
                ok = add_cta(p, launch, (uint32_t)i);
        if (ok)
            touch_all(p, mem);
    }
    return ok;
}

bool play_before(struct tr_reader *t, uint32_t launch, uint64_t cta, const struct gpu_conf *c,
                 struct memsys *mem, struct diag *d)
{
    struct play p = {.trace = t, .d = d, .want = (uint64_t)PLAY_TIMES * c->mem.l2_kb * 1024 / SECTOR_B};
    uint64_t insts = 0, own = PLAY_OWN * tr_launch(t, launch)->warp_insts;
    p.insts = own < PLAY_LEAST ? PLAY_LEAST : own > PLAY_MOST ? PLAY_MOST : own;
    uint32_t first = launch + (cta != 0); /* launches from here on are played */
    for (; first && insts < p.insts; first--)
        insts += tr_launch(t, first - 1)->warp_insts;
    bool ok = true;
    for (uint32_t i = first; i < launch + (cta != 0) && ok; i++)
        ok = play_launch(&p, c, i, i == launch ? cta : tr_launch(t, i)->nctas, mem);
    for (uint32_t s = 0; s < STEPS; s++)
        vec_free(&p.step[s]);
    vec_free(&p.warp);
    return ok;
}
