/* SPDX-License-Identifier: Apache-2.0 */
/* A warp, the instructions it has in its buffer and in flight, and its CTA. */
#ifndef SM_WARP_H
#define SM_WARP_H

#include "base/hint.h"
#include "sm/cluster/far.h"
#include "sm/code/kinsn.h"
#include "sm/l1/fence.h"
#include "sm/registers/ahead.h"
#include "sm/warps/groups.h"

enum {
    MAX_LINES = 64, /* lines that one warp access can touch: 32 lanes, each over a line's edge */
    INLINE_LINES = 4,
    NONE16 = 0xffff,
};

/* Lines a warp access touches: address with the sector mask in its low bits. */
struct lines {
    uint8_t n;
    uint16_t block; /* block of the pool (sm_lsu.blocks) that has the list; NONE16: the list is in `at` */
    uint64_t at[INLINE_LINES];
};

static inline uint64_t line_addr(uint64_t at) { return at & ~(uint64_t)(LINE_B - 1); }
static inline uint8_t line_sectors(uint64_t at) { return at & 15; }

/* How the words of a line belong to the lanes of a load, where the load-store unit asks (lsu_ops.maps): in bits 4 to 6 of a
 * line. */
enum line_map { MAP_NONE, MAP_CONSECUTIVE, MAP_BROADCAST, MAP_SINGLE, MAP_RANGE, MAP_OTHER };
enum { MAP_SHIFT = 4 };
static inline enum line_map line_map(uint64_t at) { return (enum line_map)(at >> MAP_SHIFT & 7); }

/* A warp's next instruction. */
struct inext {
    const struct kinsn *k;
    uint32_t mask; /* lanes that execute it */
};

/* An instruction in flight; in a warp's buffer, an instruction whose data was read before issue. */
struct ientry {
    const struct kinsn *k;
    uint32_t mask;
    uint8_t space;
    /* Shared memory: cycles for all lanes; atomics elsewhere: lanes that meet in a word; other accesses, where rows are followed:
     * cycles as for shared memory. */
    uint8_t passes;
    /* Where rows of a pool are followed (sm/onchip/rows.h): the access's list of rows; NONE16: it touches no row */
    uint16_t rows;
    struct near_bits near; /* which operands are read again soon, where the CTA has an `ahead` */
    struct lines lines;
};

/* Does the instruction go to lines of memory? Constants are looked up elsewhere; an access to shared memory with a list
 * is one whose lanes name CTAs of the cluster (far.c). */
static inline bool ientry_has_lines(const struct ientry *e)
{
    return e->lines.n && e->space != SPACE_CONST && e->space != SPACE_SHARED;
}

enum { IBUF_MAX = 8 }; /* instructions in a warp's buffer, at most */
/* Runs of the stream that a warp keeps: more than IBUF_MAX instructions can lie in, so that several are decoded at once. */
enum { RUNS_MAX = 16 };

/* Why a warp cannot issue (blocks.def); the order is that of blame. */
enum block {
    BLOCK_NOT, /* nothing: the warp can issue */
#define BLOCK(name, cause, text) BLOCK_##name,
#include "sm/blocks.def"
#undef BLOCK
    BLOCK_COUNT
};

/* The last barrier is the cluster's. */
enum { BARRIERS = 17, CLUSTER_BARRIER = 16 };
/* What a warp must not issue while its accesses have not reached L1; HOLD_STORES: stores and atomics. */
enum { HOLD_FENCES = 1, HOLD_STORES = 2, HOLD_LOADS = 4 };

/* A warp in its slot. Members lie in the order of use, by lines of the host's cache: what every look at a warp asks for, results
 * on their way, memory. */
