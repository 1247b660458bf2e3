/* SPDX-License-Identifier: Apache-2.0 */
/* One streaming multiprocessor: partitions with their schedulers, register banks, collectors and units; the load-store unit,
 * L1, shared memory and CTAs they have in common. It replays warps' recorded streams and decides when each instruction
 * issues, never what it does.
 *
 * The GPU hands it CTAs and windows of cycles; it hands back finished CTAs and memory requests. An SM touches nothing
 * outside itself while it runs, so SMs run in parallel. */
#ifndef SM_SM_H
#define SM_SM_H

#include "mem/mem.h"
#include "sm/control.h"
#include "sm/policy.h"
#include "trace/trace.h"

/* Names of the policies of each seam; NULL after the last. */
const char *wsched_name(uint32_t i);
const char *assign_name(uint32_t i);
const char *operands_name(uint32_t i);
const char *lsu_name(uint32_t i);
const char *l1_hash_name(uint32_t i);
const char *onchip_name(uint32_t i);
const char *conflict_name(uint32_t i);
const char *scope_name(uint32_t i);
const char *tenant_name(uint32_t i);

/* The values of the tables that policies declare (sm/policy.h). */
struct sm_own {
    const struct conf_table *table;
    void *values;
};

struct sm_cfg {
#define OPT(name, type, ...) CONF_MEMBER_OPT(name, type)
#define NAME(name, ...) CONF_MEMBER_NAME(name)
#include "sm/sm.def"
#undef OPT
#undef NAME
    const struct sm_own *own; /* table NULL after the last */
    /* A scheduler that is not of the registry, where wsched is its name; NULL: none */
    const struct wsched_ops *guest;
};
extern const struct conf_opt sm_opts[];
extern const uint32_t sm_nopts;

/* By opcode class: issue to issue of a user without conflicts, and cycles until the unit takes the next one. */
struct lat_cfg {
#define CLASS(name, unit, what) uint32_t name;
#include "trace/code/class.def"
#undef CLASS
};
extern const struct conf_opt lat_opts[], ii_opts[];
extern const uint32_t lat_nopts;

/* Which unit runs a class, by name, and how many of each unit a partition has. */
struct unit_cfg {
#define CLASS(name, unit, what) const char *name;
#include "trace/code/class.def"
#undef CLASS
};
/* clang-format off */
#define SM_UNITS(X)                                                                                          \
    X(FP32, "single precision") X(INT, "integer") X(SFU, "special functions") X(FP64, "double precision")    \
    X(HALF, "half precision") X(TENSOR, "tensor core") X(LSU, "way to the load-store unit")                  \
    X(TEX, "way to the texture unit") X(BRANCH, "branch") X(MISC, "everything else")
/* clang-format on */
struct count_cfg {
#define X(name, what) uint32_t name;
    SM_UNITS(X)
#undef X
};
extern const struct conf_opt unit_opts[], count_opts[];
extern const uint32_t count_nopts;

/* Everything about instructions. */
struct sm_timing {
    const struct lat_cfg *lat, *ii;
    const struct unit_cfg *unit;
    const struct count_cfg *count;
};

enum sm_stat {
#define STAT(name, unit, help) SS_##name,
#include "sm/sm_stats.def"
#undef STAT
    SS_COUNT,
    SM_STATS = SS_COUNT + 96 /* with those of all policies, behind these (sm/policy.h) */
};
extern const struct stat_table sm_stats;

enum sm_array {
#define ARRAY(name, unit, by_sm, help) SA_##name,
#include "sm/sm_arrays.def"
#undef ARRAY
    SA_COUNT
};
extern const struct stat_arrays sm_arrays;
uint32_t sm_array_n(const struct sm_cfg *c, enum sm_array a); /* length of a row */

/* A kernel prepared for a configuration; shared by all SMs, read-only. */
struct sm_kernel;
struct sm_kernel_id {
    uint32_t tenant, index; /* its program, and its number in that one's trace */
    uint32_t id;            /* its number among the kernels of all tenants */
    uint32_t first; /* number of its first instruction in its program: kernels stand one after another */
};
struct sm_kernel *sm_kernel_new(const struct tr_kernel *k, struct sm_kernel_id id, const struct sm_cfg *cfg,
                                const struct sm_timing *t);
