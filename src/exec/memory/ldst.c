/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and stores. Fast when all lanes are in the allocation this instruction touched last and their addresses are
 * consecutive, equal, or share their high word; otherwise lane by lane, which is also where errors are found.
 * Where several lanes store to one address the highest lane wins. */
#include "exec/memory/lanes.h"

static void poll_rows(struct run *r, struct warp *w, const struct dop *d, uint32_t mask)
{
    const uint32_t *dst = x_dst(&w->x, &d->x, 0);
    unsigned rows = d->elem_b < 4 ? d->nelem : d->access_b / 4u;
    uint64_t h = 0;
    for (unsigned k = 0; k < rows; k++)
        lanes_each (mask, l)
            h = (h ^ dst[k * LANES + l]) * 0x9e3779b97f4a7c15ull;
    warp_poll(r, w, mask, h);
}

static inline bool hit(struct run *r, struct dop *d, uint64_t addr, uint64_t n)
{
    return mem_hit_has(&r->dev->mem, &d->hit, addr, n) || mem_hit_fill(&r->dev->mem, &d->hit, addr, n);
}

/* A fast way for all lanes of a global access: its pattern, and *base for lanes_load/store (PAT_SAME: the one place).
 * False: go lane by lane. */
static inline bool global_fast(struct run *r, struct dop *d, uint32_t mask, const uint32_t *lo,
                               enum pattern *pat, uintptr_t *base)
{
    const uint32_t *hi = lo + LANES;
    uint32_t first = lane_first(mask), n = d->access_b;
    struct shape s = shape_rows(lo, hi, 0, mask, n);
    uint64_t a = row_u64(lo, first) + (uint64_t)(int64_t)d->off;
    if (!s.one_hi)
        return false;
    *pat = s.pat;
    if (s.pat == PAT_ANY) {
        uint64_t up = ((uint64_t)hi[first] << 32) + (uint64_t)(int64_t)d->off;
        if (((s.low_bits | (uint32_t)d->off) & (n - 1)) || !hit(r, d, up + s.min, s.max - s.min + n))
            return false;
        *base = (uintptr_t)(d->hit.host + (up + s.min - d->hit.base)) - s.min;
        return true;
    }
    uint32_t span = s.pat == PAT_UNIT ? (31u - (uint32_t)__builtin_clz(mask) - first) * n : 0;
    if ((a & (n - 1)) || lo[first] > UINT32_MAX - span || !hit(r, d, a, span + n))
        return false;
    *base = (uintptr_t)(d->hit.host + (a - d->hit.base)) - (s.pat == PAT_UNIT ? first * n : 0);
    return true;
}

/* Host memory of one lane's access, or NULL after an error. */
static unsigned char *global_lane(struct run *r, struct warp *w, struct dop *d, uint32_t lane,
                                  const uint32_t *lo, const char *what)
{
    uint64_t a = row_u64(lo, lane) + (uint64_t)(int64_t)d->off;
    if ((a & (d->access_b - 1u)) || !hit(r, d, a, d->access_b)) {
        fail_access(r, w, lane, SPACE_GLOBAL, what, d->access_b, a);
        return NULL;
    }
    return d->hit.host + (a - d->hit.base);
}

/* Tells the observer the addresses, in few words where global_fast has found them to be regular. */
static inline void note_global(struct run *r, const struct dop *d, uint32_t mask, const uint32_t *lo,
                               bool fast, enum pattern pat)
{
    uint32_t first = lane_first(mask);
    if (fast && pat != PAT_ANY)
        note_even(r, row_u64(lo, first) + (uint64_t)(int64_t)d->off,
                  pat == PAT_UNIT && mask & (mask - 1) ? d->access_b : 0, SPACE_GLOBAL);
    else
        note64(r, lo, d->off, SPACE_GLOBAL);
}

/* The address rows of a global access; of a 32-bit one both are made in `rows`. */
static inline const uint32_t *address_rows(const struct warp *w, const struct dop *d, uint32_t *rows)
{
    const uint32_t *lo = x_row(&w->x, &d->x, 0);
    if (__builtin_expect(d->x.insn->src[0].n != 1 || d->x.insn->src[0].kind != OPND_REG, 1))
        return lo;
    for (uint32_t l = 0; l < LANES; l++) {
        rows[l] = lo[l];
        rows[LANES + l] = (uint32_t)(MEM_DEVICE_BASE >> 32);
    }
    return rows;
}

