/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the executor: the structures of one device and one launch, shared by the files of exec/.
 *
 * Life of a launch: launch.c validates, decode.c turns the code into dops and the constant pool, launch.c runs CTAs in
 * launch order through cta.c, which runs warps in id order through warp.c, whose inner loop calls an ALU handler, a core
 * handler (memory, collectives, system calls) or does control itself (split.c). A handler that fails has filled in the
 * error and returns false; everything above it returns. */
#ifndef EXEC_RUN_H
#define EXEC_RUN_H

#include "exec/exec.h"
#include "exec/memory/memory.h"
#include "exec/xop.h"

enum {
    MAX_BLOCK = 1024,
    MAX_WARPS = MAX_BLOCK / LANES,
    NBARRIERS = 16,   /* CTA barriers, PTX bar id 0..15 */
    TRASH_ROWS = 4,   /* rows after the last register for results nobody wants */
    MAX_CLUSTER = 16, /* CTAs of a cluster, compute capability 9.0 */
};

/* When control moves on. */
enum {
    WARP_QUANTUM = 100000,   /* instructions a warp runs before the next one of its CTA gets its turn */
    CTA_QUANTUM = 4 << 20,   /* the same for CTAs: unmarked loads in a waiting loop are found by this only */
    BACK_BRANCHES = 32,      /* taken backward branches of a split before the next split of the warp runs */
    SPIN_POLLS = 16,         /* fruitless polls that make a split give way */
    MAX_FRUITLESS = 4 << 20, /* polls without any change in the grid: nobody will ever release the spinners */
    MAX_RESIDENT = 4096,     /* started, unfinished CTAs of a launch that is not cooperative */
};
#define MAX_SHARED_B (227u * 1024u) /* per CTA, compute capability 9.0 */
#define NO_LANE UINT32_MAX
#define SHARED_OFFSET                                                                                        \
    ((1u << SHARED_RANK_BIT) - 1) /* of a shared address; the byte above it is a CTA of the cluster */

struct run;
struct cta;
struct warp;
struct dop;
struct san;
struct san_cta;

struct exec_dev {
    struct exec_cfg cfg;
    const struct xalu *alu;
    struct mem mem;
    void *tex_table;
    uint64_t launches;     /* %gridid */
    struct san *check;     /* NULL: launches are not checked */
    struct values *values; /* NULL: values are not looked at */
};

enum { EXEC_WORKSPACE_B = 256 }; /* grid barrier of cooperative_groups: the word at byte 4 */
enum { BANK3_MAX_B = 64 * 1024 };

struct exec_var {
    const char *name;
    uint64_t size_b;
    uint8_t space; /* enum ir_space */
    bool opaque;   /* a texture reference or the like */
};

struct exec_cubin; /* module_cubin.c */
struct exec_module {
    struct exec_dev *dev;
    const struct ptx_module *ptx; /* where it comes from: this, */
    struct exec_cubin *cubin;     /* or this; the other is NULL */
    uint32_t nvars;
    struct exec_var *vars;
    uint64_t *addr;  /* by variable: device address, offset in bank 3, or bound texture handle */
    uint64_t *alloc; /* by variable: the allocation that holds it, or 0 */
    unsigned char *bank3;
    uint32_t bank3_b;
};

void module_cubin_free(struct exec_module *m);
bool module_cubin_place(struct exec_module *m, uint32_t var, uint64_t addr);

/* Handles an instruction that needs more than registers but goes on to the next one. mask is never 0. */
typedef bool (*core_fn)(struct run *r, struct warp *w, struct dop *d, uint32_t mask);

enum ctl {
    CTL_NONE, /* a core handler does it */
    CTL_BRA,
    CTL_BRX,
    CTL_CALL,
    CTL_RET,
    CTL_EXIT,
    CTL_BSSY,
    CTL_BSYNC,
    CTL_BREAK,
    CTL_COLL,
    CTL_BAR,
    CTL_MBAR, /* waits for a phase of a barrier object */
    CTL_CLUSTER,
    CTL_SLEEP,
    CTL_TRAP,
    CTL_CONVERGE, /* converge.c: control of NVIDIA's code that is not as ours */
    CTL_END,      /* past the last instruction */
};

