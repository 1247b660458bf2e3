/* SPDX-License-Identifier: Apache-2.0 */
#include "sm/l1/mshr.h"

#include "base/hint.h"
#include "mem/mem.h"

/* The first of each pool are taken first. */
void mshrs_init(struct mshrs *a, uint32_t l1, uint32_t bypass, struct arena *from)
{
    uint32_t cap = 16, n = l1 + bypass;
    while (cap < n * 2)
        cap *= 2;
    a->at = arena_raw_lines(from, n * sizeof *a->at);
    a->spare = arena_lines(from, n * sizeof *a->spare);
    a->hash = arena_alloc(from, cap * sizeof *a->hash);
    a->mask = cap - 1;
    a->nl1 = l1;
    for (uint32_t i = 0; i < l1; i++) { /* others are L1's alone to look through */
        a->at[i].pending = 0;
        a->spare[i] = (uint16_t)(l1 - 1 - i);
    }
    for (uint32_t i = 0; i < bypass; i++)
        a->spare[l1 + i] = (uint16_t)(n - 1 - i);
    a->nspare[MSHR_L1] = l1;
    a->nspare[MSHR_BYPASS] = bypass;
    a->free_wait = UINT32_MAX;
}

void mshrs_done(struct mshrs *a) { vec_free(&a->waits); }

static uint32_t home(const struct mshrs *a, uint64_t line)
{
    return (uint32_t)(line / LINE_B * 0x9e3779b97f4a7c15ull >> 32) & a->mask;
}

ASIDE uint32_t mshr_hashed(const struct mshrs *a, uint64_t line)
{
    for (uint32_t h = home(a, line); a->hash[h]; h = (h + 1) & a->mask)
        if (a->at[a->hash[h] - 1].line == line)
            return a->hash[h] - 1u;
    return MSHR_NONE;
}

ASIDE void mshr_hash(struct mshrs *a, uint32_t i)
{
    uint32_t h = home(a, a->at[i].line);
    while (a->hash[h])
        h = (h + 1) & a->mask;
    a->hash[h] = (uint16_t)(i + 1);
    a->at[i].plain = MSHR_HASHED;
    a->nhashed++;
}

/* Closes the gap that a removed entry leaves in its probe sequence. */
ASIDE void mshr_unhash(struct mshrs *a, uint32_t entry)
{
    uint32_t i = home(a, a->at[entry].line);
    while (a->hash[i] != entry + 1)
        i = (i + 1) & a->mask;
    for (uint32_t j = i;;) {
        j = (j + 1) & a->mask;
        if (!a->hash[j])
            break;
        uint32_t h = home(a, a->at[a->hash[j] - 1].line);
        if (((j - h) & a->mask) >= ((j - i) & a->mask)) {
            a->hash[i] = a->hash[j];
            i = j;
        }
    }
    a->hash[i] = 0;
    a->nhashed--;
}

SELDOM static uint32_t more_waits(struct mshrs *a)
{
    uint32_t i = a->waits.n;
    vec_resize(&a->waits, i + 1);
    return i;
}

ASIDE void mshr_wait_behind(struct mshrs *a, struct mshr *m, struct mwait w)
{
    uint32_t i = a->free_wait;
    if (i == UINT32_MAX)
        i = more_waits(a);
    else
        a->free_wait = a->waits.at[i].next;
    a->waits.at[i] = (struct mwaits){.who = w, .next = i};
    if (m->last != UINT32_MAX) {
        a->waits.at[i].next = a->waits.at[m->last].next;
        a->waits.at[m->last].next = i;
    }
    m->last = i;
    m->plain &= MSHR_HASHED;
}

ASIDE bool mshr_arrived_behind(struct mshrs *a, struct mshr *m, uint8_t sectors, struct mwait *w)
{
    uint32_t before = m->last, i;
    if (before == UINT32_MAX)
        return false;
    do {
        i = a->waits.at[before].next;
        struct mwaits *x = &a->waits.at[i];
        x->who.missing &= (uint8_t)~sectors;
        if (!x->who.missing) {
            *w = x->who;
            a->waits.at[before].next = x->next;
            if (m->last == i)
                m->last = i == before ? UINT32_MAX : before;
            x->next = a->free_wait;
            a->free_wait = i;
            m->n--;
            return true;
        }
        before = i;
    } while (i != m->last);
    return false;
}

ASIDE uint32_t mshr_waiting(const struct mshrs *a, const struct mshr *m, uint8_t sectors)
{
    uint32_t n = (m->who.missing & sectors) != 0;
    for (uint32_t i = m->last, left = m->last != UINT32_MAX; left; left = i != m->last) {
        i = a->waits.at[i].next;
        n += (a->waits.at[i].who.missing & sectors) != 0;
    }
    return n;
}