static bool ld_global(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    uint32_t rows[2 * LANES] __attribute__((aligned(ROW_B)));
    const uint32_t *lo = address_rows(w, d, rows);
    uint32_t *dst = x_dst(&w->x, &d->x, 0);
    enum pattern pat;
    uintptr_t base;
    bool fast = global_fast(r, d, mask, lo, &pat, &base);
    if (r->obs)
        note_global(r, d, mask, lo, fast, pat);
    if (fast) {
        if (pat == PAT_SAME)
            lanes_load_same(d, dst, mask, (const unsigned char *)base);
        else
            lanes_load(d, dst, mask, base, pat == PAT_ANY ? lo : NULL);
    } else {
        /* A result may overwrite its address: look everything up before the first write. */
        const unsigned char *p[LANES];
        lanes_each (mask, l) {
            if (!(p[l] = global_lane(r, w, d, l, lo, "load")))
                return false;
        }
        lanes_each (mask, k)
            lane_load(d, dst, k, p[k]);
    }
    if (d->poll)
        poll_rows(r, w, d, mask);
    return true;
}

static bool st_global(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    uint32_t rows[2 * LANES] __attribute__((aligned(ROW_B)));
    const uint32_t *lo = address_rows(w, d, rows), *src = x_row(&w->x, &d->x, 1);
    enum pattern pat;
    uintptr_t base;
    bool fast = global_fast(r, d, mask, lo, &pat, &base);
    if (r->obs)
        note_global(r, d, mask, lo, fast, pat);
    run_progress(r, w);
    if (fast) {
        if (pat == PAT_SAME)
            lane_store(d, src, 31u - (uint32_t)__builtin_clz(mask), (unsigned char *)base);
        else
            lanes_store(d, src, mask, base, pat == PAT_ANY ? lo : NULL);
        return true;
    }
    lanes_each (mask, l) {
        unsigned char *p = global_lane(r, w, d, l, lo, "store");
        if (!p)
            return false;
        lane_store(d, src, l, p);
    }
    return true;
}

/* A memory of its own, usually at address 0: shared, or a constant bank. */
struct region {
    unsigned char *host;
    uint32_t size_b;
    uint32_t start; /* address of its first byte */
    enum ir_space space;
};

/* As global_fast; at[] receives the addresses of PAT_ANY. False: not all of them are in the region. */
static inline bool region_shape(struct warp *w, const struct dop *d, uint32_t mask, const struct region *g,
                                enum pattern *pat, uintptr_t *base, uint32_t *at)
{
    const uint32_t *lo = x_row(&w->x, &d->x, 0);
    uint32_t first = lane_first(mask), n = d->access_b, bias = (uint32_t)d->off - g->start;
    struct shape s = shape_rows(lo, NULL, bias, mask, n);
    uint32_t a = lo[first] + bias, bits = a;
    uint64_t end = (uint64_t)a + n;
    *pat = s.pat;
    if (s.pat == PAT_UNIT)
        end += (31u - (uint32_t)__builtin_clz(mask) - first) * n;
    else if (s.pat == PAT_ANY)
        end = (uint64_t)s.max + n, bits = s.low_bits;
    if ((bits & (n - 1)) || end > g->size_b)
        return false;
    *base = (uintptr_t)g->host;
    if (s.pat == PAT_UNIT)
        *base = *base + a - (uintptr_t)first * n;
    else if (s.pat == PAT_SAME)
        *base += a;
    else
        for (uint32_t l = 0; l < LANES; l++)
            at[l] = lo[l] + bias;
    return true;
}

/* The lanes of an access that is not all in the region. Shared addresses may name a CTA of the cluster: the executing one in any
 * access, another one in a generic access. False: error. */
static bool region_lanes(struct run *r, struct warp *w, const struct dop *d, uint32_t mask,
                         const struct region *g, const char *what, unsigned char *p[LANES])
{
    const uint32_t *lo = x_row(&w->x, &d->x, 0);
    uint32_t n = d->access_b, bias = (uint32_t)d->off - g->start;
    bool generic = d->op == OP_LD || d->op == OP_ST;
    lanes_each (mask, l) {
        uint32_t a = lo[l] + bias;
        if (g->space == SPACE_SHARED) {
            a += g->start;
            p[l] = generic ? shared_host(r, w, a, n, NULL) : shared_own(r, w, a, n);
        } else
            p[l] = (uint64_t)a + n <= g->size_b ? g->host + a : NULL;
        if (!p[l] || (a & (n - 1)))
            return fail_access(r, w, l, g->space, what, n, a);
    }
    return true;
}