/* Decoded instruction with what the core needs. The last members are the one thing that changes while a launch runs. */
struct dop {
    struct xop x;
    core_fn core;
    core_fn inner;  /* what core, which prepares an address or completes a uniform result, calls in between */
    uint8_t ctl;    /* enum ctl */
    uint8_t op;     /* enum ir_op */
    uint8_t elem_b; /* memory: bytes of an element */
    uint8_t nelem;  /* elements */
    uint8_t access_b; /* bytes of the whole access */
    uint8_t sext;     /* narrow loads extend by sign */
    uint8_t poll;     /* the value may be waited for (spin detection) */
    uint8_t mask_src; /* collectives: 1 + position of the member mask; 0: none */
    uint8_t absolute; /* memory: no address register */
    int32_t off;
    uint32_t target;
    struct mem_hit hit; /* allocation this instruction touched last */
};

enum split_state { SPLIT_RUN, SPLIT_BSYNC, SPLIT_COLL, SPLIT_BAR, SPLIT_CLUSTER, SPLIT_MBAR };

/* Lanes of a warp that are at one pc. The masks of a warp's splits are disjoint and add up to its live lanes. */
struct split {
    uint32_t pc, mask;
    uint32_t key;  /* BSYNC: convergence barrier; COLL: member mask; BAR: barrier id */
    uint32_t over; /* MBAR: lanes that need not wait (any more) */
    uint8_t state;
    bool kept;       /* of NVIDIA's code: set aside, and not the last one (converge.c) */
    uint8_t expired; /* MBAR: the wait's time is up */
};

struct poll {
    uint32_t pc, mask;
    uint64_t hash; /* of the values seen */
};

enum warp_state { WARP_READY, WARP_SPINS, WARP_WAITS, WARP_DONE };

struct warp {
    struct xwarp x;
    struct cta *cta;
    uint32_t id;
    uint32_t live;          /* lanes that exist and have not exited */
    uint32_t *joined;       /* by convergence barrier: lanes that BSYNC waits for */
    uint32_t *barriers;     /* NVIDIA's code: rows of its barrier registers (converge.c); else NULL */
    unsigned char *local;   /* words interleaved: word i of lane l is at (i * LANES + l) * 4 */
    uint32_t local_low;     /* lowest local address written since it was cleared, a multiple of 4 */
    const uint32_t *tid[3]; /* rows */
    uint32_t nsplit, cur;
    struct split split[LANES + 1]; /* one spare: a split that empties is removed after its lanes have moved */
    uint32_t pc;                   /* of the instruction that a core handler executes */
    uint32_t back;                 /* taken backward branches since the last switch of splits */
    uint8_t state;                 /* enum warp_state */
    uint8_t stop;                  /* set by a handler: leave the inner loop after this instruction */
    uint32_t spins;                /* polls without a change or a store in between */
    uint32_t polled;               /* lanes of splits that did so in this turn */
    uint32_t poll_next;
    struct poll polls[8];
    uint64_t left;  /* instructions until the quantum ends */
    uint64_t clock; /* %clock = clock - left */
};

struct bar {
    uint32_t arrived[MAX_WARPS]; /* lanes */
    uint32_t again;              /* arrivals of lanes that had arrived already */
    uint32_t expected;           /* threads, or 0: all of the CTA */
    uint32_t ones;               /* reductions: lanes with a true predicate */
    uint32_t voters;             /* reductions: lanes */
    bool used;
};

/* CTAs that start together and reach each other's shared memory; a CTA by itself is a cluster of one. */
struct cluster {
    struct cluster *next; /* in the list of unused ones */
    uint32_t n, ndone;
    struct cta *ctas[MAX_CLUSTER]; /* by rank */
};

