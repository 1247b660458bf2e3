/* SPDX-License-Identifier: Apache-2.0 */
/* The memory system beyond the SMs: interconnect, L2 slices, DRAM channels. It is told of requests and tells of replies,
 * each with its cycle, and holds no data.
 *
 * Time goes in windows no longer than the interconnect's latency: within one, SMs and channels cannot influence each other, so
 * all of them may be stepped in parallel. Packets move in a fixed order: an SM's requests lie in its outbox (memsys_send), from
 * where each channel takes its own, SM by SM, when it is stepped in the next window (memsys_step); its replies lie there until
 * each SM takes its own, channel by channel, in the window after that (memsys_take). A channel with its L2 slices (struct mpart)
 * sleeps when it has nothing to do. */
#ifndef MEM_MEM_H
#define MEM_MEM_H

#include "base/vec.h"
#include "conf/conf.h"
#include "stat/stat.h"

enum { LINE_B = 128, SECTOR_B = 32, LINE_SECTORS = 4 };

/* Programs that share the GPU have address spaces of their own: this is added to the addresses of program `tenant`, which lie
 * below, and nothing that one of them brings into a cache is found by another. Those of tenant 0 are as recorded. */
enum { MEM_TENANTS = 256 };
static inline uint64_t mem_space(uint32_t tenant) { return (uint64_t)tenant << 56; }

struct mem_cfg {
#define OPT(name, type, ...) CONF_MEMBER_OPT(name, type)
#include "mem/mem.def"
#undef OPT
};
extern const struct conf_opt mem_opts[];
extern const uint32_t mem_nopts;

enum mem_stat {
#define STAT(name, unit, help) MS_##name,
#include "mem/mem_stats.def"
#undef STAT
    MS_COUNT
};
extern const struct stat_table mem_stats;

enum mem_kind { MEM_READ, MEM_WRITE, MEM_ATOMIC };

/* A request for sectors of one line. */
struct mem_req {
    uint64_t at;   /* cycle: when it left the SM, later when it reaches the slice */
    uint64_t line; /* byte address, a multiple of LINE_B; later within its channel */
    union {
        struct {
            uint32_t tag; /* the SM's own name for it, comes back in the reply */
            uint16_t sm;
            uint8_t kind;    /* enum mem_kind */
            uint8_t sectors; /* mask */
        };
        uint64_t who; /* all of it, as it goes into the reply */
    };
    uint8_t bytes; /* WRITE, ATOMIC: of payload, at most LINE_B */
    uint8_t wants_reply;
    union {
        uint8_t again; /* ATOMIC: lanes that meet another in their word */
        uint8_t group; /* READ: of its SM; memsys_send sets it */
    };
    /* Where L2 has halves: */
    uint8_t far : 1;                   /* its line's home is in the other half; memsys_send sets it */
    uint8_t crossed : 1;               /* READ: it is there now, and its data goes back */
    uint8_t partial : 1;               /* WRITE: not of all bytes of its sectors */
    uint8_t is_float : 1, is_wide : 1; /* ATOMIC: floating point; compare-and-swap, or doubles */
    uint8_t met : 1, joined : 1; /* READ: its slice has looked for another to go with; and there is one */
    uint32_t set;                /* of L2's tags; memsys_send sets it */
};

struct mem_reply {
    uint64_t at; /* cycle it reaches the SM's port */
    union {
        struct {
            uint32_t tag;
            uint16_t sm;
            uint8_t kind;
            uint8_t sectors;
        };
        uint64_t who; /* as in the request */
    };
};

/* How many sectors a mask of one line's has. (Few hosts count bits in one instruction.) */
static inline uint32_t mem_sectors(uint32_t mask)
{
    static const uint8_t n[1 << LINE_SECTORS] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    return n[mask];
}

struct memsys;
typedef VEC(struct mem_req) mem_reqs;
typedef VEC(struct mem_reply) mem_replies;

