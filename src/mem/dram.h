/* SPDX-License-Identifier: Apache-2.0 */
/* One DRAM channel: banks with rows, a data bus, first-ready first-come-first-served; reads before writes, which are done in
 * batches, since turning the bus round costs time.
 *
 * Banks open and close rows independently; the bus carries one access after the other. Among the requests it holds, a bank
 * takes those to its open row first, then the oldest; the bus takes the bank that can deliver first, the oldest request
 * among equals. Times inside are in 1/256 of a core cycle, so that clock ratios do not drift. */
#ifndef MEM_DRAM_H
#define MEM_DRAM_H

#include "base/hint.h"
#include "mem/map.h"

#define DRAM_SCALE 256u

enum { DRAM_BANKS = 256 /* at most */, DRAM_FEW = 64 /* banks: sets of them are one word */ };

struct dram_req {
    uint64_t at;           /* scaled arrival */
    uint64_t row;          /* + 1 */
    struct dram_req *next; /* of the same bank, younger; or unused */
    uint64_t who;          /* the owner's name for it */
    uint8_t sectors, write;
};

/* Requests to a bank, oldest first; end: where the next one is put. */
struct dram_list {
    struct dram_req *head, **end;
};

struct dram_bank {
    uint64_t row;       /* open row + 1; 0: none */
    uint64_t cas_ready; /* scaled: its last command, when a read or write of the open row may go */
    uint64_t pre_ready; /* earliest precharge, after RAS and write recovery */
    /* Where reads and writes have turns, reads and writes; else all are in the first. */
    struct dram_list q[2];
    /* What it does next, as far as it is the bank's own affair: where its list has the request; NULL there: none. */
    struct dram_req **pick;
    uint8_t group; /* of banks */
};

/* What a bank would do next, and when its data could be on the bus. */
struct dram_offer {
    uint64_t start; /* of data */
    uint64_t act;   /* activation; 0: the row is open */
    uint32_t bank;
};

struct dram {
    const struct mem_cfg *cfg;
    struct mem_map map;
    uint64_t rcd, ras, rp, rrd, cl, wl, wr, cdlr, rtw, ccdl; /* scaled */
    uint64_t refi, rfc;             /* scaled: period and length of refreshes; 0: none */
    uint64_t sector_cyc, burst_cyc; /* scaled bus time of a sector and of a command's data */
    struct dram_bank *banks;
    uint64_t *refresh;        /* by bank, scaled: begin of its next refresh, if there are any */
    uint32_t nbanks, most[2]; /* most: reads and writes that it holds */
    bool turns, holds;        /* cfg's write_batches: reads and writes have turns; bank_holds */
    bool few;                 /* banks: at most DRAM_FEW */
    bool plain;               /* they have turns, and there are few banks and no groups of them */
    bool write;               /* banks have chosen among their writes, not among their reads */
    bool draining;            /* writes have their turn */
    uint32_t n[2];            /* reads, writes */
    /* Scaled: no access starts before this. If it is best.start, that is what comes next, unless a request comes before; 0: that
     * is yet to be found. */
    uint64_t bound;
    struct dram_offer best;
    uint64_t oldest;    /* scaled: no request arrived before this */
    uint64_t bus_free;  /* scaled */
    uint64_t act_ready; /* scaled: next activation, t_rrd after the last */
    /* Scaled: no data of a read, of a write before this, by the last access of the other kind */
    uint64_t data_ready[2];
    struct dram_req *free;            /* unused ones */
    uint64_t stale[DRAM_BANKS / 64];  /* banks that have yet to choose */
    uint64_t open[DRAM_BANKS / 64];   /* banks that have chosen a request to their open row */
    uint64_t closed[DRAM_BANKS / 64]; /* ... and to another row */
    uint32_t words;                   /* of them that have banks */
    /* Of the closed ones, those that were ready for the access that was looked for last, and are for all that come before the
     * next turn; the others by the time when they are: a ring through DRAM_BANKS, which stands for none. */
    uint64_t due[DRAM_BANKS / 64];
    uint16_t after[DRAM_BANKS + 1], before[DRAM_BANKS + 1];
    uint64_t ready[DRAM_BANKS + 1];   /* scaled, open or closed: when the access, or the activation, may be */
    uint64_t group_ready[DRAM_BANKS]; /* by bank group, scaled: next command */
    struct dram_req *q;               /* pool */
};

/* A finished access. */
struct dram_done {
    uint64_t at; /* core cycle its data is complete */
    uint64_t who;
    uint8_t sectors, write;
};

/* A bank in a set of them: the word that has it, the bit there. few: the channel has few of them. */
INTO uint32_t dram_word(uint32_t bank, bool few) { return few ? 0 : bank / 64; }
INTO uint64_t dram_bit(uint32_t bank) { return 1ull << bank % 64; }

static inline uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* `id`: of the channel: not all are refreshed at the same time. */
void dram_init(struct dram *d, const struct mem_cfg *cfg, double core_mhz, uint32_t id);
void dram_free(struct dram *d);
static inline bool dram_full(const struct dram *d, bool write) { return d->n[write] == d->most[write]; }
/* `local`: the line's byte address within the channel, gapless; `who` comes back when it is done. */
void dram_push(struct dram *d, uint64_t at, uint64_t local, uint64_t who, uint8_t sectors, bool write);
/* Finds out what comes next; starts that. */
void dram_look(struct dram *d); /* dram_look.c, and the following two */
/* Banks are to choose again. */
void dram_choose_anew(struct dram *d);
/* A request has come to this bank, of which the best offer may not know: is that still the best? */
void dram_compare(struct dram *d, uint32_t bank);
struct dram_done dram_start(struct dram *d, uint64_t *stats);
/* Starts the next access that can start before cycle `until` given what has arrived; false: none. */
static inline bool dram_next(struct dram *d, uint64_t until, struct dram_done *out, uint64_t *stats)
{
    if (!d->bound)
        dram_look(d);
    if (d->bound >= until * DRAM_SCALE)
        return false;
    *out = dram_start(d, stats);
    return true;
}
/* The cycle the next access would start; UINT64_MAX: empty. */
uint64_t dram_when(const struct dram *d);

#endif
