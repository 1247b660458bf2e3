/* SPDX-License-Identifier: Apache-2.0 */
/* mbarrier objects: 64 bits in shared memory, in a layout of our own (PTX keeps it opaque):
 *   0-19 arrivals still pending in this phase    20-39 arrivals that make a phase    40-61 bytes expected, less those that came
 *   62 valid    63 parity of the current phase
 * A phase ends when nothing is pending, neither arrivals nor bytes. A state is a copy of the object at arrival. */
#include "exec/run.h"

enum { COUNT_BITS = 20, COUNT_MASK = (1 << COUNT_BITS) - 1, TX_BITS = 22, TX_MASK = (1 << TX_BITS) - 1 };

static struct mbar unpack(uint64_t v)
{
    int32_t tx = (int32_t)(v >> 40 & TX_MASK);
    return (struct mbar){.pending = v & COUNT_MASK,
                         .count = v >> 20 & COUNT_MASK,
                         .tx = tx >> (TX_BITS - 1) ? tx - (1 << TX_BITS) : tx,
                         .valid = v >> 62 & 1,
                         .phase = v >> 63};
}

static uint64_t pack(const struct mbar *b)
{
    return (uint64_t)(b->pending & COUNT_MASK) | (uint64_t)(b->count & COUNT_MASK) << 20 |
           (uint64_t)((uint32_t)b->tx & TX_MASK) << 40 | (uint64_t)b->valid << 62 | (uint64_t)b->phase << 63;
}

