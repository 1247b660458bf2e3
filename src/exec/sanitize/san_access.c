/* SPDX-License-Identifier: Apache-2.0 */
/* The observer: each access of each lane beside what its memory remembers. */
#include "exec/sanitize/san_inside.h"

/* The instruction that is looked at. */
struct act {
    struct san *k;
    const struct exec_step *s;
    struct site *site;
    uint32_t stamp0; /* of lane 0 */
    bool write, strong;
};

/* The record of the instruction; a new one after each synchronisation. */
static uint32_t record_of(struct san *k, struct site *t, const struct exec_step *s, bool write)
{
    uint32_t unit = k->cur->unit0 + s->warp, clock = k->cur->warps[s->warp].clock;
    if (t->unit == unit && t->clock == clock && t->id)
        return t->id;
    if (k->next_id == MAX_RECORDS - 1)
        san_restart(k);
    vec_push(&k->records, (struct record){.unit = unit,
                                          .clock = clock,
                                          .at = s->at,
                                          .strong = t->strong,
                                          .write = write,
                                          .atomic = t->kind == SITE_ATOMIC});
    t->unit = unit;
    t->clock = clock;
    return t->id = k->next_id++;
}

/* ---- one lane ---- */

/* What is known of a record; lanes that follow mostly ask for the same one. */
struct verdict {
    uint32_t id;
    bool fine;      /* strong like this access, or before all lanes of the warp */
    bool same_warp; /* it is this warp's own: the lane decides */
};

static inline const struct record *record_at(const struct san *k, uint32_t stamp)
{
    return &k->records.at[(stamp >> LANE_BITS) - k->record0];
}

static void judge(const struct act *a, uint32_t stamp, struct verdict *v)
{
    const struct record *rec = record_at(a->k, stamp);
    v->id = stamp >> LANE_BITS;
    v->same_warp = rec->unit == a->k->cur->unit0 + a->s->warp;
    v->fine = (rec->strong && a->strong) || (v->same_warp ? rec->clock < a->k->cur->warps[a->s->warp].synced
                                                          : san_order_before(a->k, stamp, a->s->warp, 0));
}

/* Is the access that left the stamp in the way of this one? */
static inline bool conflicts(const struct act *a, uint32_t stamp, uint32_t floor, uint32_t mine,
                             struct verdict *v)
{
    if (stamp < floor || stamp == mine)
        return false;
    if (stamp >> LANE_BITS != v->id)
        judge(a, stamp, v);
    return !v->fine && !(v->same_warp && san_order_before(a->k, stamp, a->s->warp, mine & (LANES - 1)));
}

/* 20 bits in the place that the cell has for them. */
#define HASH_OF(v) (((v) << CELL_HASH ^ (v) ^ (v) >> 7 << CELL_HASH) & ~4095u)

/* A second thread's read stays beside the first one's. */
static inline void note_read(struct cells c, uint32_t i, uint32_t floor, uint32_t mine, uint32_t bytes)
{
    uint32_t old = c.r0[i];
    bool second = old != mine && old >= floor;
    uint32_t *to = second ? &c.r1[i] : &c.r0[i], shift = second ? CELL_READ2 : CELL_READ;
    uint32_t kept = *to == mine ? c.bytes[i] : c.bytes[i] & ~(15u << shift);
    *to = mine;
    c.bytes[i] = kept | bytes << shift;
}

/* One word of a lane's access; bytes: a bit for each of its bytes. The stamp it conflicts with, or 0. */
static inline uint32_t touch(const struct act *a, struct cells c, uint32_t i, uint32_t floor, uint32_t mine,
                             uint32_t bytes, uint32_t value, struct verdict *v)
{
    uint32_t bad = 0, old = c.bytes[i];
    if (!a->write) {
        if (old & bytes << CELL_WROTE && conflicts(a, c.w[i], floor, mine, &v[0]))
            bad = c.w[i];
        note_read(c, i, floor, mine, bytes);
        return bad;
    }
    uint32_t hash = HASH_OF(value);
    bool same = old >> CELL_HASH == hash >> CELL_HASH && (old & 15) == bytes && a->site->kind != SITE_ATOMIC;
    if (old & bytes << CELL_WROTE && !same && conflicts(a, c.w[i], floor, mine, &v[0]))
        bad = c.w[i];
    else if (old & bytes << CELL_READ && conflicts(a, c.r0[i], floor, mine, &v[1]))
        bad = c.r0[i];
    else if (old & bytes << CELL_READ2 && conflicts(a, c.r1[i], floor, mine, &v[2]))
        bad = c.r1[i];
    c.w[i] = mine;
    c.r0[i] = c.r1[i] = 0;
    c.bytes[i] = hash | bytes << CELL_WROTE;
    return bad;
}

