/* SPDX-License-Identifier: Apache-2.0 */
/* How many CTAs of each: splits of an SM, and the moves from one to another. Only splits are chosen that have a CTA of each
 * program and no room for another of either. */
#include "sm/tenant/scavenger/scavenger.h"

bool sc_fits(const struct sm_cfg *cfg, const struct sm_need need[BOTH], struct sc_split s)
{
    uint64_t ctas = 0, warps = 0, threads = 0, regs = 0, shared_b = 0;
    for (uint32_t i = 0; i < BOTH; i++) {
        ctas += s.n[i];
        warps += (uint64_t)s.n[i] * need[i].warps;
        threads += (uint64_t)s.n[i] * need[i].threads;
        regs += (uint64_t)s.n[i] * need[i].warps * need[i].regs;
        shared_b += (uint64_t)s.n[i] * need[i].shared_b;
    }
    return ctas <= cfg->ctas && warps <= cfg->partitions * cfg->warps && threads <= cfg->threads &&
           regs <= cfg->registers && shared_b <= 1024ull * cfg->shared_kb;
}

/* As many of one program as fit beside the other's. */
static void grow(const struct sm_cfg *cfg, const struct sm_need need[BOTH], const uint32_t most[BOTH],
                 uint32_t who, struct sc_split *s)
{
    struct sc_split more = *s;
    for (more.n[who]++; more.n[who] <= most[who] && sc_fits(cfg, need, more); more.n[who]++)
        *s = more;
}

struct sc_split sc_split_with(const struct sm_cfg *cfg, const struct sm_need need[BOTH],
                              const uint32_t most[BOTH], uint32_t who, uint32_t n)
{
    uint32_t other = !who;
    struct sc_split s = {{0}};
    if (!most[FIRST] || !most[SECOND])
        return s;
    n = n < most[who] ? n : most[who];
    s.n[who] = n ? n : 1;
    s.n[other] = 1;
    while (s.n[who] > 1 && !sc_fits(cfg, need, s))
        s.n[who]--;
    if (!sc_fits(cfg, need, s))
        return (struct sc_split){{0}};
    grow(cfg, need, most, other, &s);
    grow(cfg, need, most, who, &s);
    return s;
}

/* Whole CTAs of `warps` warps, of which a quarter of the difference in idle ones may move. */
static uint32_t whole(const uint32_t idle[BOTH], uint32_t warps, uint32_t of)
{
    uint32_t apart = idle[FIRST] > idle[SECOND] ? idle[FIRST] - idle[SECOND] : idle[SECOND] - idle[FIRST];
    warps = warps < apart / 4 ? warps : apart / 4;
    return of ? warps / of : 0;
}

struct sc_split sc_move(const struct sm_cfg *cfg, const struct share_cfg *c, const struct sm_need need[BOTH],
                        const uint32_t most[BOTH], struct sc_split now, const uint32_t idle[BOTH])
{
    uint32_t who = FIRST, n = 0;
    if (idle[FIRST] < c->slack_first) {
        n = 1;
    } else if (idle[SECOND] < c->slack_second && idle[FIRST] > c->slack_first) {
        who = SECOND;
        n = whole(idle, idle[FIRST] - c->slack_first, need[SECOND].warps);
    } else if (idle[SECOND] > c->slack_second) {
        n = whole(idle, idle[SECOND] - c->slack_second, need[FIRST].warps);
    }
    if (!n)
        return now;
    struct sc_split s = sc_split_with(cfg, need, most, who, now.n[who] + n);
    return s.n[FIRST] ? s : now;
}
