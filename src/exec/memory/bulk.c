/* SPDX-License-Identifier: Apache-2.0 */
#include "exec/memory/bulk.h"

unsigned char *bulk_shared(const struct bulk *b, uint32_t addr, uint32_t n, uint32_t align, struct cta **cta)
{
    unsigned char *p = addr % align ? NULL : shared_host(b->r, b->w, addr, n, cta);
    if (p)
        return p;
    if (addr % align)
        fail(b->r, b->w, EXEC_MISALIGNED, b->lane, addr,
             "bulk copy: shared address 0x%x is not a multiple of %u", addr, align);
    else
        fail(b->r, b->w, EXEC_BAD_ADDRESS, b->lane, addr,
             "bulk copy of %u bytes at shared address 0x%x: the CTA has %u bytes%s", n, addr, b->r->shared_b,
             addr >> SHARED_RANK_BIT ? ", or is not in the cluster" : "");
    return NULL;
}

unsigned char *bulk_global(const struct bulk *b, uint64_t addr, uint64_t n)
{
    struct mem *m = &b->r->dev->mem;
    if (mem_hit_has(m, &b->d->hit, addr, n) || mem_hit_fill(m, &b->d->hit, addr, n))
        return b->d->hit.host + (addr - b->d->hit.base);
    fail(b->r, b->w, EXEC_BAD_ADDRESS, b->lane, addr,
         "bulk copy of %llu bytes at global address 0x%llx: not inside one allocation", (unsigned long long)n,
         (unsigned long long)addr);
    return NULL;
}

bool bulk_reduce(const struct bulk *b, enum ir_type t, bool shared, unsigned char *to,
                 const unsigned char *from, uint32_t n)
{
    const struct ir_insn *i = b->d->x.insn;
    bool logic = i->aop == AOP_AND || i->aop == AOP_OR || i->aop == AOP_XOR;
    atom_fn fn = t == T_NONE || (logic && type_is_float(t)) ? NULL : atom_op(i->aop, t, shared);
    uint32_t size = t == T_NONE ? 1 : type_bytes(t);
    if (!fn)
        return fail(b->r, b->w, EXEC_BAD_CODE, b->lane, 0,
                    "bulk reduction: no such operation on elements of the tensor's type");
    for (uint32_t k = 0; k < n; k += size) {
        uint64_t old = 0, v = 0;
        memcpy(&old, to + k, size);
        memcpy(&v, from + k, size);
        v = fn(old, v, 0);
        memcpy(to + k, &v, size);
    }
    return true;
}

bool bulk_arrive(const struct bulk *b, uint32_t mbar, uint32_t n)
{
    struct cta *c;
    unsigned char *at = bulk_shared(b, mbar, 8, 8, &c);
    if (!at)
        return false;
    const char *why = mbar_received(b->r, c, (uint32_t)(at - c->shared), n);
    return why ? fail(b->r, b->w, EXEC_BAD_CODE, b->lane, mbar, "%s", why) : true;
}

/* Sizes and global addresses are multiples of 16. */
static bool check(const struct bulk *b, bool global)
{
    if (b->bytes % 16)
        return fail(b->r, b->w, EXEC_BAD_CODE, b->lane, b->bytes,
                    "bulk copy of %u bytes: the size is a multiple of 16", b->bytes);
    if (global && b->far % 16)
        return fail(b->r, b->w, EXEC_MISALIGNED, b->lane, b->far,
                    "bulk copy: global address 0x%llx is not a multiple of 16", (unsigned long long)b->far);
    return true;
}

static bool load_one(const struct bulk *b, uint32_t shared, uint32_t mbar, const unsigned char *from)
{
    unsigned char *to = bulk_shared(b, shared, b->bytes, 16, NULL);
    if (!to)
        return false;
    memcpy(to, from, b->bytes);
    return bulk_arrive(b, mbar, b->bytes);
}

static bool load(const struct bulk *b)
{
    const unsigned char *from = check(b, true) ? bulk_global(b, b->far, b->bytes) : NULL;
    if (!from)
        return false;
    if (!b->ctas)
        return load_one(b, b->shared, b->mbar, from);
    lanes_each (b->ctas, rank) {
        if (!load_one(b, bulk_in_cta(b, b->shared, rank), bulk_in_cta(b, b->mbar, rank), from))
            return false;
    }
    return true;
}

