/* SPDX-License-Identifier: Apache-2.0 */
/* The whole configuration: sections and what must hold between them. */
#include "gpu/gpu.h"

#include "gpu/share/share.h"
#include "sm/tenant/tenant.h"

static const struct conf_opt gpu_opts_table[] = {
#define OPT(name, type, def, lo, hi, ...) CONF_ROW_OPT(struct gpu_cfg, name, type, def, lo, hi, __VA_ARGS__)
#define NAME(name, def, names, ...) CONF_ROW_NAME(struct gpu_cfg, name, def, names, __VA_ARGS__)
#include "gpu/gpu.def"
#undef OPT
#undef NAME
};

static const struct stat_info sample_rows[] = {
#define STAT(name, unit, help) {#name, unit, help},
#include "gpu/sample/sample.def"
#undef STAT
};
static const struct stat_table sample_stats = {"sample", sample_rows, SAM_COUNT};

void gpu_conf_init(struct gpu_conf *c)
{
    memset(c, 0, sizeof *c);
    conf_add(&c->conf, "gpu", gpu_opts_table, sizeof gpu_opts_table / sizeof gpu_opts_table[0], &c->gpu);
    conf_add(&c->conf, "sm", sm_opts, sm_nopts, &c->sm);
    conf_add(&c->conf, "mem", mem_opts, mem_nopts, &c->mem);
    conf_add(&c->conf, "latency", lat_opts, lat_nopts, &c->lat);
    conf_add(&c->conf, "interval", ii_opts, lat_nopts, &c->ii);
    conf_add(&c->conf, "unit", unit_opts, lat_nopts, &c->unit);
    conf_add(&c->conf, "units", count_opts, count_nopts, &c->count);
    conf_add(&c->conf, "energy", energy_opts, energy_nopts, &c->energy);
    policies_add(&c->conf, &c->sm);
}

bool gpu_conf_check(const struct gpu_conf *c, struct diag *d)
{
    uint32_t before = d->errors;
    if (!c->mem.simple && c->mem.slices % c->mem.channels)
        diag_plain(d, "mem.slices = %u is no multiple of mem.channels = %u", c->mem.slices, c->mem.channels);
    if (!c->mem.simple && c->mem.halves) {
        if (c->mem.slices / c->mem.channels % 2)
            diag_plain(d, "mem.halves: mem.slices = %u are an odd number for each of mem.channels = %u",
                       c->mem.slices, c->mem.channels);
        if (c->mem.half_b % c->mem.interleave_b)
            diag_plain(d, "mem.half_b = %u is no multiple of mem.interleave_b = %u", c->mem.half_b,
                       c->mem.interleave_b);
        if (c->mem.interleave_twice && (c->mem.half_b % (4 * c->mem.interleave_b) || c->mem.slices % 4))
            diag_plain(d,
                       "mem.interleave_twice: four blocks of mem.interleave_b = %u have to fit into "
                       "mem.half_b = %u, and "
                       "mem.slices = %u to be a multiple of 4",
                       c->mem.interleave_b, c->mem.half_b, c->mem.slices);
        if (c->mem.halves_shared && c->mem.l2_ways < 2)
            diag_plain(d, "mem.halves_shared: of mem.l2_ways = 1 none is left to lines at home");
    }
    if (c->gpu.passes > 1 && c->gpu.sample > 0)
        diag_plain(d, "gpu.passes: an estimate (gpu.sample) is of one pass");
    if (c->gpu.passes > 1 && (c->gpu.insts || c->gpu.most_cyc))
        diag_plain(
            d,
            "gpu.passes: the last pass has to come to its end, which gpu.insts and gpu.most_cyc would cut");
    if (c->gpu.region && c->gpu.sample > 0)
        diag_plain(d, "gpu.region: an estimate (gpu.sample) is of all launches");
    if (c->sm.schedulers > c->sm.warps)
        diag_plain(d, "sm.schedulers = %u have only sm.warps = %u slots to choose from", c->sm.schedulers,
                   c->sm.warps);
    if (c->sm.registers % c->sm.partitions)
        diag_plain(d, "sm.registers = %u cannot be divided among sm.partitions = %u", c->sm.registers,
                   c->sm.partitions);
    if (c->sm.isolated &&
        (c->sm.warp_pool || c->sm.banks % c->sm.schedulers || sm_collectors(&c->sm) % c->sm.schedulers))
        diag_plain(d,
                   "sm.isolated: sm.banks = %u and %u collectors are divided among sm.schedulers = %u, which "
                   "must not share their warps (sm.warp_pool)",
                   c->sm.banks, sm_collectors(&c->sm), c->sm.schedulers);
    /* Those of one scheduler would have all collectors of a set, and the others none. */
    if (c->sm.isolated && c->sm.schedulers > 1 && (c->sm.collectors_sfu || c->sm.collectors_mem))
        diag_plain(d,
                   "sm.isolated: sm.collectors_sfu and sm.collectors_mem are not divided among schedulers");
    if (sm_collectors(&c->sm) > 64)
        diag_plain(d, "sm.collectors = %u: with those of SFU and memory they are more than 64",
                   c->sm.collectors);
    uint32_t sets = 1 + (c->sm.collectors_sfu != 0) + (c->sm.collectors_mem != 0);
    if (c->sm.dispatch_ports && c->sm.dispatch_ports < sets)
        diag_plain(d, "sm.dispatch_ports = %u: they are fewer than the sets of collectors, %u",
                   c->sm.dispatch_ports, sets);
    policies_check(&c->sm, d);
    bool obeys = share_find(c->gpu.share)->obeys;
    if (obeys != (tenant_find(c->sm.tenant)->ctas != NULL))
        diag_plain(d, "gpu.share = %s and sm.tenant = %s: %s", c->gpu.share, c->sm.tenant,
                   obeys
                       ? "the second has no opinion on CTAs, which the first would follow"
                       : "the second decides how many CTAs an SM has, and only gpu.share = quota follows it");
    const char *why = energy_contradiction(&c->energy);
    if (why)
        diag_plain(d, "%s", why);
    return d->errors == before;
}

