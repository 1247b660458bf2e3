/* SPDX-License-Identifier: Apache-2.0 */
#include "sm/registers/score.h"

#include "sm/stages/need.h"

/* A partition sleeps only while no read waits, so a cycle that was not sampled had empty queues. */
struct score {
    uint64_t at[SCORE_LATENCY_MAX + 1]; /* 1 + the cycle of a row; 0: none */
    uint64_t *len;        /* [row][word]: reads that wait, a byte for each bank (stages/need.h) */
    uint32_t words, late; /* late: age of what is looked at */
    uint8_t of[64];       /* by warp slot: what score_warps has found last */
};

struct score *score_new(uint32_t banks, uint32_t late)
{
    struct score *s = xcalloc(1, sizeof *s);
    s->words = (banks + 7) / 8;
    s->late = late;
    s->len = xcalloc((size_t)(SCORE_LATENCY_MAX + 1) * s->words, sizeof *s->len);
    return s;
}

void score_free(struct score *s)
{
    if (s)
        free(s->len);
    free(s);
}

/* Byte for byte, as collect_queued tells them. */
ASIDE static void sample_each(const struct part *p, uint64_t *len, uint32_t words)
{
    uint8_t by_bank[64] = {0};
    collect_queued(p, by_bank);
    for (uint32_t w = 0; w < words; w++) {
        len[w] = 0;
        for (uint32_t b = 8; b--;)
            len[w] = len[w] << 8 | by_bank[8 * w + b];
    }
}

void score_sample(struct part *p, uint64_t t)
{
    enum { SUM_UNITS = UINT8_MAX / MAX_OPERANDS }; /* whose needs cannot overflow a byte together */
    struct score *s = p->score;
    const struct collect *c = &p->collect;
    uint32_t row = (uint32_t)(t % (SCORE_LATENCY_MAX + 1));
    uint64_t *len = s->len + (size_t)row * s->words;
    s->at[row] = t + 1;
    if (s->words > 1 || p->sm->operands.ops->queued || c->nreading > SUM_UNITS) {
        sample_each(p, len, s->words);
        return;
    }
    *len = 0;
    for (uint32_t i = 0; i < c->nreading; i++)
        *len += c->units[c->order[i]].need;
}

/* An instruction's reads, each times those that wait at its bank. `some`: banks where reads wait, by the lowest bit of their
 * byte. */
static inline uint32_t score_of(uint64_t need, uint64_t len, uint64_t some)
{
    uint32_t sum = 0;
    for (uint64_t m = some; m; m &= m - 1) {
        uint32_t at = (uint32_t)__builtin_ctzll(m);
        sum += (need >> at & 255) * (len >> at & 255);
    }
    return sum;
}

/* The same of an instruction whose banks are many. */
ASIDE static uint32_t score_of_wide(const struct part *p, const struct sm_warp *w, const uint64_t *len)
{
    const struct kinsn *k = w->next.k;
    uint32_t sum = 0;
    for (uint32_t r = 0; r < k->nread; r++) {
        uint32_t b = bank_of(p, k->read_bank[r], w->bank0);
        sum += len[b / 8] >> b % 8 * 8 & 255;
    }
    return sum;
}

const uint8_t *score_warps(const struct part *p, uint64_t ready, uint64_t t)
{
    struct score *s = p->score;
    uint32_t late = s->late;
    uint32_t row = (uint32_t)((t - late) % (SCORE_LATENCY_MAX + 1));
    bool known = t >= late && s->at[row] == t - late + 1;
    const uint64_t *len = s->len + (size_t)row * s->words;
    uint64_t some = need_any(*len & 0x7f * NEED_ONE) | (*len >> 7 & NEED_ONE);
    if (!known || (s->words == 1 && !some)) {
        memset(s->of, 0, sizeof s->of);
        return s->of;
    }
    for (uint64_t m = ready; m; m &= m - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(m), sum = 0;
        const struct sm_warp *w = &p->warps[i];
        const struct kinsn *k = w->next.k;
        if (k->collects)
            sum = s->words > 1 ? score_of_wide(p, w, len) : score_of(k->need[w->bank0], *len, some);
        s->of[i] = (uint8_t)(sum < SCORE_MAX ? sum : SCORE_MAX);
    }
    return s->of;
}