void sm_kernel_free(struct sm_kernel *k);
uint32_t sm_kernel_number(const struct sm_kernel *k); /* its id */
/* NULL, or why the policies of this configuration cannot run it (in the arena). */
const char *sm_kernel_never(const struct sm_kernel *k, const struct sm_cfg *cfg, struct arena *a);
/* Policies that want to look at what warps will do, do so. False after reporting. */
bool sm_kernel_profile(struct sm_kernel *k, struct tr_reader *trace, const struct sm_cfg *cfg,
                       struct diag *d);

/* What a CTA of a launch needs. */
struct sm_need {
    uint32_t warps, threads;
    uint32_t regs;     /* per warp, rounded to the allocation unit */
    uint32_t shared_b; /* per CTA */
    uint32_t ctas;     /* of the launch; 0: more than an SM holds */
};
/* NULL, or why no SM of this configuration can ever hold such a CTA, with the numbers (in the arena). */
const char *sm_fits_never(const struct sm_cfg *cfg, const struct sm_need *n, struct arena *a);

struct sm_cta_done {
    uint64_t at; /* cycle */
    uint32_t tenant, launch, cta;
};
typedef VEC(struct sm_cta_done) sm_done_list;

struct sm;
struct sm *sm_new(const struct sm_cfg *cfg, const struct sm_timing *t, uint32_t id, bool check);
struct onchip_split;
/* Before its first CTA: how its memory is divided for the whole run (sm/onchip/onchip.h). */
void sm_plan(struct sm *s, const struct onchip_split *plan);
struct tenant_ops;
/* Before its first CTA: the run has n tenants, not one. ops: a policy of the caller's own; NULL: the one that sm.tenant names. */
void sm_tenants(struct sm *s, uint32_t n, const struct tenant_ops *ops);
void sm_free(struct sm *s);

/* A load, or an atomic that returns something, when its data is there. */
struct sm_load {
    uint64_t from, to; /* cycles: issue, last data */
    uint64_t line;     /* first line's address, in the space of its program */
    uint32_t tenant;
    uint32_t cta, index; /* slot of its CTA, warp in the CTA */
    uint32_t part;
    uint8_t cls; /* enum tr_class */
    uint8_t lines;
};

/* An instruction of a kernel of a tenant's trace. */
struct sm_place {
    uint32_t tenant;
    uint32_t kernel, insn; /* kernel SM_NOWHERE: none */
};
#define SM_NOWHERE UINT32_MAX

/* What an instruction was charged. */
enum { SM_CAUSES = SS_stall_drained - SS_issued + 1 };
struct sm_charged {
    uint64_t causes[SM_CAUSES]; /* scheduler cycles, from SS_issued on: [0] is how often it issued */
    uint64_t lanes;             /* active, over all issues */
    uint64_t bank_conflicts;    /* operand reads that waited for their bank */
    uint64_t read_wait;         /* cycles that these waited */
    uint64_t shared_conflicts;  /* extra cycles in shared memory */
};

struct sm_step;
/* Someone who watches an SM. Called from whichever thread runs the SM, in an order that does not depend on it. Spans are
 * cycles [from, to). */
struct sm_observer {
    void *ctx;
    /* What cycles of a scheduler were charged to, without gap or overlap; schedulers are numbered over the partitions. May be
     * NULL. */
    void (*cycles)(void *ctx, uint32_t scheduler, uint64_t from, uint64_t to, enum sm_stat cause);
    void (*cta_begin)(void *ctx, uint32_t slot, uint64_t at, uint32_t tenant, uint32_t launch, uint32_t cta);
    void (*cta_end)(void *ctx, uint32_t slot, uint64_t at);
    void (*load)(void *ctx, const struct sm_load *l);
    /* What a warp's registers were doing, where the operands' policy stages them. May be NULL. */
    void (*warp_state)(void *ctx, uint32_t part, uint32_t slot, uint64_t from, uint64_t to,
                       const char *state);
    /* The same cycles by instruction (blame.c tells which), with its conflicts: what has come since the last call for it, at the
     * latest in sm_count. May be NULL. */
    void (*charged)(void *ctx, const struct sm_charged *sum, const struct sm_place *at);
    /* What happens to each instruction on its way (sm/watch/step.h). May be NULL. */
    void (*step)(void *ctx, const struct sm_step *s);
};
/* NULL: nobody, which costs a branch where something could be told. It must outlive the SM. */
void sm_observe(struct sm *s, const struct sm_observer *o);

