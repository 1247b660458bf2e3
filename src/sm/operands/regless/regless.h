/* SPDX-License-Identifier: Apache-2.0 */
/* RegLess (thesis, chapter 4): instead of register banks each partition has an operand staging unit that holds registers of a
 * few warps, and cold registers live in L1. The code is divided into regions (annotate/regions.h); a warp issues only inside a
 * region whose registers are staged.
 *
 *   cm.c     capacity manager: which warp gets the registers of its next region
 *   osu.c    staging unit: lines, what they hold, lookups of preloads, lines that leave
 *   comp.c   compressor: registers whose lanes hold a pattern, 15 to a line
 *   below.c  the way to L1
 *   regless.c  the seam
 *
 * The banks of the staging unit are the partition's banks (sm/registers/banks.h), and the collectors read operands from them
 * as ever. Under --check what the banks are said to hold (check.banks) is what the lines do, and CHECK_GONE where no line has
 * the register. */
#ifndef SM_OPERANDS_REGLESS_H
#define SM_OPERANDS_REGLESS_H

#include "annotate/regions.h"
#include "sm/core.h"
#include "sm/operands/lanes.h"

#define REGLESS_OPTIONS(T, OPT, NAME)                                                                        \
    OPT(T, regs, U32, 512, 8, 8192, "registers that the staging units of an SM hold together")               \
    OPT(T, region, U32, 32, 1, 256, "registers that a region may occupy at a time")                          \
    OPT(T, comp, BOOL, 1, 0, 1, "registers that hold a pattern are compressed before they go to L1")         \
    OPT(T, comp_lines, U32, 12, 1, 64, "lines of compressed registers that a compressor holds", "comp=true") \
    OPT(T, out, U32, 8, 1, 64, "registers that may be on their way out of a staging unit")                   \
    OPT(T, meta, BOOL, 1, 0, 1, "metadata stand in the code and are fetched")
CONF_STRUCT(regless_cfg, REGLESS_OPTIONS);

#define REGLESS_STATS(STAT)                                                                                  \
    STAT(RL, preloads, "access", "registers that regions have asked for before they began")                  \
    STAT(RL, from_osu, "access", "of these: were in the staging unit, or on their way out of it")            \
    STAT(RL, from_comp, "access", "of these: in a line that the compressor holds")                           \
    STAT(RL, from_l1, "access", "of these: in L1, perhaps compressed")                                       \
    STAT(RL, from_below, "access", "of these: in L2 or DRAM")                                                \
    STAT(RL, from_absent, "access", "of these: nowhere, since they were never written or were given up")     \
    STAT(RL, l1_reads, "line", "lines read from L1 for registers")                                           \
    STAT(RL, l1_writes, "line", "lines of registers written to L1")                                          \
    STAT(RL, l1_drops, "line", "lines of registers given up there")                                          \
    STAT(RL, evicted_clean, "access",                                                                        \
         "lines of the staging unit given to another register, L1 had the old one")                          \
    STAT(RL, evicted_dirty, "access", "... and the old one had to be brought there")                         \
    STAT(RL, compressed, "access", "of these: as a pattern")                                                 \
    STAT(RL, erased, "access", "registers given up in the staging unit")                                     \
    STAT(RL, regions, "region", "regions entered")                                                           \
    STAT(RL, region_cycles, "cycle", "from their first possible issue to their last")                        \
    STAT(RL, region_insts, "instruction", "instructions issued in them")                                     \
    STAT(RL, demand, "access", "registers brought for a write that found other lanes' values missing")       \
    STAT(RL, kept, "access", "registers that the code gave up and another lane wanted after all")            \
    STAT(RL, meta_insts, "word", "words of metadata fetched")
enum { REGLESS_STATS(STAT_ID) };

/* Of a register's name: where its value is when no line has it. */
enum { RL_ABSENT, RL_PLAIN, RL_PACKED /* + class, TV_CONST and on */ };

