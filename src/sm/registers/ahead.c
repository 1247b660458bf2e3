/* SPDX-License-Identifier: Apache-2.0 */
#include "sm/registers/ahead.h"

#include "sm/core.h"

/* The last access to a register: 1 + place in the stream, its number among the instruction's registers, and whether it was a
 * write. */
struct access {
    uint64_t at;
    uint8_t i;
    bool written;
};

struct ahead_warp {
    uint64_t read, given; /* instructions: taken from the stream, and handed out */
    bool ended;
    struct near_bits *bits; /* ring, by place */
    struct access last[256];
};

struct ahead {
    struct tr_cta *stream;
    const struct sm_kernel *k;
    uint32_t near, ring;
    struct near_bits *bits;
    struct ahead_warp warps[];
};

struct ahead *ahead_new(struct tr_cta *stream, const struct sm_kernel *k, uint32_t nwarps, uint32_t near)
{
    struct ahead *a = xcalloc(1, sizeof *a + nwarps * sizeof a->warps[0]);
    a->stream = stream;
    a->k = k;
    a->near = near;
    a->ring = near + 1; /* an instruction, and those that may be near */
    a->bits = xcalloc((size_t)nwarps * a->ring, sizeof *a->bits);
    for (uint32_t w = 0; w < nwarps; w++)
        a->warps[w].bits = a->bits + (size_t)w * a->ring;
    return a;
}

void ahead_free(struct ahead *a)
{
    if (!a)
        return;
    tr_close_cta(a->stream);
    free(a->bits);
    free(a);
}

/* The instruction at place `at`, from 1 on: it settles the accesses before it, as annotate/reuse.c does for profiles. */
static void take(const struct ahead *a, struct ahead_warp *w, const struct kinsn *k, uint64_t at)
{
    for (uint32_t i = 0; i < k->nread; i++) {
        struct access *l = &w->last[k->read[i]];
        if (l->at && at - l->at <= a->near) {
            struct near_bits *b = &w->bits[l->at % a->ring];
            *(l->written ? &b->write : &b->read) |= (uint16_t)(1u << l->i);
        }
        *l = (struct access){.at = at, .i = (uint8_t)i};
    }
    for (uint32_t i = 0; i < k->nwrite; i++)
        w->last[k->write[i]] = (struct access){.at = at, .i = (uint8_t)i, .written = true};
}

struct near_bits ahead_next(struct ahead *a, uint32_t warp)
{
    struct ahead_warp *w = &a->warps[warp];
    w->given++;
    while (!w->ended && w->read < w->given + a->near) {
        struct tr_step step;
        /* A damaged stream is reported by who reads it in earnest. */
        if (tr_next(a->stream, warp, &step) != TR_STEP) {
            w->ended = true;
            break;
        }
        w->bits[++w->read % a->ring] = (struct near_bits){0};
        if (step.mask)
            take(a, w, &a->k->insns[step.at], w->read);
    }
    return w->bits[w->given % a->ring];
}