struct cta {
    struct cluster *cluster;
    uint32_t rank; /* in its cluster */
    bool done;
    uint64_t index;
    uint32_t idx[3];
    struct warp *warps;
    unsigned char *shared;
    struct bar bars[NBARRIERS];
    uint32_t arrived[MAX_WARPS]; /* lanes that have arrived at the cluster's barrier */
    uint32_t passed[MAX_WARPS];  /* lanes whose phase of it is over and that have not waited yet */
    void *block;                 /* registers, local and shared memory in one piece */
    struct san_cta *place;       /* of a launch that is checked */
};

/* One launch. */
struct run {
    struct exec_dev *dev;
    const struct exec_launch *l;
    const struct code *code;
    const struct exec_obs *obs;
    struct san *check; /* NULL: not checked (exec/sanitize/) */
    struct exec_counts counts;
    struct exec_error *err;
    struct dop *ops;                 /* code->n + 1 */
    unsigned char *pool;             /* constant rows */
    unsigned char *bank[CODE_BANKS]; /* LDC */
    uint32_t bank_b[CODE_BANKS];
    uint32_t nwarps, nthreads, shared_b, dyn_off, local_b;
    uint32_t *tid; /* rows x, y, z for each warp */
    uint64_t ncta;
    uint32_t cluster[3]; /* CTAs of a cluster */
    bool cluster_given;
    bool ranked;        /* clusters of NVIDIA's code: shared addresses name their CTA always (shared_name) */
    uint64_t workspace; /* cooperative launches: device address of the grid barrier */
    uint64_t fruitless; /* polls since anything changed */
    uint64_t progress;  /* counts changes; only its changing matters */
    uint64_t gave_up;   /* 1 + progress when waits for barrier objects ended without success */
    uint64_t now;       /* %globaltimer = now - left of the running warp: instructions of the whole launch */
    /* For the observer: what the last memory instruction touched. */
    enum ir_space space;
    uint8_t naddr; /* sets: 0, 1 or 2 */
    bool seen;     /* the observer knows the instruction already */
    /* What the observer is told. Members that are the same for many instructions are kept from one to the next. */
    struct exec_step step;
    uint64_t addr[LANES], addr2[LANES];
};

/* prep.c: what is done around handlers for code of NVIDIA's. */
bool prep_wrap(struct dop *d, const struct ir_insn *i, uint32_t tmp_off);
bool core_r2ur(struct run *r, struct warp *w, struct dop *d, uint32_t mask);
bool core_voteu(struct run *r, struct warp *w, struct dop *d, uint32_t mask);
bool core_bmov(struct run *r, struct warp *w, struct dop *d, uint32_t mask);
bool core_lepc(struct run *r, struct warp *w, struct dop *d, uint32_t mask);

/* converge.c: convergence barriers that are registers of each lane. */
bool converge_step(struct run *r, struct warp *w, struct dop *d, uint32_t mask, uint32_t *ran);
bool converge_check(struct warp *w); /* after lanes have exited; whether others go on for it */
void converge_keep(struct warp *w);  /* before one more is set aside */
bool converge_next(struct warp *w);
void converge_let_go(struct warp *w, uint32_t b, uint32_t lanes);
bool core_bssy(struct run *r, struct warp *w, struct dop *d, uint32_t mask);

/* decode.c, pool.c */
bool run_decode(struct run *r);
void run_decode_free(struct run *r);
struct pool;
struct pool *pool_new(struct run *r);
uint32_t pool_row(struct pool *p, const struct ir_opnd *o); /* byte offset of the operand's first row */
const char *pool_error(const struct pool *p);
unsigned char *pool_finish(struct pool *p); /* frees p */

/* Memory changed, or a waited-for value did: the warp is not spinning, and the grid is alive. */
static inline void run_progress(struct run *r, struct warp *w)
{
    w->spins = w->polled = 0;
    r->fruitless = 0;
    r->progress++;
}

