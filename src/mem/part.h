/* SPDX-License-Identifier: Apache-2.0 */
/* A memory partition: one DRAM channel and the L2 slices in front of it. Internal to mem/.
 *
 * Where L2 has halves, the first half of a partition's slices lies in one of them and the second in the other. Every line has its
 * home in one slice; requests of SMs of the other half come to that slice's partner, which keeps copies. */
#ifndef MEM_PART_H
#define MEM_PART_H

#include "base/hint.h"
#include "mem/cache.h"
#include "mem/dram.h"

/* First in, first out, of anything with a time; grows. */
#define RING(T)                                                                                              \
    struct {                                                                                                 \
        T *at;                                                                                               \
        uint32_t head, n, cap; /* cap: a power of two */                                                     \
    }
void *ring_grown(void *at, size_t size, uint32_t *head, uint32_t n, uint32_t *cap);
#define ring_push(r, ...)                                                                                    \
    do {                                                                                                     \
        if ((r)->n == (r)->cap)                                                                              \
            (r)->at = ring_grown((r)->at, sizeof *(r)->at, &(r)->head, (r)->n, &(r)->cap);                   \
        (r)->at[((r)->head + (r)->n++) & ((r)->cap - 1)] = __VA_ARGS__;                                      \
    } while (0)
#define ring_last(r) (&(r)->at[((r)->head + (r)->n - 1) & ((r)->cap - 1)])
#define ring_head(r) (&(r)->at[(r)->head])
#define ring_from_head(r, i) (&(r)->at[((r)->head + (i)) & ((r)->cap - 1)])
#define ring_pop(r) ((void)((r)->head = ((r)->head + 1) & ((r)->cap - 1), (r)->n--))

enum { ALL_SECTORS = (1 << LINE_SECTORS) - 1 };
enum {
    WAIT_NONE = UINT32_MAX,
    CYCLE = 256 /* parts of a core cycle that ports count */,
    HEADER_B = 8, /* of a packet */
    MEETING_BITS = 9,
    MEETINGS = 1 << MEETING_BITS /* of a slice; the later one of two in one place has it */
};

/* What a reply needs to know of its request. */
enum {
    ASKER_JOINED = 16,  /* READ: another's packet is its own, too */
    ASKER_SILENT = 32,  /* it wants none */
    ASKER_FAR = 64,     /* WRITE, ATOMIC: done in the other half */
    ASKER_CROSSED = 128 /* READ: `tag` is a miss of the partner's copies */
};
struct asker {
    union {
        struct {
            uint32_t tag;
            uint16_t sm;
            uint8_t kind; /* and what is above */
            uint8_t sectors;
        };
        uint64_t who; /* as in the request */
    };
};

/* A request that waits for sectors from DRAM. */
struct waiter {
    struct asker who;
    uint32_t next;
    uint8_t missing;
};

/* A line on its way from DRAM, or from its home. */
struct miss {
    uint64_t since;        /* cycle it was taken */
    struct asker who;      /* the first of those who wait */
    uint32_t first, last;  /* those behind it */
    struct cache_line *to; /* of the tags, pinned: its `fill` names the miss */
    struct slice *of;
    struct miss *next; /* free list */
    uint16_t id;       /* its place among them */
    uint8_t pending;   /* sectors */
    uint8_t missing;   /* of these: what the first waits for; 0: it does not any more */
    /* `pending`, if the first is a read of an SM and nobody is behind it: a fill with all of that ends the miss; else 0 */
    uint8_t alone;
    /* The first is several reads of an SM under one tag, each of sectors of its own that it alone has fetched: each fill answers
     * one of them. `who` has the sectors that are not answered. */
    bool each;
};

struct hit {
    uint64_t ready;
    struct asker who;
};

/* Tags, and the lines on their way to them. */
struct lines {
    struct cache tags;
    struct miss *misses;    /* pool; the last one given back is taken first, since the host's cache has it */
    struct miss *free_miss; /* NULL: all are in use */
};

