/* SPDX-License-Identifier: Apache-2.0 */
/* The registry: one line per policy of each seam. */
#include "sm/assign/assign.h"
#include "sm/lsu/lsu.h"
#include "sm/onchip/onchip.h"
#include "sm/operands/operands.h"
#include "sm/sm.h"
#include "sm/tenant/share.h"
#include "sm/tenant/tenant.h"
#include "sm/wsched/wsched.h"

#include <assert.h>
#include <string.h>

extern const struct wsched_ops wsched_lrr, wsched_gto, wsched_yield, wsched_twolevel, wsched_rba,
    wsched_malekeh;
extern const struct wsched_ops wsched_strands, wsched_random;
extern const struct assign_ops assign_rr, assign_turn, assign_srr, assign_shuffle;
extern const struct operands_ops operands_collectors, operands_reuse, operands_ports, operands_stealing,
    operands_ccu, operands_bow, operands_rfc, operands_swrfc, operands_ltrf, operands_regless, operands_rfv;
extern const struct lsu_ops lsu_coalescer, lsu_banked, lsu_mrpb, lsu_warppool, lsu_sectored;
extern const struct onchip_ops onchip_partitioned, onchip_carved, onchip_fermi, onchip_unified,
    onchip_unified_multi;
extern const struct tenant_ops tenant_free, tenant_scavenger;

const struct wsched_ops *const wsched_list[] = {&wsched_gto,    &wsched_lrr,     &wsched_twolevel,
                                                &wsched_rba,    &wsched_malekeh, &wsched_strands,
                                                &wsched_random, &wsched_yield,   NULL};
const struct assign_ops *const assign_list[] = {&assign_rr, &assign_turn, &assign_srr, &assign_shuffle, NULL};
const struct operands_ops *const operands_list[] = {
    &operands_collectors, &operands_reuse, &operands_ports, &operands_stealing, &operands_ccu, &operands_bow,
    &operands_rfc,        &operands_swrfc, &operands_ltrf,  &operands_regless,  &operands_rfv, NULL};
const struct lsu_ops *const lsu_list[] = {&lsu_coalescer, &lsu_banked,   &lsu_mrpb,
                                          &lsu_warppool,  &lsu_sectored, NULL};
const struct onchip_ops *const onchip_list[] = {&onchip_partitioned, &onchip_carved,        &onchip_fermi,
                                                &onchip_unified,     &onchip_unified_multi, NULL};
const struct tenant_ops *const tenant_list[] = {&tenant_free, &tenant_scavenger, NULL};

const char *const seam_names[SEAMS] = {
    [SEAM_WSCHED] = "wsched", [SEAM_ASSIGN] = "assign", [SEAM_OPERANDS] = "operands",
    [SEAM_LSU] = "lsu",       [SEAM_ONCHIP] = "onchip", [SEAM_TENANT] = "tenant"};

