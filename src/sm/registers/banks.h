/* SPDX-License-Identifier: Apache-2.0 */
/* The register banks of a partition: the one owner of their time. In each cycle write-back comes first and takes banks for its
 * writes, unless they have a write port of their own. Then the collectors read from those that are left, up to `reads` registers
 * from each. What even they leave alone (banks_idle) a policy of the operands may use. Whoever reads says so (banks_read), and
 * whoever has a register to be written queues it here. */
#ifndef SM_BANKS_H
#define SM_BANKS_H

#include "base/hint.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct part;
struct sm_cfg;

/* A bank's pending writes: the oldest, then those that wait behind it. */
struct bank_writes {
    uint64_t first;
    VEC(uint64_t) q;
    uint32_t head;
};

struct bank_count {
    uint64_t reads, writes, conflicts;
};

struct banks {
    uint64_t pending;   /* banks with pending writes, by bit */
    uint64_t written;   /* banks that a write of this cycle has taken before its tick */
    uint64_t write_now; /* banks that writes have taken in this cycle */
    struct bank_writes *writes;
    struct bank_count *count;
    uint32_t group; /* that the registers of one warp lie in: all, or those of an isolated scheduler */
    uint32_t n;
    uint64_t got[8];      /* reads that `count` has yet to get, a byte for each bank (stages/need.h) */
    uint64_t got_late[8]; /* ... of these: had waited */
    uint8_t end[64];      /* by bank: the one behind its group */
    uint32_t reads;       /* registers that a bank can read in a cycle */
    bool write_port;      /* a write does not stop its bank's reads */
    bool write_queue;     /* a bank takes one write a cycle */
    uint64_t kept;        /* of `pending`: perhaps with some that a policy had kept */
    uint64_t wrote_now;   /* as write_now, or they were used through a port of their own */
    uint64_t read_now;    /* banks that were read in this cycle */
};

/* Are conflicts counted within an instruction alone? */
bool banks_by_insn(const struct sm_cfg *cfg);
/* Registers that a bank can read in a cycle: any number, where conflicts are counted within instructions alone. */
uint32_t banks_reads(const struct sm_cfg *cfg);
/* Banks that the registers of one warp lie in. */
uint32_t banks_group(const struct sm_cfg *cfg);
/* The bank of R0 in a warp slot. */
uint32_t banks_first(const struct sm_cfg *cfg, uint32_t slot);
void banks_init(struct banks *b, const struct sm_cfg *cfg, struct arena *a);
void banks_free(struct banks *b);

/* Write-back of a register of a warp (with its version, for --check) that a policy had kept. A register comes to its bank after
 * what was queued for it before, and before what is read from then on. */
void banks_queue_register(struct part *p, uint32_t warp, uint8_t reg, uint32_t version);
/* Does anything wait that a policy had kept of this warp? */
bool banks_expect(const struct part *p, uint32_t warp);
/* ... of this register of it? Then whoever reads the register waits; only where writes have a port of their own can a read come
 * before them at all. */
ASIDE bool banks_keeps(const struct part *p, uint32_t bank, uint32_t warp, uint8_t reg);
/* One of these reaches its bank. */
ASIDE void banks_write_register(struct part *p, uint64_t what);

/* A pending write is flight << 4 | destination; or BANKS_KEPT, the warp's number (its age), slot, register, version. */
#define BANKS_KEPT (1ull << 63)

static inline void banks_queue(struct banks *b, uint32_t bank, uint64_t what)
{
    if (RARE(b->pending >> bank & 1))
        vec_push(&b->writes[bank].q, what);
    else
        b->writes[bank].first = what;
    b->pending |= 1ull << bank;
}
/* A bank takes its oldest write. */
static inline uint64_t banks_take(struct banks *b, uint32_t bank)
{
    struct bank_writes *w = &b->writes[bank];
    uint64_t what = w->first;
    if (!RARE(w->q.n)) {
        b->pending &= ~(1ull << bank);
        b->kept &= ~(1ull << bank);
    } else {
        w->first = w->q.at[w->head++];
        if (w->head == w->q.n)
            w->head = w->q.n = 0;
    }
    b->count[bank].writes++;
    return what;
}

/* Banks that may be read in this cycle, and those that nobody has used in it. */
static inline uint64_t banks_open(const struct banks *b) { return ~b->write_now; }
static inline uint64_t banks_idle(const struct banks *b) { return ~(b->write_now | b->read_now); }
static inline bool banks_idle_any(const struct banks *b) { return banks_idle(b) & ~0ull >> (64 - b->n); }

/* What was counted in bytes comes to `count`. */
ASIDE void banks_count(struct banks *b);
/* A register was read from a bank, `waited` cycles after it could have been. */
void banks_read(struct part *p, uint32_t bank, uint64_t waited);
/* One that is to be read will have waited; `banks_read` is told of no waiting then. */
void banks_waited(struct part *p, uint32_t bank, uint64_t waited);

#endif
