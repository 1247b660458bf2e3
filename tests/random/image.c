/* SPDX-License-Identifier: Apache-2.0 */
/* The memory a random program starts from and is judged by. */
#include "prog.h"

#include <stdlib.h>
#include <string.h>

void image_init(struct image *m, const struct prog *p)
{
    size_t threads = (size_t)p->grid * prog_threads(p);
    struct rng r = {p->seed ^ 0x5bd1e995};
    m->n_in = threads * IN_B;
    m->n_scratch = threads * SCRATCH_B;
    m->n_out = threads * OUT_B;
    m->n_acc = NACC * sizeof *m->acc;
    m->in = xmalloc(m->n_in);
    m->scratch = xmalloc(m->n_scratch);
    m->out = xmalloc(m->n_out);
    m->acc = xmalloc(m->n_acc);
    memset(m->out, 0xee, m->n_out);
    /* A mix of small numbers, ordinary floats and noise, so that branches go both ways. */
    for (size_t i = 0; i + 8 <= m->n_in; i += 8) {
        uint64_t v = rng_u64(&r);
        switch (rng_below(&r, 4)) {
        case 0: v = (v & 0xff) | (v >> 32 & 0xff) << 32; break;
        case 1: v = (v & 0x83ffffff83ffffff) | 0x3c0000003c000000; break;
        case 2: v = (v & 0x800fffffffffffff) | 0x3ff0000000000000; break;
        default: break;
        }
        memcpy(m->in + i, &v, 8);
    }
    for (size_t i = 0; i < m->n_scratch; i++)
        m->scratch[i] = (uint8_t)rng_u32(&r);
    for (unsigned i = 0; i < NACC; i++)
        m->acc[i] = accs[i].start;
}

void image_free(struct image *m)
{
    free(m->in);
    free(m->scratch);
    free(m->out);
    free(m->acc);
}

void image_copy(struct image *to, const struct image *from)
{
    *to = *from;
    to->in = memcpy(xmalloc(from->n_in), from->in, from->n_in);
    to->scratch = memcpy(xmalloc(from->n_scratch), from->scratch, from->n_scratch);
    to->out = memcpy(xmalloc(from->n_out), from->out, from->n_out);
    to->acc = memcpy(xmalloc(from->n_acc), from->acc, from->n_acc);
}

static size_t first_diff(const uint8_t *a, const uint8_t *b, size_t n)
{
    size_t i = 0;
    while (i < n && a[i] == b[i])
        i++;
    return i;
}

const char *image_diff(const struct image *want, const struct image *got, char *buf, size_t n)
{
    size_t i = first_diff(want->out, got->out, want->n_out);
    if (i < want->n_out) {
        unsigned t = (unsigned)(i / OUT_B), o = (unsigned)(i % OUT_B);
        char c = o >= OUT_P ? 'p' : o >= OUT_H ? 'h' : o >= OUT_W ? 'w' : 'd';
        unsigned v = o >= OUT_P   ? (o - OUT_P) / 4
                     : o >= OUT_H ? (o - OUT_H) / 2
                     : o >= OUT_W ? (o - OUT_W) / 4
                                  : o / 8;
        unsigned size = c == 'd' ? 8 : c == 'h' ? 2 : 4;
        uint64_t a = 0, b = 0;
        memcpy(&a, want->out + (i - i % size), size);
        memcpy(&b, got->out + (i - i % size), size);
        snprintf(buf, n, "thread %u: %%%c%u is 0x%llx, should be 0x%llx", t, c, v, (unsigned long long)b,
                 (unsigned long long)a);
        return buf;
    }
    i = first_diff(want->scratch, got->scratch, want->n_scratch);
    if (i < want->n_scratch) {
        snprintf(buf, n, "thread %u: scratch byte %u is 0x%x, should be 0x%x", (unsigned)(i / SCRATCH_B),
                 (unsigned)(i % SCRATCH_B), got->scratch[i], want->scratch[i]);
        return buf;
    }
    for (unsigned k = 0; k < NACC; k++)
        if (want->acc[k] != got->acc[k]) {
            snprintf(buf, n, "accumulator %s is 0x%llx, should be 0x%llx", accs[k].name,
                     (unsigned long long)got->acc[k], (unsigned long long)want->acc[k]);
            return buf;
        }
    return NULL;
}
