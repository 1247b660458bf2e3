/* SPDX-License-Identifier: Apache-2.0 */
/* L2 slices and their channel, event by event: a fill comes from DRAM or from the other half, a hit leaves the pipeline, a
 * request arrives. */
#include "mem/part.h"

/* Core cycles of so many of L2's. */
static uint32_t core_cyc(const struct mpart *p, uint32_t l2_cyc)
{
    return (uint32_t)(((uint64_t)l2_cyc * p->l2_cycle + CYCLE / 2) / CYCLE);
}

/* From DRAM to L2, in its cycles. Half of the memory may be farther away. Where the halves of a line lie by themselves, an
 * access to both is near if both are. */
static uint32_t way_back(const struct mem_cfg *c, uint32_t id, bool both)
{
    bool far = id & (c->far_halves && both ? 3 : 1);
    return c->dram_cyc - c->dram_cyc / 2 + (far ? c->far_cyc : 0) + (both ? c->dram_line_cyc : 0);
}

/* How far a channel's slices are from the SMs, 0 to 1: neighbours by number are not neighbours (the golden ratio keeps any few
 * of them apart). As on an H200, where no two blocks of a page tell of each other (silicon/touch.cu, matrix). */
static double place_of_channel(uint32_t id)
{
    double turns = id * 0.6180339887498949;
    return turns - (uint32_t)turns;
}

static uint32_t beyond(uint32_t cyc, int32_t more)
{
    return more < 0 && (uint32_t)-more > cyc ? 0 : cyc + (uint32_t)more;
}

/* Whole blocks of l2_fetch_b. */
static uint8_t blocks_around(const struct mem_cfg *c, uint32_t sectors)
{
    uint32_t all = 0, n = c->l2_fetch_b / SECTOR_B, block = (1u << n) - 1;
    for (; block & ALL_SECTORS; block <<= n)
        all |= block & sectors ? block : 0;
    return (uint8_t)all;
}

/* What of the configuration requests ask for. */
static void in_cycles(struct mpart *p, const struct mem_cfg *cfg, double core_mhz, uint32_t id)
{
    p->l2_cycle = cfg->l2_mhz > 0 ? (uint32_t)(CYCLE * core_mhz / cfg->l2_mhz + 0.5) : CYCLE;
    p->read_cyc = packet_cyc(p, HEADER_B);
    for (uint32_t i = 0; i <= LINE_SECTORS; i++) {
        uint32_t data_b = i * SECTOR_B;
        p->reply_cyc[i] = packet_cyc(p, HEADER_B + data_b);
        p->cross_cyc[0][i] = (uint32_t)(data_b * p->l2_cycle / cfg->cross_b);
        p->cross_cyc[1][i] = (uint32_t)((data_b + cfg->cross_mask_b) * p->l2_cycle / cfg->cross_b);
    }
    p->join_cyc = core_cyc(p, cfg->join_cyc);
    p->to_dram_cyc = core_cyc(p, cfg->dram_cyc / 2);
    p->to_half_cyc = core_cyc(p, cfg->cross_cyc / 2);
    p->from_half_cyc = core_cyc(p, cfg->cross_cyc - cfg->cross_cyc / 2);
    p->fill_more = cfg->l2_store_fetch ? ALL_SECTORS : 0;
    for (uint32_t i = 0; i <= ALL_SECTORS; i++)
        p->around[i] = blocks_around(cfg, i);
    int32_t away = (int32_t)(cfg->apart_cyc * (place_of_channel(id) - 0.5));
    for (uint32_t both = 0; both < 2; both++) {
        p->back_cyc[both] = core_cyc(p, beyond(way_back(cfg, id, both), away));
        p->hit_cyc[both] = core_cyc(p, beyond(cfg->l2_cyc + (both ? cfg->l2_line_cyc : 0), away));
    }
}

void mpart_init(struct mpart *p, const struct mem_cfg *cfg, double core_mhz, const uint16_t *answer_cyc,
                uint32_t id)
{
    *p = (struct mpart){.cfg = cfg,
                        .answer_cyc = answer_cyc,
                        .id = id,
                        .nslices = cfg->slices / cfg->channels,
                        .next = UINT64_MAX,
                        .slices_next = UINT64_MAX,
                        .backs_next = UINT64_MAX,
                        .fills_next = UINT64_MAX,
                        .free_waiter = WAIT_NONE};
    mpart_reply_to(p, NULL);
    p->slices = xlines(p->nslices, sizeof *p->slices);
    p->slices_end = p->slices + p->nslices;
    for (uint32_t i = 0; i < p->nslices; i++) {
        slice_init(&p->slices[i], cfg);
        p->slices[i].partner = &p->slices[(i + p->nslices / 2) % p->nslices];
    }
    p->plain = !cfg->halves && !cfg->l2_store_fetch && cfg->l2_fetch_b <= SECTOR_B;
    in_cycles(p, cfg, core_mhz, id);
    dram_init(&p->dram, cfg, core_mhz, id);
}

void mpart_reply_to(struct mpart *p, mem_replies *to_sm)
{
    p->to = to_sm ? to_sm : &p->out;
    p->to_sm = to_sm ? UINT32_MAX : 0;
}

