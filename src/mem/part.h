/* A memory partition: one DRAM channel and the L2 slices in front of it. Internal to mem/. */
#ifndef MEM_PART_H
#define MEM_PART_H

#include "mem/cache.h"
#include "mem/dram.h"

/* First in, first out, of anything with a time; grows. */
#define RING(T)                                                                                              \
    struct {                                                                                                 \
        T *at;                                                                                               \
        uint32_t head, n, cap; /* cap: a power of two */                                                     \
    }
#define ring_push(r, ...)                                                                                    \
    do {                                                                                                     \
        if ((r)->n == (r)->cap) {                                                                            \
            uint32_t cap_ = (r)->cap ? (r)->cap * 2 : 16;                                                    \
            __typeof__((r)->at) new_ = xmalloc(sizeof *new_ * cap_);                                         \
            for (uint32_t i_ = 0; i_ < (r)->n; i_++)                                                         \
                new_[i_] = (r)->at[((r)->head + i_) & ((r)->cap - 1)];                                       \
            free((r)->at);                                                                                   \
            (r)->at = new_;                                                                                  \
            (r)->head = 0;                                                                                   \
            (r)->cap = cap_;                                                                                 \
        }                                                                                                    \
        (r)->at[((r)->head + (r)->n++) & ((r)->cap - 1)] = __VA_ARGS__;                                      \
    } while (0)
#define ring_head(r) (&(r)->at[(r)->head])
#define ring_pop(r) ((void)((r)->head = ((r)->head + 1) & ((r)->cap - 1), (r)->n--))

enum { WAIT_NONE = UINT32_MAX, MISS_NONE = 0xffff };

/* What a reply needs to know of its request. */
enum { ASKER_SILENT = 255 }; /* instead of its kind: it wants no reply */
struct asker {
    uint32_t tag;
    uint16_t sm;
    uint8_t kind;
    uint8_t sectors;
};

/* A request that waits for sectors from DRAM. */
struct waiter {
    struct asker who;
    uint32_t next;
    uint8_t missing;
};

/* A line on its way from DRAM; the line's `fill` names it. */
struct miss {
    uint64_t since;        /* cycle it was taken */
    struct cache_line *to; /* pinned */
    uint32_t first, last;  /* waiters */
    uint16_t next;         /* free list */
    uint8_t pending;
};

struct hit {
    uint64_t ready;
    struct asker who;
};

/* A request on its way to its slice, or waiting there. */
struct arrival {
    struct mem_req req;
    uint64_t local;     /* its line's place within the channel */
    struct cache_at at; /* ... and in the tags */
    uint32_t next;      /* in its list; the last of a list: anything */
    uint16_t slice;
};
/* First in, first out: indices in the part's pool. */
struct arrivals {
    uint32_t head, tail;
};

struct slice {
    struct cache tags;
    uint64_t next;              /* it has nothing to do before this cycle; blocked ones wait for a fill */
    uint64_t in_free, out_free; /* ports */
    struct arrivals in;         /* arrived, or will; by arrival */
    uint32_t nin;               /* of them */
    RING(struct hit) hits;      /* on their way through the pipeline */
    struct miss *misses; /* pool; the last one given back is taken first, since the host's cache has it */
    uint16_t free_miss;
    bool starved;       /* the head waits for room in the channel */
    uint64_t blocked;   /* cycle since which the head waits for a miss entry or the channel; 0: it does not */
    uint32_t atom_rest; /* 1/256 of a cycle that atomics have taken beyond in_free */
    uint32_t id;
};

/* The way of a request, in its SM's outbox (mem.c). */
struct route {
    uint64_t local;
    uint32_t next; /* request of the same SM to the same channel */
    uint16_t slice;
};

/* Requests of the last window. They come SM by SM; they arrive by cycle, those of one cycle by SM. The times of one window span
 * less than the lookahead: each cycle has a list. */
enum { MAX_WINDOW = 1000 /* cycles; the range of icnt_cyc */, INBOX = 1024 };
struct inbox {
    uint64_t first;           /* the earliest of them */
    uint32_t slots;           /* a power of two, not less than a window's cycles: few, for the host's cache */
    uint64_t has[INBOX / 64]; /* by cycle % slots: there is a list */
    uint32_t words;           /* of `has`, that are not 0; 0: there are none */
    struct arrivals cycles[INBOX];
};

/* Dirty sectors of a line that was replaced, or a store's that go to DRAM at once. */
struct evicted {
    uint64_t at, line;
    uint8_t sectors;
};

struct mpart {
    const struct mem_cfg *cfg;
    struct slice *slices;
    uint32_t nslices, nblocked; /* blocked: of them */
    uint64_t slices_next;       /* the earliest `next` of them */
    struct inbox inbox;
    VEC(struct arrival) arrivals;
    uint32_t free_arrival;
    struct dram dram;
    RING(struct dram_done) fills; /* by time */
    uint64_t fills_next;          /* the earliest of them */
    VEC(struct waiter) waiters;
    uint32_t free_waiter;
    RING(struct evicted) writes; /* evicted sectors that wait for room in the channel */
    mem_replies out;
    uint64_t next; /* nothing happens before this cycle */
    uint64_t stats[MS_COUNT];
    uint32_t id;
};

void mpart_init(struct mpart *p, const struct mem_cfg *cfg, double core_mhz, uint32_t id);
void mpart_free(struct mpart *p);
/* A request of this window. */
void mpart_push(struct mpart *p, const struct mem_req *r, const struct route *to);
void mpart_step(struct mpart *p, uint64_t until);

/* Blocks go to channels in turn, as in GPGPU-Sim. map.c */
bool mem_by_channels(const struct mem_cfg *cfg);
/* The slice of an address, and its place within the slice's channel, gapless. map.c */
struct mem_place {
    uint32_t part, slice; /* slice within the part */
    uint64_t local;
};
struct mem_place mem_place(const struct mem_cfg *cfg, uint64_t addr);

#endif
