/* SPDX-License-Identifier: Apache-2.0 */
/* A machine whose energy is asked for, without a run: options, and the counters that a test gives it. */
#ifndef TESTS_ENERGY_MACHINE_H
#define TESTS_ENERGY_MACHINE_H

#include "energy/kit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct machine {
    struct conf conf;
    struct energy_cfg energy;
    struct sm_cfg sm;
    struct mem_cfg mem;
    uint64_t n[SM_STATS], m[MS_COUNT];
    struct energy_in in;
};

static inline void set(struct machine *m, const char *assignments)
{
    struct diag d = {0};
    char buf[600];
    snprintf(buf, sizeof buf, "%s", assignments);
    for (char *rest, *s = strtok_r(buf, " ", &rest); s; s = strtok_r(NULL, " ", &rest))
        assert_true(conf_set(&m->conf, s, CONF_USER, &d));
}

/* One SM with the register file of the stealing paper's Table III; its values are the caller's to give. */
static inline void machine(struct machine *m, const char *assignments)
{
    memset(m, 0, sizeof *m);
    conf_add(&m->conf, "energy", energy_opts, energy_nopts, &m->energy);
    conf_add(&m->conf, "sm", sm_opts, sm_nopts, &m->sm);
    conf_add(&m->conf, "mem", mem_opts, mem_nopts, &m->mem);
    policies_add(&m->conf, &m->sm);
    set(m, "sm.partitions=1 sm.registers=32768 sm.banks=16 sm.collectors=10");
    set(m, assignments);
    m->in = (struct energy_in){
        .of = {.cfg = &m->energy, .sm = &m->sm, .mem = &m->mem, .sms = 1, .core_mhz = 1000},
        .sm = m->n,
        .mem = m->m};
}

static inline void done(struct machine *m) { conf_free(&m->conf); }

static inline void near(double a, double b) { assert_true(fabs(a - b) <= 1e-9 * fabs(b)); }

/* The stealing paper's Table III. */
static const char table3[] =
    "energy.rf_ref_pj=185 energy.rf_ref_mw=384.4 energy.xbar_ref_pj=71 energy.xbar_ref_mw=11.2";

#endif