/* cta.c */
enum cta_result { CTA_DONE, CTA_WAITS, CTA_ERROR };
/* Its warps in that state */
uint32_t cta_count(const struct run *r, const struct cta *c, enum warp_state state);
/* Lanes that are only held back to reconverge are let go: they may be what the others wait for. False: there were none. */
bool cta_let_go(struct run *r, struct cta *c);
size_t cta_bytes(const struct run *r);
struct cta *cta_new(struct run *r); /* NULL: out of memory */
void cta_free(struct cta *c);
void cta_start(struct run *r, struct cta *c, uint64_t index);
enum cta_result cta_run(struct run *r, struct cta *c);

/* warp.c: runs until the warp waits, spins, is done or has used its quantum. False: error. */
bool warp_run(struct run *r, struct warp *w);
void warp_poll(struct run *r, struct warp *w, uint32_t mask, uint64_t hash);
/* Tells the observer the instruction at w->pc for these lanes, with the parameters in r->addr; the inner loop then does not. */
void warp_observe_params(struct run *r, struct warp *w, uint32_t mask);

/* Lanes of mask at the same target as its first lane go there; the rest of mask stays at pc, the rest of the split goes on
 * behind it. targets[] is set for the lanes in mask. *ran: the lanes that go. */
void warp_jump(struct warp *w, uint32_t mask, const uint32_t *targets, uint32_t *ran);

/* split.c. These work on w->split; the inner loop has written the current split back. */
void split_add(struct warp *w, uint32_t pc, uint32_t mask, enum split_state state, uint32_t key);
void split_remove(struct warp *w, uint32_t i);
/* Splits that wait for the same at the same pc become part of split i */
void split_merge(struct warp *w, uint32_t i);
bool split_next(struct warp *w);   /* makes the next runnable split current; false: there is none */
void split_rotate(struct warp *w); /* the next runnable one after the current one */
/* Lanes `stay` keep the current split, the others of it go on at pc `other`. */
void split_off(struct warp *w, uint32_t stay, uint32_t other);
void split_bsync(struct warp *w, uint32_t b, uint32_t lanes);
void split_leave(struct warp *w, uint32_t b, uint32_t lanes); /* the barrier, not the warp */
void split_exit(struct warp *w, uint32_t lanes);
/* Lets go every lane that waits at a BSYNC; tells whether there was one. */
bool split_break_bsync(struct warp *w);

/* collect.c. coll_step: the current split is at a collective and `mask` are the lanes that execute it.
 * Sets *ran to the lanes it was executed for (0: all wait). */
bool coll_step(struct run *r, struct warp *w, struct dop *d, uint32_t mask, uint32_t *ran);
void coll_wake(struct run *r, struct warp *w); /* after lanes have exited */
bool core_shfl(struct run *r, struct warp *w, struct dop *d, uint32_t mask);
bool core_vote(struct run *r, struct warp *w, struct dop *d, uint32_t mask);
bool core_match(struct run *r, struct warp *w, struct dop *d, uint32_t mask);
bool core_redux(struct run *r, struct warp *w, struct dop *d, uint32_t mask);
bool core_elect(struct run *r, struct warp *w, struct dop *d, uint32_t mask);

/* clusters.c: a cluster's life, as a CTA's. */
struct cluster *cluster_new(struct run *r); /* NULL: out of memory */
void cluster_free(struct cluster *k);
void cluster_start(struct run *r, struct cluster *k, uint64_t index);
/* Can another CTA of the cluster go on without this one? */
bool cluster_runs(const struct run *r, const struct cta *c);
bool cluster_spins(const struct run *r, const struct cta *c); /* a warp of any of its CTAs */
bool cluster_let_go(struct run *r, const struct cta *c);

/* cluster.c. The current split is at a CGABAR and `mask` execute it. */
bool cluster_step(struct run *r, struct warp *w, struct dop *d, uint32_t mask, uint32_t *ran);
void cluster_exited(struct run *r, struct cluster *k);
bool core_stas(struct run *r, struct warp *w, struct dop *d, uint32_t mask);