/* The row of registers that a store's data is in. */
static const uint32_t *data_row(const struct act *a)
{
    const struct xop *x = &a->k->r->ops[a->s->at].x;
    const unsigned char *base = x->src[1].sel == XSEL_REG ? (const unsigned char *)a->s->regs : a->k->r->pool;
    return (const uint32_t *)(const void *)(base + x->src[1].off);
}

/* The words of one lane's access. data: of a store, or NULL: the value is of no use. */
static inline void touch_lane(const struct act *a, struct cells c, uint32_t floor, uint32_t lane,
                              uint64_t addr, unsigned n, enum ir_space space, const uint32_t *data,
                              struct verdict *v)
{
    uint32_t mine = a->stamp0 | lane, bad = 0;
    if (n < 4) {
        uint32_t bytes = ((1u << n) - 1) << (addr & 3);
        bad = touch(a, c, 0, floor, mine, bytes, data ? data[lane] & ((1u << 8 * n) - 1) : mine, v);
    } else {
        for (unsigned i = 0; i < n / 4; i++) {
            uint32_t one = touch(a, c, i, floor, mine, 15, data ? data[i * LANES + lane] : mine, v);
            bad = bad ? bad : one;
        }
    }
    if (__builtin_expect(bad != 0, 0))
        san_find_race(a->k, a->s, lane, addr, space, a->write, bad);
}

static inline bool in_global(uint64_t addr) { return addr >= MEM_DEVICE_BASE && addr < MEM_HEAP_END; }

static void global_lane(const struct act *a, uint32_t lane, uint64_t addr, unsigned n, const uint32_t *data,
                        struct verdict *v)
{
    struct san *k = a->k;
    struct page *p = a->site->page;
    if (!p || p->number != addr >> PAGE_BITS)
        p = a->site->page = san_pages_get(&k->pages, addr);
    uint32_t at = (uint32_t)addr & (PAGE_B - 1);
    if (k->cfg.init) {
        if (!a->write || a->site->kind == SITE_ATOMIC)
            if (__builtin_expect(!bits_all(p->written, at, n) && in_global(addr), 0))
                san_find_unwritten(k, a->s, lane, addr, SPACE_GLOBAL, n);
        bits_set(p->written, at, n); /* telling it once is enough */
    }
    if (k->cfg.race)
        touch_lane(a, san_page_cells(p, at / 4), k->floor, lane, addr, n, SPACE_GLOBAL, data, v);
}

static inline void shared_lane(const struct act *a, uint32_t lane, uint32_t addr, unsigned n,
                               const uint32_t *data, struct verdict *v)
{
    struct san *k = a->k;
    struct san_cta *p = k->cur;
    if (!k->shared || addr + n > k->r->shared_b)
        return;
    if (k->cfg.init) {
        if (!a->write || a->site->kind == SITE_ATOMIC)
            if (__builtin_expect(!bits_all(p->written, addr, n), 0))
                san_find_unwritten(k, a->s, lane, addr, SPACE_SHARED, n);
        bits_set(p->written, addr, n);
    }
    if (k->cfg.race)
        touch_lane(a, cells_at(p->cells, k->r->shared_b / 4 + 4, addr / 4), p->floor, lane, addr, n,
                   SPACE_SHARED, data, v);
}

/* ---- lanes side by side ---- */

typedef int32_t i32x4 __attribute__((vector_size(16), may_alias, aligned(4)));

