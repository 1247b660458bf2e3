/* SPDX-License-Identifier: Apache-2.0 */
/* Local memory: each thread's stack. Words are interleaved by lane, so the usual access, all lanes at the same stack
 * offset, is a copy of rows. Addresses are offsets from 0; the stack grows down from local_b. */
#include "exec/memory/lanes.h"

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

bool local_load(struct run *r, struct warp *w, struct dop *d, uint32_t mask, const uint32_t *addr)
{
    if (r->obs)
        note32(r, addr, (uint32_t)d->off, SPACE_LOCAL);
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
        note32(r, addr, (uint32_t)d->off, SPACE_LOCAL);
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

/* Host memory behind a generic address outside the local window, and how much of it follows; NULL: nothing there. */
static const unsigned char *behind(struct run *r, struct warp *w, uint64_t addr, uint64_t *n)
{
    const unsigned char *base;
    uint64_t at = (uint32_t)addr, size;
    if (addr >> 32 == WINDOW_SHARED >> 32) {
        const unsigned char *p = shared_host(r, w, (uint32_t)addr, 1, NULL);
        at &= SHARED_OFFSET;
        base = p ? p - at : NULL;
        size = p ? r->shared_b : 0;
    } else if (addr >> 32 == WINDOW_CONST >> 32) {
        unsigned bank = addr >= WINDOW_PARAM ? BANK_LAUNCH : BANK_CONST;
        at -= addr >= WINDOW_PARAM ? (uint32_t)WINDOW_PARAM : 0;
        base = r->bank[bank];
        size = r->bank_b[bank];
    } else {
        const struct alloc *a = mem_find(&r->dev->mem, addr);
        base = a ? a->host : NULL;
        size = a ? a->size_b : 0;
        at = a ? addr - a->base : 0;
    }
    *n = at < size ? size - at : 0;
    return *n ? base + at : NULL;
}

static bool no_read(struct run *r, struct warp *w, uint32_t lane, uint64_t addr)
{
    return fail(r, w, EXEC_BAD_ADDRESS, lane, addr,
                "system call reads 0x%llx, which is outside every allocation", (unsigned long long)addr);
}

bool lane_peek(struct run *r, struct warp *w, uint32_t lane, uint64_t addr, void *to, uint32_t n)
{
    unsigned char *out = to;
    if (addr >> 32 == WINDOW_LOCAL >> 32) {
        uint32_t low = (uint32_t)addr;
        if ((uint64_t)low + n > r->local_b)
            return false;
        for (uint32_t k = 0; k < n; k++)
            out[k] = *byte_at(w, lane, low + k);
        return true;
    }
    uint64_t have;
    const unsigned char *p = behind(r, w, addr, &have);
    if (!p || have < n)
        return false;
    memcpy(out, p, n);
    return true;
}

bool lane_read(struct run *r, struct warp *w, uint32_t lane, uint64_t addr, void *to, uint32_t n)
{
    return lane_peek(r, w, lane, addr, to, n) || no_read(r, w, lane, addr);
}

bool lane_string(struct run *r, struct warp *w, uint32_t lane, uint64_t addr, char *to, uint32_t max)
{
    uint32_t n = 0;
    if (addr >> 32 == WINDOW_LOCAL >> 32) {
        do {
            if (!lane_read(r, w, lane, addr + n, &to[n], 1))
                return false;
        } while (to[n] && ++n < max - 1);
        to[n] = 0;
        return true;
    }
    uint64_t have;
    const unsigned char *p = behind(r, w, addr, &have);
    if (!p)
        return no_read(r, w, lane, addr);
    while (n < max - 1 && n < have && p[n])
        n++;
    if (n == have)
        return no_read(r, w, lane, addr + n);
    memcpy(to, p, n);
    to[n] = 0;
    return true;
}