static inline void note_region(struct run *r, const struct warp *w, const struct dop *d, uint32_t mask,
                               const struct region *g, bool fast, enum pattern pat)
{
    const uint32_t *lo = x_row(&w->x, &d->x, 0);
    uint32_t bias = (uint32_t)d->off - g->start;
    if (fast && pat != PAT_ANY)
        note_even(r, lo[lane_first(mask)] + bias, pat == PAT_UNIT && mask & (mask - 1) ? d->access_b : 0,
                  g->space);
    else if (g->space == SPACE_SHARED)
        note_shared(r, w, lo, (uint32_t)d->off);
    else
        note32(r, lo, bias, g->space);
}

static bool ld_region(struct run *r, struct warp *w, struct dop *d, uint32_t mask, const struct region *g)
{
    uint32_t *dst = x_dst(&w->x, &d->x, 0), at[LANES];
    enum pattern pat;
    uintptr_t base;
    bool fast = region_shape(w, d, mask, g, &pat, &base, at);
    if (r->obs)
        note_region(r, w, d, mask, g, fast, pat);
    if (!fast) {
        unsigned char *p[LANES];
        if (!region_lanes(r, w, d, mask, g, "load", p))
            return false;
        lanes_each (mask, l)
            lane_load(d, dst, l, p[l]);
    } else if (pat == PAT_SAME)
        lanes_load_same(d, dst, mask, (const unsigned char *)base);
    else
        lanes_load(d, dst, mask, base, pat == PAT_ANY ? at : NULL);
    if (d->poll)
        poll_rows(r, w, d, mask);
    return true;
}

static bool st_region(struct run *r, struct warp *w, struct dop *d, uint32_t mask, const struct region *g)
{
    const uint32_t *src = x_row(&w->x, &d->x, 1);
    uint32_t at[LANES];
    enum pattern pat;
    uintptr_t base;
    bool fast = region_shape(w, d, mask, g, &pat, &base, at);
    if (r->obs)
        note_region(r, w, d, mask, g, fast, pat);
    run_progress(r, w);
    if (!fast) {
        unsigned char *p[LANES];
        if (!region_lanes(r, w, d, mask, g, "store", p))
            return false;
        lanes_each (mask, l)
            lane_store(d, src, l, p[l]);
    } else if (pat == PAT_SAME)
        lane_store(d, src, 31u - (uint32_t)__builtin_clz(mask), (unsigned char *)base);
    else
        lanes_store(d, src, mask, base, pat == PAT_ANY ? at : NULL);
    return true;
}

static struct region shared_of(const struct run *r, const struct warp *w)
{
    uint32_t start = r->ranked ? w->cta->rank << SHARED_RANK_BIT : 0;
    return (struct region){
        .host = w->cta->shared, .size_b = r->shared_b, .start = start, .space = SPACE_SHARED};
}

static bool ld_shared(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    struct region g = shared_of(r, w);
    return ld_region(r, w, d, mask, &g);
}

static bool st_shared(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    struct region g = shared_of(r, w);
    return st_region(r, w, d, mask, &g);
}

static bool ld_bank(struct run *r, struct warp *w, struct dop *d, uint32_t mask, unsigned bank,
                    uint32_t start)
{
    if (bank >= CODE_BANKS || !r->bank[bank])
        return fail(r, w, EXEC_BAD_CODE, lane_first(mask), 0, "there is no constant bank %u", bank);
    struct region g = {
        .host = r->bank[bank], .size_b = r->bank_b[bank], .start = start, .space = SPACE_CONST};
    return ld_region(r, w, d, mask, &g);
}

static bool ld_const(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    return ld_bank(r, w, d, mask, d->x.insn->sub, 0);
}

static bool ld_local(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    return local_load(r, w, d, mask, x_row(&w->x, &d->x, 0));
}

static bool st_local(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    return local_store(r, w, d, mask, x_row(&w->x, &d->x, 0));
}