/* The stamps of an array are all from before, or this lane's own by one earlier record: then nothing of it is in the way. */
static inline bool span_clear(const struct act *a, const uint32_t *x, uint32_t n, i32x4 lanes, i32x4 step,
                              uint32_t floor)
{
    uint32_t id = x[0] >= floor ? x[0] >> LANE_BITS : a->stamp0 >> LANE_BITS, own = id << LANE_BITS;
    i32x4 bad = {0}, low = (i32x4){0} + (int32_t)floor, same = (i32x4){0} + (int32_t)own;
    for (uint32_t i = 0; i < n; i += 4, lanes += step) {
        i32x4 v = *(const i32x4 *)(const void *)(x + i);
        bad |= (v >= low) & (v != (same | lanes));
    }
    if (bad[0] | bad[1] | bad[2] | bad[3])
        return false;
    return own == a->stamp0 || record_at(a->k, own)->unit == a->k->cur->unit0 + a->s->warp;
}

/* n words side by side, a lane's access after the other's, of 1, 2 or 4 words. False: look lane by lane; nothing has changed. */
static bool touch_span(const struct act *a, struct cells c, uint32_t n, uint32_t words, uint32_t first,
                       uint32_t floor, const uint32_t *data)
{
    i32x4 lanes = words == 1 ? (i32x4){0, 1, 2, 3} : words == 2 ? (i32x4){0, 0, 1, 1} : (i32x4){0};
    i32x4 step = (i32x4){0} + (int32_t)(4 / words), low = (i32x4){0} + (int32_t)floor;
    lanes += (int32_t)first;
    if (n % 4 || !span_clear(a, c.w, n, lanes, step, floor))
        return false;
    if (!a->write) {
        i32x4 m = lanes | (int32_t)a->stamp0;
        for (uint32_t i = 0; i < n; i += 4, m += step) {
            i32x4 *r0 = (void *)(c.r0 + i), *r1 = (void *)(c.r1 + i), *b = (void *)(c.bytes + i), old = *r0;
            i32x4 take = (old < low) | (old == m);
            *r0 = (m & take) | (old & ~take);
            *r1 = (*r1 & take) | (m & ~take);
            *b |= (take & 15 << CELL_READ) | (~take & 15 << CELL_READ2);
        }
        return true;
    }
    if (!span_clear(a, c.r0, n, lanes, step, floor) || !span_clear(a, c.r1, n, lanes, step, floor))
        return false;
    i32x4 m = lanes | (int32_t)a->stamp0;
    for (uint32_t i = 0; i < n; i += 4, m += step) {
        *(i32x4 *)(void *)(c.w + i) = m;
        *(i32x4 *)(void *)(c.r0 + i) = *(i32x4 *)(void *)(c.r1 + i) = (i32x4){0};
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = data ? words == 1 ? data[first + i] : data[i % words * LANES + first + i / words] : 0;
        c.bytes[i] = HASH_OF(v) | 15 << CELL_WROTE;
    }
    return true;
}

/* A whole warp's access of words side by side, or all of one word: the usual ones. False: go lane by lane. */
static bool access_even(const struct act *a, unsigned n, const uint32_t *data)
{
    const struct exec_step *s = a->s;
    struct san *k = a->k;
    uint32_t first = lane_first(s->active), lanes = lanes_n(s->active);
    bool run = s->active >> first == (lanes < 32 ? (1u << lanes) - 1 : ~0u),
         shared = s->space == SPACE_SHARED;
    uint32_t len = lanes * n, at = shared ? (uint32_t)s->base : (uint32_t)s->base & (PAGE_B - 1);
    if (!s->even || s->stride != n || !run || n < 4 || a->site->kind == SITE_ATOMIC)
        return false;
    struct page *p = a->site->page;
    uint64_t *written;
    struct cells c;
    if (shared) {
        if (!k->shared || at + len > k->r->shared_b)
            return false;
        written = k->cur->written;
        c = cells_at(k->cur->cells, k->r->shared_b / 4 + 4, at / 4);
    } else {
        if (at + len > PAGE_B)
            return false;
        if (!p || p->number != s->base >> PAGE_BITS)
            p = a->site->page = san_pages_get(&k->pages, s->base);
        written = p->written;
        c = san_page_cells(p, at / 4);
    }
    if (k->cfg.init && !a->write && !bits_range(written, at, len))
        return false;
    if (k->cfg.race && !touch_span(a, c, len / 4, n / 4, first, shared ? k->cur->floor : k->floor, data))
        return false;
    if (k->cfg.init && a->write)
        bits_range_set(written, at, len);
    return true;
}

