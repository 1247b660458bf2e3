/* The seam `tenant`: on one SM, how many warps of each tenant may issue, and how many memory requests each may have
 * outstanding. A policy decides at every multiple of its interval as long as the SM has CTAs, and when one begins after a
 * pause. In between its limits are kept by the SM (tenant.c): a warp that could issue and may not waits for BLOCK_TENANT. One
 * state per SM.
 *
 * A policy without functions limits nobody, is never asked, and costs nothing. */
#ifndef SM_TENANT_TENANT_H
#define SM_TENANT_TENANT_H

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
};

/* By tenant; what has come together up to now. */
struct tenant_seen {
    uint32_t warps;        /* that are there and have not ended */
    uint32_t requests;     /* lines on their way */
    const uint64_t *stats; /* by enum sm_stat: those of sm_count_tenant */
};

struct tenant_ops {
    struct policy is;
    void (*init)(void *st, const struct sm_cfg *cfg, uint32_t sm); /* may be NULL */
    /* Cycles between decisions, 1 to TENANT_MOST_CYC. Both of these, or neither. */
    uint32_t (*interval)(const struct sm_cfg *cfg);
    /* In cycle t, for n tenants. `limits` are those that have stood, TENANT_ALL at first. */
    void (*decide)(void *st, uint64_t t, uint32_t n, const struct tenant_seen *seen,
                   struct tenant_limit *limits);
};
enum { TENANT_MOST_CYC = 1024 };

extern const struct tenant_ops *const tenant_list[]; /* NULL-terminated */
const struct tenant_ops *tenant_find(const char *name);

/* ---- what keeps the limits ---- */

/* Why a warp may not issue though it could (warp.limits). */
enum { LIMIT_LEAVES = 1, LIMIT_WARPS = 2, LIMIT_REQUESTS = 4 };

struct tenants {
    const struct tenant_ops *ops;
    void *st;
    uint32_t n;   /* tenants of the run */
    uint32_t cyc; /* interval; 0: nobody is limited */
    bool asked;   /* the next decision has its event */
    struct tenant_limit *limits;
    struct tenant_seen *seen;
    uint64_t (*stats)[SM_STATS]; /* by tenant; NULL: there is one, and nobody asks */
};

void tenants_init(struct sm *s, const struct tenant_ops *ops, uint32_t n);
void tenants_free(struct sm *s);
/* A CTA begins; the time of a decision has come. */
void tenants_begin(struct sm *s);
void tenants_decide(struct sm *s, uint64_t t);
/* The limits of a new warp of a tenant. */
uint8_t tenant_limits(const struct sm *s, uint32_t tenant);
/* Where s->tenants.cyc: an access to lines issues, and ends. */
void tenant_asks(struct part *p, uint32_t flight);
void tenant_served(struct part *p, uint32_t flight);
/* Of a warp with limits that could issue: is it kept from it? */
bool tenant_stops(const struct part *p, uint32_t warp);

#endif
