/* SPDX-License-Identifier: Apache-2.0 */
#include "mem/simple.h"

void simple_init(struct simple *s, const struct mem_cfg *cfg, uint32_t nsm)
{
    *s = (struct simple){.cfg = cfg, .nsm = nsm};
    s->sent = xcalloc(nsm, sizeof *s->sent);
    s->free = xcalloc(nsm, sizeof *s->free);
}

void simple_free(struct simple *s)
{
    for (uint32_t i = 0; i < s->nsm; i++)
        vec_free(&s->sent[i]);
    free(s->sent);
    free(s->free);
}

void simple_send(struct simple *s, uint32_t sm, const struct mem_req *from, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        vec_push(&s->sent[sm], from[i]);
}

/* Fixed latency after the SM's share of the bandwidth has carried the sectors. */
static void request(struct simple *s, const struct mem_req *r, mem_replies *to)
{
    uint64_t bytes = SECTOR_B * mem_sectors(r->sectors), rate = s->cfg->simple_b;
    uint64_t *f = &s->free[r->sm]; /* in units of 1/rate cycle */
    uint64_t start = r->at * rate > *f ? r->at * rate : *f;
    *f = start + bytes;
    s->stats[r->kind == MEM_WRITE ? MS_dram_writes : MS_dram_reads] += bytes / SECTOR_B;
    if (r->wants_reply)
        vec_push(to, (struct mem_reply){.at = (*f + rate - 1) / rate + s->cfg->simple_cyc,
                                        .tag = r->tag,
                                        .sm = r->sm,
                                        .sectors = r->sectors,
                                        .kind = r->kind});
}

void simple_give(struct simple *s, mem_replies *to_sm)
{
    for (uint32_t i = 0; i < s->nsm; i++) {
        vec_each (&s->sent[i], r)
            request(s, r, &to_sm[r->sm]);
        vec_clear(&s->sent[i]);
    }
}