/* Collectors of a partition: a policy may have more than sm.collectors. */
uint32_t sm_collectors(const struct sm_cfg *cfg);
/* The controller that the configuration has (sm/control.h), NULL: none; and its value for the next interval. */
const struct control_ops *sm_control(const struct sm_cfg *cfg);
void sm_set(struct sm *s, uint32_t value);

/* The kernel's code is in the instruction caches, as far as it fits: it has run here before the time that is looked at. */
void sm_warm_code(struct sm *s, const struct sm_kernel *k);

/* Is there room for the CTA now? */
bool sm_has_room(const struct sm *s, const struct sm_need *n);
uint32_t sm_room(const struct sm *s, const struct sm_need *n); /* how many such CTAs may start there */
uint32_t sm_nctas(const struct sm *s);                         /* that have a place */
/* How warps jump over parts of their streams. Counted in instructions, or in barriers. */
struct sm_jumps {
    /* Barriers: so many instructions does a warp of the CTA have for each, on average; 0: instructions */
    double per_bar;
    uint64_t ends;    /* at the beginning of a stream and at its end, that are executed */
    double ends_most; /* ... but no larger part of it than this, each */
    uint64_t run;     /* executed between two jumps, about */
    double period;    /* the same for all warps; 0: a whole number of them in each stream */
    double one_in;    /* so much of what lies between is executed: one in that many */
    /* All CTAs execute the same parts, since they wait for the same data; else each other ones than its neighbours. */
    bool together;
};

/* Where the streams of a CTA come from. The SM opens them itself when the CTA begins: SMs do that side by side. */
struct sm_source {
    struct tr_reader *trace;
    uint32_t pass;                /* times that its program had come to its end before */
    double share;                 /* that is executed of them (tr_cut_cta) */
    const struct sm_jumps *jumps; /* or NULL; the caller's, until the CTA has begun */
};
/* Starts a CTA at cycle `at`; returns its slot. Needs room. The SM has run, or had nothing to do, up to cycle `now`, which lies
 * less than WHEEL cycles before. */
uint32_t sm_start_cta(struct sm *s, uint64_t now, uint64_t at, const struct sm_kernel *k,
                      const struct sm_need *n, uint32_t launch, uint32_t cta, const struct sm_source *from);

/* ---- jumps (jump.c) ---- */

/* What L2 would have been asked for. The caller empties it. */
struct sm_touch {
    uint64_t line; /* byte address */
    uint8_t sectors;
    bool written;
};
typedef VEC(struct sm_touch) sm_touches;
sm_touches *sm_touched(struct sm *s);
/* Adds the instructions that CTAs which jump have executed so far, and how many of their streams these stand for. */
void sm_stands_for(const struct sm *s, uint64_t *executed, double *stands_for);

/* ---- parking (park.c) ---- All of these between windows: the SM has run, or had nothing to do, up to cycle `now`. */

struct sm_cta_id {
    uint32_t tenant, launch, cta;
};
enum sm_cta_state {
    SM_CTA_RUNS,
    SM_CTA_LOADS,   /* has come back to a place, and waits for what it held there */
    SM_CTA_LEAVES,  /* issues nothing more; what it has begun comes to its end */
    SM_CTA_PARKED,  /* holds nothing of the SM */
    SM_CTA_RETURNS, /* waits for room */
};
enum {
    SM_CTAS_MOST = 256
}; /* that a policy looks at together: all that are here, and some that are parked */
struct sm_cta_info {
    struct sm_cta_id id;
    uint64_t age; /* younger ones have more; 0: it is parked */
    enum sm_cta_state state;
    struct sm_need need;
};
/* Those that are here, `most` at most, first those that have a place, then in the order in which they left; returns how many. */
uint32_t sm_ctas(const struct sm *s, struct sm_cta_info *to, uint32_t most);
/* The CTA is to leave. False: it does not run here, leaves already, or there are too many. It may end before it has left. */
bool sm_park(struct sm *s, uint64_t now, struct sm_cta_id id);
/* It is to come back, or to stay if it has not left. False: it has not been asked to leave. */
bool sm_resume(struct sm *s, uint64_t now, struct sm_cta_id id);
/* Those that can leave do, those that are to come back and have room do. */
void sm_settle(struct sm *s, uint64_t now);
struct tenant_ctas;
/* How many CTAs of each of n tenants the policy sm.tenant wants here, which has an opinion on it (tenant_ops.ctas): `waits` and
 * `need` are given, the rest is filled in. */
