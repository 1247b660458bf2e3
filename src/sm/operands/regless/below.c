/* SPDX-License-Identifier: Apache-2.0 */
/* The way to L1. The shards of an SM are one client there, before the load-store unit, and take turns. A register that is not
 * compressed has a line of its own: register times all warps of the GPU, plus the warp, so that what warps use at the same time
 * lies side by side. Its lines stay in L1 until they are replaced. A read that leaves no copy behind gives the line up in the
 * same lookup. */
#include "sm/operands/regless/regless.h"

#define PLAIN_BASE L1_OWN_FROM
#define PACKED_BASE (L1_OWN_FROM + (L1_OWN_TO - L1_OWN_FROM) / 2)
enum {
    SMS = 1024, /* that addresses have room for */
    PART_SHIFT = 24,
    CROWD = 16, /* writes that may wait before the compressor waits, too */
};

struct below {
    uint32_t turn; /* the shard that is asked first */
};

static struct regless *shard(const struct sm *s, uint32_t part) { return s->parts[part].operands; }

static uint64_t plain_line(const struct regless *s, uint32_t warp, uint32_t reg)
{
    const struct sm *m = s->p->sm;
    uint64_t warps = (uint64_t)m->cfg->partitions * m->cfg->warps;
    uint64_t of = m->id * warps + s->p->id * (uint64_t)m->cfg->warps + warp;
    return PLAIN_BASE + (reg * SMS * warps + of) * LINE_B;
}

static uint64_t packed_line(const struct regless *s, uint32_t id)
{
    const struct sm *m = s->p->sm;
    uint64_t lines = 256ull * m->cfg->warps / 15 + 1;
    return PACKED_BASE + ((m->id * (uint64_t)m->cfg->partitions + s->p->id) * lines + id) * LINE_B;
}

/* ---- requests ---- */

static uint32_t new_read(struct regless *s, struct rl_read r)
{
    uint32_t i = s->free_read;
    if (i == UINT32_MAX) {
        i = s->reads.n;
        vec_resize(&s->reads, i + 1);
    } else {
        s->free_read = s->reads.at[i].next;
    }
    r.used = true;
    s->reads.at[i] = r;
    return i;
}

static void free_read(struct regless *s, uint32_t i)
{
    s->reads.at[i].used = false;
    s->reads.at[i].next = s->free_read;
    s->free_read = i;
}

void below_read(struct regless *s, uint32_t warp, uint8_t reg, bool single, uint32_t owner)
{
    vec_push(
        &s->read_q,
        new_read(s, (struct rl_read){.warp = (uint8_t)warp, .reg = reg, .single = single, .owner = owner}));
}

void below_read_packed(struct regless *s, uint32_t id)
{
    vec_push(&s->read_q, new_read(s, (struct rl_read){.packed = true, .id = id}));
}

static void add_write(struct regless *s, enum rl_write_kind kind, uint32_t what, uint64_t line)
{
    vec_push(&s->write_q, (struct rl_write){.kind = (uint8_t)kind, .what = what, .line = line});
}

void below_write_out(struct regless *s, uint32_t entry) { add_write(s, RL_WRITE_OUT, entry, 0); }
void below_write_packed(struct regless *s, uint32_t id) { add_write(s, RL_WRITE_PACKED, id, 0); }
void below_drop(struct regless *s, uint32_t warp, uint8_t reg)
{
    add_write(s, RL_WRITE_DROP, 0, plain_line(s, warp, reg));
}

static bool recall(struct regless *s, enum rl_write_kind kind, uint32_t what)
{
    for (uint32_t i = s->write_head; i < s->write_q.n; i++) {
        if (s->write_q.at[i].kind != kind || s->write_q.at[i].what != what)
            continue;
        s->write_q.at[i].kind = RL_WRITE_NOT;
        return true;
    }
    return false;
}

bool below_recall_packed(struct regless *s, uint32_t id) { return recall(s, RL_WRITE_PACKED, id); }
void below_recall_out(struct regless *s, uint32_t entry) { recall(s, RL_WRITE_OUT, entry); }
bool below_crowded(const struct regless *s) { return s->write_q.n - s->write_head >= CROWD; }

/* ---- turns at L1 ---- */

static void pop_read(struct regless *s)
{
    if (++s->read_head < s->read_q.n)
        return;
    s->read_head = 0;
    vec_clear(&s->read_q);
}

/* A request of a staging unit has no collector and no unit to go through, which the time from a load to its user contains. */
static uint32_t hit_cyc(const struct sm_cfg *c)
{
    uint32_t way = sm_way_cyc(c);
    return c->l1_cyc > way ? c->l1_cyc - way : 1;
}

/* What was asked for a warp that has left is nobody's. */
static bool ask(struct regless *s, uint64_t t)
{
    struct sm *m = s->p->sm;
    uint32_t i = s->read_q.at[s->read_head];
    struct rl_read *r = &s->reads.at[i];
    uint64_t line = r->packed ? packed_line(s, r->id) : plain_line(s, r->warp, r->reg);
    bool cached = m->onchip.split.cache_b != 0;
    if (!r->packed && r->owner != s->warps[r->warp].era) {
        free_read(s, i);
        pop_read(s);
        return true;
    }
    enum l1_answer a = l1_fetch(m, s->client, s->p->id << PART_SHIFT | i, cached, line, 15, t);
    if (a == L1_WAIT)
        return false;
    s->count[RL_l1_reads]++;
    pop_read(s);
    if (a != L1_HIT)
        return true;
    r->hit = true;
    if (r->single)
        l1_forget(m, line);
    below_due(s, &(struct rl_due){.t = t + hit_cyc(m->cfg), .kind = RL_DUE_READ, .read = i});
    return true;
}