#define SEAM(seam)                                                                                           \
    static const struct policy *seam##_policy(uint32_t i)                                                    \
    {                                                                                                        \
        return i < sizeof seam##_list / sizeof seam##_list[0] && seam##_list[i] ? &seam##_list[i]->is        \
                                                                                : NULL;                      \
    }                                                                                                        \
    const char *seam##_name(uint32_t i) { return seam##_policy(i) ? seam##_policy(i)->name : NULL; }         \
    const struct seam##_ops *seam##_find(const char *name)                                                   \
    {                                                                                                        \
        for (uint32_t i = 0; seam##_list[i]; i++)                                                            \
            if (strcmp(seam##_list[i]->is.name, name) == 0)                                                  \
                return seam##_list[i];                                                                       \
        return NULL;                                                                                         \
    }

SEAM(wsched)
SEAM(assign)
SEAM(operands)
SEAM(lsu)
SEAM(onchip)
SEAM(tenant)

const struct wsched_ops *wsched_of(const struct sm_cfg *c)
{
    return c->guest && c->wsched == c->guest->is.name ? c->guest : wsched_find(c->wsched);
}

void *policy_state(const struct policy *p) { return xcalloc(1, p->state_b ? p->state_b : 1); }

const struct policy *policy_at(enum seam s, uint32_t i)
{
    switch (s) {
    case SEAM_WSCHED: return wsched_policy(i);
    case SEAM_ASSIGN: return assign_policy(i);
    case SEAM_OPERANDS: return operands_policy(i);
    case SEAM_LSU: return lsu_policy(i);
    case SEAM_ONCHIP: return onchip_policy(i);
    case SEAM_TENANT: return tenant_policy(i);
    case SEAMS: break;
    }
    return NULL;
}

const struct policy *policy_of(const struct sm_cfg *c, enum seam s)
{
    switch (s) {
    case SEAM_WSCHED: return &wsched_of(c)->is;
    case SEAM_ASSIGN: return &assign_find(c->assign)->is;
    case SEAM_OPERANDS: return &operands_find(c->operands)->is;
    case SEAM_LSU: return &lsu_find(c->lsu)->is;
    case SEAM_ONCHIP: return &onchip_find(c->onchip)->is;
    case SEAM_TENANT: return &tenant_find(c->tenant)->is;
    case SEAMS: break;
    }
    return NULL;
}

/* What a table of a seam may not lack. */
static const char *lacks(const struct sm_cfg *c, enum seam s)
{
    const struct wsched_ops *w = wsched_of(c);
    const struct operands_ops *o = operands_find(c->operands);
    const struct lsu_ops *u = lsu_find(c->lsu);
    const struct onchip_ops *m = onchip_find(c->onchip);
    const struct tenant_ops *t = tenant_find(c->tenant);
    switch (s) {
    case SEAM_WSCHED: return !w->pick ? "pick" : NULL;
    case SEAM_ASSIGN: return !assign_find(c->assign)->pick ? "pick" : NULL;
    case SEAM_OPERANDS:
        return !o->runner_up != !o->forced ? o->forced ? "runner_up" : "forced"
               : o->control && !o->set     ? "set"
               : o->result && !o->find     ? "find"
                                           : NULL;
    case SEAM_LSU:
        return !u->room ? "room" : !u->push ? "push" : !u->tick ? "tick" : !u->next ? "next" : NULL;
    case SEAM_ONCHIP: return !m->cta_fits ? "cta_fits" : !m->split ? "split" : !m->arrays ? "arrays" : NULL;
    case SEAM_TENANT: return !t->interval != !t->decide ? t->decide ? "interval" : "decide" : NULL;
    case SEAMS: break;
    }
    return NULL;
}

bool policies_check(const struct sm_cfg *c, struct diag *d)
{
    uint32_t before = d->errors;
    struct arena text = {0};
    for (enum seam s = 0; s < SEAMS; s++) {
        const struct policy *p = policy_of(c, s);
        const char *missing = lacks(c, s), *why = p->fits ? p->fits(c, &text) : NULL;
        if (missing)
            diag_plain(d, "sm.%s = %s: the policy has no function `%s`, which its seam needs", seam_names[s],
                       p->name, missing);
        if (why)
            diag_plain(d, "sm.%s = %s: %s", seam_names[s], p->name, why);
    }
    arena_free(&text);
    const struct operands_ops *o = operands_find(c->operands);
    if ((!o->latched && (c->isolated || c->issue_latch || c->unit_latch || c->dispatch_ports ||
                         !c->read_lock || !c->wide_operands)) ||
        (!o->sets && (c->collectors_sfu || c->collectors_mem)))
        diag_plain(d,
                   "sm.operands = %s: it cannot have sm.isolated, sm.issue_latch, sm.unit_latch, "
                   "sm.dispatch_ports, sm.collectors_sfu or sm.collectors_mem, nor do without sm.read_lock "
                   "and sm.wide_operands",
                   c->operands);
    if (sm_nstats() > SM_STATS)
        diag_plain(d, "the policies' counters need SM_STATS = %u, and it is %u", sm_nstats(), SM_STATS);
    return d->errors == before;
}

static bool reads(const struct policy *p, const struct conf_table *t)
{
    if (!t)
        return p->draws;
    for (uint32_t k = 0; k < POLICY_TABLES && p->options[k]; k++)
        if (p->options[k] == t)
            return true;
    return false;
}

/* "sm.operands=A,B sm.wsched=C": where the policies are selected that read a table; NULL: that draw lots. */
static const char *readers(struct arena *a, const struct conf_table *t)
{
    const char *text = "";
    for (enum seam s = 0; s < SEAMS; s++) {
        bool first = true;
        for (uint32_t i = 0; policy_at(s, i); i++) {
            if (!reads(policy_at(s, i), t))
                continue;
            text = first ? arena_printf(a, "%s%ssm.%s=%s", text, *text ? " " : "", seam_names[s],
                                        policy_at(s, i)->name)
                         : arena_printf(a, "%s,%s", text, policy_at(s, i)->name);
            first = false;
        }
    }
    return text;
}

static bool has_table(const struct sm_own *own, const struct conf_table *t)
{
    while (own->table && own->table != t)
        own++;
    return own->table != NULL;
}

static void add_table(struct conf *conf, const struct conf_table *t, struct sm_own *own)
{
    while (own->table)
        own++;
    *own = (struct sm_own){.table = t, .values = arena_alloc(&conf->arena, t->size_b)};
    conf_add(conf, t->section, t->opts, t->n, own->values);
}

static void add_tables(struct conf *conf, const struct policy *p, struct sm_own *own)
{
    for (uint32_t k = 0; k < POLICY_TABLES && p->options[k]; k++) {
        const struct conf_table *t = p->options[k];
        if (has_table(own, t))
            continue;
        add_table(conf, t, own);
        conf_read_where(conf, readers(&conf->arena, t));
    }
}

void policies_add(struct conf *conf, struct sm_cfg *cfg)
{
    struct sm_own *own = ARENA_ARRAY(&conf->arena, struct sm_own, CONF_MAX_SECTIONS + 1);
    memset(own, 0, sizeof *own * (CONF_MAX_SECTIONS + 1));
    add_table(conf, &share_options, own); /* policies of gpu/share read it as well: its rows say which */
    for (enum seam s = 0; s < SEAMS; s++) {
        for (uint32_t i = 0; policy_at(s, i); i++) {
            const struct policy *p = policy_at(s, i);
            add_tables(conf, p, own);
            for (const struct policy_unread *u = p->unread; u && u->option; u++)
                conf_add_rule(conf, (struct conf_rule){
                                        .option = u->option,
                                        .where = arena_printf(&conf->arena, "sm.%s=%s%s%s", seam_names[s],
                                                              p->name, *u->where ? "&" : "", u->where)});
        }
    }
    conf_add_rule(
        conf, (struct conf_rule){.option = "sm.seed", .where = readers(&conf->arena, NULL), .only = true});
    cfg->own = own;
}

const void *policy_options(const struct sm_cfg *c, const struct conf_table *t)
{
    uint32_t i = 0;
    while (c->own[i].table && c->own[i].table != t)
        i++;
    assert(c->own[i].table); /* a policy reads what it declares */
    return c->own[i].values;
}

/* ---- counters ---- */

/* Tables stand one behind the other in the order of the registry: that of a policy, or the nth of all. *at: where it begins, or
 * where they all end. */
static const struct stat_table *find_table(const struct policy *of, uint32_t nth, uint32_t *at)
{
    *at = SS_COUNT;
    for (enum seam s = 0; s < SEAMS; s++) {
        for (uint32_t i = 0; policy_at(s, i); i++) {
            const struct policy *p = policy_at(s, i);
            if (p == of || (!of && p->stats && !nth--))
                return p->stats;
            *at += p->stats ? p->stats->n : 0;
        }
    }
    return NULL;
}

uint32_t policy_stats_at(const struct policy *p)
{
    uint32_t at;
    find_table(p, 0, &at);
    return at;
}

uint32_t sm_nstats(void)
{
    uint32_t at;
    find_table(NULL, UINT32_MAX, &at);
    return at;
}

const struct stat_table *sm_stat_table(uint32_t i, uint32_t *at)
{
    *at = 0;
    return i ? find_table(NULL, i - 1, at) : &sm_stats;
}
