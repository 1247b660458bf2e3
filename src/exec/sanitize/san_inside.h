/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the checks: what is remembered of accesses, and of who comes after whom.
 *
 * A record is one instruction of one warp between two synchronisations; a stamp is a record's number and a lane, in a word. Every
 * four bytes of memory have a cell with the stamps of the last write and of two reads since: of any two threads that read, a
 * third one that writes differs from at least one. Two accesses of which one is a write, by different threads, are a race unless
 * both are strong (atomic, volatile, relaxed and up) or one comes before the other:
 *   lanes of a warp   by __syncwarp and other instructions with a member mask, and CTA barriers
 *   warps of a CTA    by CTA barriers and barrier objects: each warp has a clock and knows of the others' (vector clocks)
 *   CTAs              by releases and acquires in memory: a fence and a strong write after it, then a strong read or an atomic of
 *                     that word by the other side. What the other side has seen is one time, not a clock for each warp: it counts
 *                     as having seen every release up to then. So nothing ordered is called a race, and a race between CTAs that
 *                     synchronise through another word may be missed.
 *   launches          by streams and events, for the last 64 launches
 * Two writes of the same value are no race. */
#ifndef EXEC_SANITIZE_INSIDE_H
#define EXEC_SANITIZE_INSIDE_H

#include "exec/sanitize/san_hooks.h"
#include "exec/sanitize/sanitize.h"

enum { LANE_BITS = 5, MAX_RECORDS = 1 << 26 /* stamps are below 2^31, as signed words */ };
enum { PAGE_BITS = 16, PAGE_B = 1 << PAGE_BITS };

struct record {
    uint32_t unit;  /* warp of the process: that of the CTA's first warp + its number */
    uint32_t clock; /* of that warp */
    uint32_t at : 29, strong : 1, write : 1, atomic : 1;
};

/* Bytes of the word that the last write and the two reads were of; a hash of what was written. */
enum { CELL_WROTE = 0, CELL_READ = 4, CELL_READ2 = 8, CELL_HASH = 12 };
/* Cells of n words, each member an array: stamps (0: none) of the last write and of two reads. */
struct cells {
    uint32_t *w, *r0, *r1, *bytes;
};
/* Those from the i-th word on, of memory for n. */
static inline struct cells cells_at(uint32_t *memory, uint32_t n, uint32_t i)
{
    return (struct cells){memory + i, memory + n + i, memory + 2 * n + i, memory + 3 * n + i};
}

struct page {
    uint64_t number; /* address >> PAGE_BITS */
    uint32_t *cells;
    uint64_t written[PAGE_B / 64]; /* a bit for each byte */
};

struct pages {
    struct page **slots; /* open addressing */
    uint32_t cap, n;
};
struct page *san_pages_get(struct pages *p, uint64_t addr);
void san_page_fill(struct page *p);
static inline struct cells san_page_cells(struct page *p, uint32_t i)
{
    if (__builtin_expect(!p->cells, 0))
        san_page_fill(p);
    return cells_at(p->cells, PAGE_B / 4, i);
}
void san_pages_mark(struct pages *p, uint64_t addr, uint64_t n);
void san_pages_forget_stamps(struct pages *p);
void san_pages_free(struct pages *p);

static inline bool bits_all(const uint64_t *bits, uint64_t from, unsigned n)
{
    uint64_t want = (n < 64 ? (1ull << n) - 1 : ~0ull) << (from & 63);
    return (bits[from >> 6] & want) == want;
}
static inline void bits_set(uint64_t *bits, uint64_t from, unsigned n)
{
    bits[from >> 6] |= (n < 64 ? (1ull << n) - 1 : ~0ull) << (from & 63);
}

/* The same of any number of bits. */
bool bits_range(const uint64_t *bits, uint64_t from, uint64_t n);
void bits_range_set(uint64_t *bits, uint64_t from, uint64_t n);

/* A static instruction, for the launch. */
enum site_kind {
    SITE_NONE,
    SITE_LOAD,
    SITE_STORE,
    SITE_ATOMIC,
    SITE_COPY, /* LDGSTS */
    SITE_SURFACE,
    SITE_BULK,
    SITE_FENCE,
    SITE_WARP, /* collectives */
    SITE_MBAR,
    SITE_CLUSTER,
};
struct site {
    uint8_t kind, access_b;
    bool strong, releases, rows; /* rows: of matrices, of which lanes name 16 bytes */
    uint32_t unit, clock, id;    /* the record that was made last */
    struct page *page;           /* that was used last */
};

/* A set of things that happened: of each warp of the CTA up to that clock, of other CTAs what was released up to that time. */
struct seen {
    uint32_t *clock;
    uint64_t time;
};