static bool write(struct regless *s, uint64_t t)
{
    struct sm *m = s->p->sm;
    const struct rl_write w = s->write_q.at[s->write_head];
    switch ((enum rl_write_kind)w.kind) {
    case RL_WRITE_OUT: {
        const struct rl_out *o = &s->out[w.what];
        if (!l1_keep(m, plain_line(s, o->warp, o->reg), t))
            return false;
        s->count[RL_l1_writes]++;
        osu_moved(s, w.what, RL_PLAIN);
        part_wake(s->p, t + 1);
        break;
    }
    case RL_WRITE_PACKED:
        if (!l1_keep(m, packed_line(s, w.what), t))
            return false;
        s->count[RL_l1_writes]++;
        part_wake(s->p, t + 1);
        break;
    case RL_WRITE_DROP:
        if (!l1_drop(m, w.line, t))
            return false;
        s->count[RL_l1_drops]++;
        break;
    case RL_WRITE_NOT: break;
    }
    if (++s->write_head == s->write_q.n) {
        s->write_head = 0;
        vec_clear(&s->write_q);
    }
    return true;
}

/* Reads go first: warps wait for them. */
static bool serve(struct regless *s, uint64_t t)
{
    return (s->read_q.n && ask(s, t)) || (s->write_q.n && write(s, t));
}

static void below_turn(void *ctx, uint64_t t)
{
    struct sm *m = ctx;
    struct below *b = m->operands.shared;
    uint32_t n = m->cfg->partitions, idle = 0;
    for (uint32_t at = b->turn; idle < n && l1_open(m, t); at = at + 1 < n ? at + 1 : 0) {
        idle++;
        if (!serve(shard(m, at), t))
            continue;
        b->turn = at + 1 < n ? at + 1 : 0;
        idle = 0;
    }
}

static uint64_t below_work(const void *ctx)
{
    const struct sm *m = ctx;
    for (uint32_t i = 0; i < m->cfg->partitions; i++)
        if (shard(m, i)->read_q.n || shard(m, i)->write_q.n)
            return m->clock.now;
    return NEVER;
}

static void below_arrived(void *ctx, uint32_t name, uint64_t t)
{
    struct sm *m = ctx;
    struct regless *s = shard(m, name >> PART_SHIFT);
    uint32_t i = name & ((1u << PART_SHIFT) - 1);
    struct rl_read *r = &s->reads.at[i];
    if (r->single)
        l1_forget(m, plain_line(s, r->warp, r->reg));
    below_due(s, &(struct rl_due){.t = t, .kind = RL_DUE_READ, .read = i});
}

static void below_replied(void *ctx, uint64_t t)
{
    (void)ctx;
    (void)t;
}

void below_attach(struct sm *m)
{
    uint32_t number = l1_add(m, &(struct l1_client){.name = "staging units",
                                                    .priority = 0,
                                                    .ctx = m,
                                                    .tick = below_turn,
                                                    .next = below_work,
                                                    .arrived = below_arrived,
                                                    .replied = below_replied});
    _Static_assert(sizeof(struct below) <= 64, "shared_b");
    for (uint32_t i = 0; i < m->cfg->partitions; i++)
        shard(m, i)->client = number;
}

void below_free(struct regless *s)
{
    vec_free(&s->reads);
    vec_free(&s->read_q);
    vec_free(&s->write_q);
    vec_free(&s->due);
}

/* ---- what comes ---- */

void below_due(struct regless *s, const struct rl_due *d)
{
    vec_push(&s->due, *d);
    s->due_next = d->t < s->due_next ? d->t : s->due_next;
    part_wake(s->p, d->t);
}

static void come(struct regless *s, const struct rl_due *d, uint64_t t)
{
    if (d->kind == RL_DUE_REGISTER) {
        osu_answer(s, d->warp, d->reg, d->single, d->owner, t);
        return;
    }
    struct rl_read r = s->reads.at[d->read];
    free_read(s, d->read);
    if (r.packed) {
        comp_arrived(s, r.id, r.hit, t);
        return;
    }
    if (r.owner == s->warps[r.warp].era)
        s->count[r.hit ? RL_from_l1 : RL_from_below]++;
    osu_answer(s, r.warp, r.reg, r.single, r.owner, t);
}

void below_tick(struct regless *s, uint64_t t)
{
    uint32_t n = s->due.n, kept = 0;
    s->due_next = NEVER;
    for (uint32_t i = 0; i < n; i++) {
        struct rl_due d = s->due.at[i];
        if (d.t <= t) {
            come(s, &d, t);
            continue;
        }
        s->due.at[kept++] = d;
        s->due_next = d.t < s->due_next ? d.t : s->due_next;
    }
    for (uint32_t i = n; i < s->due.n; i++)
        s->due.at[kept++] = s->due.at[i];
    s->due.n = kept;
}
