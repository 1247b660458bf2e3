/* SPDX-License-Identifier: Apache-2.0 */
/* The seam `tenant`: on one SM, how many warps of each tenant may issue, and how many memory requests each may have
 * outstanding. A policy decides at every multiple of its interval as long as the SM has CTAs, and when one begins after a
 * pause. In between its limits are kept by the SM (tenant.c): a warp that could issue and may not waits for BLOCK_TENANT. One
 * state per SM. A policy may also say how many CTAs of each tenant the SM is to have; a policy of gpu/share that obeys moves
 * them.
 *
 * A policy without functions limits nobody, is never asked, and costs nothing. */
#ifndef SM_TENANT_TENANT_H
#define SM_TENANT_TENANT_H

#include "base/hint.h"
#include "sm/sm.h"

struct part;

#define TENANT_ALL UINT32_MAX

struct tenant_limit {
    /* Warps that may issue: the oldest of those that have not ended and are not at a barrier when it is decided. What begins
     * later waits for the next decision, unless all may. */
    uint32_t warps;
    /* No load, store or atomic of global or local memory issues while the tenant has that many lines on their way, from the
     * issue of their instructions to its end. 0: none ever does. */
    uint32_t requests;
    /* ... nor while all tenants together have that many; 0: that does not matter. */
    uint32_t together;
};

/* By tenant; what has come together up to now. */
struct tenant_seen {
    uint32_t warps;        /* that are there and have not ended */
    uint32_t requests;     /* lines on their way */
    const uint64_t *stats; /* by enum sm_stat: those of sm_count_tenant */
    /* What follows is kept where a policy decides. Accesses to global and local memory that issued, and their lines. */
    uint64_t accesses, lines;
    uint64_t request_cyc;         /* `requests` of all cycles, added up */
    uint64_t stalled_request_cyc; /* ... of those in which the load-store unit could not go on */
    uint64_t ready_cyc; /* of the first tenant: warps that could issue and might, of all cycles, added up */
    /* Of the first tenant: instructions issued, by their number in its program modulo TENANT_PCS */
    const uint32_t *pcs;
    const struct sm *sm;
};
enum { TENANT_PCS = 128 };
/* Warps of the tenant that are there and have not issued in cycle `since` or later. */
uint32_t tenant_idle(const struct tenant_seen *seen, uint32_t tenant, uint64_t since);
/* Cycles in which the load-store unit could not go on for lack of a miss entry or of the port; in which a unit got an
 * instruction. */
uint64_t tenant_lsu_stalled(const struct tenant_seen *seen);
uint64_t tenant_computed(const struct tenant_seen *seen);

/* CTAs of a tenant, between windows. */
struct tenant_ctas {
    uint32_t here;       /* have a place */
    uint32_t parked;     /* have left theirs, to come back */
    bool waits;          /* others have not started on any SM */
    struct sm_need need; /* of those that wait, or of the last that did */
    uint32_t want;       /* how many are to have a place here; TENANT_ALL: as many as there is room for */
};

struct tenant_ops {
    struct policy is;
    void (*init)(void *st, const struct sm_cfg *cfg, uint32_t sm); /* may be NULL */
    /* Cycles between decisions, 1 to TENANT_MOST_CYC. Both of these, or neither. */
    uint32_t (*interval)(const struct sm_cfg *cfg);
    /* In cycle t, for n tenants. `limits` are those that have stood, TENANT_ALL at first. */
    void (*decide)(void *st, uint64_t t, uint32_t n, const struct tenant_seen *seen,
                   struct tenant_limit *limits);
    /* The cycle of the decision after that of cycle t, not more than TENANT_MOST_CYC later. NULL: the next multiple of the
     * interval. */
    uint64_t (*next)(const void *st, uint64_t t);
    /* Before each window: sets `want`. NULL: the policy does not care. */
    void (*ctas)(void *st, uint64_t now, uint32_t n, struct tenant_ctas *c);
    void (*count)(void *st, uint64_t *counters); /* where is.stats: its counters, once after init */
    void (*free)(void *st);                      /* what init has taken; may be NULL */
    uint32_t most;                               /* tenants that it can serve; 0: any number */
};
enum { TENANT_MOST_CYC = 1024 };

extern const struct tenant_ops *const tenant_list[]; /* NULL-terminated */
const struct tenant_ops *tenant_find(const char *name);

/* ---- what keeps the limits ---- */

/* Why a warp may not issue though it could (warp.limits). */
enum { LIMIT_LEAVES = 1, LIMIT_WARPS = 2, LIMIT_REQUESTS = 4, LIMIT_RETURNS = 8 };
enum { LIMIT_MOVES = LIMIT_LEAVES | LIMIT_RETURNS }; /* whatever its tenant may */

struct tenants {
    const struct tenant_ops *ops;
    void *st;
    uint32_t n;   /* tenants of the run */
    uint32_t cyc; /* interval; 0: nobody is limited */
    bool asked;   /* the next decision has its event */
    struct tenant_limit *limits;
    struct tenant_seen *seen;
    uint32_t requests;              /* of all tenants */
    uint64_t at;                    /* the integrals over requests are up to this cycle */
    bool stalled;                   /* the load-store unit is, from that cycle on */
    uint64_t lsu_stalled, computed; /* cycles */
    uint64_t computed_at;           /* 1 + the last of these */
    uint32_t *pcs;                  /* NULL: nobody decides */
    uint64_t (*stats)[SM_STATS];    /* by tenant; NULL: there is one, and nobody asks */
};

void tenants_init(struct sm *s, const struct tenant_ops *ops, uint32_t n);
void tenants_free(struct sm *s);
/* A CTA begins; the time of a decision has come. */
void tenants_begin(struct sm *s);
/* Where s->tenants.cyc: the load-store unit cannot go on in cycle t; it can again. */
void tenants_stalled(struct sm *s, uint64_t t, bool stalled);
/* Where s->tenants.pcs: what the policy sees of issue. Before and after it in a cycle; a partition falls asleep, has slept. */
SELDOM void tenant_look(struct part *p);
SELDOM void tenant_sleeps(struct part *p);
SELDOM void tenant_slept(struct part *p, uint64_t cycles);
SELDOM void tenant_issued(struct part *p, uint64_t t);
void tenants_decide(struct sm *s, uint64_t t);
/* The limits of a new warp of a tenant. */
uint8_t tenant_limits(const struct sm *s, uint32_t tenant);
/* Where s->tenants.cyc: an access to lines issues, and ends. */
void tenant_asks(struct part *p, uint32_t flight);
void tenant_served(struct part *p, uint32_t flight);
/* A line of a store, which was not served with its instruction */
void tenant_acked(struct sm *s, uint32_t tenant);
/* Of a warp with limits that could issue: is it kept from it? */
bool tenant_stops(const struct part *p, uint32_t warp);

#endif
