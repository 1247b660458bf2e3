/* SPDX-License-Identifier: Apache-2.0 */
/* The L1 data cache, and those who ask it. A client looks up lines when it has its turn. If a line is not there it is told when
 * the line has come, by the name that it asked with. The load-store unit is a client; others may have requests of their own:
 * operands that are kept in L1, the state of a CTA that leaves an SM.
 *
 * Clients have their turns once per cycle, after the partitions, in the order of their priorities (l1_tick). A cycle has a number
 * of lookups for all of them together: sm.l1_lines, or one for each bank, claimed from L1's array (sm/l1/array.h). Who finds none
 * left asks again in the next cycle. Outside of turns nothing is looked up; `arrived` and `replied` only take note. */
#ifndef SM_L1_H
#define SM_L1_H

#include "mem/mem.h"
#include "sm/l1/mshr.h"

struct flight;
struct sm;

struct l1_client {
    const char *name;
    /* Clients with a lower one have their turns first; equal ones in the order of l1_add */
    uint32_t priority;
    void *ctx;
    void (*tick)(void *ctx, uint64_t t); /* the client's turn in cycle t */
    /* Cycle in which the client has work; UINT64_MAX: none before a reply */
    uint64_t (*next)(const void *ctx);
    /* All data that the client has asked l1_fetch for under this name is there. NULL: the client never calls l1_fetch. */
    void (*arrived)(void *ctx, uint32_t name, uint64_t t);
    /* A reply has come after which the client may ask again: L1 has refused some client something since `replied` was called
     * last, or has just called `arrived`. */
    void (*replied)(void *ctx, uint64_t t);
};
enum {
    L1_LSU = 0,
    L1_LSU_PRIORITY = 8
}; /* the load-store unit's number among the clients, and its priority */
/* mwait.client of a flight of the load-store unit, which l1_reply.c completes; of others it is 1 + the client's number. */
enum { L1_FLIGHT = 0 };
/* Returns the client's number; the load-store unit is added first. */
uint32_t l1_add(struct sm *s, const struct l1_client *c);

void l1_tick(struct sm *s, uint64_t t); /* unless s->l1.due is later */
uint64_t l1_next(const struct sm *s);
/* Takes a reply in cycle t. False: nothing has come of it but a line in L1, and no client has got work. */
bool l1_reply(struct sm *s, const struct mem_reply *r, uint64_t t);

enum { L1_HEADER_B = 8 }; /* bytes of a packet to or from the interconnect that are not data */

/* Each looks up one line and uses up a lookup. False, or L1_WAIT, means that nothing was done and the client must ask again. If
 * l1_open is false by then, no lookup is left or the port is full: it asks in the next cycle, or, if s->l1.lacks_port says that
 * it needs the port, in cycle l1_port_opens. Otherwise it lacks a miss entry, and asks after the next `replied`. */
bool l1_load(struct sm *s, struct flight *l, uint32_t part, uint32_t flight, uint64_t line, uint8_t sectors,
             uint64_t t);
/* Looks up several lines of a load, one in each cycle from r->t to before r->until, and returns how many. It stops before the
 * first line that is neither a hit nor a plain new miss: l1_load handles that one. No other client has a turn in these cycles.
 * Replies that come in them are taken as well, up to the first of which more comes than a line in L1. */
struct l1_run {
    struct mwait who; /* the load's flight */
    uint64_t t;       /* the cycle in which the next line is looked up */
    uint64_t until;
    uint64_t last; /* the cycle in which the last line was looked up */
    bool blocked;  /* the next line waits for a reply since cycle t */
};
uint32_t l1_load_run(struct sm *s, struct flight *l, const uint64_t *at, uint32_t n, struct l1_run *r);
/* One sector, who.missing, by a unit that asks for each by itself; `at`: its line's place in L1. */
bool l1_load_sector(struct sm *s, struct flight *l, struct mwait who, uint64_t line, struct cache_at at,
                    uint64_t t);
bool l1_store(struct sm *s, uint64_t line, uint8_t sectors, bool local, uint64_t t);
bool l1_atomic(struct sm *s, uint32_t part, uint32_t flight, uint64_t line, uint8_t sectors, uint64_t t);
/* A store whose flight is done when L2 has answered (sm.store_waits). */
bool l1_store_waits(struct sm *s, uint32_t part, uint32_t flight, uint64_t line, uint8_t sectors, uint64_t t);
/* The store that was sent last is to be acknowledged (sm.store_acks). */
enum { L1_ACK = 1u << 31 }; /* of a tag; the rest is the tenant */
void l1_want_ack(struct sm *s, uint32_t part, uint32_t flight);
/* Asks for sectors of a line. Unless they were a hit, the client is told `name` when the data is there (l1_client.arrived). Of
 * the answers, L1_LACKS_PORT is none: it is L1_WAIT, with s->l1.lacks_port. */
enum l1_answer { L1_WAIT, L1_LACKS_PORT, L1_HIT, L1_JOINED, L1_MISS };
enum l1_answer l1_fetch(struct sm *s, uint32_t client, uint32_t name, bool cached, uint64_t line,
                        uint8_t sectors, uint64_t t);
/* Whole lines that belong to the caller alone. l1_keep writes one, which stays in L1 until it is replaced. l1_forget drops a line
 * that the caller has just looked up; l1_drop looks the line up first. */
bool l1_keep(struct sm *s, uint64_t line, uint64_t t);
void l1_forget(struct sm *s, uint64_t line);
bool l1_drop(struct sm *s, uint64_t line, uint64_t t);
/* The addresses of such lines, apart from all addresses of programs. */
#define L1_OWN_FROM 0x0000500000000000ull
#define L1_OWN_TO 0x0000600000000000ull
/* The line will be asked for next. */
void l1_expect(struct sm *s, uint64_t line);
bool l1_open(const struct sm *s, uint64_t t);
/* Does the port have room for a request in cycle t? l1_send then sends one past the lookups and without a miss entry: async_reply
 * is told of its reply by the tag (L1_COPY). */
bool l1_port(const struct sm *s, uint64_t t);
/* The port is full: the cycle in which it has room if nothing is sent until then. */
uint64_t l1_port_opens(const struct sm *s);
enum { L1_COPY = 1u << 30 }; /* of a tag: a request of the copy engine */
/* With L1_COPY: other SMs receive the line, too; alone: a line of another SM's copy. */
enum { L1_CAST = 1u << 29 };
void l1_send(struct sm *s, uint64_t t, uint64_t line, uint8_t sectors, enum mem_kind kind, uint32_t tag,
             bool wants_reply);

bool l1_caches(const struct sm *s, const struct flight *l); /* does the access go to L1, not past it? */
/* Are all these sectors in L1, so that a load needs no miss entry? Asking does not count as a use of the line. */
bool l1_holds(struct sm *s, const struct flight *l, uint64_t line, uint8_t sectors);
/* For the accounts: the last data of a load is there in cycle t. */
void load_done(struct sm *s, uint32_t part, uint32_t flight, uint64_t t);

/* The constant caches: cycles until a line is there, 0: it is. An operand's kinsn.konst, or that of a load by index. */
enum konst_by { KONST_PARAMETER, KONST_OPERAND, KONST_LOAD, KONST_UNIFORM };
uint32_t konst_wait(struct sm *s, uint64_t line, enum konst_by by, uint64_t t);
void l1_init(struct sm *s);
void l1_done(struct sm *s);
void l1_resize(struct sm *s); /* gives L1 the size that sm/onchip says; L1 is empty then */

#endif