/* shared.c. The n bytes at a shared address, which may be one of another CTA of the cluster: its top byte is 1 + that CTA's
 * rank, 0 for the executing CTA; offsets have 24 bits. NULL: outside of the CTA, or of the cluster. *cta, unless NULL: whose
 * they are. */
unsigned char *shared_host(const struct run *r, const struct warp *w, uint32_t addr, uint32_t n,
                           struct cta **cta);
/* The same where only the executing CTA's memory will do. */
unsigned char *shared_own(const struct run *r, const struct warp *w, uint32_t addr, uint32_t n);
/* A shared address as above. NVIDIA's code has the rank itself in the top byte, its own one too. */
static inline uint32_t shared_name(const struct run *r, const struct warp *w, uint32_t addr)
{
    if (!r->ranked || addr >> SHARED_RANK_BIT > SHARED_RANK_MAX)
        return addr;
    return addr >> SHARED_RANK_BIT == w->cta->rank ? addr & SHARED_OFFSET : addr + (1u << SHARED_RANK_BIT);
}

/* bar.c */
/* Sets *ran to the lanes that arrive. */
bool bar_step(struct run *r, struct warp *w, struct dop *d, uint32_t mask, uint32_t *ran);
void bar_exited(struct run *r, struct cta *c);

/* mbarwait.c. mbar_step: the current split is at a wait and `mask` execute it; *ran: all of them, or none if they wait on. */
bool mbar_step(struct run *r, struct warp *w, struct dop *d, uint32_t mask, uint32_t *ran);
/* A phase of the object at offset `at` of the CTA's shared memory is over: whoever waits for it goes on. */
void mbar_phase_over(struct run *r, struct cta *c, uint32_t at);
/* Lanes whose phase is over no longer wait for the other lanes of their split; tells whether there were any. */
bool mbar_part(struct warp *w);
/* Nothing else gets on: the time limit of all waits of the cluster is over. False: none waits, or the last time changed
 * nothing. */
bool mbar_give_up(struct run *r, struct cluster *k);
/* mbar.c: the object at offset `at` of the CTA has received bytes. NULL, or what is wrong. */
const char *mbar_received(struct run *r, struct cta *c, uint32_t at, uint32_t bytes);

/* A barrier object, unpacked. */
struct mbar {
    uint32_t pending, count; /* arrivals */
    int32_t tx;              /* bytes expected and not yet there; below 0: they came first */
    bool valid, phase;
};
struct mbar mbar_get(const unsigned char *at);
/* Tells the observer the addresses, and what each lane brings or waits for: a count, bytes, a parity. */
enum { MBAR_GAVE_UP = 2 }; /* instead of a parity: the wait ended without success */
void mbar_note(struct run *r, const struct warp *w, const struct dop *d);

/* Core handlers by file. */
core_fn ldst_handler(const struct ir_insn *i); /* ldst.c: LDG LD LDS LDL LDC STG ST STS STL */
core_fn atom_handler(const struct ir_insn *i); /* atom.c; NULL: no such operation on that type */
/* atom.c: what is in memory and operand give what will be, as bits; NULL: there is no such operation. b: the new value of CAS. */
typedef uint64_t (*atom_fn)(uint64_t old, uint64_t a, uint64_t b);
atom_fn atom_op(enum ir_aop op, enum ir_type t, bool shared);
/* atom_float.c: add, min or max of memory and operand, as bits; NULL: there is none. */
uint64_t (*atom_float_op(enum ir_aop op, enum ir_type t, bool shared))(uint64_t, uint64_t, uint64_t);
bool core_ldgsts(struct run *r, struct warp *w, struct dop *d, uint32_t mask); /* matrix.c */
bool core_movm(struct run *r, struct warp *w, struct dop *d, uint32_t mask);
bool core_ldsm(struct run *r, struct warp *w, struct dop *d, uint32_t mask);
bool core_stsm(struct run *r, struct warp *w, struct dop *d, uint32_t mask);
bool core_hgmma(struct run *r, struct warp *w, struct dop *d, uint32_t mask); /* gmma.c */
bool core_warpgroup(struct run *r, struct warp *w, struct dop *d, uint32_t mask);
bool core_mbar(struct run *r, struct warp *w, struct dop *d, uint32_t mask); /* mbar.c */
bool core_bulk(struct run *r, struct warp *w, struct dop *d, uint32_t mask); /* bulk.c */
bool core_s2r(struct run *r, struct warp *w, struct dop *d, uint32_t mask);
/* CS2R of machine code: both words of a clock at once. */
bool core_s2r_wide(struct run *r, struct warp *w, struct dop *d, uint32_t mask);
bool core_tex(struct run *r, struct warp *w, struct dop *d, uint32_t mask);
bool core_syscall(struct run *r, struct warp *w, struct dop *d, uint32_t mask);
bool core_nop(struct run *r, struct warp *w, struct dop *d, uint32_t mask);

