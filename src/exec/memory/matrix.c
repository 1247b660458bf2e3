/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses that are more than a load or a store: ldmatrix, stmatrix, cp.async. All copy at once: what a kernel may see only
 * after a wait is there a little earlier. */
#include "exec/memory/lanes.h"

/* Lanes without a row address repeat those with one: the set of addresses is what is touched. */
static void note_rows(struct run *r, const struct warp *w, const struct dop *d, const uint32_t *row)
{
    uint32_t rows = 8u * d->nelem;
    note_shared(r, w, row, (uint32_t)d->off);
    for (uint32_t l = rows; l < LANES; l++)
        r->addr[l] = r->addr[l % rows];
}

/* n bytes of shared memory at the lane's address, or NULL after an error. */
static unsigned char *shared_at(struct run *r, struct warp *w, uint32_t lane, uint32_t addr, uint32_t n,
                                const char *what)
{
    unsigned char *p = addr % n ? NULL : shared_own(r, w, addr, n);
    if (!p)
        fail_access(r, w, lane, SPACE_SHARED, what, n, addr);
    return p;
}

/* Row i of matrix j is 16 bytes at the address of lane 8j + i. */
static bool matrix_rows(struct run *r, struct warp *w, struct dop *d, uint32_t mask,
                        unsigned char *rows[LANES], const char *what)
{
    const uint32_t *addr = x_row(&w->x, &d->x, 0);
    uint32_t used = d->nelem >= 4 ? ~0u : (1u << (8 * d->nelem)) - 1;
    if (r->obs)
        note_rows(r, w, d, addr);
    if (used & ~mask)
        return fail(r, w, EXEC_BAD_CODE, lane_first(used & ~mask), 0,
                    "%s: the lane that holds a row address does not execute it", what);
    lanes_each (used, l) {
        if (!(rows[l] = shared_at(r, w, l, addr[l] + (uint32_t)d->off, 16, what)))
            return false;
    }
    return true;
}

/* Lane l holds elements 2(l % 4) and 2(l % 4) + 1 of row l / 4; transposed: of column l / 4. */
static unsigned char *element(unsigned char *const rows[8], uint32_t lane, unsigned e, bool trans)
{
    uint32_t major = lane / 4, minor = 2 * (lane % 4) + e;
    return trans ? rows[minor] + 2 * major : rows[major] + 2 * minor;
}

bool core_ldsm(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    unsigned char *rows[LANES] = {0};
    bool trans = d->x.insn->flags & IRF_TRANS;
    if (!matrix_rows(r, w, d, mask, rows, "ldmatrix"))
        return false;
    uint32_t *dst = x_dst(&w->x, &d->x, 0);
    for (unsigned j = 0; j < d->nelem; j++) {
        lanes_each (mask, l) {
            uint16_t v[2];
            for (unsigned e = 0; e < 2; e++)
                memcpy(&v[e], element(rows + 8 * j, l, e, trans), 2);
            dst[j * LANES + l] = v[0] | (uint32_t)v[1] << 16;
        }
    }
    return true;
}

bool core_stsm(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    unsigned char *rows[LANES] = {0};
    bool trans = d->x.insn->flags & IRF_TRANS;
    if (!matrix_rows(r, w, d, mask, rows, "stmatrix"))
        return false;
    const uint32_t *src = x_row(&w->x, &d->x, 1);
    for (unsigned j = 0; j < d->nelem; j++) {
        lanes_each (mask, l) {
            uint16_t v[2] = {(uint16_t)src[j * LANES + l], (uint16_t)(src[j * LANES + l] >> 16)};
            for (unsigned e = 0; e < 2; e++)
                memcpy(element(rows + 8 * j, l, e, trans), &v[e], 2);
        }
    }
    run_progress(r, w);
    return true;
}

/* Column l / 4 of the matrix is row l / 4 of the result: its elements 2(l % 4) and 2(l % 4) + 1 come from those rows. */
bool core_movm(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    const uint32_t *src = x_row(&w->x, &d->x, 0);
    uint32_t *dst = x_dst(&w->x, &d->x, 0), old[LANES];
    if (mask != ~0u)
        return fail(r, w, EXEC_BAD_CODE, lane_first(~mask), 0, "movmatrix: not all lanes execute it");
    memcpy(old, src, sizeof old);
    for (uint32_t l = 0; l < LANES; l++) {
        uint32_t col = l / 4, row = 2 * (l % 4), shift = 16 * (col % 2);
        dst[l] = (old[4 * row + col / 2] >> shift & 0xffff) | old[4 * (row + 1) + col / 2] >> shift << 16;
    }
    return true;
}

/* cp.async: vec bytes from global to shared; beyond the source size, zeros. The observer sees the addresses as
 * given, also where the source size is 0. */
bool core_ldgsts(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    const uint32_t *to = x_row(&w->x, &d->x, 0), *from = x_row(&w->x, &d->x, 1),
                   *size = x_row(&w->x, &d->x, 2);
    uint32_t n = d->access_b;
    bool sized = d->x.insn->src[2].kind != OPND_NONE, asks = d->x.insn->src[2].kind == OPND_PRED;
    uint32_t all = asks ? x_psrc(&w->x, &d->x.psrc[2]) : ~0u;
    if (r->obs) {
        note_shared(r, w, to, (uint32_t)d->off);
        memcpy(r->addr2, r->addr, sizeof r->addr2);
        note64(r, from, (int32_t)d->x.insn->target, SPACE_GLOBAL);
        r->naddr = 2;
    }
    lanes_each (mask, l) {
        uint64_t a = row_u64(from, l) + (uint64_t)(int64_t)(int32_t)d->x.insn->target;
        uint32_t take = asks ? (all >> l & 1) * n : sized && size[l] < n ? size[l] : n;
        unsigned char *p = shared_at(r, w, l, to[l] + (uint32_t)d->off, n, "copy");
        if (!p)
            return false;
        bool in = mem_hit_has(&r->dev->mem, &d->hit, a, take) || mem_hit_fill(&r->dev->mem, &d->hit, a, take);
        if (a % n || (take && !in))
            return fail_access(r, w, l, SPACE_GLOBAL, "copy", n, a);
        if (take)
            memcpy(p, d->hit.host + (a - d->hit.base), take);
        memset(p + take, 0, n - take);
    }
    run_progress(r, w);
    return true;
}
