/* SPDX-License-Identifier: Apache-2.0 */
/* What every policy declares, whatever its seam: the first member of its table of functions. Whoever configures, counts, prices
 * or lists policies reads it here, and names none of them. NULL or 0 is "none" in every member but the first two.
 *
 * Options are tables of their own, with the policy's name as section (conf.h, CONF_TABLE); policies may share one. Counters are a
 * table with the policy's name; the SM gives it a place behind its own counters (policy_stats_at). */
#ifndef SM_POLICY_H
#define SM_POLICY_H

#include "conf/conf.h"
#include "sm/price.h"
#include "sm/storage.h"
#include "stat/stat.h"

struct sm_cfg;
struct sm_kernel;
struct tr_reader;

enum seam { SEAM_WSCHED, SEAM_ASSIGN, SEAM_OPERANDS, SEAM_LSU, SEAM_ONCHIP, SEAM_TENANT, SEAMS };
enum { POLICY_TABLES = 3 };

/* An option, and conditions (conf.h) under which the policy does not read it; "": never. */
struct policy_unread {
    const char *option, *where;
};

struct policy {
    const char *name, *help;
    size_t state_b;
    const struct conf_table *options[POLICY_TABLES]; /* that it reads */
    bool draws;                                      /* lots: it reads sm.seed */
    const struct policy_unread *unread; /* options of the SM that it does not, option NULL after the last */
    const struct stat_table *stats;     /* that it counts */
    /* Why it cannot serve such an SM, perhaps with numbers (in the arena); NULL: it can. */
    const char *(*fits)(const struct sm_cfg *cfg, struct arena *a);
    /* Code that is about to run: writes what it wants to know into the kernel's instructions (kinsn.mark_*), or returns a note of
     * its own about the kernel, which `forget` takes back. */
    void *(*annotate)(struct sm_kernel *k, const struct sm_cfg *cfg);
    void (*forget)(void *note);
    /* Looks at what the kernel's warps will do in the trace, where the code alone does not tell. False after reporting why it
     * cannot. */
    bool (*profile)(struct sm_kernel *k, struct tr_reader *trace, const struct sm_cfg *cfg, struct diag *d);
    /* Registers of a warp's 32 lanes that the banks of an SM hold; without it as many as sm.registers makes. */
    uint32_t (*file)(const struct sm_cfg *cfg);
    /* Rows of what it adds to a plain SM; returns how many. */
    uint32_t (*storage)(const struct sm_cfg *cfg, struct storage_row rows[STORAGE_MAX]);
    /* pJ of what it has beside banks and collectors, for these counters of an SM. */
    double (*price)(const struct sm_cfg *cfg, const uint64_t *stats, const struct price *p);
    /* Flip-flops that it has beside the file and that leak with it; where it says `file`. */
    double (*latches)(const struct sm_cfg *cfg);
    /* Logic in the register file's way: its share of that file's area and energy. */
    double (*logic)(const struct sm_cfg *cfg);
};

/* A state for the policy, all zero: something that can be freed, also for one that has none. */
void *policy_state(const struct policy *p);

/* The policies of a seam, NULL after the last; and the one that a configuration selects. */
const struct policy *policy_at(enum seam s, uint32_t i);
const struct policy *policy_of(const struct sm_cfg *cfg, enum seam s);
extern const char *const seam_names[SEAMS]; /* as in sm.NAME = policy */

/* Adds the tables of all policies to a configuration, each once; the values live as long as it does. */
void policies_add(struct conf *conf, struct sm_cfg *cfg);
/* The values of a table of options in a configuration. */
const void *policy_options(const struct sm_cfg *cfg, const struct conf_table *t);

/* Where a policy's counters stand in an SM's. */
uint32_t policy_stats_at(const struct policy *p);
/* All tables of counters of an SM, its own first; *at: where it begins. NULL after the last. */
const struct stat_table *sm_stat_table(uint32_t i, uint32_t *at);

uint32_t sm_nstats(void); /* of all of them; SM_STATS at most */

/* Policies whose tables are not complete, or that do not fit. False after reporting. */
bool policies_check(const struct sm_cfg *cfg, struct diag *d);

#endif
