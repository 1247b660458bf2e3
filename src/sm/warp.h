/* A warp, the instructions it has in its buffer and in flight, and its CTA. */
#ifndef SM_WARP_H
#define SM_WARP_H

#include "base/hint.h"
#include "sm/ahead.h"
#include "sm/far.h"
#include "sm/fence.h"
#include "sm/groups.h"
#include "sm/kinsn.h"

enum {
    MAX_LINES = 64, /* that one warp access can touch: 32 lanes, each over a line's edge */
    INLINE_LINES = 4,
    NONE16 = 0xffff,
};

/* Lines a warp access touches: address with the sector mask in its low bits. */
struct lines {
    uint8_t n;
    uint16_t block; /* of the pool; NONE16: all are inline */
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
    uint32_t mask;
};

/* An instruction in flight; and in a warp's buffer, one with data. */
struct ientry {
    const struct kinsn *k;
    uint32_t mask;
    uint8_t space;
    /* Shared memory: cycles for all lanes; atomics elsewhere: lanes that meet in a word; other accesses, where rows are followed:
     * cycles as for shared memory. */
    uint8_t passes;
    /* Memory, where they are followed in a pool (sm/onchip/rows.h): which of its lists; NONE16: it touches none */
    uint16_t rows;
    struct near_bits near; /* where the CTA has an `ahead` */
    struct lines lines;
};

/* Does it go to lines of memory? Constants are looked up elsewhere; an access to shared memory with a list is one whose lanes
 * name CTAs of the cluster (far.c). */
static inline bool ientry_has_lines(const struct ientry *e)
{
    return e->lines.n && e->space != SPACE_CONST && e->space != SPACE_SHARED;
}

enum { IBUF_MAX = 8 };
enum {
    RUNS_MAX = 16
}; /* more than the runs that so many instructions can be in, so that several are decoded at once */

/* Why a warp cannot issue (blocks.def); the order is that of blame. */
enum block {
    BLOCK_NOT, /* it can */
#define BLOCK(name, cause, text) BLOCK_##name,
#include "sm/blocks.def"
#undef BLOCK
    BLOCK_COUNT
};

/* The last barrier is the cluster's. */
enum { BARRIERS = 17, CLUSTER_BARRIER = 16 };
enum { HOLD_FENCES = 1, HOLD_STORES = 2, HOLD_LOADS = 4 }; /* stores: and atomics */

/* In the order of use, by lines of the host's cache: what is asked whenever it is looked at, results on their way, memory. */
struct sm_warp {
    _Alignas(HOST_LINE_B) uint8_t run_head; /* of runs: the first */
    uint8_t nruns;                          /* ... and how many are there */
    uint8_t ahead;                          /* ... of which nothing has been fetched */
    uint8_t n;                              /* instructions in its buffer */
    uint8_t data_head, ndata;               /* of data: as of runs */
    /* Instructions of its stream, where policies look at each of them; ... that have issued */
    uint8_t taken, given;
    bool read;       /* there are no more in its stream */
    uint8_t block;   /* enum block */
    bool overwrites; /* BLOCK_ALU: it waits for a read of what it writes */
    bool used;
    union {
        struct {
            bool ended, fetching;
        };
        uint16_t no_fetch; /* 0: neither */
    };
    uint8_t bank0; /* bank of R0 */
    uint8_t lanes; /* of its next instruction */
    union {
        struct {
            bool at_barrier : 1; /* it sleeps */
            bool at_object : 1; /* ... until a barrier object, or the copy engine, lets it go on (sm/async) */
            bool at_groups : 1; /* it waits for groups of copies (async.wait) */
            uint8_t held;       /* until an event: enum block tells for what; 0: it is not */
            uint8_t inactive; /* the operands' policy has no place for it: enum block tells why; 0: it has */
            uint8_t limits;   /* LIMIT_* (sm/tenant/tenant.h): what keeps it from issuing when it could */
            uint8_t lsu_hold; /* HOLD_*: what must not issue before mem_before is 0 */
            uint16_t late;    /* predicates that are there, but not yet for whom they guard (kinsn.guards) */
        };
        uint64_t halts; /* 0: none of these */
    };
    struct inext next; /* the first in its buffer, if it has one */
    uint32_t left;     /* instructions of its run, and it; 0: it has none */
    uint32_t more;     /* ... of the run of the newest that it has, which are behind that */
    uint32_t in_flight;
    uint32_t collected; /* 1 + flight that has come to the collectors last and is still there, 0: none */
    const struct kinsn *behind; /* the newest it has; the kernel's first one at first */

    uint64_t pend[SB_WORDS]; /* results on their way */
    uint32_t last;           /* instruction that was issued last, its number; 0: none, or the first */
    uint32_t konst;          /* constant line of the last instruction that had one */
    /* What those in collectors read, or more: kinsn.use_regs; 0 where there are none */
    uint64_t collected_use;

