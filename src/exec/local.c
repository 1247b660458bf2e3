/* Local memory: each thread's stack. Words are interleaved by lane, so the usual access, all lanes at the same stack
 * offset, is a copy of rows. Addresses are offsets from 0; the stack grows down from local_b. */
#include "exec/lanes.h"

static unsigned char *byte_at(struct warp *w, uint32_t lane, uint32_t addr)
{
    return w->local + (size_t)(addr / 4) * ROW_B + lane * 4 + addr % 4;
}

static bool check(struct run *r, struct warp *w, const struct dop *d, uint32_t lane, uint32_t addr,
                  const char *what)
{
    if (addr % d->access_b == 0 && (uint64_t)addr + d->access_b <= r->local_b)
        return true;
    return fail_access(r, w, lane, SPACE_LOCAL, what, d->access_b, addr);
}

/* If all lanes use whole words at one valid address: its row, else NULL. */
static uint32_t *same_row(struct run *r, struct warp *w, const struct dop *d, uint32_t mask,
                          const uint32_t *addr)
{
    uint32_t a = addr[lane_first(mask)] + (uint32_t)d->off;
    if (d->elem_b < 4 || a % d->access_b || (uint64_t)a + d->access_b > r->local_b)
        return NULL;
    return shape_rows(addr, NULL, 0, mask, 0).pat == PAT_UNIT
               ? (uint32_t *)(void *)(w->local + (size_t)(a / 4) * ROW_B)
               : NULL;
}

static void wrote(struct warp *w, uint32_t addr)
{
    if (addr < w->local_low)
        w->local_low = addr & ~3u;
}

static void note(struct run *r, const struct dop *d, uint32_t mask, const uint32_t *addr)
{
    r->space = SPACE_LOCAL;
    r->has_addr = true;
    lanes_each (mask, l)
        r->addr[l] = addr[l] + (uint32_t)d->off;
}

bool local_load(struct run *r, struct warp *w, struct dop *d, uint32_t mask, const uint32_t *addr)
{
    if (r->obs)
        note(r, d, mask, addr);
    uint32_t *dst = x_dst(&w->x, &d->x, 0);
    const uint32_t *row = same_row(r, w, d, mask, addr);
    if (row) {
        for (unsigned k = 0; k < d->access_b / 4u; k++)
            row_copy(dst + k * LANES, row + k * LANES, mask);
        return true;
    }
    lanes_each (mask, l) {
        uint32_t a = addr[l] + (uint32_t)d->off;
        unsigned char buf[16];
        if (!check(r, w, d, l, a, "load"))
            return false;
        for (uint32_t k = 0; k < d->access_b; k++)
            buf[k] = *byte_at(w, l, a + k);
        lane_load(d, dst, l, buf);
    }
    return true;
}

bool local_store(struct run *r, struct warp *w, struct dop *d, uint32_t mask, const uint32_t *addr)
{
    if (r->obs)
        note(r, d, mask, addr);
    const uint32_t *src = x_row(&w->x, &d->x, 1);
    uint32_t *row = same_row(r, w, d, mask, addr);
    if (row) {
        wrote(w, addr[lane_first(mask)] + (uint32_t)d->off);
        for (unsigned k = 0; k < d->access_b / 4u; k++)
            row_copy(row + k * LANES, src + k * LANES, mask);
        return true;
    }
    lanes_each (mask, l) {
        uint32_t a = addr[l] + (uint32_t)d->off;
        unsigned char buf[16];
        if (!check(r, w, d, l, a, "store"))
            return false;
        wrote(w, a);
        lane_store(d, src, l, buf);
        for (uint32_t k = 0; k < d->access_b; k++)
            *byte_at(w, l, a + k) = buf[k];
    }
    return true;
}

bool lane_read(struct run *r, struct warp *w, uint32_t lane, uint64_t addr, void *to, uint32_t n)
{
    unsigned char *out = to;
    uint32_t low = (uint32_t)addr;
    const unsigned char *p = NULL;
    enum ir_space space = SPACE_GLOBAL;
    switch (addr >> 32) {
    case WINDOW_SHARED >> 32:
        space = SPACE_SHARED;
        p = (uint64_t)low + n <= r->shared_b ? w->cta->shared + low : NULL;
        break;
    case WINDOW_CONST >> 32: {
        unsigned bank = addr >= WINDOW_PARAM ? BANK_LAUNCH : BANK_CONST;
        space = SPACE_CONST;
        low = addr >= WINDOW_PARAM ? low - (uint32_t)WINDOW_PARAM : low;
        p = (uint64_t)low + n <= r->bank_b[bank] ? r->bank[bank] + low : NULL;
        break;
    }
    case WINDOW_LOCAL >> 32:
        if ((uint64_t)low + n > r->local_b)
            return fail_access(r, w, lane, SPACE_LOCAL, "read", 0, low);
        for (uint32_t k = 0; k < n; k++)
            out[k] = *byte_at(w, lane, low + k);
        return true;
    default: p = exec_ptr(r->dev, addr, n); break;
    }
    if (!p)
        return fail_access(r, w, lane, space, "read", 0, space == SPACE_GLOBAL ? addr : low);
    memcpy(out, p, n);
    return true;
}