/* Requests by arrival, or that will arrive. */
struct input {
    _Alignas(HOST_LINE_B) RING(struct mem_req) q;
    uint64_t last;         /* cycle of the last of all that have come */
    uint32_t come;         /* of them, in this window */
    bool mixed;            /* these are in no order */
    struct cache_at at[2]; /* of the first two: in the tags that they are looked up in */
    uint64_t blocked; /* cycle since which the head waits for a miss entry or the channel; 0: it does not */
    bool starved;     /* the head waits for room in the channel */
    bool again;       /* it waits, and may go on when the input is free */
    bool absent;      /* plain: L2 is known not to have the head's line */
};

/* A read that others go with until that cycle. */
struct meeting {
    uint64_t until, line;
    uint64_t ready; /* when its data leaves the pipeline; 0: not known yet */
    uint16_t sm;
    uint8_t group, sectors;
};

/* Sectors that come back from their home. */
struct crossing {
    uint64_t at;
    uint32_t miss; /* of the copies */
    uint8_t sectors;
};

struct slice {
    struct lines own, copies;   /* copies: of lines whose home is the partner; only where L2 has halves */
    struct cache *copy_tags;    /* where copies lie: with its own lines, or apart */
    uint64_t next;              /* it has nothing to do before this cycle; a blocked input waits for a fill */
    uint64_t in_free, out_free; /* ports */
    uint64_t cross_free;        /* way to the other half, in 1/CYCLE */
    struct input in, crossed;   /* from the SMs; from the other half */
    RING(struct hit) hits;      /* on their way through the pipeline */
    RING(struct crossing) back; /* on their way to the copies */
    RING(struct hit) joined;    /* ... and go with the packet of another */
    struct meeting *met;        /* MEETINGS of them, by line and group; NULL without mem.join_cyc */
    uint64_t left;              /* the last packet that it has sent leaves in that cycle */
    uint64_t atom_line;         /* the last atomic of floating point: its line, ... */
    uint8_t atom_sectors;       /* ... its sectors */
    uint32_t in_rest, out_rest; /* 1/CYCLE that the ports are taken beyond these */
    struct slice *partner;      /* in the other half, where L2 has halves */
};

/* Dirty sectors of a line that was replaced, or a store's that go to DRAM at once. */
struct evicted {
    uint64_t at, line;
    uint8_t sectors;
};

struct mpart {
    const struct mem_cfg *cfg;
    struct slice *slices, *slices_end;
    uint32_t nslices, nblocked; /* blocked: inputs of them */
    uint64_t slices_next;       /* the earliest `next` of them */
    uint64_t backs_next;        /* the earliest of what is on its `back` */
    bool arrived;               /* some requests have come since it was stepped */
    mem_reqs unsorted;
    struct dram dram;
    RING(struct dram_done) fills; /* by time */
    uint64_t fills_next;          /* the earliest of them */
    uint64_t fills_last;          /* the latest that there ever was */
    VEC(struct waiter) waiters;
    uint32_t free_waiter;
    RING(struct evicted) writes; /* evicted sectors that wait for room in the channel */
    mem_replies out;             /* replies of the window, */
    mem_replies *to;             /* ... if this is &out; else they go there, by SM */
    uint32_t to_sm;              /* what of an SM's number counts for that: nothing, or all */
    uint32_t replies;            /* of the window */
    uint64_t first_reply;        /* cycle of the first of them */
    bool plain; /* L2 has no halves, fetches nothing but what was asked for, and keeps what is stored */
    /* What of the configuration every request asks for. In 1/CYCLE: */
    uint32_t l2_cycle;                    /* a cycle of L2's clock */
    uint32_t read_cyc;                    /* a read takes an input for */
    uint32_t reply_cyc[LINE_SECTORS + 1]; /* a reply takes an output for, by its sectors */
    /* ... sectors the way to the other half; [1]: with a mask of bytes */
    uint32_t cross_cyc[2][LINE_SECTORS + 1];
    /* In cycles: */
    const uint16_t *answer_cyc; /* from the port to each SM */
    uint32_t join_cyc, to_dram_cyc, to_half_cyc, from_half_cyc;
    uint32_t back_cyc[2], hit_cyc[2]; /* from DRAM, of a hit: sectors of one half of a line, of both */
    uint8_t fill_more;                /* sectors that come with any others from DRAM */
    uint8_t around[ALL_SECTORS + 1];  /* sectors that are fetched for those */
    uint64_t next;                    /* nothing happens before this cycle */
    uint64_t until;                   /* end of the window */
    uint64_t stats[MS_COUNT];
    uint32_t id;
};