/* core_mhz: for the ratio of the clocks. */
struct memsys *memsys_new(const struct mem_cfg *cfg, double core_mhz, uint32_t nsm);
/* The same in steps, which several threads share: first without its channels, then each of these (memsys_nparts). */
struct memsys *memsys_without(const struct mem_cfg *cfg, double core_mhz, uint32_t nsm);
void memsys_add(struct memsys *m, uint32_t part);
void memsys_free(struct memsys *m);
/* SMs are in groups (GPCs), each of which has one way from a slice: by SM; NULL, as at first: all are in one. The array stays. */
void memsys_groups(struct memsys *m, const uint32_t *of);

/* One thread does all, and steps SMs in their order: requests and replies need not wait for who they are for, and channels are
 * stepped between windows (memsys_begin, memsys_end). From then on replies lie in these lists, by SM, where memsys_take would put
 * them. NULL: no more of that, for good. */
void memsys_alone(struct memsys *m, mem_replies *to_sm);

uint32_t memsys_nparts(const struct memsys *m);
uint32_t memsys_lookahead(const struct memsys *m);
/* No request is answered sooner than that after it has left its SM */
uint32_t memsys_reply_cyc(const struct memsys *m);
uint32_t mem_window(const struct mem_cfg *cfg); /* the same before there is a memory system */

/* Lines of the host's copies (memsys_warm) that are to be sorted by channel: so many pieces, by different threads; then
 * memsys_sorted, and each channel is stepped in the next window. Otherwise memsys_begin does it all. */
uint32_t memsys_pieces(const struct memsys *m);
void memsys_sort(struct memsys *m, uint32_t piece);
void memsys_sorted(struct memsys *m);
/* A window up to cycle `until` begins. What was sent in the one before it is delivered in it. Returns the cycle before which no
 * reply will come that is not there now: `until`, or a later one, if one thread does all and SMs may run `ahead`. */
uint64_t memsys_begin(struct memsys *m, uint64_t until, bool ahead);
/* All SMs have been stepped to the window's end, and do not run ahead: the channels follow, where one thread does all. */
void memsys_end(struct memsys *m);
/* Takes what an SM sent before cycle `until`, the window's end or what memsys_begin said (requests are in the order of their
 * times; what is later stays). At most once per SM and window; different SMs may send in parallel, and while channels are
 * stepped. */
struct mem_sent {
    uint32_t n, asks; /* requests; those of them that want a reply */
    uint64_t arrives; /* when the first of them reaches its channel; UINT64_MAX: none */
};
struct mem_sent memsys_send(struct memsys *m, uint32_t sm, mem_reqs *from, uint64_t until);
/* Advances one channel to the window's end. Different channels may run in parallel. */
void memsys_step(struct memsys *m, uint32_t part);
/* Has the SM replies of the window before? */
bool memsys_answered(const struct memsys *m, uint32_t sm);
/* Appends them to its list, channel by channel. Different SMs may do so in parallel, and while channels are stepped. */
void memsys_take(struct memsys *m, uint32_t sm, mem_replies *to);
/* After the window: hands all its replies to the SMs' lists at once. The simple memory knows no other way. */
void memsys_give(struct memsys *m, mem_replies *to_sm);
/* The earliest cycle at which something happens in any channel, without what was sent in this window; UINT64_MAX: all idle. */
uint64_t memsys_next(const struct memsys *m);
/* When the first reply of this window reaches its SM, of those that were not handed out; UINT64_MAX: there is none. */
uint64_t memsys_next_answer(const struct memsys *m);
/* Sum over all channels. */
void memsys_count(struct memsys *m, uint64_t sum[MS_COUNT]);
/* Fills L2 with a range that the host copied, as a DMA through L2 would leave it. */
void memsys_warm(struct memsys *m, uint64_t addr, uint64_t bytes);
/* Sectors of the line at this address are in L2, as the newest of its set: somebody has read or written them, which takes no
 * time here. */
void memsys_touch(struct memsys *m, uint64_t line, uint8_t sectors, bool written);
void memsys_flush(struct memsys *m); /* forgets L2's content */

#endif