struct sm_warp {
    _Alignas(HOST_LINE_B) uint8_t run_head; /* index of the first run in `runs` */
    uint8_t nruns;                          /* runs in `runs` */
    uint8_t ahead;                          /* runs of these of which nothing has been fetched */
    uint8_t n;                              /* instructions in the warp's buffer */
    uint8_t data_head, ndata;               /* index of the first entry in `data`; how many there are */
    /* Where a policy looks at every instruction: instructions that were fetched, and that were issued, modulo 256 */
    uint8_t taken, given;
    bool read;     /* the stream has no more instructions to be decoded */
    uint8_t block; /* enum block */
    /* BLOCK_ALU: the next instruction writes a register that an earlier one has yet to read */
    bool overwrites;
    bool used;
    union {
        struct {
            bool ended, fetching;
        };
        uint16_t no_fetch; /* 0: neither ended nor fetching */
    };
    uint8_t bank0; /* bank of R0 */
    uint8_t lanes; /* lanes of the next instruction, counted */
    union {
        struct {
            bool at_barrier : 1; /* the warp waits at a barrier */
            bool at_object : 1;  /* the warp waits for a barrier object or the copy engine (sm/async) */
            bool at_groups : 1;  /* the warp waits for groups of copies (async.wait) */
            uint8_t held;        /* why the warp waits for an event (enum block); 0: it does not */
            /* Why the operands' policy has no place for the warp (enum block); 0: it has one */
            uint8_t inactive;
            uint8_t limits;   /* LIMIT_* (sm/tenant/tenant.h): what may keep a ready warp from issuing */
            uint8_t lsu_hold; /* HOLD_*: what must not issue before mem_before is 0 */
            uint16_t late; /* predicates that were written, and that guards do not see yet (kinsn.guards) */
        };
        uint64_t halts; /* 0: none of the members above is set */
    };
    struct inext next; /* the first instruction in the buffer, if there is one */
    uint32_t left;     /* instructions left of the run that `next` is in, with `next`; 0: there is no next */
    uint32_t more;     /* instructions left of the run of the newest fetched instruction, behind that */
    uint32_t in_flight;
    /* 1 + the warp's flight that came to the collectors last and is still there; 0: none */
    uint32_t collected;
    const struct kinsn *behind; /* the instruction to be fetched next, if the run goes on */

    uint64_t pend[SB_WORDS]; /* results on their way */
    uint32_t last;           /* number of the instruction that was issued last; 0: none, or the first */
    uint32_t konst;          /* constant line of the last instruction that had one */
    /* Registers that the warp's instructions in collectors read, or more (kinsn.use_regs); 0: there is none */
    uint64_t collected_use;

    uint64_t pend_mem[SB_WORDS]; /* results on their way that come from memory */
    /* Memory instructions that the warp has ever issued, and dispatched. They are dispatched in their order. */
    uint32_t mem_issued, mem_left;
    struct groups async; /* groups of asynchronous copies */
    uint8_t bars;        /* barriers of the control codes that count something, by bit */
    uint8_t bars_mem;    /* those of them whose last counted instruction goes to memory */
    uint16_t bar_count[TR_CTL_BARRIERS];

    const struct kinsn *insns; /* the kernel's instructions */
    uint64_t line;             /* 1 + the line of code that the last fetch was from */
    uint64_t turns; /* the cycle in which what the last branch leads to can issue, if it is at hand */
    /* Words of metadata that are to be fetched before the next instruction comes to the buffer */
    uint32_t owed;
    uint32_t mem_before; /* accesses to lines that have not reached L1; kept where lsu_ops.holds */
    uint16_t cta;        /* slot of the warp's CTA */
    uint16_t index;      /* number of the warp in its CTA */
    /* Its instructions are fetched one by one: a policy looks at each of them, or metadata stands between them. */
    bool by_step;
    /* ... and one more than n was decoded: a branch leads to it, which has yet to issue (sm.l0i_line_cyc) */
    bool kept;
    /* The newest instruction in the buffer is a branch that has yet to issue: what it leads to is not fetched before that */
    bool jumps;
    uint8_t bar_id;   /* the barrier that lanes in `arrived` wait at */
    uint32_t live;    /* lanes that have not exited */
    uint32_t arrived; /* live lanes that have arrived at the barrier; lanes may arrive one after the other */
    uint32_t due;     /* live lanes that have arrived in the current phase of the cluster's barrier */
    uint64_t local;   /* address of the warp's local memory */
    struct fence fence; /* the fence that the warp waits for */
    /* A new warp writes the following before it reads it: sm_warp_clear leaves it as it is. */
    struct tr_run runs[RUNS_MAX];    /* runs of the stream behind the one that `next` is in */
    struct near_bits near[IBUF_MAX]; /* by number of the instruction (taken), where the CTA has an `ahead` */
    /* Data of the first instructions that have some (kinsn.has_data), where it was read before issue */
    struct ientry data[IBUF_MAX];
    uint64_t late_until[16]; /* by predicate in `late`: the cycle in which guards see it */
};

/* Makes the warp of a slot one that has not begun. */
static inline void sm_warp_clear(struct sm_warp *w) { memset(w, 0, offsetof(struct sm_warp, runs)); }

