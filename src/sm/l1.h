/* The L1 data cache, and those who ask it. A client looks up lines when it has its turn. If a line is not there it is told when
 * the line has come, by the name that it asked with. The load-store unit is a client; others may have requests of their own:
 * operands that are kept in L1, the state of a CTA that leaves an SM.
 *
 * Clients have their turns once per cycle, after the partitions, in the order of their priorities (l1_tick). A cycle has a number
 * of lookups for all of them together: sm.l1_lines, or one for each bank, claimed from L1's array (sm/array.h). Who finds none
 * left asks again in the next cycle. Outside of turns nothing is looked up; `arrived` and `replied` only take note. */
#ifndef SM_L1_H
#define SM_L1_H

#include "mem/mem.h"
#include "sm/mshr.h"

struct flight;
struct sm;

struct l1_client {
    const char *name;
    uint32_t priority; /* lower ones first; among equals whoever was added first */
    void *ctx;
    void (*tick)(void *ctx, uint64_t t); /* its turn */
    uint64_t (*next)(const void *ctx);   /* cycle it has work; UINT64_MAX: none, or it waits for a reply */
    /* All that l1_fetch was asked for under this name is there. NULL: the client never calls l1_fetch. */
    void (*arrived)(void *ctx, uint32_t name, uint64_t t);
    /* A reply may have freed a miss entry, and L1 has refused somebody something since it was told so last, or has just told of
     * an arrival; after its `arrived`. */
    void (*replied)(void *ctx, uint64_t t);
};
enum { L1_CLIENTS = 4, L1_LSU = 0, L1_LSU_PRIORITY = 8 };
/* Of a waiter: a flight of the load-store unit, which l1_reply.c completes; else 1 + the number of the client who is told. */
enum { L1_FLIGHT = 0 };
/* Returns the client's number; the load-store unit is added first. */
uint32_t l1_add(struct sm *s, const struct l1_client *c);

void l1_tick(struct sm *s, uint64_t t); /* unless s->l1.due is later */
uint64_t l1_next(const struct sm *s);
/* False: some line is there, and nothing else has come of it; no client has work that had none. */
bool l1_reply(struct sm *s, const struct mem_reply *r, uint64_t t);

enum { L1_HEADER_B = 8 }; /* of a packet to or from the interconnect */

/* Each looks up one line and uses up a lookup. False, or L1_WAIT, means that nothing was done and the client must ask again. If
 * l1_open is false by then, no lookup is left or the port is full: it asks in the next cycle. Otherwise it lacks a miss entry,
 * and asks after the next `replied`. */
bool l1_load(struct sm *s, struct flight *l, uint32_t part, uint32_t flight, uint64_t line, uint8_t sectors,
             uint64_t t);
/* Several of a load, from cycle t on one in each cycle before `until`: how many of them were looked up. It stops before the first
 * that asks for more than a hit or a new miss entry does; l1_load knows. Nobody else has a turn in the meantime; replies in the
 * cycles after the first are taken with them, up to one of which more comes than that a line is there. */
struct l1_run {
    struct mwait who; /* the load's flight */
    uint64_t t;       /* the cycle of the next one */
    uint64_t until;
    uint64_t last; /* cycle of the last one that was looked up */
    bool blocked;  /* the next one waits for a reply since cycle t */
};
uint32_t l1_load_run(struct sm *s, struct flight *l, const uint64_t *at, uint32_t n, struct l1_run *r);
bool l1_store(struct sm *s, uint64_t line, uint8_t sectors, bool local, uint64_t t);
bool l1_atomic(struct sm *s, uint32_t part, uint32_t flight, uint64_t line, uint8_t sectors, uint64_t t);
/* The same, of a flight that is done when L2 has answered (sm.store_waits). */
bool l1_store_waits(struct sm *s, uint32_t part, uint32_t flight, uint64_t line, uint8_t sectors, uint64_t t);
/* The store that was sent last is to be acknowledged (sm.store_acks). */
enum { L1_ACK = 1u << 31 }; /* of a tag; the rest is the tenant */
void l1_want_ack(struct sm *s, uint32_t part, uint32_t flight);
/* The client gets `name` when the data is there, unless it was a hit. */
enum l1_answer { L1_WAIT, L1_HIT, L1_JOINED, L1_MISS };
enum l1_answer l1_fetch(struct sm *s, uint32_t client, uint32_t name, bool cached, uint64_t line,
                        uint8_t sectors, uint64_t t);
/* Whole lines that are nobody else's: one is written, and stays there until it is replaced; one is not wanted any more, by
 * whoever has just looked it up, or with a lookup of its own. */
bool l1_keep(struct sm *s, uint64_t line, uint64_t t);
void l1_forget(struct sm *s, uint64_t line);
bool l1_drop(struct sm *s, uint64_t line, uint64_t t);
/* Where such lines are, apart from all that programs have. */
#define L1_OWN_FROM 0x0000500000000000ull
#define L1_OWN_TO 0x0000600000000000ull
/* The line will be asked for next. */
void l1_expect(struct sm *s, uint64_t line);
bool l1_open(const struct sm *s, uint64_t t);
/* Past the lookups, and without a miss entry: a request of the copy engine goes into the port, which has room; the reply is told
 * to async_reply by its tag. */
bool l1_port(const struct sm *s, uint64_t t);
enum { L1_COPY = 1u << 30 }; /* of a tag */
enum { L1_CAST = 1u << 29 }; /* beside it: others receive the line, too; alone: a line of another SM's copy */
void l1_send(struct sm *s, uint64_t t, uint64_t line, uint8_t sectors, enum mem_kind kind, uint32_t tag,
             bool wants_reply);

bool l1_caches(const struct sm *s, const struct flight *l); /* is it for L1 at all? */
/* Are all these sectors in L1, so that a load needs no miss entry? Asking does not count as a use of the line. */
bool l1_holds(struct sm *s, const struct flight *l, uint64_t line, uint8_t sectors);
/* For the accounts: the last data of a load is there in cycle t. */
void load_done(struct sm *s, uint32_t part, uint32_t flight, uint64_t t);

/* The constant cache: an operand's kinsn.konst, or that of a load by index. False: the line comes only now. */
bool konst_has(struct sm *s, uint64_t line);
void l1_init(struct sm *s);
void l1_done(struct sm *s);
void l1_resize(struct sm *s); /* to what sm/onchip says; it is empty then */

#endif