void sm_want_ctas(struct sm *s, uint64_t now, uint32_t n, struct tenant_ctas *c);
/* Is there one that is to come back, and has no room yet? */
bool sm_awaits(const struct sm *s);

/* Runs up to cycle `until`. Replies that arrive before it have been given. False: a stream is damaged, or an operand was
 * stale (--check): sm_error tells. */
bool sm_run(struct sm *s, uint64_t until);
/* After sm_run: on to cycle `most` at the latest, if no CTA has ended in that. It stops as soon as one ends, and where something
 * might come from outside that it does not know of: not before cycle `known`, and `reply_cyc` cycles after the first request to
 * come. What it leaves in its lists meanwhile is for windows to come: a CTA that has ended keeps its place until the list is
 * empty. False: it has stayed where it was. */
bool sm_run_on(struct sm *s, uint64_t known, uint64_t most, uint32_t reply_cyc);
const char *sm_error(const struct sm *s);

mem_reqs *sm_requests(struct sm *s);   /* sent since they were last taken */
mem_replies *sm_replies(struct sm *s); /* to be received: the memory system appends */
/* All of these are appended; the caller has an empty list then. */
void sm_receive(struct sm *s, mem_replies *from);
/* It will be run soon, and receive these: brings what that touches into the host's cache (expect.c), in two steps: the SM
 * itself; its partitions and miss entries. */
void sm_expect(const struct sm *s);
void sm_expect_parts(const struct sm *s, const mem_replies *in);
sm_done_list *sm_finished(struct sm *s); /* CTAs, by time; the caller empties it */
uint64_t sm_next(const struct sm *s);    /* earliest cycle it has something to do; UINT64_MAX: idle */
uint64_t sm_ran(const struct sm *s);     /* the same right after sm_run, which knows */
bool sm_idle(const struct sm *s);        /* no CTA, none parked */

uint64_t sm_issued(const struct sm *s);                          /* warp instructions so far */
uint64_t sm_tenant_threads(const struct sm *s, uint32_t tenant); /* thread instructions of a tenant so far */

/* --check: what was compared with the program's order. A policy may compare an operand more than once on its way. */
struct sm_checked {
    uint64_t operands; /* register operands that reached an instruction or a place on the way */
    uint64_t lines;    /* lines of memory that L1 was asked for */
};
/* Adds what this SM has compared; nothing where it does not check. */
void sm_count_checked(const struct sm *s, struct sm_checked *sum);

/* Adds the counters; cycles are charged up to `until`. */
void sm_count(struct sm *s, uint64_t until, uint64_t sum[SM_STATS]);
/* Of these, after sm_count, what a tenant's warps have: the cycles charged to them by cause (those without a warp are nobody's),
 * warp_insts, thread_insts, ctas, ctas_parked, switch_b. */
void sm_count_tenant(const struct sm *s, uint32_t tenant, uint64_t sum[SM_STATS]);
/* The row of one SM is added to `sum`, after sm_count. */
void sm_count_array(const struct sm *s, enum sm_array a, uint64_t *sum);
/* Adds the counters as they stand between two windows, with cycles charged up to `until`, the end of the first. (A partition may
 * have fallen asleep in the last cycle and be charged the next one already.) */
void sm_peek(struct sm *s, uint64_t until, uint64_t sum[SM_STATS]);
/* A table of what each warp waits for, for a deadlock report. */
void sm_print_waiting(const struct sm *s, FILE *to);

#endif
