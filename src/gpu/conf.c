/* The whole configuration: sections and what must hold between them. */
#include "gpu/gpu.h"
#include "sm/assign/assign.h"
#include "sm/lsu/lsu.h"
#include "sm/operands/operands.h"

static const struct conf_opt gpu_opts_table[] = {
#define OPT(name, type, def, lo, hi, ...) CONF_ROW_OPT(struct gpu_cfg, name, type, def, lo, hi, __VA_ARGS__)
#include "gpu/gpu.def"
#undef OPT
};

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
}

bool gpu_conf_check(const struct gpu_conf *c, struct diag *d)
{
    uint32_t before = d->errors;
    if (!c->mem.simple && c->mem.slices % c->mem.channels)
        diag_plain(d, "mem.slices = %u is no multiple of mem.channels = %u", c->mem.slices, c->mem.channels);
    if (c->sm.schedulers > c->sm.warps)
        diag_plain(d, "sm.schedulers = %u have only sm.warps = %u slots to choose from", c->sm.schedulers,
                   c->sm.warps);
    if (c->sm.l1_unified && c->sm.l1_kb < c->sm.shared_kb)
        diag_plain(d, "sm.shared_kb = %u does not fit into the unified array of sm.l1_kb = %u",
                   c->sm.shared_kb, c->sm.l1_kb);
    if (c->sm.registers % c->sm.partitions)
        diag_plain(d, "sm.registers = %u cannot be divided among sm.partitions = %u", c->sm.registers,
                   c->sm.partitions);
    const struct assign_ops *a = assign_find(c->sm.assign);
    const char *why = a->fits ? a->fits(&c->sm) : NULL;
    if (why)
        diag_plain(d, "sm.assign = %s with sm.partitions = %u: %s", a->name, c->sm.partitions, why);
    const struct lsu_ops *u = lsu_find(c->sm.lsu);
    why = u->fits ? u->fits(&c->sm) : NULL;
    if (why)
        diag_plain(d, "sm.lsu = %s: %s", u->name, why);
    const struct operands_ops *o = operands_find(c->sm.operands);
    why = o->fits ? o->fits(&c->sm) : NULL;
    if (why)
        diag_plain(d, "sm.operands = %s: %s", o->name, why);
    why = energy_contradiction(&c->energy);
    if (why)
        diag_plain(d, "%s", why);
    return d->errors == before;
}

struct energy_machine gpu_machine(const struct gpu_conf *c)
{
    return (struct energy_machine){
        .cfg = &c->energy, .sm = &c->sm, .mem = &c->mem, .sms = c->gpu.sms, .core_mhz = c->gpu.core_mhz};
}

void gpu_energy(const struct gpu_conf *c, const struct gpu_result *r, struct energy_out *out)
{
    struct energy_in in = {.of = gpu_machine(c), .cycles = r->cycles, .sm = r->sm, .mem = r->mem};
    energy_of(&in, out);
}
