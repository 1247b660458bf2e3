/* SPDX-License-Identifier: Apache-2.0 */
/* WarpPool (thesis, chapter 3): loads of different warps that want the same line become one request to L1.
 *
 *   instruction queues, by warp, lower warps first         warppool.c
 *   intra-warp coalescers, a line per cycle each           warppool.c
 *   inter-warp queues: tags of lines, each with the loads  warppool_merge.c
 *     that want it, and the selector that sends them to L1
 *   miss metadata and the write-back queue, which hands    warppool_back.c
 *     a line's words to one warp per cycle
 *
 * Stores and atomics leave their coalescer for L1 directly, when no load does. A warp's loads and stores are kept in their
 * order where they issue (LSU_HOLDS_ALL). */
#ifndef SM_LSU_WARPPOOL_H
#define SM_LSU_WARPPOOL_H

#include "sm/l1/replies.h"
#include "sm/lsu/steps.h"

const char *pool_select_name(uint32_t i); /* orders of requests; NULL after the last */
#define POOL_OPTIONS(T, OPT, NAME)                                                                           \
    OPT(T, queues, U32, 16, 1, 64, "instruction queues, warps divided among them")                           \
    OPT(T, entries, U32, 8, 1, 64, "instructions that each of them holds")                                   \
    OPT(T, coalescers, U32, 2, 1, 8, "intra-warp coalescers, a line per cycle each")                         \
    OPT(T, sets, U32, 32, 1, 64, "inter-warp queues, lines divided among them as among L1's sets")           \
    OPT(T, tags, U32, 2, 1, 8, "lines that each of them holds")                                              \
    OPT(T, merges, U32, 4, 1, 8, "loads that may be merged into one request")                                \
    OPT(T, maps, U32, 8, 1, 64, "entries of the thread map table")                                           \
    OPT(T, writeback, U32, 2, 1, 16, "lines in the write-back queue")                                        \
    OPT(T, writes, U32, 1, 1, 8, "warps that get their words from the write-back queue per cycle")           \
    OPT(T, cyc, U32, 6, 3, 64, "cycles that its stages add to a load")                                       \
    NAME(T, select, "toggle", pool_select_name, "which request goes to L1 next; toggle: oldest at first")    \
    OPT(T, quantum, U32, 100000, 100, 1000000000, "cycles over which toggle measures the miss rate",         \
        "select=toggle")                                                                                     \
    OPT(T, miss_pct, U32, 99, 0, 100, "miss rate, in percent, above which toggle changes the order",         \
        "select=toggle")
CONF_STRUCT(pool_cfg, POOL_OPTIONS);
extern const struct conf_table pool_options;

/* The first five are in the order of enum line_map. */
#define POOL_STATS(STAT)                                                                                     \
    STAT(POOL, consecutive, "line", "lines of loads whose words are the lanes' in order")                    \
    STAT(POOL, broadcast, "line", "... one word for all lanes")                                              \
    STAT(POOL, single, "line", "... one word for one lane")                                                  \
    STAT(POOL, range, "line", "... neighbouring words for neighbouring lanes")                               \
    STAT(POOL, other, "line", "... anything else, which takes an entry of the thread map table")             \
    STAT(POOL, toggles, "quantum", "quanta after which the order of requests was changed")
enum { POOL_STATS(STAT_ID) };

/* One line of one load, from the inter-warp queues to write-back. */
struct pool_load {
    uint64_t line;
    uint32_t who;
    uint32_t next; /* of the same request; free list */
    uint8_t map;   /* enum line_map */
};

/* A request: a line and the loads that want it. */
struct pool_tag {
    uint64_t line;
    uint32_t first, last; /* loads */
    uint32_t low;         /* warp */
    uint16_t older, newer;
    uint8_t n, sectors;
    bool used, cached;
};

/* Data from L1, with the loads that are still to get it. */
struct pool_back {
    uint32_t first, last;
    bool hit;
};

struct pool_inst {
    uint32_t who;
    uint64_t from; /* cycle from which a coalescer may take it */
};

struct pool_coalescer {
    uint32_t who;
    uint32_t turn; /* flight.turn, for what a warp has in two coalescers */
    bool used;
};

enum { POOL_COALESCERS = 8, POOL_NONE = 0xffff };
enum pool_select { POOL_OLDEST, POOL_WARP };

struct pool {
    struct sm *s;
    const struct pool_cfg *cfg;
    uint64_t *count; /* its counters */
    /* instruction queues */
    struct ring *queues;
    struct pool_inst *insts; /* by queue, cfg->entries each */
    uint64_t filled;         /* queues that are not empty */
    struct pool_coalescer co[POOL_COALESCERS];
    /* inter-warp queues */
    struct pool_tag *tags; /* cfg->tags for each of cfg->sets */
    uint64_t *inserted;    /* by set: 1 + cycle of the last insertion */
    uint16_t oldest, newest;
    uint64_t blocked; /* cycle since which the selected request waits for a reply; 0: none does */
    /* selection */
    enum pool_select select;
    uint64_t quantum, lookups, misses;
    /* metadata */
    VEC(struct pool_load) loads;
    uint32_t free_load, maps_free;
    /* write-back */
    struct ring back;
    struct pool_back *backs;
    bool replying; /* the last of these collects what the current reply brings */
    /* shared memory and constants have a queue of their own */
    struct lsu_queue aside;
    uint64_t aside_free;
    /* time */
    uint64_t last;
    bool moved; /* something changed in the last cycle, or may in the next */
};

/* warppool_merge.c */
void pool_merge_init(struct pool *p);
/* The next line of a load enters the inter-warp queues. False: it must wait. */
bool pool_insert(struct pool *p, const struct pool_coalescer *c, uint64_t t);
/* One request goes to L1. */
bool pool_send(struct pool *p, uint64_t t);
void pool_unblock(struct pool *p, uint64_t t);
/* A new quantum may bring another order of selection. */
void pool_count_quantum(struct pool *p, uint64_t t);

/* warppool_back.c */
uint32_t pool_load_new(struct pool *p);
bool pool_back_full(const struct pool *p);
void pool_back_put(struct pool *p, uint32_t first, bool hit);
void pool_arrived(void *st, uint32_t name, uint64_t t);
/* One warp (or cfg->writes of them) gets its words. */
bool pool_back_tick(struct pool *p, uint64_t t);

extern const struct lsu_ops lsu_warppool;
uint32_t pool_storage(const struct sm_cfg *c, struct storage_row rows[STORAGE_MAX]);

#endif
