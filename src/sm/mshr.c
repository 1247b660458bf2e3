#include "sm/mshr.h"

#include "base/hint.h"
#include "mem/mem.h"

void mshrs_init(struct mshrs *a, uint32_t l1, uint32_t bypass)
{
    uint32_t cap = 16, n = l1 + bypass;
    while (cap < n * 2)
        cap *= 2;
    a->at = xcalloc(n, sizeof *a->at);
    a->hash = xcalloc(cap, sizeof *a->hash);
    a->mask = cap - 1;
    a->nl1 = l1;
    for (uint32_t i = 0; i < n; i++)
        a->at[i].next = (uint16_t)(i + 1 == l1 || i + 1 == n ? MSHR_NONE : i + 1);
    a->free[MSHR_L1] = 0;
    a->free[MSHR_BYPASS] = (uint16_t)l1;
    a->free_wait = UINT32_MAX;
}

void mshrs_done(struct mshrs *a)
{
    free(a->at);
    free(a->hash);
    vec_free(&a->waits);
}

static uint32_t home(const struct mshrs *a, uint64_t line)
{
    return (uint32_t)(line / LINE_B * 0x9e3779b97f4a7c15ull >> 32) & a->mask;
}

struct mshr *mshr_find(const struct mshrs *a, const struct cache_line *c, uint64_t line)
{
    if (c && c->pinned)
        return &a->at[c->fill];
    if (!a->nhashed)
        return NULL;
    for (uint32_t h = home(a, line); a->hash[h]; h = (h + 1) & a->mask)
        if (a->at[a->hash[h] - 1].line == line)
            return &a->at[a->hash[h] - 1];
    return NULL;
}

void mshr_hash(struct mshrs *a, struct mshr *m)
{
    uint32_t h = home(a, m->line);
    while (a->hash[h])
        h = (h + 1) & a->mask;
    a->hash[h] = (uint16_t)(m - a->at + 1);
    m->hashed = true;
    a->nhashed++;
}

/* Closes the gap that a removed entry leaves in its probe sequence. */
static void mshr_unhash(struct mshrs *a, struct mshr *m)
{
    uint32_t i = home(a, m->line);
    while (a->hash[i] != m - a->at + 1)
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

void mshr_free(struct mshrs *a, struct mshr *m)
{
    if (m->hashed)
        mshr_unhash(a, m);
    uint16_t *free = &a->free[mshr_pool(a, m)];
    m->next = *free;
    *free = (uint16_t)mshr_index(a, m);
}

SELDOM uint32_t mshr_more_waits(struct mshrs *a)
{
    uint32_t i = a->waits.n;
    vec_resize(&a->waits, i + 1);
    return i;
}

uint32_t mshr_waiting(const struct mshrs *a, const struct mshr *m, uint8_t sectors)
{
    uint32_t n = 0;
    for (uint32_t i = m->first; i != UINT32_MAX; i = a->waits.at[i].next)
        n += (a->waits.at[i].missing & sectors) != 0;
    return n;
}