/* answer_cyc: cycles from L2's port to each SM, which outlive the channel. */
void mpart_init(struct mpart *p, const struct mem_cfg *cfg, double core_mhz, const uint16_t *answer_cyc,
                uint32_t id);
void mpart_free(struct mpart *p);
/* Replies go to these lists, by SM; NULL: they stay in `out`. */
void mpart_reply_to(struct mpart *p, mem_replies *to_sm);
void mpart_step(struct mpart *p, uint64_t until);

/* ---- requests of a window: arrive.c ---- */
enum { MAX_WINDOW = 1000 /* cycles; the range of icnt_cyc */ };
/* One that comes to that input of a slice. They come SM by SM, those of an SM by cycle. */
void mpart_push(struct mpart *p, struct input *in, const struct mem_req *a);
/* Those of all SMs have come. */
void mpart_arrive(struct mpart *p);

/* ---- a slice: slice.c ---- */
static inline bool channel_full(const struct mpart *p)
{
    return dram_full(&p->dram, false) || p->writes.n > p->dram.most[1];
}
void slice_init(struct slice *s, const struct mem_cfg *cfg);
void slice_free(struct slice *s);
/* A request comes from the other half. */
void slice_push(struct mpart *p, struct slice *s, const struct mem_req *a);
/* What its pipeline and its inputs do up to cycle t, and when it has something to do next. room: something has come since, so
 * that a blocked input may go on. The second: if the partition is plain; then there is room in the channel, too, if the input
 * waits for that. */
void slice_cycle(struct mpart *p, struct slice *s, uint64_t t, bool room);
void slice_cycle_plain(struct mpart *p, struct slice *s, uint64_t t, bool room);
/* Evicted sectors go to the channel as far as it has room. */
void mpart_drain(struct mpart *p, uint64_t now);
/* Room for a line, or NULL: all of its set are on their way. Of what was there dirty sectors are written back. */
struct cache_line *slice_room(struct mpart *p, struct cache *tags, struct cache_at at, uint64_t line,
                              uint64_t t);
/* A request that is answered as a hit. */
void slice_hit(struct mpart *p, struct slice *s, const struct mem_req *r, uint64_t t);

/* ---- lines on their way: miss.c ---- */
static inline struct asker asker_of(const struct mem_req *r)
{
    struct asker a = {.who = r->who};
    if (r->kind == MEM_READ && r->wants_reply && !r->crossed) {
        a.kind |= r->joined ? ASKER_JOINED : 0;
        return a;
    }
    if (!r->wants_reply)
        a.kind |= ASKER_SILENT;
    if (r->far && r->kind != MEM_READ)
        a.kind |= ASKER_FAR;
    if (r->crossed)
        a.kind |= ASKER_CROSSED;
    return a;
}
/* Whoever asks waits for what it lacks of a line, which is on its way: nobody else does; or others may. */
static inline void wait_first(struct miss *m, const struct mem_req *r, uint8_t missing)
{
    m->who = asker_of(r);
    m->missing = missing;
    m->alone = m->who.kind == MEM_READ ? m->pending : 0;
    m->each = false;
}
/* Another read of the first's, for what nobody has asked for before: it is one with the first, if that has asked for one sector,
 * or is several. False: it is not. */