enum rl_list { RL_FREE, RL_CLEAN, RL_DIRTY, RL_LISTS, RL_PINNED = RL_LISTS };
#define RL_NONE UINT16_MAX

struct rl_line {
    uint8_t warp, reg;
    uint8_t list; /* enum rl_list */
    uint8_t cls;  /* enum tr_value, of what was written last */
    bool dirty;   /* L1 has another value, or none */
    bool coming;
    bool single; /* no copy is to be left behind where it comes from */
    uint16_t prev, next;
};

/* A preload or an invalidation that waits for its bank. */
struct rl_lookup {
    uint8_t warp, reg;
    bool gives_up; /* only */
    bool single;   /* it is the last preload of the value */
    uint32_t since;
};

struct rl_bank {
    struct rl_line *lines;
    uint16_t first[RL_LISTS], last[RL_LISTS];
    uint32_t n[RL_LISTS + 1]; /* lines, by list; the last are pinned */
    uint32_t reserved;
    VEC(struct rl_lookup) q;
    uint32_t head;
};

/* A register on its way out: it keeps its entry until it is elsewhere. */
struct rl_out {
    bool used, queued; /* queued: for L1, as it is */
    uint8_t warp, reg, cls;
};

/* --check: what a register in L1 is. */
struct rl_value {
    uint32_t version, lanes;
};

enum rl_state {
    RL_OUTSIDE,  /* between regions: its next instruction is not known yet, or needs no registers */
    RL_INACTIVE, /* in the stack */
    RL_PRELOADING,
    RL_ACTIVE,
    RL_DRAINING, /* the region has issued its last instruction */
};

struct regless_note;

struct rl_warp {
    const struct regless_note *note; /* of its kernel */
    uint8_t state;                   /* enum rl_state */
    bool here;                       /* the slot has a warp */
    bool fresh;                      /* has not been active yet */
    uint32_t era;        /* counts those who have had the slot: what was asked for before is nobody's */
    uint32_t region, at; /* active: its region, and the instruction that it issued last */
    uint32_t left;       /* preloads and invalidations that are not answered */
    uint64_t ready_at;   /* preloading, all answered: first cycle it may issue in */
    uint64_t since;      /* of its state */
    uint64_t under_way;  /* draining: what it waited for when it was looked at last (poll_one) */
    uint32_t npinned;
    uint16_t pinned[REGION_BANKS], reserved[REGION_BANKS];
    /* Were accessed last by what took no collector, while another access was on its way; for good */
    regset late, late_dead;
    regset deferred; /* given up by the code, and wanted by lanes that were elsewhere then */
    struct lanes lanes;
    /* Classes of results, four bits each, by entry of its buffer; of the last issued */
    uint64_t values[IBUF_MAX], now;
};

/* A line that is being brought from L1: a register, or one with compressed ones. */
struct rl_read {
    bool used, packed;
    bool hit;
    uint8_t warp, reg;
    bool single;
    uint32_t owner; /* era of its warp */
    uint32_t id;    /* packed: the compressor's line */
    uint32_t next;  /* free list */
};

enum rl_due_kind { RL_DUE_REGISTER, RL_DUE_READ };
struct rl_due {
    uint64_t t;
    uint8_t kind;
    uint8_t warp, reg;
    bool single;
    uint32_t owner;
    uint32_t read;
};

/* Requests that are no reads, in their order. */
enum rl_write_kind { RL_WRITE_OUT, RL_WRITE_PACKED, RL_WRITE_DROP, RL_WRITE_NOT };
struct rl_write {
    uint8_t kind;
    uint32_t what; /* entry of `out`, or the compressor's line */
    uint64_t line; /* address, of a drop */
};

/* A line of compressed registers. */
struct rl_packed {
    uint32_t id; /* 1 + number; 0: empty */
    bool dirty, coming;
    uint64_t used; /* when, by a count */
};

