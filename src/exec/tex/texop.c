/* SPDX-License-Identifier: Apache-2.0 */
/* TEX, TLD4 and TXQ for a warp, and the way into SULD and SUST. Lanes may carry different handles; the last one looked
 * up is kept, since nearly always all lanes have the same. */
#include "exec/tex/texop.h"
#include "exec/tex/texint.h"

static uint64_t lane_handle(const struct xop *x, const struct xwarp *w, unsigned lane)
{
    const uint32_t *h = x_row(w, x, 0);
    return h[lane] | (uint64_t)h[LANES + lane] << 32;
}

/* Coordinates in the order PTX writes them: layer first where there is one. */
static void lane_coord(const struct xop *x, const struct xwarp *w, unsigned lane, struct tex_coord *c)
{
    enum ir_texgeom g = x->insn->sub;
    const uint32_t *row = x_row(w, x, 1) + lane;
    bool layered = g == TEX_A1D || g == TEX_A2D || g == TEX_ACUBE;
    unsigned have = x->insn->src[1].n, first = layered;
    memset(c, 0, sizeof *c);
    c->is_int = x->insn->stype != T_F32;
    c->layer = layered ? row[0] : 0;
    for (unsigned k = 0; k < 3 && first + k < have; k++) {
        uint32_t bits = row[(first + k) * LANES];
        memcpy(&c->i[k], &bits, 4);
    }
}

static bool tex_lane(const struct xop *x, struct xwarp *w, unsigned lane, const struct tex_view *v,
                     uint64_t *addr, const char **why)
{
    enum ir_texgeom g = x->insn->sub;
    if ((*why = tex_geom_check(v, g)))
        return false;
    struct tex_coord c;
    uint64_t at;
    lane_coord(x, w, lane, &c);
    struct tex_vec r =
        x->insn->flags & IRF_FETCH4 ? tex_gather(v, g, &c, x->insn->vec, &at) : tex_sample(v, g, &c, &at);
    *addr = at == TEX_NOWHERE ? 0 : v->o->d.base + at;
    const struct ir_opnd *dst = &x->insn->dst[0];
    unsigned n = dst->kind == OPND_REG ? dst->n : 0;
    for (unsigned k = 0; k < n && k < 4; k++)
        x_dst(w, x, 0)[k * LANES + lane] = r.v[k];
    for (unsigned k = 0; dst[1].kind == OPND_REG && k < dst[1].n && n + k < 4; k++)
        x_dst(w, x, 1)[k * LANES + lane] = r.v[n + k];
    return true;
}

static void txq_lane(const struct xop *x, struct xwarp *w, unsigned lane, const struct tex_view *v)
{
    const struct exec_tex *d = &v->o->d;
    uint64_t r = 0;
    switch ((enum ir_txq)x->insn->sub) {
    case TXQ_WIDTH: r = d->width; break;
    case TXQ_HEIGHT: r = d->height; break;
    case TXQ_DEPTH: r = d->depth; break;
    case TXQ_CHANNELS: r = v->o->nchan; break;
    }
    x_dst(w, x, 0)[lane] = (uint32_t)r;
}

bool exec_tex_op(struct exec_dev *d, const struct xop *x, struct xwarp *w, uint32_t mask,
                 uint64_t addr_out[32], uint32_t *bad_lane, const char **why)
{
    struct tex_view v = {0};
    uint64_t open = 0; /* the handle v belongs to; 0 is never one */
    for (uint32_t m = mask; m; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctz(m);
        uint64_t h = lane_handle(x, w, lane);
        bool ok = true;
        *bad_lane = lane;
        addr_out[lane] = 0;
        if (h != open || !v.o) {
            if (!tex_view_open(d, h, &v, why))
                return false;
            open = h;
        }
        switch (x->insn->op) {
        case OP_TEX: ok = tex_lane(x, w, lane, &v, &addr_out[lane], why); break;
        case OP_TXQ: txq_lane(x, w, lane, &v); break;
        default: ok = surf_lane(x, w, lane, &v, &addr_out[lane], why); break;
        }
        if (!ok)
            return false;
    }
    return true;
}