/* The lanes of mask whose generic address is in the same space as that of the first lane. */
static uint32_t same_space(const struct dop *d, const uint32_t *lo, uint32_t mask, enum ir_space *space)
{
    static const uint8_t spaces[4] = {SPACE_SHARED, SPACE_LOCAL, SPACE_CONST, SPACE_GLOBAL};
    uint32_t same = 0;
    *space = SPACE_NONE;
    lanes_each (mask, l) {
        uint64_t addr = row_u64(lo, l) + (uint64_t)(int64_t)d->off;
        uint64_t window = (addr >> 32) - (WINDOW_SHARED >> 32);
        enum ir_space s = spaces[window < 3 ? window : 3];
        if (s == SPACE_CONST && addr >= WINDOW_PARAM)
            s = SPACE_PARAM;
        if (*space == SPACE_NONE)
            *space = s;
        same |= (uint32_t)(s == *space) << l;
    }
    return same;
}

/* Below every window; an offset that carries into one from there leaves all allocations as well. */
static bool all_global(const uint32_t *lo, uint32_t mask)
{
    const u32x4 *hi = (const void *)(lo + LANES);
    u32x4 any = {0};
    for (unsigned k = 0; k < LANES / 4; k++)
        any |= hi[k] & u32x4_lanes(mask, k);
    return !u32x4_any(any >> 16);
}

static bool generic(struct run *r, struct warp *w, struct dop *d, uint32_t mask,
                    const core_fn by_space[SPACE_PARAM + 1])
{
    const uint32_t *lo = x_row(&w->x, &d->x, 0);
    if (all_global(lo, mask))
        return by_space[SPACE_GLOBAL](r, w, d, mask);
    /* Parts are executed one after another; a load must not change the addresses of those to come. */
    uint32_t keep[2 * LANES] __attribute__((aligned(ROW_B)));
    struct xsrc src = d->x.src[0];
    unsigned char *pool = w->x.base[XSEL_POOL];
    bool ok = true, mixed = false;
    memcpy(keep, lo, sizeof keep);
    for (uint32_t rest = mask; ok && rest;) {
        enum ir_space space;
        uint32_t same = same_space(d, lo, rest, &space);
        mixed = mixed || same != mask;
        if (!by_space[space])
            ok = fail(r, w, EXEC_BAD_ADDRESS, lane_first(same), row_u64(lo, lane_first(same)),
                      "store to constant memory");
        else if (same == mask)
            return by_space[space](r, w, d, same);
        else
            ok = by_space[space](r, w, d, same);
        rest &= ~same;
        if (rest && ok && d->op == OP_LD && d->x.src[0].sel == XSEL_REG) {
            /* Point the operand at the copy for the parts that follow. */
            w->x.base[XSEL_POOL] = (unsigned char *)keep;
            d->x.src[0].sel = XSEL_POOL;
            d->x.src[0].off = 0;
            lo = keep;
        }
    }
    w->x.base[XSEL_POOL] = pool;
    d->x.src[0] = src;
    if (ok && mixed && r->obs)
        note64(r, keep, d->off, SPACE_NONE);
    return ok;
}

static bool ld_bank3(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    return ld_bank(r, w, d, mask, BANK_CONST, 0);
}

static bool ld_param(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    return ld_bank(r, w, d, mask, BANK_LAUNCH, (uint32_t)WINDOW_PARAM);
}

static bool ld_generic(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    static const core_fn by_space[SPACE_PARAM + 1] = {[SPACE_GLOBAL] = ld_global,
                                                      [SPACE_SHARED] = ld_shared,
                                                      [SPACE_LOCAL] = ld_local,
                                                      [SPACE_CONST] = ld_bank3,
                                                      [SPACE_PARAM] = ld_param};
    return generic(r, w, d, mask, by_space);
}

static bool st_generic(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    static const core_fn by_space[SPACE_PARAM + 1] = {
        [SPACE_GLOBAL] = st_global, [SPACE_SHARED] = st_shared, [SPACE_LOCAL] = st_local};
    return generic(r, w, d, mask, by_space);
}

core_fn ldst_handler(const struct ir_insn *i)
{
    switch ((enum ir_op)i->op) {
    case OP_LDG: return ld_global;
    case OP_LD: return ld_generic;
    case OP_LDS: return ld_shared;
    case OP_LDL: return ld_local;
    case OP_LDC: return ld_const;
    case OP_STG: return st_global;
    case OP_ST: return st_generic;
    case OP_STS: return st_shared;
    default: return st_local;
    }
}