/* Local memory is a thread's own: whole words, of which only whether they were written is of interest. */
static void local_lanes(const struct act *a, uint32_t lanes, unsigned n)
{
    struct san *k = a->k;
    uint32_t **at = &k->cur->local[a->s->warp];
    if (!k->cfg.init)
        return;
    if (!*at)
        *at = xcalloc(k->r->local_b / 4 + 4, sizeof **at);
    lanes_each (lanes, l) {
        uint32_t addr = (uint32_t)exec_step_addr(a->s, 0, l);
        for (uint32_t i = addr / 4; i <= (addr + n - 1) / 4 && i < k->r->local_b / 4; i++) {
            if (!a->write && !((*at)[i] >> l & 1))
                san_find_unwritten(k, a->s, l, addr, SPACE_LOCAL, n);
            (*at)[i] |= 1u << l;
        }
    }
}

/* Addresses of a generic access whose lanes are in different spaces. */
static void mixed_lane(const struct act *a, uint32_t lane, uint64_t addr, unsigned n, const uint32_t *data,
                       struct verdict *v)
{
    if (addr < WINDOW_SHARED)
        global_lane(a, lane, addr, n, data, v);
    else if (addr < WINDOW_LOCAL)
        shared_lane(a, lane, (uint32_t)addr & SHARED_OFFSET, n, data, v);
}

static void access_lanes(const struct act *a, unsigned n, const uint32_t *data)
{
    const struct exec_step *s = a->s;
    struct verdict v[3] = {{.id = 0}};
    if (s->space == SPACE_LOCAL) {
        local_lanes(a, s->active, n);
        return;
    }
    if (s->space != SPACE_NONE && access_even(a, n, data))
        return;
    uint32_t lanes = s->active;
    /* All read one place: two of them stand for all. */
    if (s->even && !s->stride && a->site->kind == SITE_LOAD)
        lanes &= 1u << lane_first(lanes) | 1u << (31 - __builtin_clz(lanes));
    if (s->space == SPACE_GLOBAL) {
        lanes_each (lanes, l)
            global_lane(a, l, exec_step_addr(s, 0, l), n, data, v);
    } else if (s->space == SPACE_SHARED) {
        lanes_each (lanes, l)
            shared_lane(a, l, (uint32_t)exec_step_addr(s, 0, l) & SHARED_OFFSET, n, data, v);
    } else if (s->space == SPACE_NONE) {
        lanes_each (lanes, l)
            mixed_lane(a, l, exec_step_addr(s, 0, l), n, data, v);
    }
}

/* A word of memory that stands for what was released through it. */
static uint64_t word_of(const struct exec_step *s, uint32_t lane)
{
    uint64_t addr = exec_step_addr(s, 0, lane) & ~3ull;
    return s->space == SPACE_SHARED ? WINDOW_SHARED + addr : addr;
}

/* Strong accesses of global memory tell CTAs what others have done. */
static void strong_access(const struct act *a, bool reads)
{
    if (a->s->space != SPACE_GLOBAL && a->s->space != SPACE_NONE)
        return;
    lanes_each (a->s->active, l) {
        uint64_t word = word_of(a->s, l);
        if (reads)
            san_order_acquire(a->k, a->s->warp, word);
        if (a->write)
            san_order_release(a->k, a->s->warp, word, a->site->releases);
    }
}