static bool store(const struct bulk *b)
{
    const unsigned char *from = check(b, true) ? bulk_shared(b, b->shared, b->bytes, 16, NULL) : NULL;
    unsigned char *to = from ? bulk_global(b, b->far, b->bytes) : NULL;
    if (!to)
        return false;
    if (b->d->x.insn->sub == BULK_RED)
        return bulk_reduce(b, b->d->x.insn->type, false, to, from, b->bytes);
    memcpy(to, from, b->bytes);
    return true;
}

static bool between(const struct bulk *b)
{
    const unsigned char *from = check(b, false) ? bulk_shared(b, b->shared, b->bytes, 16, NULL) : NULL;
    unsigned char *to = from ? bulk_shared(b, (uint32_t)b->far, b->bytes, 16, NULL) : NULL;
    if (!to)
        return false;
    if (b->d->x.insn->sub == BULK_SHARED)
        memmove(to, from, b->bytes);
    else if (!bulk_reduce(b, b->d->x.insn->type, true, to, from, b->bytes))
        return false;
    return bulk_arrive(b, b->mbar, b->bytes);
}

static void note(const struct bulk *b, bool shared)
{
    uint64_t *p = b->r->addr;
    p[BP_GLOBAL] = shared ? shared_name(b->r, b->w, b->shared) : b->far;
    p[BP_SHARED] = shared_name(b->r, b->w, shared ? (uint32_t)b->far : b->shared);
    p[BP_ROW_B] = p[BP_BYTES] = b->bytes;
    for (unsigned k = 0; k < 8; k += 2) {
        p[BP_ROWS + k] = 1;
        p[BP_ROWS + k + 1] = 0;
    }
}

static bool one(struct bulk *b)
{
    bool ok = false;
    switch ((enum ir_bulk)b->d->x.insn->sub) {
    case BULK_LOAD: ok = load(b); break;
    case BULK_STORE:
    case BULK_RED: ok = store(b); break;
    case BULK_SHARED:
    case BULK_RED_SHARED: ok = between(b); break;
    case BULK_PREFETCH: ok = check(b, true); break;
    default: return bulk_tensor(b);
    }
    note(b, b->d->x.insn->sub == BULK_SHARED || b->d->x.insn->sub == BULK_RED_SHARED);
    return ok;
}

bool core_bulk(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    const struct ir_insn *i = d->x.insn;
    bool mcast = i->src[5].kind != OPND_NONE, halved = i->flags & IRF_X;
    if (r->code->sass) /* an instruction of the uniform datapath: once for the warp */
        mask &= 0u - mask;
    lanes_each (mask, l) {
        const uint32_t *far = x_row(&w->x, &d->x, 1);
        struct bulk b = {.r = r,
                         .w = w,
                         .d = d,
                         .lane = l,
                         .shared = x_row(&w->x, &d->x, 0)[l],
                         .far = i->sub == BULK_SHARED || i->sub == BULK_RED_SHARED ? far[l] : row_u64(far, l),
                         .arrives = i->src[2].kind != OPND_NONE,
                         .mbar = x_row(&w->x, &d->x, 2)[l],
                         .bytes =
                             halved ? (x_row(&w->x, &d->x, 3)[l] & 0xffff) * 16 : x_row(&w->x, &d->x, 3)[l],
                         .ctas = mcast ? x_row(&w->x, &d->x, 5)[l] >> (halved ? 16 : 0) & 0xffff : 0};
        /* No bit is set: nobody receives anything. */
        if (mcast && !b.ctas)
            return fail(r, w, EXEC_BAD_CODE, l, 0, "bulk copy: its mask of CTAs is empty");
        if (!one(&b))
            return false;
        r->addr[BP_MBAR] = b.arrives ? shared_name(r, w, b.mbar) : 0;
        r->addr[BP_CTAS] = b.ctas;
        if (r->obs)
            warp_observe_params(r, w, 1u << l);
    }
    run_progress(r, w);
    return true;
}