void mpart_free(struct mpart *p)
{
    for (uint32_t i = 0; i < p->nslices; i++)
        slice_free(&p->slices[i]);
    free(p->slices);
    free(p->fills.at);
    free(p->writes.at);
    vec_free(&p->waiters);
    vec_free(&p->unsorted);
    vec_free(&p->out);
    dram_free(&p->dram);
}

SELDOM void *ring_grown(void *at, size_t size, uint32_t *head, uint32_t n, uint32_t *cap)
{
    uint32_t now = *cap ? *cap * 2 : 16, first = *cap - *head < n ? *cap - *head : n;
    char *grown = xmalloc(size * now);
    if (n) {
        memcpy(grown, (char *)at + size * *head, size * first);
        memcpy(grown + size * first, at, size * (n - first));
    }
    free(at);
    *head = 0;
    *cap = now;
    return grown;
}

static uint64_t part_next(const struct mpart *p) { return sooner(p->slices_next, p->fills_next); }
static uint64_t part_next_any(const struct mpart *p) { return sooner(part_next(p), p->backs_next); }

/* What has come from DRAM by cycle t. True: something has. */
INTO bool fill_all(struct mpart *p, uint64_t t)
{
    bool any = p->fills_next <= t;
    while (p->fills_next <= t)
        mpart_fill(p);
    return any;
}

/* What has come from the other half by cycle t. True: something has. */
INTO bool cross_all(struct mpart *p, uint64_t t)
{
    if (p->backs_next > t)
        return false;
    p->backs_next = UINT64_MAX;
    for (struct slice *s = p->slices; s < p->slices_end; s++)
        p->backs_next = sooner(p->backs_next, cross_fills(p, s, t));
    return true;
}

/* Everything that happens in cycle t. A slice may give one before it something to do. */
static inline void part_cycle(struct mpart *p, uint64_t t)
{
    bool room = fill_all(p, t);
    mpart_drain(p, t);
    room |= cross_all(p, t);
    room &= p->nblocked != 0;
    if (p->slices_next > t && !room)
        return;
    p->slices_next = UINT64_MAX;
    for (struct slice *s = p->slices, *end = p->slices_end; s < end; s++) {
        if (s->next <= t || (room && (s->in.blocked || s->crossed.blocked)))
            slice_cycle(p, s, t, room);
        p->slices_next = sooner(p->slices_next, s->next);
    }
}

/* The same, if it is plain. */
static inline void part_cycle_plain(struct mpart *p, uint64_t t)
{
    bool room = fill_all(p, t);
    mpart_drain(p, t);
    room &= p->nblocked != 0;
    if (p->slices_next > t && !room)
        return;
    uint64_t next = UINT64_MAX;
    for (struct slice *s = p->slices, *end = p->slices_end; s < end; s++) {
        bool goes_on = room && s->in.blocked && !(s->in.starved && channel_full(p));
        if (s->next <= t || goes_on)
            slice_cycle_plain(p, s, t, goes_on);
        next = sooner(next, s->next);
    }
    p->slices_next = next;
}

/* A fill that is complete before others, from which it has come after: those may be farther away. */
ASIDE static void insert_fill(struct mpart *p)
{
    uint32_t i = p->fills.head + p->fills.n - 1, last = p->fills.cap - 1;
    struct dram_done done = p->fills.at[i & last];
    for (; i != p->fills.head && p->fills.at[(i - 1) & last].at > done.at; i--)
        p->fills.at[i & last] = p->fills.at[(i - 1) & last];
    p->fills.at[i & last] = done;
}

/* By the cycle in which they are complete. */
static inline void add_fill(struct mpart *p, struct dram_done done)
{
    ring_push(&p->fills, done);
    p->fills_next = sooner(p->fills_next, done.at);
    if (done.at < p->fills_last)
        insert_fill(p);
    else
        p->fills_last = done.at;
}

/* Accesses that the channel can start before anything else happens, which is in cycle t. Returns the cycle of the next event. */
INTO uint64_t run_dram(struct mpart *p, uint64_t t, uint64_t until)
{
    struct dram_done done;
    while (dram_next(&p->dram, t < until ? t + 1 : until, &done, p->stats)) {
        done.at += p->back_cyc[both_halves(done.sectors)];
        add_fill(p, done);
        t = sooner(t, done.at);
    }
    return t;
}

FLAT static void run_plain(struct mpart *p, uint64_t until)
{
    for (uint64_t t; (t = run_dram(p, part_next(p), until)) < until;)
        part_cycle_plain(p, t);
}

FLAT ASIDE static void run_any(struct mpart *p, uint64_t until)
{
    for (uint64_t t; (t = run_dram(p, part_next_any(p), until)) < until;)
        part_cycle(p, t);
}

void mpart_step(struct mpart *p, uint64_t until)
{
    p->until = until;
    p->replies = 0;
    p->first_reply = UINT64_MAX;
    if (p->arrived)
        mpart_arrive(p);
    if (p->next < until)
        (p->plain ? run_plain : run_any)(p, until);
    p->stats[MS_icnt_replies] += p->replies;
    uint64_t t = part_next_any(p), d = dram_when(&p->dram);
    if (t < until)
        t = until;
    p->next = d < t ? (d < until ? until : d) : t;
}