const struct stat_table *gpu_stats(uint32_t i, const struct gpu_result *r, const uint64_t **values)
{
    const struct {
        const struct stat_table *table;
        const uint64_t *values;
    } others[] = {{&mem_stats, r ? r->mem : NULL}, {&sample_stats, r ? r->sample : NULL}};
    uint32_t at, n = 0; /* n: tables of the SM */
    while (n <= i && sm_stat_table(n, &at))
        n++;
    if (n > i) {
        if (values)
            *values = r->sm + at;
        return sm_stat_table(i, &at);
    }
    if (i - n > 1)
        return NULL;
    if (values)
        *values = others[i - n].values;
    return others[i - n].table;
}

struct energy_machine gpu_machine(const struct gpu_conf *c)
{
    return (struct energy_machine){.cfg = &c->energy,
                                   .sm = &c->sm,
                                   .mem = &c->mem,
                                   .sms = c->gpu.sms,
                                   .core_mhz = c->gpu.core_mhz,
                                   .limit_w = c->gpu.power_w};
}

void gpu_energy(const struct gpu_conf *c, const struct gpu_result *r, struct energy_out *out)
{
    struct energy_in in = {.of = gpu_machine(c), .cycles = r->cycles, .sm = r->sm, .mem = r->mem};
    energy_of(&in, out);
}

void gpu_energy_between(const struct gpu_conf *c, const struct gpu_sample *from, const struct gpu_sample *to,
                        struct energy_out *out)
{
    uint64_t sm[SM_STATS], mem[MS_COUNT];
    for (uint32_t i = 0; i < SM_STATS; i++)
        sm[i] = to->sm[i] > from->sm[i] ? to->sm[i] - from->sm[i] : 0;
    for (uint32_t i = 0; i < MS_COUNT; i++)
        mem[i] = to->mem[i] - from->mem[i];
    struct energy_in in = {.of = gpu_machine(c), .cycles = to->at - from->at, .sm = sm, .mem = mem};
    energy_of(&in, out);
}