/* printf.c: formats for one lane. False: error. */
bool sys_printf(struct run *r, struct warp *w, uint32_t lane, uint64_t fmt, uint64_t args, uint32_t *result);

/* error.c: fill in r->err and return false. */
bool fail(struct run *r, const struct warp *w, enum exec_status s, uint32_t lane, uint64_t addr,
          const char *fmt, ...) __attribute__((format(printf, 6, 7)));
bool fail_launch(struct run *r, enum exec_status s, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* what: "load", "store", "atomic"; why the access of access_b bytes at addr of that space is wrong. */
bool fail_access(struct run *r, const struct warp *w, uint32_t lane, enum ir_space space, const char *what,
                 uint32_t access_b, uint64_t addr);
/* spinning: nothing changes in the whole grid. */
bool fail_deadlock(struct run *r, struct cta *c, bool spinning);
const char *space_name(enum ir_space s);

static inline uint32_t lanes_n(uint32_t mask) { return (uint32_t)__builtin_popcount(mask); }
static inline uint32_t lane_first(uint32_t mask) { return (uint32_t)__builtin_ctz(mask); }

/* At a branch, do those that take it go first? */
static inline bool split_taken_first(const struct warp *w, uint32_t taken, uint32_t rest)
{
    return w->barriers ? lanes_n(taken) < lanes_n(rest) : lanes_n(taken) > lanes_n(rest);
}

#define lanes_each(mask, l)                                                                                  \
    for (uint32_t m_##l = (mask), l = m_##l ? lane_first(m_##l) : 0; m_##l;                                  \
         m_##l &= m_##l - 1, l = m_##l ? lane_first(m_##l) : 0)

static inline uint64_t row_u64(const uint32_t *row, uint32_t lane)
{
    return row[lane] | (uint64_t)row[LANES + lane] << 32;
}

/* Tells the observer addresses without a list of them (exec_step). */
static inline void note_even(struct run *r, uint64_t base, uint64_t stride, enum ir_space space)
{
    r->space = space;
    r->naddr = 1;
    r->step.even = true;
    r->step.base = base;
    r->step.stride = stride;
}

/* Tells the observer the addresses row + off. Lanes that are not active get something too: that is quicker. */
static inline void note64(struct run *r, const uint32_t *row, int32_t off, enum ir_space space)
{
    r->space = space;
    r->naddr = 1;
    r->step.even = false;
    for (uint32_t l = 0; l < LANES; l++)
        r->addr[l] = row_u64(row, l) + (uint64_t)(int64_t)off;
}

static inline void note32(struct run *r, const uint32_t *row, uint32_t bias, enum ir_space space)
{
    r->space = space;
    r->naddr = 1;
    r->step.even = false;
    for (uint32_t l = 0; l < LANES; l++)
        r->addr[l] = (uint32_t)(row[l] + bias);
}

static inline void note_shared(struct run *r, const struct warp *w, const uint32_t *row, uint32_t off)
{
    note32(r, row, off, SPACE_SHARED);
    for (uint32_t l = 0; r->ranked && l < LANES; l++)
        r->addr[l] = shared_name(r, w, (uint32_t)r->addr[l]);
}

#endif