/* Was every instruction of the warp issued, and has each come to its end? */
static inline bool sm_warp_over(const struct sm_warp *w)
{
    return w->ended && !w->n && !w->in_flight && !w->held;
}

/* What has left a flight's collector may not be overwritten yet (kinsn.free_cyc), and the rest of it may be over before that. */
enum flight_reads { READS_OVER, READS_LAST, READS_ALONE };

/* An instruction from issue to its end. What all instructions need is in the first line of the host's cache: the members up
 * to the lines of `i`. */
struct flight {
    _Alignas(HOST_LINE_B) uint32_t turn; /* memory: accesses that the warp had issued before this one */
    uint32_t next;                       /* the next flight of a free list or queue */
    uint32_t collected; /* in a collector: the warp's flight that came to one before, as in struct sm_warp */
    uint8_t warp, part;
    uint8_t bank0; /* the warp's bank of R0 */
    /* Cycles that the result comes later since operands and rows meet in a bank (sm.conflicts = insn) */
    uint8_t late;
    uint8_t unit;        /* in a latch before the collectors: the collector reserved for it, or COLLECT_ANY */
    uint8_t writes_left; /* destinations that have not come to their banks */
    uint16_t lines_left; /* memory: lines that are on their way */
    uint16_t next_line;  /* index of the line that is looked up next */
    uint16_t acks;       /* stores: lines that were sent and will be acknowledged */
    uint64_t issued;     /* cycle of issue, where somebody asks */
    struct ientry i;
    uint16_t queued; /* lines, or sectors, in a policy's queues */
    uint16_t handed; /* lines that such a policy has taken up */
    uint32_t group;  /* the group of an asynchronous copy */
    latched latched; /* its order of issue in its partition, where there are latches */
    uint8_t reads;   /* enum flight_reads */
    uint8_t epoch; /* store or atomic on its way: 1 + the lowest bit of its epoch (fence.h); 0: not counted */
};
/* Where a pointer has 4 bytes, as in WebAssembly, members lie closer, and only speed would ask for more. */
_Static_assert(sizeof(void *) == 4 || (offsetof(struct sm_warp, pend) == HOST_LINE_B &&
                                       offsetof(struct sm_warp, pend_mem) == 2 * HOST_LINE_B),
               "results on their way begin a line");
_Static_assert(sizeof(void *) == 4 || offsetof(struct flight, i.lines.at) == HOST_LINE_B,
               "its lines begin a line");

/* A CTA's cluster, where that has others. */
struct sm_cluster {
    uint32_t n, rank; /* CTAs of the cluster; the number of this one */
    uint32_t arrived; /* ranks whose CTAs have arrived at the barrier; the end of a phase clears them */
    uint32_t gone;    /* ranks whose CTAs have exited */
    struct far_cta at[TR_CLUSTER_MAX];
};

struct sm_cta {
    bool used;
    /* The whole CTA has arrived in this phase of the cluster's barrier, and the other CTAs hear of it */
    bool announced;
    bool begun;        /* the warps have come to their slots */
    bool leaves, told; /* the CTA is to be parked; the operands' policy was told so (park.c) */
    bool moved;        /* the CTA was parked at least once */
    uint8_t way;       /* enum switch_way (park.h) */
    uint32_t context;  /* 1 + number of the place in memory for what the CTA holds; 0: it has none yet */
    /* Releases of barriers whose event is still to come, for any CTA that has had this slot */
    uint32_t releases;
    const struct sm_kernel *k;
    struct sm_source from;
    struct tr_cta *stream; /* NULL: the CTA has not begun */
    struct jump *jump;     /* NULL: its streams are executed as they are (jump.h) */
    struct ahead *ahead;   /* NULL: the operands' policy does not ask for exact reuse distances */
    struct sm_need need;
    uint32_t launch, cta;
    uint32_t serial;            /* the SM's count of CTAs when this one started; the first has 1 */
    struct sm_cluster *cluster; /* NULL: there is no other CTA in its cluster */
    uint32_t live;              /* warps that have not ended */
    uint32_t threads;           /* threads that have not exited */
    uint32_t arrived[BARRIERS]; /* by barrier: threads that have arrived */
    uint32_t open;              /* barriers with threads that have arrived, by bit; not the cluster's */
    uint32_t expect[BARRIERS];  /* by barrier: threads that open it; 0: all that have not exited */
    uint32_t warps[TR_WARPS];   /* partition << 8 | slot, by index in the CTA */
};

#endif
