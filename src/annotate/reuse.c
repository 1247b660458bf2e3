/* SPDX-License-Identifier: Apache-2.0 */
#include "annotate/reuse.h"

/* The last access to a register, whose reuse is not known yet. */
struct last {
    uint64_t at; /* 1 + place in the stream; 0: none */
    uint32_t insn;
    bool written;
};

struct profile {
    const struct tr_kernel *k;
    struct reuse *out;
    uint32_t near;
    struct last last[256];
};

static bool names(const struct tr_opnd *o, uint32_t reg)
{
    return o->kind == TO_REG && reg >= o->val && reg < o->val + (o->n ? o->n : 1u);
}

static void vote(struct reuse_opnd *o, uint64_t dist, uint32_t near)
{
    *(dist && dist <= near ? &o->near : &o->far) += 1;
    o->reused += dist != 0;
    o->dist += dist;
}

/* The access is followed by a read after `dist` instructions; 0: by none. */
static void settle(struct profile *p, uint32_t reg, uint64_t dist)
{
    struct last *l = &p->last[reg];
    const struct tr_insn *i = &p->k->insns[l->insn];
    struct reuse_insn *o = &p->out->insns[l->insn];
    if (!l->at)
        return;
    for (uint32_t j = 0; l->written && j < i->ndst; j++)
        if (names(&i->dst[j], reg))
            vote(&o->dst[j], dist, p->near);
    for (uint32_t j = 0; !l->written && j < i->nsrc; j++)
        if (names(&i->src[j], reg))
            vote(&o->src[j], dist, p->near);
    if (dist)
        p->out->hist[dist < REUSE_HIST ? dist - 1 : REUSE_HIST - 1]++;
    else
        p->out->unused++;
    l->at = 0;
}

static void step(struct profile *p, const struct tr_step *s, uint64_t at)
{
    const struct tr_insn *i = &p->k->insns[s->at];
    if (!s->mask)
        return;
    for (uint32_t j = 0; j < i->nsrc; j++) {
        const struct tr_opnd *o = &i->src[j];
        for (uint32_t k = 0; o->kind == TO_REG && k < (o->n ? o->n : 1u); k++) {
            uint32_t reg = (o->val + k) & 255;
            if (p->last[reg].at == at)
                continue; /* the same register as another source */
            settle(p, reg, p->last[reg].at ? at - p->last[reg].at : 0);
            p->last[reg] = (struct last){.at = at, .insn = s->at};
        }
    }
    for (uint32_t j = 0; j < i->ndst; j++) {
        const struct tr_opnd *o = &i->dst[j];
        for (uint32_t k = 0; o->kind == TO_REG && k < (o->n ? o->n : 1u); k++) {
            uint32_t reg = (o->val + k) & 255;
            settle(p, reg, 0);
            p->last[reg] = (struct last){.at = at, .insn = s->at, .written = true};
        }
    }
}

static bool warp(struct profile *p, struct tr_cta *c, uint32_t w)
{
    struct tr_step s;
    enum tr_status st;
    uint64_t at = 0;
    memset(p->last, 0, sizeof p->last);
    while ((st = tr_next(c, w, &s)) == TR_STEP)
        step(p, &s, ++at);
    for (uint32_t reg = 0; reg < 256; reg++)
        settle(p, reg, 0);
    p->out->warps++;
    return st == TR_END;
}

static bool launch(struct profile *p, struct tr_reader *r, uint32_t n, uint64_t most, struct diag *d)
{
    uint32_t nwarps = tr_launch(r, n)->nwarps;
    for (uint32_t cta = 0; p->out->warps < most && tr_cta_from(r, n, cta, &cta); cta++) {
        struct tr_cta *c = tr_open_cta(r, n, cta, d);
        bool ok = c != NULL;
        for (uint32_t w = 0; ok && w < nwarps && p->out->warps < most; w++) {
            ok = warp(p, c, w);
            if (!ok)
                diag_plain(d, "launch %u, CTA %u, warp %u: %s", n, cta, w, tr_cta_error(c));
        }
        if (c)
            tr_close_cta(c);
        if (!ok)
            return false;
        if (cta == UINT32_MAX)
            break;
    }
    return true;
}

bool reuse_profile(struct tr_reader *r, uint32_t kernel, double share, uint32_t near, struct reuse *out,
                   struct diag *d)
{
    struct profile p = {.k = tr_kernel(r, kernel), .out = out, .near = near};
    *out = (struct reuse){.n = p.k->n, .insns = xcalloc(p.k->n ? p.k->n : 1, sizeof *out->insns)};
    for (uint32_t i = 0; i < tr_nlaunches(r); i++)
        if (tr_launch(r, i)->l.kernel == kernel)
            out->of += tr_launch(r, i)->recorded * tr_launch(r, i)->nwarps;
    uint64_t most = (uint64_t)(share * (double)out->of);
    most += (double)most < share * (double)out->of;
    most = most ? most : 1;
    bool ok = true;
    for (uint32_t i = 0; ok && i < tr_nlaunches(r) && out->warps < most; i++)
        if (tr_launch(r, i)->l.kernel == kernel)
            ok = launch(&p, r, i, most, d);
    return ok;
}

void reuse_free(struct reuse *u)
{
    free(u->insns);
    *u = (struct reuse){0};
}