struct warp_order {
    uint32_t clock;
    uint32_t synced;            /* accesses of clocks below it come before those of every lane now */
    uint32_t part[LANES];       /* by lane: a synchronisation of some lanes, */
    uint32_t part_clock[LANES]; /* and below which clock it orders them */
    bool fenced;
    struct seen now, fence; /* what it has seen; what it had seen at its last fence */
};

struct object {
    uint32_t at; /* shared address of a barrier object */
    struct seen s;
};

/* A CTA that has begun. */
struct san_cta {
    struct san_cta *next; /* in the list of unused ones */
    struct cta *cta;
    uint32_t unit0;
    uint32_t floor; /* stamps below are of another CTA that had this place */
    struct warp_order *warps;
    struct seen bars[NBARRIERS];
    VEC(struct object) objects;
    uint32_t *cells;
    uint64_t *written;
    uint32_t **local; /* by warp: for each word the lanes that have written it; NULL: no access yet */
    uint32_t *clocks; /* memory of all `seen` */
};

/* Texts of a kernel's instructions outlive its code. */
struct kernel_lines {
    const struct code *code;
    char *name, *file;
    uint32_t n, *line;
    bool sass;
};

enum finding_kind { FIND_RACE, FIND_INIT, FIND_SYNC };
struct finding {
    enum finding_kind kind;
    uint64_t one, two; /* lines, or instructions without one; UINT64_MAX: no other */
    uint64_t times;
    uint64_t serial; /* of the instruction that was told first: its lanes are collected */
    uint32_t lanes, lane;
    char *head, *tail; /* text before and behind the lanes */
    bool told;
};

struct past {
    uint32_t number, unit0, id0, kernel, nwarps;
    uint64_t before; /* bit d: the launch d + 1 before it is known to be over when it starts */
};

struct san {
    struct exec_check_cfg cfg;
    struct exec_obs obs;
    struct pages pages;
    VEC(struct record) records;
    uint32_t record0, next_id; /* number of records.at[0], and of the next one */
    uint32_t next_unit;
    uint64_t serial; /* of observed instructions: the time of releases */
    /* The launch. */
    struct run *r;
    struct site *sites;
    VEC(struct san_cta *) places;
    struct san_cta *spare, *cur;
    uint32_t floor;        /* stamps below are of launches that are over */
    bool shared;           /* shared memory is checked: not that of clusters, which others may write */
    VEC(struct past) past; /* the last one is this launch */
    bool ordered;
    struct past next;
    /* Releases: by warp of the launch, the clocks and times; allocated with the first. */
    struct releases {
        VEC(struct {
            uint32_t clock;
            uint64_t time;
        })
        list;
    } * releases;
    struct {
        uint64_t addr; /* 0: free */
        uint64_t time;
    } * words;
    uint32_t words_cap, words_n;
    VEC(struct kernel_lines) kernels;
    VEC(struct finding) findings;
    struct exec_check_sum sum;
};

/* san_order.c */
struct san_cta *san_cta_new(struct san *k);
void san_cta_start(struct san *k, struct san_cta *p, struct cta *c);
void san_cta_free(const struct san *k, struct san_cta *p);
bool san_order_before(const struct san *k, uint32_t stamp, uint32_t warp, uint32_t lane);
void san_order_lanes(struct san *k, uint32_t warp, uint32_t lanes);
void san_order_fence(struct san *k, uint32_t warp);
void san_order_release(struct san *k, uint32_t warp, uint64_t word, bool now);
void san_order_acquire(struct san *k, uint32_t warp, uint64_t word);
void san_order_mbar(struct san *k, uint32_t warp, const struct exec_step *s, enum ir_mbar sub);
void san_order_cluster(struct san *k, uint32_t warp, bool wait);
void san_order_forget(struct san *k);

/* san_access.c */
void san_insn(void *ctx, const struct exec_step *s);

/* san_find.c */
uint32_t san_find_kernel(struct san *k, const struct code *c);
/* Two accesses, or one and what it misses. */
void san_find_race(struct san *k, const struct exec_step *s, uint32_t lane, uint64_t addr,
                   enum ir_space space, bool write, uint32_t other);
void san_find_unwritten(struct san *k, const struct exec_step *s, uint32_t lane, uint64_t addr,
                        enum ir_space space, unsigned n);
void san_find_barrier(struct san *k, uint32_t id, uint32_t warp, uint32_t lanes, uint32_t at,
                      uint32_t other_warp, uint32_t other_lanes, uint32_t other_at);
void san_find_tell(struct san *k);
void san_find_free(struct san *k);

/* sanitize.c: numbers of records are used up. */
void san_restart(struct san *k);

#endif