    uint64_t pend_mem[SB_WORDS]; /* of the results on their way: from memory */
    /* How many memory instructions it has issued and dispatched, ever. They are dispatched in their order. */
    uint32_t mem_issued, mem_left;
    struct groups async; /* of asynchronous copies */
    uint8_t bars;        /* barriers of the control codes that count something, by bit */
    uint8_t bars_mem;    /* ... of which memory was the last to be counted */
    uint16_t bar_count[TR_CTL_BARRIERS];

    const struct kinsn *insns; /* of its kernel */
    uint64_t line;             /* of code, that the last fetch was from, + 1 */
    /* Words of metadata to be fetched before the instruction behind the last in its buffer is there */
    uint32_t owed;
    uint32_t mem_before; /* memory instructions to lines: have not reached L1; kept where lsu_ops.holds */
    uint16_t cta;        /* slot */
    uint16_t index;      /* in the CTA */
    uint8_t bar_id;      /* barrier that it has arrived at */
    uint32_t live;       /* lanes that have not exited */
    uint32_t arrived;    /* of these: at the barrier. Lanes of one warp may arrive one after the other */
    uint32_t due;        /* of these: arrived in a phase of the cluster's barrier that is not over */
    uint64_t local;      /* address of its local memory */
    struct fence fence;  /* that it waits for */
    /* From here on what a new warp writes before it reads it. */
    struct tr_run runs[RUNS_MAX];    /* of its stream, after the one that the next instruction is in */
    struct near_bits near[IBUF_MAX]; /* by number of the instruction (taken), where the CTA has an `ahead` */
    /* Of the first instructions that have some (kinsn.has_data), if it was read before issue */
    struct ientry data[IBUF_MAX];
    uint64_t late_until[16]; /* of `late`: when they are */
};

/* As before it begins. */
static inline void sm_warp_clear(struct sm_warp *w) { memset(w, 0, offsetof(struct sm_warp, runs)); }

/* Everything it has was issued, and has come to its end. */
static inline bool sm_warp_over(const struct sm_warp *w)
{
    return w->ended && !w->n && !w->in_flight && !w->held;
}

/* What all instructions have is in its first line of the host's cache, with `i` up to its lines. */
struct flight {
    _Alignas(HOST_LINE_B) uint32_t turn; /* memory: how many its warp has issued before */
    uint32_t next;                       /* free list, queues */
    uint32_t collected; /* in a collector: the one of its warp that has come before, as in struct sm_warp */
    uint8_t warp, part;
    uint8_t bank0; /* of its warp */
    /* Cycles that its result comes later, for accesses of its own to one bank (sm.conflicts = insn) */
    uint8_t late;
    uint8_t unit; /* in a latch before the collectors: the one reserved for it, or COLLECT_ANY */
    uint8_t writes_left;
    uint16_t lines_left; /* memory: lines that are on their way */
    uint16_t next_line;  /* of the access that is looked up next */
    uint16_t acks;       /* stores: lines that were sent and will be acknowledged */
    uint64_t issued;
    struct ientry i;
    uint16_t queued; /* lines, or sectors, in a policy's queues */
    uint16_t handed; /* lines that such a policy has taken up */
    uint32_t group;  /* asynchronous copy */
    uint64_t age;    /* order of issue in its partition, where latches ask */
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
    uint32_t n, rank;
    uint32_t arrived; /* ranks whose CTAs have arrived at the barrier; its end clears them */
    uint32_t gone;    /* ... that have exited */
    struct far_cta at[TR_CLUSTER_MAX];
};

struct sm_cta {
    bool used;
    /* All of it has arrived in this phase of the cluster's barrier, and the others hear of it */
    bool announced;
    bool begun;        /* its warps have appeared */
    bool leaves, told; /* it is to be parked; and the operands' policy knows (park.c) */
    bool moved;        /* it was parked, ever */
    uint8_t way;       /* enum switch_way (park.h) */
    uint32_t context;  /* 1 + number of the place in memory for what it holds; 0: it has none yet */
    uint32_t releases; /* barriers whose release has its event; of the slot, whoever had it */
    const struct sm_kernel *k;
    struct sm_source from;
    struct tr_cta *stream; /* NULL: it has not begun */
    struct jump *jump;     /* NULL: its streams are executed as they are (jump.h) */
    struct ahead *ahead;   /* NULL: the operands' policy does not ask for exact reuse distances */
    struct sm_need need;
    uint32_t launch, cta;
    uint32_t serial;            /* how many the SM had started before, and it */
    struct sm_cluster *cluster; /* NULL: it has none, or is alone in it */
    uint32_t live;              /* warps not ended */
    uint32_t threads;           /* not exited */
    uint32_t arrived[BARRIERS]; /* threads, by barrier */
    uint32_t open;              /* barriers that some have arrived at, by bit; not the cluster's */
    uint32_t expect[BARRIERS];  /* threads; 0: all that have not exited */
    uint32_t warps[TR_WARPS];   /* partition << 8 | slot, by index in the CTA */
};

#endif