struct mbar mbar_get(const unsigned char *at)
{
    uint64_t v;
    memcpy(&v, at, 8);
    return unpack(v);
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

/* PTX: the count of bytes is within -(2^20 - 1) and 2^20 - 1. */
static const char *add_tx(struct mbar *b, uint32_t n, bool expect)
{
    int64_t tx = b->tx + (expect ? (int64_t)n : -(int64_t)n);
    if (tx > COUNT_MASK || tx < -(int64_t)COUNT_MASK)
        return expect ? "mbarrier: more than 2^20 - 1 bytes are expected"
                      : "mbarrier: 2^20 bytes or more came that nobody expects";
    b->tx = (int32_t)tx;
    return NULL;
}

const char *mbar_received(struct run *r, struct cta *c, uint32_t at, uint32_t bytes)
{
    struct mbar b = mbar_get(c->shared + at);
    bool phase = b.phase;
    const char *why = b.valid ? add_tx(&b, bytes, false) : "mbarrier: the object is not initialised";
    if (why)
        return why;
    maybe_complete(&b);
    uint64_t v = pack(&b);
    memcpy(c->shared + at, &v, 8);
    if (b.phase != phase)
        mbar_phase_over(r, c, at);
    return NULL;
}

static void set64(struct warp *w, const struct dop *d, uint32_t lane, uint64_t v)
{
    uint32_t *dst = x_dst(&w->x, &d->x, 0);
    dst[lane] = (uint32_t)v;
    dst[LANES + lane] = (uint32_t)(v >> 32);
}

/* The lane's second operand; 1: there is none. The word with which NVIDIA's code begins an object (IRF_X) has, from bit 1 on,
 * how many arrivals it lacks of 2^20. */
static uint32_t amount(const struct warp *w, const struct dop *d, uint32_t lane)
{
    const struct ir_insn *i = d->x.insn;
    if (i->src[1].kind == OPND_NONE)
        return 1;
    uint32_t v = x_row(&w->x, &d->x, 1)[lane];
    return i->sub == MBAR_INIT && i->flags & IRF_X ? (1u << COUNT_BITS) - (v >> 1 & COUNT_MASK) : v;
}

static const char *arrival(struct warp *w, const struct dop *d, uint32_t lane, struct mbar *b)
{
    enum ir_mbar sub = d->x.insn->sub;
    bool tx = sub == MBAR_ARRIVE_TX || sub == MBAR_ARRIVE_DROP_TX;
    bool drop = sub == MBAR_ARRIVE_DROP || sub == MBAR_ARRIVE_DROP_TX;
    uint32_t n = amount(w, d, lane);
    const char *why = tx ? add_tx(b, n, true) : NULL;
    uint64_t before = pack(b);
    if (!why)
        why = arrive(b, tx ? 1 : n, drop);
    if (d->x.insn->dst[0].kind == OPND_REG)
        set64(w, d, lane, before);
    return why;
}

/* One lane. NULL, or what is wrong. *flag: the answer of a test. */
static const char *one(struct warp *w, struct dop *d, uint32_t lane, struct mbar *b, bool *flag)
{
    const uint32_t *arg = x_row(&w->x, &d->x, 1);
    uint32_t n = amount(w, d, lane);
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
    case MBAR_ARRIVE_TX:
    case MBAR_ARRIVE_DROP_TX: return arrival(w, d, lane, b);
    case MBAR_TEST_WAIT: *flag = unpack(row_u64(arg, lane)).phase != b->phase; return NULL;
    case MBAR_TEST_PARITY:
        *flag = (d->x.insn->flags & IRF_X ? arg[lane] >> 31 : arg[lane] & 1) != b->phase;
        return NULL;
    /* Copies are done as soon as they are issued. */
    case MBAR_CP_ARRIVE: return d->x.insn->flags & IRF_X ? arrive(b, 1, false) : NULL;
    case MBAR_EXPECT_TX:
    case MBAR_COMPLETE_TX:
        why = add_tx(b, n, d->x.insn->sub == MBAR_EXPECT_TX);
        if (!why)
            maybe_complete(b);
        return why;
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

void mbar_note(struct run *r, const struct warp *w, const struct dop *d)
{
    enum ir_mbar sub = d->x.insn->sub;
    const uint32_t *arg = x_row(&w->x, &d->x, 1);
    bool state = sub == MBAR_TEST_WAIT || sub == MBAR_TRY_WAIT,
         parity = sub == MBAR_TEST_PARITY || sub == MBAR_TRY_PARITY;
    note_shared(r, w, x_row(&w->x, &d->x, 0), (uint32_t)d->off);
    r->naddr = 2;
    for (uint32_t l = 0; l < LANES; l++) {
        if (sub == MBAR_CP_ARRIVE)
            r->addr2[l] = d->x.insn->flags & IRF_X ? 1 : 0;
        else
            r->addr2[l] = state               ? unpack(row_u64(arg, l)).phase
                          : parity            ? (d->x.insn->flags & IRF_X ? arg[l] >> 31 : arg[l] & 1)
                          : sub == MBAR_INVAL ? 0
                                              : amount(w, d, l);
    }
}

static bool is_test(enum ir_mbar sub) { return sub == MBAR_TEST_WAIT || sub == MBAR_TEST_PARITY; }

bool core_mbar(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    enum ir_mbar sub = d->x.insn->sub;
    const uint32_t *addr = x_row(&w->x, &d->x, 0);
    uint32_t yes = 0;
    if (sub == MBAR_PENDING)
        return pending(w, d, mask);
    if (r->obs)
        mbar_note(r, w, d);
    lanes_each (mask, l) {
        uint32_t a = addr[l] + (uint32_t)d->off;
        bool flag = false;
        struct cta *c;
        unsigned char *at = a % 8 ? NULL : shared_host(r, w, a, 8, &c);
        if (!at)
            return fail_access(r, w, l, SPACE_SHARED, "mbarrier", 8, a);
        struct mbar b = mbar_get(at);
        bool phase = b.phase;
        const char *why = !b.valid && sub != MBAR_INIT  ? "mbarrier: the object is not initialised"
                          : is_test(sub) && c != w->cta ? "mbarrier: only threads of its CTA can wait for it"
                                                        : one(w, d, l, &b, &flag);
        if (why)
            return fail(r, w, EXEC_BAD_CODE, l, a, "%s", why);
        uint64_t v = pack(&b);
        memcpy(at, &v, 8);
        if (b.phase != phase && sub != MBAR_INIT && sub != MBAR_INVAL)
            mbar_phase_over(r, c, (uint32_t)(at - c->shared));
        yes |= (uint32_t)flag << l;
    }
    if (is_test(sub)) {
        x_pset(&w->x, d->x.pdst[0], yes, mask);
        warp_poll(r, w, mask, yes);
    } else {
        run_progress(r, w);
    }
    return true;
}