/* A preload that waits for its turn in the compressor, or for its line. */
struct rl_query {
    uint8_t warp, reg;
    bool single;
    uint32_t owner, since;
    uint32_t id; /* waiting for a line: its number */
};

struct regless {
    struct part *p;
    const struct regless_cfg *cfg;
    uint64_t *count;
    uint32_t nlines; /* of a bank */
    struct rl_warp *warps;
    struct rl_bank *banks;
    uint16_t (*where)[256];        /* by slot and register: 1 + line of its bank */
    uint8_t (*stored)[256];        /* RL_* */
    struct rl_value (*saved)[256]; /* --check; NULL: off */
    uint64_t lookups;              /* banks with lookups */
    uint64_t tight;                /* banks that may lack a line for a result, without one that leaves */
    /* Warps whose next instruction needs at most one line, which is reserved; until something of theirs changes */
    uint64_t modest;
    struct rl_out *out;
    uint32_t nout;     /* entries in use */
    uint32_t next_out; /* the compressor looks at this one first */
    /* capacity manager */
    uint8_t stack[64];
    uint32_t nstack;
    bool look;  /* something has changed for the stack's top */
    bool again; /* a region has ended, or an instruction has come, after the warps were looked after */
    /* Warps that it looks after every cycle: outside, draining, or active without a next instruction */
    uint64_t poll;
    uint64_t starting; /* preloading, with all answered */
    bool changed;      /* --check: since the lists were last counted */
    /* compressor */
    struct rl_packed *packed;
    uint64_t uses;
    uint8_t *population;          /* by number of a compressed line: registers in it */
    VEC(struct rl_query) queries; /* in their order */
    VEC(struct rl_query) waiting; /* for lines on their way */
    /* below */
    uint32_t client;
    VEC(struct rl_read) reads;
    uint32_t free_read;
    VEC(uint32_t) read_q;
    VEC(struct rl_write) write_q;
    uint32_t read_head, write_head;
    VEC(struct rl_due) due;
    uint64_t due_next;    /* when the first of them is; NEVER: there is none */
    VEC(uint32_t) values; /* by flight: low and high half of its classes */
};

/* A kernel's note. */
struct regless_note {
    struct regions *r;
    regset *dead; /* by region: given up in it */
    uint32_t *words;
    struct rl_insn *insns; /* by instruction */
};

struct rl_insn {
    uint8_t word[MAX_OPERANDS]; /* by register written: which of the trace's classes is its */
    /* By bit, of what it reads and does not write, and of what it writes: the region's last access to the register */
    uint16_t last_read, last_write;
    uint32_t opens; /* words of metadata before it */
};

extern const struct operands_ops operands_regless;

static inline const struct regless_note *rl_note(const struct regless *s, uint32_t warp)
{
    return s->warps[warp].note;
}
static inline uint32_t rl_bank_of(const struct regless *s, uint32_t warp, uint32_t reg)
{
    return bank_of(s->p, reg % s->p->banks.group, s->p->warps[warp].bank0);
}
void rl_fail(struct regless *s, uint32_t warp, uint32_t reg, const char *what);

/* May a lane that is not one of these want the register? */
static inline bool rl_wanted(const struct regless *s, uint32_t warp, uint32_t reg, uint32_t mask)
{
    return lanes_want(&s->warps[warp].lanes, s->p->warps[warp].live & ~mask, rl_note(s, warp)->r->live, reg);
}
/* ---- osu.c ---- */
void osu_init(struct regless *s);
void osu_free(struct regless *s);
/* The code gives up a register that is in no region: it goes, unless a lane wants it. Those that one wanted are looked at
 * again. */
void osu_give_up(struct regless *s, uint32_t warp, uint32_t reg, uint32_t mask);
void osu_give_up_deferred(struct regless *s, uint32_t warp);
/* Can the warp's next instruction have lines for its results now? If not because too many would have to leave at a time, *full
 * is a bank of which one should. */