/* cp.async: reads global memory and writes shared memory, both told. */
static void copy_access(struct act *a)
{
    const struct exec_step *s = a->s;
    unsigned n = a->site->access_b;
    const struct ir_insn *i = &a->k->r->code->insns[s->at];
    struct verdict from[3] = {{.id = 0}}, to[3] = {{.id = 0}};
    lanes_each (s->active, l) {
        a->write = false;
        if (i->src[2].kind == OPND_NONE)
            global_lane(a, l, s->addrs[0][l], n, NULL, from);
        a->write = true;
        shared_lane(a, l, (uint32_t)s->addrs[1][l] & SHARED_OFFSET, n, NULL, to);
    }
}

/* Bulk copies are another unit's: what they write counts as written, and as ordered by who waits for them. */
static void bulk_access(struct san *k, const struct exec_step *s)
{
    const uint64_t *p = s->addrs[0];
    enum ir_bulk sub = k->r->code->insns[s->at].sub;
    if (!p)
        return;
    if (sub == BULK_LOAD || sub == BULK_TENSOR_LOAD) {
        uint32_t at = (uint32_t)p[BP_SHARED] & SHARED_OFFSET;
        for (uint64_t i = 0; i < p[BP_BYTES] && at + i < k->r->shared_b; i++)
            bits_set(k->cur->written, at + i, 1);
        return;
    }
    if (sub != BULK_STORE && sub != BULK_RED && sub != BULK_TENSOR_STORE && sub != BULK_TENSOR_RED)
        return;
    const uint64_t *rows = p + BP_ROWS;
    for (uint64_t a = 0; a < rows[0]; a++)
        for (uint64_t b = 0; b < rows[2]; b++)
            for (uint64_t c = 0; c < rows[4]; c++)
                for (uint64_t d = 0; d < rows[6]; d++)
                    san_pages_mark(&k->pages,
                                   p[BP_GLOBAL] + a * rows[1] + b * rows[3] + c * rows[5] + d * rows[7],
                                   p[BP_ROW_B]);
}

static void mbar_access(struct san *k, const struct exec_step *s)
{
    san_order_mbar(k, s->warp, s, k->r->code->insns[s->at].sub);
    lanes_each (s->active, l) {
        uint32_t at = (uint32_t)exec_step_addr(s, 0, l) & SHARED_OFFSET;
        if (at + 8 <= k->r->shared_b)
            bits_set(k->cur->written, at, 8);
    }
}

static void memory_access(struct san *k, const struct exec_step *s, struct site *t)
{
    bool write = t->kind != SITE_LOAD;
    if (!s->addrs[0] || !s->active)
        return;
    k->serial++;
    struct act a = {.k = k, .s = s, .site = t, .write = write, .strong = t->strong};
    if (k->cfg.race && s->space != SPACE_LOCAL)
        a.stamp0 = record_of(k, t, s, write) << LANE_BITS;
    if (t->kind == SITE_COPY) {
        copy_access(&a);
        return;
    }
    /* What an atomic acquires comes before it, what it releases does not come after. */
    if (t->strong && k->cfg.race)
        strong_access(&a, t->kind != SITE_STORE);
    access_lanes(&a, t->rows ? 16 : t->access_b, t->kind == SITE_STORE && !t->rows ? data_row(&a) : NULL);
}

void san_insn(void *ctx, const struct exec_step *s)
{
    struct san *k = ctx;
    struct site *t = &k->sites[s->at];
    switch ((enum site_kind)t->kind) {
    case SITE_NONE: return;
    case SITE_LOAD:
    case SITE_STORE:
    case SITE_ATOMIC:
    case SITE_COPY: memory_access(k, s, t); return;
    case SITE_SURFACE:
        lanes_each (s->addrs[0] ? s->active : 0, l)
            san_pages_mark(&k->pages, exec_step_addr(s, 0, l), t->access_b);
        return;
    case SITE_BULK: bulk_access(k, s); return;
    case SITE_FENCE:
        if (s->active)
            san_order_fence(k, s->warp);
        return;
    case SITE_WARP:
        if (s->active)
            san_order_lanes(k, s->warp, s->active);
        return;
    case SITE_MBAR:
        if (s->addrs[0])
            mbar_access(k, s);
        return;
    case SITE_CLUSTER:
        if (s->active)
            san_order_cluster(k, s->warp, k->r->code->insns[s->at].sub == CGABAR_WAIT);
        return;
    }
}
