/* SPDX-License-Identifier: Apache-2.0 */
/* The life of the checks: with a device, a launch, a CTA. */
#include "exec/sanitize/san_inside.h"

enum { PAST = 65 }; /* launches that are remembered: a bit for each but this one */

void exec_check_start(struct exec_dev *d, const struct exec_check_cfg *cfg)
{
    struct san *k = xcalloc(1, sizeof *k);
    k->cfg = *cfg;
    k->next_id = k->record0 = 1;
    d->check = k;
}

void exec_check_order(struct exec_dev *d, uint32_t number, const uint32_t *after, uint32_t nafter)
{
    struct san *k = d->check;
    if (!k)
        return;
    uint64_t before = 0;
    for (uint32_t i = 0; i < nafter; i++) {
        uint32_t back = number - after[i] - 1;
        if (after[i] >= number || back > 63)
            continue;
        before |= 1ull << back;
        vec_each (&k->past, p)
            if (p->number == after[i] && back < 63)
                before |= p->before << (back + 1);
    }
    k->next = (struct past){.number = number, .before = before};
    k->ordered = true;
}

void exec_check_wrote(struct exec_dev *d, uint64_t addr, uint64_t n)
{
    if (d->check && d->check->cfg.init)
        san_pages_mark(&d->check->pages, addr, n);
}

struct exec_check_sum exec_check_sum(const struct exec_dev *d)
{
    return d->check ? d->check->sum : (struct exec_check_sum){0};
}

/* ---- a launch ---- */

static enum site_kind kind_of(const struct ir_insn *i, const struct dop *d)
{
    switch ((enum ir_op)i->op) {
    case OP_LDG:
    case OP_LD:
    case OP_LDS:
    case OP_LDL:
    case OP_LDSM: return SITE_LOAD;
    case OP_STG:
    case OP_ST:
    case OP_STS:
    case OP_STL:
    case OP_STSM: return SITE_STORE;
    case OP_ATOM:
    case OP_RED: return SITE_ATOMIC;
    case OP_LDGSTS: return SITE_COPY;
    case OP_SUST: return SITE_SURFACE;
    case OP_BULK: return SITE_BULK;
    case OP_MEMBAR: return SITE_FENCE;
    case OP_MBAR: return SITE_MBAR;
    case OP_CGABAR: return SITE_CLUSTER;
    case OP_SHFL:
    case OP_VOTE:
    case OP_MATCH:
    case OP_REDUX:
    case OP_WARPSYNC:
    case OP_ELECT: return d->ctl == CTL_COLL ? SITE_WARP : SITE_NONE;
    default: return SITE_NONE;
    }
}

/* The value that a compare-and-swap expects may be read by a plain load before: if it is another one by then, the swap says so.
 * Marks the loads near before the swap at `at` whose value it compares with. */
static void trust_loads_of_swap(const struct run *r, struct site *all, uint32_t at)
{
    enum { NEAR = 64, VALUES = 8 };
    uint32_t value[VALUES] = {r->code->insns[at].src[1].val}, n = 1;
    if (r->code->insns[at].src[1].kind != OPND_REG)
        return;
    for (uint32_t i = at, first = at > NEAR ? at - NEAR : 0; i-- > first;) {
        const struct ir_insn *o = &r->code->insns[i];
        bool is = false;
        for (uint32_t v = 0; v < n; v++)
            is |= o->dst[0].kind == OPND_REG && o->dst[0].val == value[v];
        if (is && all[i].kind == SITE_LOAD)
            all[i].strong = true;
        else if (is && o->op == OP_MOV && o->src[0].kind == OPND_REG && n < VALUES)
            value[n++] = o->src[0].val;
    }
}