static inline bool wait_as_first(struct miss *m, const struct mem_req *r, uint8_t missing)
{
    struct asker *w = &m->who;
    bool same = w->tag == r->tag && w->sm == r->sm && w->kind == MEM_READ && asker_of(r).kind == MEM_READ;
    if (!same || r->sectors != missing || !m->missing || m->missing != w->sectors ||
        !(m->each || mem_sectors(w->sectors) == 1))
        return false;
    m->each = true;
    w->sectors |= missing;
    m->missing |= missing;
    if (m->alone)
        m->alone = m->pending;
    return true;
}
void wait_for(struct mpart *p, struct miss *m, const struct mem_req *r, uint8_t missing);
struct miss *miss_new(struct mpart *p, struct lines *in, struct cache_line *to, uint64_t t);
/* An answer, when it is ready. */
void slice_reply(struct mpart *p, struct slice *s, uint64_t ready, const struct asker *r);
/* Sectors have come to one of its `lines`. */
void slice_fill(struct mpart *p, struct lines *to, struct miss *m, uint8_t sectors, uint64_t at);
/* The next that comes from DRAM: there is some. */
void mpart_fill(struct mpart *p);

static inline uint32_t packet_b(const struct mem_req *r)
{
    return HEADER_B + (r->kind == MEM_READ ? 0 : r->bytes);
}

/* What a packet takes a port of L2 for, in 1/CYCLE of a core cycle: whole cycles, or, where L2 has a clock of its own, one
 * at least. */
static inline uint32_t packet_cyc(const struct mpart *p, uint32_t bytes)
{
    uint32_t rate = p->cfg->icnt_slice_b;
    if (p->cfg->l2_mhz <= 0)
        return (bytes + rate - 1) / rate * CYCLE;
    return bytes > rate ? bytes * p->l2_cycle / rate : p->l2_cycle;
}

static inline uint64_t sooner(uint64_t a, uint64_t b) { return a < b ? a : b; }
/* The slice has something to do at that cycle. */
static inline void slice_due(struct mpart *p, struct slice *s, uint64_t at)
{
    s->next = sooner(s->next, at);
    p->slices_next = sooner(p->slices_next, at);
}

/* The cycle in which the head of an input can be served, if nothing keeps it. */
static inline uint64_t serve_next(const struct slice *s, const struct input *in)
{
    return later(ring_head(&in->q)->at, s->in_free);
}
/* One of the first two is to be looked up: the host's cache gets what that reads. */
INTO void input_expect(const struct slice *s, struct input *in, uint32_t i, bool plain)
{
    const struct mem_req *r = ring_from_head(&in->q, i);
    const struct cache *tags = !plain && r->far && in == &s->in ? s->copy_tags : &s->own.tags;
    in->at[i] = cache_at_in(tags, r->set, r->line / LINE_B);
    cache_expect_index(in->at[i]);
}

/* ---- between the halves: cross.c ---- */
/* A request of an SM of this half for a line whose home is the partner. False: it must wait. */
bool copy_access(struct mpart *p, struct slice *s, const struct mem_req *r, struct cache_at at, uint64_t t);
/* The partner's copies of its sectors are stale from now on. */
void copy_drop(const struct slice *home, const struct mem_req *r);
/* Data that the partner asked for leaves its home. */
void cross_back(struct mpart *p, struct slice *home, uint64_t ready, const struct asker *r);
/* What has come back by cycle t goes to the copies. Returns the cycle of the next that comes back. */
uint64_t cross_fills(struct mpart *p, struct slice *s, uint64_t t);

/* Sectors of both halves of a line. */
static inline bool both_halves(uint8_t sectors)
{
    enum { HALF = 3 };
    return sectors & HALF && sectors & ~HALF;
}

#endif
