#include "sm/score.h"

#include "sm/core.h"

/* A partition sleeps only while no read waits, so a cycle that was not sampled had empty queues. */
struct score {
    uint64_t at[SCORE_LATENCY_MAX + 1]; /* 1 + the cycle of a row; 0: none */
    uint8_t *len;                       /* [row][bank] */
    uint32_t banks, late;               /* late: age of what is looked at */
    uint8_t of[64];                     /* by warp slot: what score_warps has found last */
};

struct score *score_new(uint32_t banks, uint32_t late)
{
    struct score *s = xcalloc(1, sizeof *s);
    s->banks = banks;
    s->late = late;
    s->len = xcalloc((size_t)(SCORE_LATENCY_MAX + 1) * banks, 1);
    return s;
}

void score_free(struct score *s)
{
    if (s)
        free(s->len);
    free(s);
}

void score_sample(struct part *p, uint64_t t)
{
    struct score *s = p->score;
    uint32_t row = (uint32_t)(t % (SCORE_LATENCY_MAX + 1));
    s->at[row] = t + 1;
    collect_queued(p, s->len + (size_t)row * s->banks);
}

const uint8_t *score_warps(const struct part *p, uint64_t ready, uint64_t t)
{
    struct score *s = p->score;
    uint32_t late = s->late;
    uint32_t row = (uint32_t)((t - late) % (SCORE_LATENCY_MAX + 1));
    bool known = t >= late && s->at[row] == t - late + 1;
    const uint8_t *len = s->len + (size_t)row * s->banks;
    for (uint64_t m = ready; m; m &= m - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(m), sum = 0;
        const struct sm_warp *w = &p->warps[i];
        const struct kinsn *k = w->next.k;
        bool reads = known && k->collects;
        for (uint32_t r = 0; reads && r < k->nread; r++)
            sum += len[bank_of(p, k->read_bank[r], p->warps[i].bank0)];
        s->of[i] = (uint8_t)(sum < SCORE_MAX ? sum : SCORE_MAX);
    }
    return s->of;
}