static struct site *make_sites(const struct run *r)
{
    struct site *all = xcalloc(r->code->n + 1, sizeof *all);
    for (uint32_t at = 0; at < r->code->n; at++) {
        const struct ir_insn *i = &r->code->insns[at];
        struct site *t = &all[at];
        t->kind = (uint8_t)kind_of(i, &r->ops[at]);
        t->access_b = t->kind == SITE_SURFACE ? (uint8_t)(type_bytes(i->type) * (i->vec ? i->vec : 1))
                                              : r->ops[at].access_b;
        t->rows = i->op == OP_LDSM || i->op == OP_STSM;
        t->strong = t->kind == SITE_ATOMIC || i->order != ORD_WEAK;
        t->releases = i->order == ORD_RELEASE || i->order == ORD_ACQ_REL || i->order == ORD_SC;
    }
    for (uint32_t at = 0; at < r->code->n; at++)
        if (all[at].kind == SITE_ATOMIC && r->code->insns[at].aop == AOP_CAS)
            trust_loads_of_swap(r, all, at);
    return all;
}

/* Stamps start again: numbers of records or of warps are used up. What was before is forgotten. */
void san_restart(struct san *k)
{
    san_pages_forget_stamps(&k->pages);
    vec_each (&k->places, p) {
        memset((*p)->cells, 0, sizeof *(*p)->cells * (k->r->shared_b / 4 * 4 + 16));
        (*p)->floor = 1 << LANE_BITS;
    }
    for (uint32_t i = 0; k->sites && i < k->r->code->n; i++)
        k->sites[i].id = 0;
    vec_each (&k->past, l)
        l->id0 = 1;
    vec_clear(&k->records);
    k->record0 = k->next_id = 1;
    k->floor = 1 << LANE_BITS;
}

/* Records from the first launch on that this one does not come after; those before it are over. */
static void set_floor(struct san *k)
{
    const struct past *now = &k->past.at[k->past.n - 1];
    uint32_t first = now->id0;
    for (uint32_t i = k->past.n - 1; i-- > 0;) {
        uint32_t back = now->number - k->past.at[i].number - 1;
        if (back < 64 && !(now->before >> back & 1))
            first = k->past.at[i].id0;
    }
    k->floor = first << LANE_BITS;
    if (first != k->next_id)
        return;
    vec_clear(&k->records);
    k->record0 = k->next_id;
}

void san_begin(struct san *k, struct run *r)
{
    uint64_t units = r->ncta * r->nwarps;
    struct past l = k->next;
    if (!k->ordered)
        l = (struct past){.number = k->past.n ? k->past.at[k->past.n - 1].number + 1 : 0, .before = ~0ull};
    k->ordered = false;
    k->r = r;
    if (k->next_unit + units > UINT32_MAX) {
        vec_clear(&k->past);
        k->next_unit = 0;
        san_restart(k);
    }
    if (k->past.n == PAST)
        memmove(k->past.at, k->past.at + 1, sizeof l * --k->past.n);
    l.unit0 = k->next_unit;
    l.id0 = k->next_id;
    l.nwarps = r->nwarps;
    l.kernel = san_find_kernel(k, r->code);
    vec_push(&k->past, l);
    k->next_unit += (uint32_t)units;
    set_floor(k);
    k->shared = r->cluster[0] * r->cluster[1] * r->cluster[2] == 1;
    k->sites = make_sites(r);
    k->obs = (struct exec_obs){.ctx = k, .insn = san_insn};
    r->obs = &k->obs;
    r->check = k;
    if (r->workspace)
        exec_check_wrote(r->dev, r->workspace, EXEC_WORKSPACE_B);
}

void san_end(struct san *k)
{
    san_order_forget(k);
    vec_each (&k->places, p)
        san_cta_free(k, *p);
    vec_clear(&k->places);
    k->spare = k->cur = NULL;
    free(k->sites);
    k->sites = NULL;
    san_find_tell(k);
    k->r = NULL;
}

void san_free(struct san *k)
{
    if (!k)
        return;
    san_pages_free(&k->pages);
    vec_free(&k->records);
    vec_free(&k->past);
    vec_free(&k->places);
    san_find_free(k);
    free(k);
}

/* ---- a CTA ---- */

void san_cta_begin(struct san *k, struct cta *c)
{
    struct san_cta *p = k->spare;
    if (p) {
        k->spare = p->next;
    } else {
        p = san_cta_new(k);
        vec_push(&k->places, p);
    }
    c->place = p;
    san_cta_start(k, p, c);
}

void san_cta_run(struct san *k, struct cta *c) { k->cur = c->place; }

void san_cta_end(struct san *k, struct cta *c)
{
    c->place->next = k->spare;
    k->spare = c->place;
}
