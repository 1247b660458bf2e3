/* mbarrier objects: 64 bits in shared memory, in a layout of our own (PTX keeps it opaque):
 *   0-19 arrivals still pending in this phase    20-39 arrivals that make a phase    40-61 bytes expected (biased)
 *   62 valid    63 parity of the current phase
 * A phase ends when nothing is pending, neither arrivals nor bytes. A state is a copy of the object at arrival. */
#include "exec/run.h"

enum { COUNT_BITS = 20, COUNT_MASK = (1 << COUNT_BITS) - 1, TX_BITS = 22, TX_MASK = (1 << TX_BITS) - 1 };

struct mbar {
    uint32_t pending, count;
    uint32_t tx;
    bool valid, phase;
};

static struct mbar unpack(uint64_t v)
{
    return (struct mbar){.pending = v & COUNT_MASK,
                         .count = v >> 20 & COUNT_MASK,
                         .tx = v >> 40 & TX_MASK,
                         .valid = v >> 62 & 1,
                         .phase = v >> 63};
}

static uint64_t pack(const struct mbar *b)
{
    return (uint64_t)(b->pending & COUNT_MASK) | (uint64_t)(b->count & COUNT_MASK) << 20 |
           (uint64_t)(b->tx & TX_MASK) << 40 | (uint64_t)b->valid << 62 | (uint64_t)b->phase << 63;
}

static void maybe_complete(struct mbar *b)
{
    if (b->pending == 0 && b->tx == 0) {
        b->phase = !b->phase;
        b->pending = b->count;
    }
}

static const char *arrive(struct mbar *b, uint32_t n, bool drop)
{
    if (n > b->pending)
        return "mbarrier: more arrivals than the phase expects";
    if (drop)
        b->count -= n > b->count ? b->count : n;
    b->pending -= n;
    maybe_complete(b);
    return NULL;
}

const char *mbar_received(struct run *r, struct cta *c, uint32_t at, uint32_t bytes)
{
    (void)r;
    uint64_t v;
    memcpy(&v, c->shared + at, 8);
    struct mbar b = unpack(v);
    if (!b.valid)
        return "mbarrier: the object is not initialised";
    b.tx -= bytes;
    b.tx &= TX_MASK;
    maybe_complete(&b);
    v = pack(&b);
    memcpy(c->shared + at, &v, 8);
    return NULL;
}

static void set64(struct warp *w, const struct dop *d, uint32_t lane, uint64_t v)
{
    uint32_t *dst = x_dst(&w->x, &d->x, 0);
    dst[lane] = (uint32_t)v;
    dst[LANES + lane] = (uint32_t)(v >> 32);
}

/* One lane. NULL, or what is wrong. *flag: the answer of a test. */
static const char *one(struct warp *w, struct dop *d, uint32_t lane, struct mbar *b, bool *flag)
{
    const uint32_t *arg = x_row(&w->x, &d->x, 1);
    bool given = d->x.insn->src[1].kind != OPND_NONE;
    uint32_t n = given ? arg[lane] : 1;
    uint64_t before = pack(b);
    const char *why = NULL;
    switch ((enum ir_mbar)d->x.insn->sub) {
    case MBAR_INIT:
        if (n == 0 || n > COUNT_MASK)
            return "mbarrier: the count must be 1 to 2^20 - 1";
        *b = (struct mbar){.pending = n, .count = n, .valid = true};
        return NULL;
    case MBAR_INVAL: *b = (struct mbar){0}; return NULL;
    case MBAR_ARRIVE:
    case MBAR_ARRIVE_DROP:
        why = arrive(b, n, d->x.insn->sub == MBAR_ARRIVE_DROP);
        if (d->x.insn->dst[0].kind == OPND_REG)
            set64(w, d, lane, before);
        return why;
    case MBAR_TEST_WAIT: *flag = unpack(row_u64(arg, lane)).phase != b->phase; return NULL;
    case MBAR_TEST_PARITY: *flag = (arg[lane] & 1) != b->phase; return NULL;
    /* Copies are done as soon as they are issued. */
    case MBAR_CP_ARRIVE: return d->x.insn->flags & IRF_X ? arrive(b, 1, false) : NULL;
    case MBAR_EXPECT_TX:
        if (n > TX_MASK || b->tx + n > TX_MASK)
            return "mbarrier: too many bytes expected";
        b->tx += n;
        return NULL;
    default: return "mbarrier: no such operation";
    }
}

/* pending_count looks at a state only; it has no object. */
static bool pending(struct warp *w, struct dop *d, uint32_t mask)
{
    const uint32_t *a0 = x_row(&w->x, &d->x, 0), *a1 = x_row(&w->x, &d->x, 1);
    bool second = d->x.insn->src[1].kind != OPND_NONE;
    uint32_t *dst = x_dst(&w->x, &d->x, 0);
    lanes_each (mask, l)
        dst[l] = unpack(row_u64(second ? a1 : a0, l)).pending;
    return true;
}

bool core_mbar(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    enum ir_mbar sub = d->x.insn->sub;
    const uint32_t *addr = x_row(&w->x, &d->x, 0);
    uint32_t yes = 0;
    if (sub == MBAR_PENDING)
        return pending(w, d, mask);
    if (r->obs)
        note32(r, addr, (uint32_t)d->off, SPACE_SHARED);
    lanes_each (mask, l) {
        uint32_t a = addr[l] + (uint32_t)d->off;
        uint64_t v;
        bool flag = false;
        if (a % 8 || (uint64_t)a + 8 > r->shared_b)
            return fail_access(r, w, l, SPACE_SHARED, "mbarrier", 8, a);
        memcpy(&v, w->cta->shared + a, 8);
        struct mbar b = unpack(v);
        const char *why = !b.valid && sub != MBAR_INIT ? "mbarrier: the object is not initialised"
                                                       : one(w, d, l, &b, &flag);
        if (why)
            return fail(r, w, EXEC_BAD_CODE, l, a, "%s", why);
        v = pack(&b);
        memcpy(w->cta->shared + a, &v, 8);
        yes |= (uint32_t)flag << l;
    }
    if (sub == MBAR_TEST_WAIT || sub == MBAR_TEST_PARITY) {
        x_pset(&w->x, d->x.pdst[0], yes, mask);
        warp_poll(r, w, mask, yes);
    } else {
        run_progress(r, w);
    }
    return true;
}