bool osu_room(struct regless *s, uint32_t warp, const struct inext *e, uint32_t *full);
/* Warps that are known to have room for the results of their next instruction; others may have, too. */
uint64_t osu_have_room(const struct regless *s);
bool osu_make_room(struct regless *s, uint32_t bank);
void osu_claim(struct regless *s, uint32_t warp, uint8_t reg); /* for a result: there is room */
struct rl_line *osu_line(const struct regless *s, uint32_t warp, uint32_t reg); /* NULL: none */
/* Its last access in the region is over; dead: for good. */
void osu_release(struct regless *s, uint32_t warp, uint8_t reg, bool dead);
void osu_release_all(struct regless *s, uint32_t warp); /* what the region still holds */
/* No lane wants the register: wherever it is, it is not any more. */
void osu_discard(struct regless *s, uint32_t warp, uint8_t reg);
bool osu_is_leaving(const struct regless *s, uint32_t warp, uint8_t reg); /* it is on its way out */
/* Its warp leaves: the register is nowhere. */
void osu_vacate(struct regless *s, uint32_t warp, uint8_t reg);
void osu_lookup(struct regless *s, uint32_t warp, uint8_t reg, bool gives_up, bool single, uint64_t t);
void osu_serve(struct regless *s, uint64_t t);
/* A preload has its value. */
void osu_answer(struct regless *s, uint32_t warp, uint8_t reg, bool single, uint32_t owner, uint64_t t);
bool osu_bring(struct regless *s, uint32_t warp, uint8_t reg, bool single, uint64_t t); /* false: not now */
void osu_moved(struct regless *s, uint32_t entry, uint8_t stored); /* a register on its way out is there */
void osu_drop_stored(struct regless *s, uint32_t warp, uint8_t reg);
void osu_check(struct regless *s); /* --check */

/* ---- cm.c ---- */
void cm_begin(struct regless *s, uint32_t warp);
void cm_end(struct regless *s, uint32_t warp); /* or it is parked: nothing of it stays */
void cm_tick(struct regless *s, uint64_t t);
void cm_issued(struct regless *s, uint32_t warp, const struct inext *e, uint64_t t);
void cm_answered(struct regless *s, uint32_t warp, uint64_t t); /* one of its lookups */
void cm_wait_for(struct regless *s, uint32_t warp, uint64_t t); /* a register on demand */

/* ---- comp.c ---- */
void comp_init(struct regless *s);
void comp_free(struct regless *s);
void comp_ask(struct regless *s, uint32_t warp, uint8_t reg, bool single, uint64_t t);
void comp_tick(struct regless *s, uint64_t t);
bool comp_idle(const struct regless *s);
void comp_arrived(struct regless *s, uint32_t id, bool hit, uint64_t t);
/* A compressed register is not wanted any more */
void comp_forget(struct regless *s, uint32_t warp, uint8_t reg);
uint32_t comp_line_of(const struct regless *s, uint32_t warp, uint32_t reg);

/* ---- below.c ---- */
void below_attach(struct sm *s);
void below_free(struct regless *s);
void below_read(struct regless *s, uint32_t warp, uint8_t reg, bool single, uint32_t owner);
void below_read_packed(struct regless *s, uint32_t id);
void below_write_out(struct regless *s, uint32_t entry);
void below_write_packed(struct regless *s, uint32_t id);
/* Is such a write still to be made? Then it is not made. */
bool below_recall_packed(struct regless *s, uint32_t id);
void below_recall_out(struct regless *s, uint32_t entry);
void below_drop(struct regless *s, uint32_t warp, uint8_t reg);
void below_due(struct regless *s, const struct rl_due *d);
void below_tick(struct regless *s, uint64_t t); /* what was due */
bool below_crowded(const struct regless *s);    /* many writes wait */

#endif
