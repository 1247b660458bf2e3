/* What earlier launches left in L2, without their timing: the global accesses of their last CTAs, in order. */
#include "gpu/excerpt.h"

/* Twice what L2 holds is looked for, since sectors are used more than once; and no more instructions than cost little. */
enum { PLAY_TIMES = 2, PLAY_INSTS = 1000000 };

struct play {
    struct tr_reader *trace;
    struct diag *d;
    VEC(uint64_t) sectors; /* of one CTA after the other, the last CTA first */
    VEC(uint32_t) ends;    /* of the CTAs' sectors */
    uint64_t want, insts;
};

static void add_step(struct play *p, const struct tr_insn *i, const struct tr_step *s)
{
    uint64_t at[TR_LANES], last = UINT64_MAX;
    tr_expand(&s->addr[0], s->mask, at);
    for (uint32_t m = s->mask; m; m &= m - 1) {
        uint64_t from = at[__builtin_ctz(m)] / SECTOR_B, to = (at[__builtin_ctz(m)] + i->width_b - 1) / SECTOR_B;
        for (uint64_t k = from; k <= to && k - from < LINE_SECTORS; k++) {
            if (k != last)
                vec_push(&p->sectors, k);
            last = k;
        }
    }
}

static bool add_cta(struct play *p, uint32_t launch, uint32_t cta)
{
    const struct tr_launch_info *l = tr_launch(p->trace, launch);
    const struct tr_kernel *k = tr_kernel(p->trace, l->l.kernel);
    struct tr_cta *c = tr_open_cta(p->trace, launch, cta, p->d);
    enum tr_status st = TR_END;
    struct tr_step s;
    for (uint32_t w = 0; c && w < l->nwarps && st == TR_END; w++)
        while ((st = tr_next(c, w, &s)) == TR_STEP) {
            const struct tr_insn *i = &k->insns[s.at];
            p->insts++;
            if (s.mask && i->naddr && !i->nparam && s.addr[0].space == SPACE_GLOBAL && i->width_b)
                add_step(p, i, &s);
        }
    if (c && st == TR_BAD)
        diag_plain(p->d, "%s", tr_cta_error(c));
    tr_close_cta(c);
    vec_push(&p->ends, p->sectors.n);
    return c && st == TR_END;
}

static bool is_enough(const struct play *p) { return p->sectors.n >= p->want || p->insts >= PLAY_INSTS; }

bool play_before(struct tr_reader *t, uint32_t launch, uint64_t l2_b, struct memsys *mem, struct diag *d)
{
    struct play p = {.trace = t, .d = d, .want = PLAY_TIMES * l2_b / SECTOR_B};
    bool ok = true;
    for (uint32_t i = launch; ok && i-- > 0 && !is_enough(&p);) {
        uint64_t n = tr_launch(t, i)->nctas;
        for (uint32_t cta = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX; ok && cta-- > 0 && !is_enough(&p);)
            if (tr_has_cta(t, i, cta))
                ok = add_cta(&p, i, cta);
    }
    for (uint32_t c = p.ends.n; ok && c-- > 0;)
        for (uint32_t k = c ? p.ends.at[c - 1] : 0; k < p.ends.at[c]; k++)
            memsys_touch(mem, p.sectors.at[k] * SECTOR_B);
    vec_free(&p.sectors);
    vec_free(&p.ends);
    return ok;
}
